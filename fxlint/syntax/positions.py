"""Where libcst's nodes stand: one run of libcst's own code generator that only counts characters.

Six times cheaper than ``PositionProvider``, and the same ranges for the same nodes (a test compares them), as offsets in place of rows
and columns. ``CodegenState`` is private to libcst: the pinned version and that test hold it in place.
"""

from __future__ import annotations

from types import TracebackType

import libcst as cst
from libcst._nodes.internal import CodegenState

from fxlint.base.errors import FxlintError

Range = tuple[int, int]


class _Recorder:
    """Notes the range that a node generates while the context is open; its ends may be those of two of its children."""

    __slots__ = ("end_node", "node", "start", "start_node", "state")

    def __init__(self, state: _Counter, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None) -> None:
        self.state = state
        self.node = node
        self.start_node = start_node
        self.end_node = end_node
        self.start = 0

    def __enter__(self) -> None:
        self.start = self.state.offset

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        ranges = self.state.ranges
        start = self.start if self.start_node is None else ranges[self.start_node][0]
        end = self.state.offset if self.end_node is None else ranges[self.end_node][1]
        ranges[self.node] = (start, end)


class _Counter(CodegenState):
    """A code generator that writes nothing and counts characters."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.offset = 0
        self.ranges: dict[cst.CSTNode, Range] = {}
        self.indent = 0
        self.last = 0
        self.opened: list[int] = []

    def increase_indent(self, value: str) -> None:
        self.indent_tokens.append(value)
        self.indent += len(value)

    def decrease_indent(self) -> None:
        self.indent -= len(self.indent_tokens.pop())

    def add_indent_tokens(self) -> None:
        self.offset += self.indent

    def add_token(self, value: str) -> None:
        if not self.tokens:
            self.tokens.append(value)  # Module asks whether anything was written
        self.last = len(value)
        self.offset += self.last

    def pop_trailing_newline(self) -> None:
        self.offset -= self.last

    def before_codegen(self, node: cst.CSTNode) -> None:  # noqa: ARG002  # the signature is libcst's
        self.opened.append(self.offset)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.opened.pop()
        if node not in self.ranges:  # nodes that record no position of their own: with the whitespace that they own
            self.ranges[node] = (start, self.offset)

    def record_syntactic_position(  # type: ignore[override]  # libcst types it as the generator that its decorator makes
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> _Recorder:
        return _Recorder(self, node, start_node, end_node)


def ranges(module: cst.Module, length: int) -> dict[cst.CSTNode, Range]:
    """The half-open range of characters of each node of ``module``, which was parsed from a text of ``length`` characters.

    Raises FxlintError where libcst would not give the text back character for character, since then no range could be trusted.
    """
    state = _Counter(module)
    module._codegen(state)  # noqa: SLF001  # the only way to hand libcst a state of one's own
    if state.offset != length:
        raise FxlintError(f"libcst gives back {state.offset} characters of a text of {length}: no position in it can be trusted")
    return state.ranges
