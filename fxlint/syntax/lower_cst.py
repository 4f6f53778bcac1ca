"""Statements: libcst to IR, by a table from node class to function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from fxlint.base.errors import ReadError
from fxlint.syntax import ir
from fxlint.syntax.literals import identifier
from fxlint.syntax.lower_expr import arguments, expr, optional, parameters
from fxlint.syntax.lower_match import pattern
from fxlint.syntax.sites import Sites

_AUGMENTED = {
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.MatrixMultiplyAssign: "@", cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//", cst.ModuloAssign: "%", cst.PowerAssign: "**", cst.LeftShiftAssign: "<<", cst.RightShiftAssign: ">>",
    cst.BitAndAssign: "&", cst.BitOrAssign: "|", cst.BitXorAssign: "^",
}  # fmt: skip


def statements(sites: Sites, nodes: Sequence[cst.CSTNode]) -> tuple[ir.Stmt, ...]:
    """The IR of a sequence of statements. Raises ReadError for one that the IR has no word for."""
    lowered: list[ir.Stmt] = []
    for node in nodes:
        if isinstance(node, cst.SimpleStatementLine):
            lowered.extend([_statement(sites, small) for small in node.body])
        else:
            lowered.append(_statement(sites, node))
    return tuple(lowered)


def _statement(sites: Sites, node: cst.CSTNode) -> ir.Stmt:
    lower = _STATEMENTS.get(node.__class__)
    if lower is None:
        raise ReadError(f"{type(node).__name__} statements are not supported")
    return lower(sites, node)


def _suite(sites: Sites, node: cst.BaseSuite) -> tuple[ir.Stmt, ...]:
    return statements(sites, node.body)


def _orelse(sites: Sites, node: cst.Else | None) -> tuple[ir.Stmt, ...]:
    return () if node is None else _suite(sites, node.body)


# ---------------------------------------------------------------- simple statements


def _assign(sites: Sites, node: cst.Assign) -> ir.Stmt:
    at = sites.number(node)
    return ir.Assign(at, tuple([expr(sites, target.target) for target in node.targets]), expr(sites, node.value), None)


def _annotated(sites: Sites, node: cst.AnnAssign) -> ir.Stmt:
    at = sites.number(node)
    target = expr(sites, node.target)
    return ir.Assign(at, (target,), optional(sites, node.value), expr(sites, node.annotation.annotation))


def _type_alias(sites: Sites, node: cst.TypeAlias) -> ir.Stmt:
    return ir.Assign(sites.number(node), (expr(sites, node.name),), expr(sites, node.value), None)


def _augmented(sites: Sites, node: cst.AugAssign) -> ir.Stmt:
    at = sites.number(node)
    return ir.AugAssign(at, _AUGMENTED[node.operator.__class__], expr(sites, node.target), expr(sites, node.value))


def _expression(sites: Sites, node: cst.Expr) -> ir.Stmt:
    return ir.ExprStmt(sites.number(node), expr(sites, node.value))


def _return(sites: Sites, node: cst.Return) -> ir.Stmt:
    return ir.Return(sites.number(node), optional(sites, node.value))


def _raise(sites: Sites, node: cst.Raise) -> ir.Stmt:
    at = sites.number(node)
    cause = node.cause.item if isinstance(node.cause, cst.From) else None
    return ir.Raise(at, optional(sites, node.exc), optional(sites, cause))


def _assert(sites: Sites, node: cst.Assert) -> ir.Stmt:
    return ir.Assert(sites.number(node), expr(sites, node.test), optional(sites, node.msg))


def _delete(sites: Sites, node: cst.Del) -> ir.Stmt:
    at = sites.number(node)
    if isinstance(node.target, cst.Tuple) and not node.target.lpar:
        return ir.Delete(at, tuple([expr(sites, element.value) for element in node.target.elements]))
    return ir.Delete(at, (expr(sites, node.target),))


def _jump(sites: Sites, node: cst.Pass | cst.Break | cst.Continue) -> ir.Stmt:
    return ir.Jump(sites.number(node), type(node).__name__.lower())


def _scope(sites: Sites, node: cst.Global | cst.Nonlocal) -> ir.Stmt:
    return ir.Scope(sites.number(node), type(node).__name__.lower(), tuple([identifier(item.name.value) for item in node.names]))


def _dotted(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{identifier(node.attr.value)}"
    assert isinstance(node, cst.Name)
    return identifier(node.value)


def _aliases(nodes: Sequence[cst.ImportAlias]) -> tuple[tuple[str, str | None], ...]:
    aliases: list[tuple[str, str | None]] = []
    for node in nodes:
        alias = node.asname.name if node.asname is not None else None
        aliases.append((_dotted(node.name), identifier(alias.value) if isinstance(alias, cst.Name) else None))
    return tuple(aliases)


def _import(sites: Sites, node: cst.Import) -> ir.Stmt:
    return ir.Import(sites.number(node), _aliases(node.names))


def _import_from(sites: Sites, node: cst.ImportFrom) -> ir.Stmt:
    names = (("*", None),) if isinstance(node.names, cst.ImportStar) else _aliases(node.names)
    return ir.ImportFrom(sites.number(node), "" if node.module is None else _dotted(node.module), len(node.relative), names)


# ---------------------------------------------------------------- compound statements


def _if(sites: Sites, node: cst.If, *, is_elif: bool = False) -> ir.Stmt:
    at = sites.number(node)
    test = expr(sites, node.test)
    body = _suite(sites, node.body)
    orelse = (_if(sites, node.orelse, is_elif=True),) if isinstance(node.orelse, cst.If) else _orelse(sites, node.orelse)
    return ir.If(at, test, body, orelse, is_elif)


def _for(sites: Sites, node: cst.For) -> ir.Stmt:
    at = sites.number(node)
    target = expr(sites, node.target)
    iterated = expr(sites, node.iter)
    return ir.For(at, target, iterated, _suite(sites, node.body), _orelse(sites, node.orelse), node.asynchronous is not None)


def _while(sites: Sites, node: cst.While) -> ir.Stmt:
    return ir.While(sites.number(node), expr(sites, node.test), _suite(sites, node.body), _orelse(sites, node.orelse))


def _with(sites: Sites, node: cst.With) -> ir.Stmt:
    at = sites.number(node)
    items = tuple([(expr(sites, item.item), None if item.asname is None else expr(sites, item.asname.name)) for item in node.items])
    return ir.With(at, items, _suite(sites, node.body), node.asynchronous is not None)


def _try(sites: Sites, node: cst.Try | cst.TryStar) -> ir.Stmt:
    at = sites.number(node)
    body = _suite(sites, node.body)
    handlers = tuple([_handler(sites, handler) for handler in node.handlers])
    orelse = _orelse(sites, node.orelse)
    final = () if node.finalbody is None else _suite(sites, node.finalbody.body)
    return ir.Try(at, body, handlers, orelse, final, isinstance(node, cst.TryStar))


def _handler(sites: Sites, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ir.Handler:
    at = sites.number(node)
    name = None if node.name is None else node.name.name
    caught = optional(sites, node.type)
    return ir.Handler(at, caught, identifier(name.value) if isinstance(name, cst.Name) else None, _suite(sites, node.body))


def _function(sites: Sites, node: cst.FunctionDef) -> ir.Stmt:
    at = sites.number(node)
    decorators = tuple([expr(sites, decorator.decorator) for decorator in node.decorators])
    params = parameters(sites, node.params)
    returns = None if node.returns is None else expr(sites, node.returns.annotation)
    outer = sites.yields
    sites.yields = False
    body = _suite(sites, node.body)
    is_generator = sites.yields
    sites.yields = outer
    return ir.FuncDef(at, identifier(node.name.value), params, decorators, returns, body, node.asynchronous is not None, is_generator)


def _class(sites: Sites, node: cst.ClassDef) -> ir.Stmt:
    at = sites.number(node)
    decorators = tuple([expr(sites, decorator.decorator) for decorator in node.decorators])
    bases = arguments(sites, node.bases) + arguments(sites, node.keywords)
    return ir.ClassDef(at, identifier(node.name.value), bases, decorators, _suite(sites, node.body))


def _match(sites: Sites, node: cst.Match) -> ir.Stmt:
    at = sites.number(node)
    return ir.Match(at, expr(sites, node.subject), tuple([_case(sites, case) for case in node.cases]))


def _case(sites: Sites, node: cst.MatchCase) -> ir.Case:
    at = sites.number(node)
    return ir.Case(at, pattern(sites, node.pattern), optional(sites, node.guard), _suite(sites, node.body))


_STATEMENTS: dict[type[cst.CSTNode], Callable[[Sites, Any], ir.Stmt]] = {
    cst.AnnAssign: _annotated,
    cst.Assert: _assert,
    cst.Assign: _assign,
    cst.AugAssign: _augmented,
    cst.Break: _jump,
    cst.ClassDef: _class,
    cst.Continue: _jump,
    cst.Del: _delete,
    cst.Expr: _expression,
    cst.For: _for,
    cst.FunctionDef: _function,
    cst.Global: _scope,
    cst.If: _if,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.Match: _match,
    cst.Nonlocal: _scope,
    cst.Pass: _jump,
    cst.Raise: _raise,
    cst.Return: _return,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.TypeAlias: _type_alias,
    cst.While: _while,
    cst.With: _with,
}
