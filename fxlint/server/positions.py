"""Places as the protocol counts them: rows from 0, columns from 0 in the units of an encoding that client and server agreed on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

from lsprotocol import types

from fxlint.base.span import LineIndex, Span

Encoding = types.PositionEncodingKind


@dataclass(frozen=True, slots=True)
class Positions:
    """One text, and how its characters are counted."""

    text: str
    index: LineIndex
    encoding: Encoding

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> Positions:
        """The positions of ``text``."""
        return cls(text, LineIndex.of(text), encoding)

    def position(self, offset: int) -> types.Position:
        """Where the character ``offset`` stands."""
        row, column = self.index.place(offset)
        return types.Position(row - 1, _units(self.text[offset - column + 1 : offset], self.encoding))

    def range(self, start: int, end: int) -> types.Range:
        """The range of the characters ``start <= i < end``."""
        return types.Range(self.position(start), self.position(end))

    def offset(self, position: types.Position) -> int:
        """The character at ``position``; what lies behind the end of a line or of the text means that end."""
        if position.line >= len(self.index.starts):
            return len(self.text)
        start = self.index.starts[position.line]
        units = 0
        for at in range(start, self.end_of_row(position.line + 1)):
            if units >= position.character:
                return at
            units += _units(self.text[at], self.encoding)
        return self.end_of_row(position.line + 1)

    def end_of_row(self, row: int) -> int:
        """The offset of the line end of the 1-based ``row``."""
        end = self.index.starts[row] if row < len(self.index.starts) else len(self.text)
        return self.index.starts[row - 1] + len(self.text[self.index.starts[row - 1] : end].rstrip("\r\n"))


def _units(text: str, encoding: Encoding) -> int:
    match encoding:
        case Encoding.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        case Encoding.Utf16:
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case Encoding.Utf32:
            return len(text)


def moved(old: str, new: str) -> Callable[[Span], Span | None]:
    """Where a range of ``old`` stands in ``new``; None where one of its lines was changed."""
    if old == new:
        return lambda span: span
    before, after = LineIndex.of(old), LineIndex.of(new)
    matcher = SequenceMatcher(None, _lines(old, before), _lines(new, after), autojunk=False)
    blocks = matcher.get_matching_blocks()

    def move(span: Span) -> Span | None:
        first, last = before.place(span.start)[0] - 1, before.place(span.end)[0] - 1
        for block in blocks:
            if block.a <= first and last < block.a + block.size:
                return span.shifted(after.starts[first + block.b - block.a] - before.starts[first])
        return None

    return move


def line_edits(old: str, new: str) -> tuple[tuple[Span, str], ...]:
    """Replacements of whole lines of ``old`` that make it ``new``: editors keep cursor and folds where nothing changes."""
    before, after = LineIndex.of(old), LineIndex.of(new)
    was, becomes = _lines(old, before), _lines(new, after)
    ends = (*before.starts[1:], len(old))
    edits: list[tuple[Span, str]] = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, was, becomes, autojunk=False).get_opcodes():
        if tag != "equal":
            start = before.starts[a1] if a1 < len(before.starts) else len(old)
            edits.append((Span(start, ends[a2 - 1] if a2 > a1 else start), "".join(becomes[b1:b2])))
    return tuple(edits)


def _lines(text: str, index: LineIndex) -> list[str]:
    ends = (*index.starts[1:], len(text))
    return [text[start:end] for start, end in zip(index.starts, ends, strict=True)]
