"""Where a repair works: the top-level block of one file that holds the event, as a libcst tree with places and parents.

Only that block is parsed (a class, a function, a statement): `fxlint check` words a repair for each finding, and a libcst tree of a whole
file costs ten times its outline. The edited file is parsed as a whole before it is written (``editor.reparse``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import libcst as cst

from fxlint.base.errors import FxlintError, ReadError
from fxlint.base.event import Event, Site
from fxlint.base.finding import Edit
from fxlint.base.span import Span
from fxlint.fixes.names import children_of
from fxlint.fixes.newline import newline_of
from fxlint.project.modules import SourceFile
from fxlint.syntax.outline import ClassOutline, FunctionOutline, ModuleOutline, StatementOutline
from fxlint.syntax.positions import ranges

_Node = TypeVar("_Node", bound=cst.CSTNode)
_HEADER = "if 1:\n"
_LONE_RETURN = re.compile(r"\r(?!\n)")
"""A line end of Python that libcst loses at the end of a text; a feed in its place moves nothing, and texts are cut from the file."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One top-level statement of a file: its tree, where each node stands in the file, and the parent of each node."""

    start: int
    end: int
    module: cst.Module
    spans: Mapping[cst.CSTNode, Span]
    parents: Mapping[cst.CSTNode, cst.CSTNode]
    names: frozenset[str]  # every name and attribute that is written in it

    def whole(self, node: cst.CSTNode) -> Span:
        """The range of ``node`` with its own parentheses."""
        span = self.spans[node]
        if isinstance(node, cst.BaseExpression) and node.lpar:
            return Span(self.spans[node.lpar[0]].start, self.spans[node.rpar[-1]].end)
        return span

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The parent of ``node``, its parent, and so on up to the module."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def enclosing(self, node: cst.CSTNode, *kinds: type[_Node]) -> _Node | None:
        """``node`` itself or its nearest ancestor of one of ``kinds``."""
        for candidate in (node, *self.ancestors(node)):
            if isinstance(candidate, kinds):
                return candidate
        return None

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function whose body holds ``node``: a lambda between them does not count as one."""
        below: cst.CSTNode = node
        for candidate in self.ancestors(node):
            if isinstance(candidate, cst.FunctionDef) and candidate.body is below:
                return candidate
            below = candidate
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """An event, the file it lies in, and the block of that file that holds its site."""

    event: Event
    path: str
    text: str
    outline: ModuleOutline
    block: Block
    node: cst.CSTNode  # what stands exactly on the event's site, the outermost of several

    def source(self, node: cst.CSTNode) -> str:
        """The text of ``node``, without its own parentheses."""
        span = self.block.spans[node]
        return self.text[span.start : span.end]

    def edit(self, node: cst.CSTNode, content: str) -> Edit:
        """Replace ``node``; parentheses around it stay."""
        span = self.block.spans[node]
        return Edit(self.path, span.start, span.end, content)

    def edit_whole(self, node: cst.CSTNode, content: str) -> Edit:
        """Replace ``node`` and the parentheses around it."""
        span = self.block.whole(node)
        return Edit(self.path, span.start, span.end, content)

    def insert(self, offset: int, content: str) -> Edit:
        """Insert ``content``, whose lines end in ``\\n``, with the line ends of the file."""
        return Edit(self.path, offset, offset, content.replace("\n", newline_of(self.text)))

    def at(self, site: Site | None) -> cst.CSTNode | None:
        """The outermost node that stands exactly on ``site``, None where there is none in the block."""
        if site is None or site.path != self.path:
            return None
        return _at(self.block, site.start, site.end)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The parent of ``node``; an argument, an element or a comparison's side counts as its own."""
        return self.block.parents.get(node)


def target_of(event: Event, source: SourceFile) -> Target | str:
    """The target of ``event`` in its file ``source``, or why there is none."""
    place = _block_place(source.outline, event.site.start)
    if place is None:
        return "the construct does not stand in a statement of module level"
    try:
        block = block_of(source.text, *place)
    except FxlintError as error:
        return str(error)
    node = _at(block, event.site.start, event.site.end)
    if node is None:
        return "no expression or statement stands exactly at the construct"
    return Target(event, source.path, source.text, source.outline, block, node)


@lru_cache(maxsize=64)
def block_of(text: str, start: int, end: int) -> Block:
    """The whole lines ``text[start:end]``, one statement of module level, as a block. Raises ReadError where libcst cannot parse it."""
    cut = text[start:end].removeprefix("\ufeff")
    start = end - len(cut)
    is_indented = cut[:1] in {" ", "\t"}
    source = _LONE_RETURN.sub("\n", _HEADER + cut if is_indented else cut)
    offset = start - len(_HEADER) if is_indented else start
    try:
        module = cst.parse_module(source)
    except (cst.ParserSyntaxError, RecursionError) as error:
        raise ReadError(f"libcst cannot parse the block: {error}") from None
    spans = {node: Span(offset + place[0], offset + place[1]) for node, place in ranges(module, len(source)).items()}
    parents: dict[cst.CSTNode, cst.CSTNode] = {}
    waiting: list[cst.CSTNode] = [module]
    while waiting:
        node = waiting.pop()
        for child in children_of(node):
            parents[child] = node
            waiting.append(child)
    return Block(start, end, module, spans, parents, frozenset(node.value for node in parents if isinstance(node, cst.Name)))


def _block_place(module: ModuleOutline, offset: int) -> tuple[int, int] | None:
    found = [
        (what.start, what.end)
        for what in (*(binding.what for binding in module.bindings), *module.statements)
        if isinstance(what, (FunctionOutline, ClassOutline, StatementOutline)) and what.start <= offset < what.end
    ]
    return min(found, default=None, key=lambda place: place[1] - place[0])


def _at(block: Block, start: int, end: int) -> cst.CSTNode | None:
    wanted = Span(start, end)
    around = (node for node, span in block.spans.items() if start <= span.start and span.end <= end)
    exact = [node for node in around if _is_code(node) and wanted in (block.spans[node], block.whole(node))]
    depth = {node: sum(1 for _ in block.ancestors(node)) for node in exact}
    return min(depth, default=None, key=lambda node: depth[node])


def _is_code(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Expr):
        return False  # the expression that is its all stands there as well
    return isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement, cst.BaseCompoundStatement))
