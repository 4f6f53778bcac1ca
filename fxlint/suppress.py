"""Comments that silence findings, on any line of the statement (for a compound statement: of its header, with its decorators) where
the finding starts.

``# noqa`` and ``# noqa: TFX101,E501`` mean what flake8 means by them, found as flake8 finds them: by the text of the lines. So do
``# flake8: noqa`` (the whole file) and ``# flake8: noqa: TFX1``. ``# fxlint: ignore`` and ``# fxlint: ignore[TFX101]`` are fxlint's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from fxlint.base.span import LineIndex

_NOQA = re.compile(r"# noqa(?::[\s]?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)  # flake8's own expression
_FILE = re.compile(r"\s*#\s*flake8[:=]\s*noqa(?P<codes>:\s?(?:[A-Z]+[0-9]+(?:[,\s]+)?)+)?\s*$", re.IGNORECASE)
_OWN = re.compile(r"#\s*fxlint:\s*ignore(?:\[(?P<codes>[^\]]*)\])?", re.IGNORECASE)
_SPLIT = re.compile(r"[,\s]+")
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
    for token in _TOKENS.finditer(text):
        match token.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "end" if depth == 0:
                firsts.append(bisect_right(index.starts, token.end()))
            case _:
                pass
    begins = {row: _BEGIN.match(text, index.starts[row - 1]) for row in firsts if row <= len(index.starts)}
    decorators = frozenset(row for row, found in begins.items() if found and found[1] == "@")
    empty = frozenset(row for row, found in begins.items() if found and found[1] != "@")
    return Lines(tuple(firsts), len(index.starts), decorators, empty)


@dataclass(frozen=True, slots=True)
class Marks:
    """The silencing comments of one file. ``codes`` of () mean all codes; prefixes, in capitals, otherwise."""

    noqa: tuple[tuple[int, tuple[str, ...]], ...]  # (1-based row, codes), by row
    own: tuple[tuple[int, tuple[str, ...]], ...]
    whole_file: tuple[str, ...] | None  # None: the file has no such comment

    @classmethod
    def of(cls, text: str) -> Marks:
        """The comments found in ``text``."""
        noqa: list[tuple[int, tuple[str, ...]]] = []
        own: list[tuple[int, tuple[str, ...]]] = []
        whole: tuple[str, ...] | None = None
        lowered = text.lower()
        if "noqa" in lowered or "fxlint:" in lowered:
            for row, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
                if "#" not in line:
                    continue
                if found := _FILE.match(line):
                    codes = _codes((found["codes"] or "").lstrip(":"))
                    whole = () if not codes or whole == () else (*(whole or ()), *codes)
                elif found := _NOQA.search(line):
                    noqa.append((row, _codes(found["codes"] or "")))
                if found := _OWN.search(line):
                    own.append((row, _codes(found["codes"] or "")))
        return cls(tuple(noqa), tuple(own), whole)

    def silence(self, code: str, first: int, last: int, *, noqa: bool = True) -> bool:
        """Whether a finding of ``code`` on the logical line of rows ``first`` to ``last`` is silenced.

        With ``noqa`` False only fxlint's own comment counts.
        """
        if noqa and self.whole_file is not None and _covers(self.whole_file, code):
            return True
        marks: Iterable[tuple[int, tuple[str, ...]]] = (*self.noqa, *self.own) if noqa else self.own
        return any(first <= row <= last and _covers(codes, code) for row, codes in marks)


def _codes(text: str) -> tuple[str, ...]:
    return tuple(part.upper() for part in _SPLIT.split(text) if part)


def _covers(codes: tuple[str, ...], code: str) -> bool:
    return not codes or code.startswith(codes)
