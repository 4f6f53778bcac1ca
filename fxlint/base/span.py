"""Places in a text: character offsets, and the rows and columns that people read."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters, ``start <= i < end``, counted from 0 in the decoded text of one file."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The same range, ``by`` characters further on."""
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True)
class LineIndex:
    """Where each line of a text starts, in characters. Lines end at ``\\n``, ``\\r\\n`` or a lone ``\\r``, as Python's do."""

    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> LineIndex:
        """The index of ``text``; form feeds and Unicode separators do not end a line."""
        starts = [0]
        find_return = "\r" in text
        position = 0
        while True:
            feed = text.find("\n", position)
            if find_return:
                ret = text.find("\r", position)
                if ret != -1 and (feed == -1 or ret < feed):
                    feed = ret + 1 if text.startswith("\n", ret + 1) else ret
            if feed == -1:
                return cls(tuple(starts))
            position = feed + 1
            starts.append(position)

    def place(self, offset: int) -> tuple[int, int]:
        """The 1-based row and the 1-based column (in characters) of a character offset."""
        row = bisect_right(self.starts, offset)
        return row, offset - self.starts[row - 1] + 1

    def offset(self, row: int, column: int = 1) -> int:
        """The character offset of a 1-based row and a 1-based column in characters."""
        return self.starts[row - 1] + column - 1
