"""One function (or one statement of module or class level) as IR, cut out of its file and parsed by libcst on demand."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import libcst as cst

from fxlint.base.errors import ReadError
from fxlint.base.span import LineIndex, Span
from fxlint.syntax import ir
from fxlint.syntax.lower_cst import statements
from fxlint.syntax.positions import Range, ranges
from fxlint.syntax.sites import Sites


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The IR of one cut, and where its nodes stand in the file."""

    path: str
    offset: int  # character offset of the cut in the file's text
    text: str  # the cut itself, byte for byte
    stmts: tuple[ir.Stmt, ...]  # what the cut lowers to: for a function, one FuncDef

    def span(self, at: ir.At) -> Span:
        """Where node ``at`` stands, in characters of the whole file. Computed on first need and kept for the body.

        Raises ReadError where expressions nest so deeply (some 300 levels) that libcst cannot write them out.
        """
        start, end = _places(self.text)[at]
        return Span(self.offset + start, self.offset + end)


def read(path: str, text: str, start: int, end: int) -> Body:
    """The body of the whole lines ``text[start:end]``. Identical cuts are parsed once.

    Raises ReadError, with row and column in the whole file, where libcst cannot parse what ast could.
    """
    cut = text[start:end]
    try:
        return Body(path, start, cut, _lowered(cut))
    except ReadError as error:
        row, _ = LineIndex.of(text).place(start)
        raise ReadError(str(error), row + error.row - 1, error.column) from None


# Bounded, since a server may run for days. An entry is a cut and its IR, some kilobytes; all of transformers has fewer functions.
_KEPT_BODIES = 32768
_KEPT_PLACES = 4096


@lru_cache(maxsize=_KEPT_BODIES)
def _lowered(cut: str) -> tuple[ir.Stmt, ...]:
    with _no_collection():
        source = _source(cut)
        return _lower(source, _parse(source), Sites())


@lru_cache(maxsize=_KEPT_PLACES)
def _places(cut: str) -> tuple[Range, ...]:
    """Where each numbered node of ``cut`` stands in it, by lowering it once more: trees are too big to be kept."""
    with _no_collection():
        source = _source(cut)
        module = _parse(source)
        sites = Sites()
        _lower(source, module, sites)
        try:
            found = ranges(module, len(source.text))
        except RecursionError:
            raise ReadError("too deeply nested to be placed") from None
        by = source.shift
        return tuple([(found[node][0] + by, found[node][1] + by) for node in sites.nodes])


@dataclass(frozen=True, slots=True)
class _Source:
    """What libcst is given for a cut: whole lines that stand at column 0. ``shift`` leads from its offsets to those of the cut."""

    text: str
    is_indented: bool
    shift: int


# The margin of the first line: a form feed sets the column back to 0, so that only what follows the last one indents.
_MARGIN = re.compile(r"\ufeff?(?:[ \t]*\f)*([ \t]*)")
_HEADER = "if 1:\n"

_REFUSED = re.compile(r"error at (\d+):(\d+)")


def _source(cut: str) -> _Source:
    margin = _MARGIN.match(cut)
    assert margin is not None
    # libcst drops without a trace: a byte order mark or a form feed at the very start, and a lone carriage return at the very end.
    skipped = margin.start(1)
    text = cut[skipped:].removesuffix("\r")
    if margin[1]:
        return _Source(_HEADER + text, True, skipped - len(_HEADER))
    return _Source(text, False, skipped)


def _parse(source: _Source) -> cst.Module:
    try:
        return cst.parse_module(source.text)
    except cst.ParserSyntaxError as error:
        place = _REFUSED.search(error.message)  # raw_line is off by one at times, the message is not
        row, column = (int(place[1]), int(place[2]) - 1) if place else (error.raw_line, error.raw_column + 1)
        raise ReadError("libcst cannot parse what stands here or just before", max(row - source.is_indented, 1), max(column, 1)) from None
    except cst.CSTValidationError as error:
        raise ReadError(f"libcst cannot parse this: {error}") from None
    except RecursionError:
        raise ReadError("too deeply nested to be read") from None


def _lower(source: _Source, module: cst.Module, sites: Sites) -> tuple[ir.Stmt, ...]:
    try:
        if source.is_indented:
            block = module.body[0]
            assert isinstance(block, cst.If)
            return statements(sites, block.body.body)
        return statements(sites, module.body)
    except RecursionError:
        raise ReadError("too deeply nested to be read") from None


@contextmanager
def _no_collection() -> Iterator[None]:
    """No garbage collection while a tree is built and read: it has no cycles, and collections would walk it again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
