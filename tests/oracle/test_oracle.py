"""What libcst lowers to must equal what ast lowers to, over the standard library and the installed packages.

``FXLINT_ORACLE=all`` reads every file (some minutes); the default reads the standard library and a sample of the rest.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from fxlint.base.errors import ReadError
from fxlint.base.span import LineIndex
from fxlint.syntax import body, ir, outline

from .compare import difference, pairs
from .lower_ast import Oracle
from .sources import chunks, decoded

CHUNKS = chunks()
EVERY_WITH_PLACES = 20
EVERY_WITH_CUTS = 20

# Valid Python that libcst 1.9 does not parse: `(name): annotation`, an annotation of a parenthesised name.
UNPARSABLE = {"test_grammar.py", "ann_module.py"}

# Nodes that ast gives another place than libcst, always or at times.
ELSEWHERE = {
    "Comp": "ast counts the parentheses of a generator expression",
    "Display": "ast counts the parentheses of a tuple",
    "Param": "ast counts the annotation and leaves out the stars",
}
if sys.version_info < (3, 12):
    ELSEWHERE["Formatted"] = "ast gives each part of an f-string the place of the whole"


def read(path: Path) -> tuple[str, ast.Module] | None:
    """A file's text and tree; None where it is no Python of this version, which ``outline`` must say too."""
    text = decoded(path)
    if text is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return text, ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        with pytest.raises(ReadError):
            outline.build(text)
        return None


def whole(text: str) -> body.Body:
    return body.read("whole.py", text, 0, len(text))


@pytest.fixture(autouse=True)
def _room() -> Iterator[None]:
    """Whole files are not worth keeping in the memory that is meant for functions; ast and this test recurse over long sums."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    yield
    sys.setrecursionlimit(limit)
    body._lowered.cache_clear()
    body._places.cache_clear()


@pytest.mark.parametrize("chunk", sorted(CHUNKS))
def test_libcst_and_ast_lower_to_the_same_ir(chunk: str) -> None:
    compared = 0
    for path in CHUNKS[chunk]:
        source = read(path)
        if source is None:
            continue
        text, tree = source
        if path.name in UNPARSABLE:
            with pytest.raises(ReadError, match="libcst cannot parse"):
                whole(text)
            continue
        want = Oracle.of(text.removeprefix("\ufeff")).stmts(tree.body)
        assert difference(whole(text).stmts, want) is None, path
        compared += 1
    if not chunk.startswith(("stdlib-tests-", "installed-")):
        assert compared > 0


def outlines(bindings: tuple[outline.Binding, ...]) -> Iterator[outline.FunctionOutline]:
    for binding in bindings:
        match binding.what:
            case outline.FunctionOutline():
                yield binding.what
            case outline.ClassOutline():
                yield from outlines(binding.what.body)


def definitions(nodes: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of module and class level, through the blocks that make no scope, in source order."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        else:
            yield from definitions([child for child in inner(node) if isinstance(child, ast.stmt)])


def inner(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from inner(child)
        else:
            yield child


@pytest.mark.parametrize("chunk", sorted(CHUNKS))
def test_each_function_cut_by_the_outline_is_that_function(chunk: str) -> None:
    for path in CHUNKS[chunk][::EVERY_WITH_CUTS]:
        source = read(path)
        if source is not None and path.name not in UNPARSABLE:
            check_cuts(path, *source)


def check_cuts(path: Path, text: str, tree: ast.Module) -> None:
    found = list(outlines(outline.build(text, tree).bindings))
    wanted = list(definitions(tree.body))
    assert [(f.name, f.row) for f in found] == [(node.name, node.lineno) for node in wanted]
    oracle = Oracle.of(text.removeprefix("\ufeff"))
    for function, node in zip(found, wanted, strict=True):
        cut = body.read(str(path), text, function.start, function.end)
        want = oracle.stmt(node)
        assert any(statement == want for statement in cut.stmts), difference(cut.stmts, (want,))
        assert len(cut.stmts) == 1 or isinstance(cut.stmts[0], ir.If)


@pytest.mark.parametrize("chunk", sorted(CHUNKS))
def test_places_are_those_of_ast(chunk: str) -> None:
    for path in CHUNKS[chunk][::EVERY_WITH_PLACES]:
        source = read(path)
        if source is not None and path.name not in UNPARSABLE:
            check_places(path, *source)


def check_places(path: Path, text: str, tree: ast.Module) -> None:
    oracle = Oracle.of(text.removeprefix("\ufeff"))
    want = oracle.stmts(tree.body)
    got = whole(text)
    lines = LineIndex.of(text)

    def offset(row: int, column: int) -> int:
        bom = 1 if row == 1 and text.startswith("\ufeff") else 0
        return lines.offset(row) + len(oracle.lines[row - 1][:column].decode()) + bom

    in_fstrings = {id(part) for node in oracle.nodes if isinstance(node, ast.JoinedStr) for part in ast.walk(node) if part is not node}
    for kind, here, there in pairs(got.stmts, want):
        node = oracle.nodes[there]
        if not isinstance(node, ast.expr | ast.stmt | ast.ExceptHandler | ast.pattern) or not hasattr(node, "lineno"):
            continue  # parameters, cases and the beginnings of boolean chains have no place, or another one
        if kind in ELSEWHERE or (kind == "Const" and id(node) in in_fstrings):  # adjacent literals: ast places a text at the first
            continue
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        place = offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)
        span = got.span(here)
        blanks = len(text[span.start : span.end]) - len(text[span.start : span.end].rstrip()) if kind == "Slice" else 0  # in `x[1: ]`
        assert (span.start, span.end - blanks) == place, f"{path}:{node.lineno}: {kind}: {text[span.start : span.end]!r}"
