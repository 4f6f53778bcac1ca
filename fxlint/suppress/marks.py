"""Comments that silence findings.

``# noqa`` and ``# noqa: TFX101,E501`` mean what flake8 means by them, found as flake8 finds them: by the text of the lines. So do
``# flake8: noqa`` (the whole file) and ``# flake8: noqa: TFX1``. fxlint's own are comments proper, with codes in brackets or without, and
any words behind them: ``# fxlint: ignore[TFX101] reason`` on any line of the statement (for a compound statement: of its header, with its
decorators) where the finding starts; ``# fxlint: disable[...]`` to the matching ``# fxlint: enable[...]``, or else to the end of the block
that it stands in; ``# fxlint: ignore-file[...]`` for the whole file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import Enum

from fxlint.base.span import LineIndex
from fxlint.suppress.lines import Lines

_NOQA = re.compile(r"# noqa(?::[\s]?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)  # flake8's own expression
_FILE = re.compile(r"\s*#\s*flake8[:=]\s*noqa(?P<codes>:\s?(?:[A-Z]+[0-9]+(?:[,\s]+)?)+)?\s*$", re.IGNORECASE)
_OWN = re.compile(r"#\s*fxlint:\s*(?P<word>[\w-]*)(?P<brackets>\s*\[(?P<codes>[^\]#]*)\])?[^#]*", re.IGNORECASE)
_SPLIT = re.compile(r"[,\s]+")
_LAST_ROW = 1 << 60
WORDS = ("ignore", "ignore-file", "disable", "enable")


class Form(Enum):
    """The kinds of comments."""

    NOQA = "noqa"
    FLAKE8_FILE = "flake8: noqa"
    IGNORE = "ignore"
    IGNORE_FILE = "ignore-file"
    DISABLE = "disable"
    ENABLE = "enable"  # ends a DISABLE: silences nothing by itself
    UNREADABLE = "unreadable"  # begins as one of fxlint's own, and is none


@dataclass(frozen=True, slots=True)
class Mark:
    """One comment: the 1-based rows that it silences, the codes (prefixes, in capitals; () means all), and its characters.

    ``removable`` is False where the text stands in a string: flake8 heeds it there all the same.
    """

    form: Form
    row: int
    first: int
    last: int
    codes: tuple[str, ...]
    start: int
    end: int
    removable: bool = True

    @property
    def is_own(self) -> bool:
        """Whether the comment is fxlint's own, which flake8 does not know."""
        return self.form not in (Form.NOQA, Form.FLAKE8_FILE)


@dataclass(frozen=True, slots=True)
class Marks:
    """The silencing comments of one file, by row."""

    marks: tuple[Mark, ...] = ()

    @classmethod
    def of(cls, text: str, index: LineIndex, lines: Lines) -> Marks:
        """The comments found in ``text``."""
        found = [*_noqa(text, index, lines), *_own(text, index, lines)]
        return cls(_bounded(sorted(found, key=lambda mark: (mark.row, mark.start)), text, index, lines))

    def covering(self, code: str, first: int, last: int) -> Iterator[tuple[int, str]]:
        """The marks (by number, each with the prefix that fits) that silence ``code`` on the logical line of rows ``first`` to ``last``."""
        for number, mark in enumerate(self.marks):
            if mark.form not in (Form.ENABLE, Form.UNREADABLE) and mark.first <= last and first <= mark.last:
                for prefix in mark.codes or ("",):
                    if code.startswith(prefix):
                        yield number, prefix


def mentions_marks(text: str) -> bool:
    """Whether ``text`` may hold such comments at all: a quick look before lines are told apart."""
    lowered = text.lower()
    return "noqa" in lowered or "fxlint:" in lowered


def _noqa(text: str, index: LineIndex, lines: Lines) -> Iterator[Mark]:
    ends = (*index.starts[1:], len(text))
    for row, (start, end) in enumerate(zip(index.starts, ends, strict=True), 1):
        whole = text[start:end].rstrip("\r\n")
        if "#" not in whole:
            continue
        if found := _FILE.match(whole):
            at = start + whole.index("#")
            codes = _codes((found["codes"] or "").lstrip(":"))
            yield Mark(Form.FLAKE8_FILE, row, 1, _LAST_ROW, codes, at, start + len(whole), _within(at, lines))
        elif found := _NOQA.search(whole):
            at = start + found.start()
            until = start + len(whole[: found.end()].rstrip(", \t"))
            yield Mark(Form.NOQA, row, row, row, _codes(found["codes"] or ""), at, until, _within(at, lines))


def _own(text: str, index: LineIndex, lines: Lines) -> Iterator[Mark]:
    for start, end in lines.comments:
        for found in _OWN.finditer(text, start, end):
            row = index.place(found.start())[0]
            word = found["word"].lower()
            until = found.start() + len(found[0].rstrip())
            if word not in WORDS or (found["brackets"] is not None and not _codes(found["codes"])):
                if found["brackets"] is None and not get_close_matches(word, (*WORDS, "noqa"), n=1):
                    continue  # words that speak of fxlint
                yield Mark(Form.UNREADABLE, row, row, row, (), found.start(), until)
                continue
            first, last = (1, _LAST_ROW) if word == "ignore-file" else (row, row)
            yield Mark(Form(word), row, first, last, _codes(found["codes"] or ""), found.start(), until)


def _bounded(marks: list[Mark], text: str, index: LineIndex, lines: Lines) -> tuple[Mark, ...]:
    """The marks with the rows that each DISABLE reaches."""
    out: list[Mark] = []
    for at, mark in enumerate(marks):
        if mark.form is not Form.DISABLE:
            out.append(mark)
            continue
        ends = (other for other in marks[at + 1 :] if other.form is Form.ENABLE and (not other.codes or other.codes == mark.codes))
        last = next((other.row for other in ends), _LAST_ROW)
        out.append(replace(mark, last=min(last, _end_of_block(mark.row, text, index, lines))))
    return tuple(out)


def _end_of_block(row: int, text: str, index: LineIndex, lines: Lines) -> int:
    """The last row of the block in which the comment on ``row`` stands: the row above the next statement that is indented less."""
    own = _indent(text, index, lines.around(row)[0])
    for first in lines.first_rows[bisect_right(lines.first_rows, row) :]:
        if first <= len(index.starts) and first not in lines.empty and _indent(text, index, first) < own:
            return first - 1
    return _LAST_ROW


def _indent(text: str, index: LineIndex, row: int) -> int:
    start = index.starts[row - 1]
    line = text[start : index.starts[row] if row < len(index.starts) else len(text)]
    return len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())


def _within(offset: int, lines: Lines) -> bool:
    """Whether the character at ``offset`` stands in a comment."""
    at = bisect_right(lines.comments, (offset, _LAST_ROW)) - 1
    return at >= 0 and lines.comments[at][0] <= offset < lines.comments[at][1]


def _codes(text: str) -> tuple[str, ...]:
    return tuple(part.upper() for part in _SPLIT.split(text) if part)
