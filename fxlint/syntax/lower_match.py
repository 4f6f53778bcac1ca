"""Patterns of ``match`` statements: libcst to IR."""

from __future__ import annotations

import libcst as cst

from fxlint.base.errors import ReadError
from fxlint.syntax import ir
from fxlint.syntax.literals import identifier
from fxlint.syntax.lower_expr import expr
from fxlint.syntax.sites import Sites


def pattern(sites: Sites, node: cst.CSTNode) -> ir.Pattern:
    """The IR of one pattern."""
    at = sites.number(node)
    match node:
        case cst.MatchValue() | cst.MatchSingleton():
            return ir.MatchValue(at, expr(sites, node.value))
        case cst.MatchSequence():
            return ir.MatchSequence(at, tuple([_element(sites, element) for element in node.patterns]))
        case cst.MatchMapping():
            keys = tuple([expr(sites, element.key) for element in node.elements])
            patterns = tuple([pattern(sites, element.pattern) for element in node.elements])
            return ir.MatchMapping(at, keys, patterns, _name(node.rest))
        case cst.MatchClass():
            positional = tuple([pattern(sites, element.value) for element in node.patterns])
            keywords = tuple([(identifier(element.key.value), pattern(sites, element.pattern)) for element in node.kwds])
            return ir.MatchClass(at, expr(sites, node.cls), positional, keywords)
        case cst.MatchAs():
            inner = None if node.pattern is None else pattern(sites, node.pattern)
            return ir.MatchAs(at, inner, _name(node.name))
        case cst.MatchOr():
            return ir.MatchOr(at, tuple([pattern(sites, element.pattern) for element in node.patterns]))
        case _:
            raise ReadError(f"{type(node).__name__} patterns are not supported")


def _element(sites: Sites, node: cst.MatchSequenceElement | cst.MatchStar) -> ir.Pattern:
    if isinstance(node, cst.MatchStar):
        return ir.MatchStar(sites.number(node), _name(node.name))
    return pattern(sites, node.value)


def _name(node: cst.Name | None) -> str | None:
    return None if node is None else identifier(node.value)
