"""Logical lines: which rows make one statement, or the header of one, and where the comments stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from fxlint.base.span import LineIndex

# What decides where a logical line ends: strings, comments, brackets, joined lines, line ends. All else is skipped over.
_TOKENS = re.compile(
    r"""(?P<text>\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^\\"\r\n])*"|'(?:\\.|[^\\'\r\n])*')"""
    r"|(?P<comment>\#[^\r\n]*)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<join>\\(?:\r\n|\r|\n))|(?P<end>\r\n|\r|\n)",
    re.DOTALL,
)
_BEGIN = re.compile(r"[ \t\f]*(@|#|\r|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Lines:
    """The logical lines of one file: the 1-based rows on which they start, ascending. The last one ends on row ``last``."""

    first_rows: tuple[int, ...]
    last: int
    decorators: frozenset[int] = frozenset()  # the first rows that start a decorator
    empty: frozenset[int] = frozenset()  # the first rows of lines that hold nothing, or nothing but a comment
    comments: tuple[tuple[int, int], ...] = ()  # where each comment starts and ends, in characters

    def around(self, row: int) -> tuple[int, int]:
        """The first and the last row (1-based) of the logical line that covers ``row``."""
        at = bisect_right(self.first_rows, row)
        first = self.first_rows[at - 1] if at else 1
        return first, (self.first_rows[at] - 1 if at < len(self.first_rows) else self.last)

    def header(self, row: int) -> tuple[int, int]:
        """Like ``around``, but decorators and the ``def`` or ``class`` line below them are one: the header of one statement."""
        first, last = self.around(row)
        top = self._top(first)
        if top != first or first in self.decorators:
            while last < self.last and (first in self.decorators or first in self.empty):
                first, last = self.around(last + 1)
        return top, last

    def _top(self, first: int) -> int:
        """The first row of the decorators above the logical line that starts on row ``first``; ``first`` where there are none."""
        top = above = first
        while above > 1:
            above = self.around(above - 1)[0]
            if above in self.decorators:
                top = above
            elif above not in self.empty:
                break
        return top


def logical_lines(text: str, index: LineIndex) -> Lines:
    """Where the logical lines of ``text`` start."""
    firsts = [1]
    depth = 0
    comments: list[tuple[int, int]] = []
    for token in _TOKENS.finditer(text):
        match token.lastgroup:
            case "open":
                depth += 1
            case "comment":
                comments.append(token.span())
            case "close":
                depth = max(0, depth - 1)
            case "end" if depth == 0:
                firsts.append(bisect_right(index.starts, token.end()))
            case _:
                pass
    begins = {row: _BEGIN.match(text, index.starts[row - 1]) for row in firsts if row <= len(index.starts)}
    decorators = frozenset(row for row, found in begins.items() if found and found[1] == "@")
    empty = frozenset(row for row, found in begins.items() if found and found[1] != "@")
    return Lines(tuple(firsts), len(index.starts), decorators, empty, tuple(comments))
