"""A few lines of source with the place under discussion underlined."""

from __future__ import annotations

from fxlint.base.span import LineIndex

_MOST_ROWS = 4  # a longer place is cut after this many lines
_TAB = "    "


def line(text: str, index: LineIndex, row: int) -> str:
    """The 1-based ``row`` of ``text`` without its line end."""
    start = index.starts[row - 1]
    end = index.starts[row] if row < len(index.starts) else len(text)
    return text[start:end].rstrip("\r\n")


def frame(text: str, index: LineIndex, start: tuple[int, int], end: tuple[int, int]) -> list[str]:
    """Numbered lines from ``start`` to ``end`` ((row, column), 1-based, the end exclusive), a line of carets below each."""
    out: list[str] = []
    last = min(end[0], start[0] + _MOST_ROWS - 1)
    width = len(str(last))
    out.append(" " * width + " |")
    for row in range(start[0], last + 1):
        source = line(text, index, row)
        left = start[1] - 1 if row == start[0] else len(source) - len(source.lstrip())
        right = end[1] - 1 if row == end[0] else len(source)
        out.append(f"{row:>{width}} | {_widened(source)}".rstrip())
        gap = len(_widened(source[:left]))
        under = "^" * max(1, len(_widened(source[left:right])))
        out.append(" " * width + " | " + " " * gap + under)
    if last < end[0]:
        out.append(" " * width + " | ...")
    return out


def _widened(text: str) -> str:
    return "".join(_TAB if letter == "\t" else letter if letter.isprintable() else "?" for letter in text)
