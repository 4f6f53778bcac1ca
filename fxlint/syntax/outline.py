"""The outline of a file: what it binds at module and class level and where, from ``ast``, without looking into bodies."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fxlint.base.errors import ReadError
from fxlint.base.span import LineIndex


@dataclass(frozen=True, slots=True)
class FunctionOutline:
    """A function or method. ``start``/``end`` are character offsets of whole lines, from its first decorator's line."""

    name: str
    qualname: str  # "helper", "Net.forward", "Outer.Inner.forward"
    start: int
    end: int
    row: int  # 1-based row of `def`
    is_async: bool
    decorators: tuple[str, ...]  # as ast.unparse writes them, outermost first


@dataclass(frozen=True, slots=True)
class StatementOutline:
    """Another statement of module or class level that binds or does something. Offsets of whole lines, as for functions.

    Statements that share a line (``a = 1; b = 2``, ``if x: a = 1``) share their offsets too, so that each cut parses.

    ``names`` are the plain names that it binds (``a = b = 1``, ``a, b = f()``, ``for i in ...``, ``with f() as g``), sorted by place.
    """

    names: tuple[str, ...]
    start: int
    end: int
    row: int
    kind: str  # the ast class name: "Assign", "AnnAssign", "Expr", "For", "If", ...


@dataclass(frozen=True, slots=True)
class ImportOutline:
    """One name that an import binds.

    ``import a.b`` binds ``a`` to module ``a`` (``attr`` None); ``import a.b as c`` binds ``c`` to ``a.b``.
    ``from m import x as y``: name ``y``, module ``m``, attr ``x``. A star import has the name and attr ``*``. ``level`` counts dots.
    """

    name: str
    module: str
    attr: str | None
    level: int
    row: int


@dataclass(frozen=True, slots=True)
class ClassOutline:
    """A class, with what its body binds; a later binding of a name stands after an earlier one."""

    name: str
    qualname: str
    start: int
    end: int
    row: int
    bases: tuple[str, ...]  # as ast.unparse writes them; keywords ("metaclass=...") left out
    decorators: tuple[str, ...]
    body: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """``name`` gets bound to ``what``. ``guard`` tells which arm of a module-level ``if``/``try`` it stands in, "" for none.

    A guard is a path such as ``"if TYPE_CHECKING/body"``, ``"if X/orelse"``, ``"try/body"``, ``"try/except ImportError"``,
    joined by `` > ``.
    """

    name: str
    what: FunctionOutline | ClassOutline | StatementOutline | ImportOutline
    guard: str


@dataclass(frozen=True, slots=True)
class ModuleOutline:
    """Everything known of one file before any of its bodies is read."""

    text: str
    lines: LineIndex
    bindings: tuple[Binding, ...]  # module level, in source order
    # Module-level statements that bind nothing: calls (wraps, registries), asserts, dels; also those in the arms of an if, try, with or
    # match. Loops stand here as a whole, with what is inside them.
    statements: tuple[StatementOutline, ...]
    noqa: tuple[tuple[int, str], ...] = field(default=())  # (1-based row, the comment's text from '#') of lines with "noqa" or "fxlint:"
    is_package: bool = False


_PARSE_FAILURES = (SyntaxError, ValueError, RecursionError, MemoryError)  # ValueError: NUL before Python 3.12, lone surrogates

# One pass over the text: a comment that speaks to flake8 or to fxlint. Spelled as classes, since IGNORECASE would cost the
# literal "#" that lets the regex engine skip ahead.
_NOQA = re.compile(r"#[ \t]*(?:[nN][oO][qQ][aA]|[fF][xX][lL][iI][nN][tT]:)[^\r\n]*")

_BOM = "\ufeff"


def build(text: str, tree: ast.Module | None = None, *, is_package: bool = False) -> ModuleOutline:
    """The outline of ``text``; ``tree`` is its parsed ``ast`` where the caller (flake8) has it already.

    Raises ReadError with the row and column where ``text`` does not parse.
    """
    if tree is None:
        tree = _parse(text)
    lines = LineIndex.of(text)
    file = _File(text, lines.starts, ":=" in text)
    try:
        bindings, statements = _block(file, tree.body, "", "", None)
    except RecursionError:
        raise ReadError("too deeply nested to be read") from None
    noqa = tuple((bisect_right(lines.starts, hit.start()), hit.group()) for hit in _NOQA.finditer(text))
    return ModuleOutline(text, lines, tuple(bindings), tuple(statements), noqa, is_package)


def _parse(text: str) -> ast.Module:
    source = text.removeprefix(_BOM)  # ast takes a byte order mark for a character; no row moves by dropping it
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in the code that is read is its author's business
            return ast.parse(source)
    except _PARSE_FAILURES as error:
        nul = text.find("\0")
        if nul != -1:
            raise ReadError("the file contains a NUL byte", *LineIndex.of(text).place(nul)) from None
        if isinstance(error, SyntaxError):
            raise ReadError(f"syntax error: {error.msg}", error.lineno or 1, max(error.offset or 1, 1)) from None
        raise ReadError(f"cannot be parsed: {type(error).__name__}: {error}") from None


@dataclass(frozen=True, slots=True)
class _File:
    """What the walk needs of the file: its text, the character offset of each line, and whether a walrus may bind somewhere."""

    text: str
    starts: tuple[int, ...]
    has_walrus: bool


@dataclass(frozen=True, slots=True)
class _Extent:
    """Whole lines, from character ``start`` to ``end``, and the 1-based row of the last of them."""

    start: int
    end: int
    end_row: int


_Block: TypeAlias = tuple[list[Binding], list[StatementOutline]]


def _extent(file: _File, node: ast.stmt, first_row: int) -> _Extent:
    end_row = node.end_lineno or node.lineno
    end = file.starts[end_row] if end_row < len(file.starts) else len(file.text)
    return _Extent(file.starts[first_row - 1], end, end_row)


def _shares_line(file: _File, node: ast.stmt) -> bool:
    """Whether other code stands before ``node`` on its first line: ``a = 1; b = 2`` or ``else: b = 2``."""
    start = file.starts[node.lineno - 1]
    return node.col_offset > 0 and not file.text[start : start + node.col_offset].isspace()


def _extents(file: _File, body: Sequence[ast.stmt], around: _Extent | None) -> list[_Extent]:
    """The lines of each statement; those that share a line have all their lines in common, so that each cut parses.

    A block that stands on its header's line (``if x: a = 1``) can only be read together with the header: ``around``.
    """
    found: list[_Extent] = []
    for node in body:
        extent = _extent(file, node, _first_row(file, node))
        if _shares_line(file, node):
            if not found:
                return [around or extent] * len(body)
            joined = _Extent(found[-1].start, extent.end, extent.end_row)
            first = next(i for i, other in enumerate(found) if other.start == joined.start)
            found[first:] = [joined] * (len(found) - first)
            extent = joined
        found.append(extent)
    return found


def _first_row(file: _File, node: ast.stmt) -> int:
    """The row of the first decorator's ``@``, else of the statement. In ``@(\\n  f)`` ast gives the row of ``f``."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.decorator_list:
            row = node.decorator_list[0].lineno
            while row > 1 and not file.text[file.starts[row - 1] : file.starts[row]].lstrip().startswith("@"):
                row -= 1
            return row
        case _:
            return node.lineno


def _block(file: _File, body: Sequence[ast.stmt], qualname: str, guard: str, around: _Extent | None) -> _Block:
    """What the statements of one block bind, in source order, and those that bind nothing. ``qualname`` is "" or ends with a dot."""
    bindings: list[Binding] = []
    statements: list[StatementOutline] = []
    for node, extent in zip(body, _extents(file, body, around), strict=True):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                bindings.append(Binding(node.name, _function(node, qualname, extent), guard))
            case ast.ClassDef():
                bindings.append(Binding(node.name, _class(file, node, qualname, extent), guard))
            case ast.Import() | ast.ImportFrom():
                bindings.extend(Binding(what.name, what, guard) for what in _imports(node))
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                names = _names(file, node)
                arms = _arms(node)
                what = StatementOutline(names, extent.start, extent.end, node.lineno, type(node).__name__)
                bindings.extend(Binding(name, what, guard) for name in names)
                # A loop does what it does only as a whole; the arms of other compound statements are listed one by one.
                if isinstance(node, _LOOPS) or not (names or arms):
                    statements.append(what)
                for label, arm in arms:
                    inner = _block(file, arm, qualname, f"{guard} > {label}" if guard else label, extent)
                    bindings.extend(inner[0])
                    if not isinstance(node, _LOOPS):
                        statements.extend(inner[1])
    return bindings, statements


_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, qualname: str, extent: _Extent) -> FunctionOutline:
    decorators = tuple(map(_source, node.decorator_list))
    is_async = isinstance(node, ast.AsyncFunctionDef)
    return FunctionOutline(node.name, qualname + node.name, extent.start, extent.end, node.lineno, is_async, decorators)


def _class(file: _File, node: ast.ClassDef, qualname: str, extent: _Extent) -> ClassOutline:
    name = qualname + node.name
    bases = tuple(map(_source, node.bases))
    body, _ = _block(file, node.body, name + ".", "", extent)
    decorators = tuple(map(_source, node.decorator_list))
    return ClassOutline(node.name, name, extent.start, extent.end, node.lineno, bases, decorators, tuple(body))


def _imports(node: ast.Import | ast.ImportFrom) -> list[ImportOutline]:
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return [ImportOutline(alias.asname or alias.name, module, alias.name, node.level, node.lineno) for alias in node.names]
    found = []
    for alias in node.names:
        if alias.asname is None:
            top = alias.name.partition(".")[0]
            found.append(ImportOutline(top, top, None, 0, node.lineno))
        else:
            found.append(ImportOutline(alias.asname, alias.name, None, 0, node.lineno))
    return found


def _arms(node: ast.stmt) -> list[tuple[str, list[ast.stmt]]]:
    """The blocks of a compound statement, each with its label in a guard."""
    match node:
        case ast.If():
            head = f"if {_source(node.test)}"
        case ast.While():
            head = f"while {_source(node.test)}"
        case ast.For() | ast.AsyncFor():
            head = f"for {_source(node.target)} in {_source(node.iter)}"
        case ast.With() | ast.AsyncWith():
            return [(f"with {', '.join(ast.unparse(item) for item in node.items)}/body", node.body)]
        case ast.Try() | ast.TryStar():
            caught = [
                ("try/except" if handler.type is None else f"try/except {_source(handler.type)}", handler.body) for handler in node.handlers
            ]
            arms = [("try/body", node.body), *caught, ("try/else", node.orelse), ("try/finally", node.finalbody)]
            return [(label, arm) for label, arm in arms if arm]
        case ast.Match():
            subject = _source(node.subject)
            return [(f"match {subject}/case {ast.unparse(case.pattern)}", case.body) for case in node.cases]
        case _:
            return []
    arms = [(head + "/body", node.body), (head + "/orelse", node.orelse)]
    return [(label, arm) for label, arm in arms if arm]


def _names(file: _File, node: ast.stmt) -> tuple[str, ...]:
    """The plain names that ``node`` itself binds (not the blocks inside it), in source order, each once."""
    match node:
        case ast.Assign():
            heads: list[ast.AST] = [*node.targets, node.value]
        case ast.For() | ast.AsyncFor():
            heads = [node.target, node.iter]
        case ast.With() | ast.AsyncWith():
            heads = list(node.items)
        case ast.Match():
            heads = [node.subject, *(case.pattern for case in node.cases)]
        case ast.If() | ast.While():
            heads = [node.test]
        case ast.Try() | ast.TryStar() | ast.Delete():
            heads = []
        case _:
            heads = [node]
    found: dict[str, None] = {}
    for head in heads:
        _collect(head, found, walrus=file.has_walrus)
    return tuple(found)


def _collect(node: ast.AST, found: dict[str, None], *, walrus: bool) -> None:
    """Adds the names that ``node`` binds to ``found``. Without a walrus in the file, values need not be looked into."""
    match node:
        case ast.Name(ctx=ast.Store()):
            found[node.id] = None
        case ast.Tuple(ctx=ast.Store()) | ast.List(ctx=ast.Store()):
            for element in node.elts:
                _collect(element, found, walrus=walrus)
        case ast.Starred(ctx=ast.Store()):
            _collect(node.value, found, walrus=walrus)
        case ast.AnnAssign() | ast.AugAssign():
            _collect(node.target, found, walrus=walrus)
            if walrus and node.value is not None:
                _collect(node.value, found, walrus=walrus)
        case ast.withitem():
            if walrus:
                _collect(node.context_expr, found, walrus=walrus)
            if node.optional_vars is not None:
                _collect(node.optional_vars, found, walrus=walrus)
        case ast.MatchAs() | ast.MatchStar() | ast.MatchMapping():
            for child in ast.iter_child_nodes(node):
                _collect(child, found, walrus=walrus)
            name = node.rest if isinstance(node, ast.MatchMapping) else node.name
            if name is not None:
                found[name] = None
        case ast.pattern():
            for child in ast.iter_child_nodes(node):
                _collect(child, found, walrus=walrus)
        case ast.Lambda():
            pass
        case _:
            if sys.version_info >= (3, 12) and isinstance(node, ast.TypeAlias):
                found[node.name.id] = None
            elif walrus:
                for part in ast.walk(node):
                    if isinstance(part, ast.NamedExpr):
                        found[part.target.id] = None


def _source(node: ast.expr) -> str:
    """``ast.unparse``, with a short cut for names and dotted names, which nearly all bases and decorators are."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return f"{_source(node.value)}.{node.attr}" if isinstance(node.value, ast.Name | ast.Attribute) else ast.unparse(node)
        case _:
            return ast.unparse(node)
