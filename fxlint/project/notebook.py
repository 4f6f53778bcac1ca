"""Jupyter notebooks as Python text, and back: the code cells one below the other, and the same file again with only cells changed.

Above each code cell stands a line ``# %% [N]``, N being its 1-based number among all cells. What is IPython's and not Python's (magics,
shell commands, questions) becomes a comment behind ``pass``, so rows stay rows, and every line can be turned back into what it was. All
else of the file (outputs, metadata, the way its JSON is written) is kept byte for byte, since only the sources of changed cells are
written, and of these only the lines that differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fxlint.base.errors import ReadError, UsageError
from fxlint.project.jsontext import Span, items, members, text_of

SUFFIX = ".ipynb"
_MARK = re.compile(r"^# %% \[(\d+)\]$", re.MULTILINE)
COMPILE_FLAGS = 0x2000  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT: IPython runs cells in an event loop
_COMMENT = "# IPython: "
_HIDDEN = re.compile(rf"^[ \t]*(?:pass  |[\w.]+ = None  )?{re.escape(_COMMENT)}", re.MULTILINE)
_MAGIC = re.compile(r"(?P<indent>[ \t]*)(?:[%!?]|(?P<name>[\w.]+)[ \t]*=[ \t]*[%!](?!=)|[\w.%]+\?{1,2}[ \t]*$)")
_CELL_MAGIC = re.compile(r"\s*%%(?P<name>\w+)")
_PYTHON_BELOW = frozenset({"time", "timeit", "capture", "prun"})  # cell magics whose cell is Python, run with their own results
# What decides whether a line starts a statement; within a line all else is skipped over.
_TOKENS = re.compile(
    r"""(?P<open_text>\"\"\"|''')|"(?:\\.|[^\\"\n])*"|'(?:\\.|[^\\'\n])*'|(?P<comment>\#.*)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<join>\\$)"""
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One code cell: its 1-based number among all cells, its source, and where in the file's text the JSON value of the source stands."""

    number: int
    source: str
    span: Span


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook file: its text, and its code cells in order (none where another language than Python is run)."""

    raw: str
    cells: tuple[Cell, ...]

    def python(self) -> str:
        """The cells as one Python text."""
        return "".join(f"# %% [{cell.number}]\n{_hidden(cell.source)}\n" for cell in self.cells)

    def with_python(self, text: str) -> str:
        """The file's text with the cells changed to what ``text``, an edited ``python()``, holds.

        Raises ReadError where marks are missing, and for a cell with lines that cannot be told from hidden ones.
        """
        marks = list(_MARK.finditer(text))
        if [int(mark[1]) for mark in marks] != [cell.number for cell in self.cells]:
            raise ReadError("the marks between the cells of the notebook were changed; nothing was written (please report)")
        pieces: list[str] = []
        position = 0
        for at, (cell, mark) in enumerate(zip(self.cells, marks, strict=True)):
            end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
            if _shown(_hidden(cell.source)) != cell.source:
                raise ReadError(f"cell {cell.number} holds a line that begins with {_COMMENT!r}, which fxlint keeps for itself")
            above = text[: mark.start()] if at == 0 else ""  # what was put on top of the file belongs to its first cell
            source = _shown(above + text[mark.end() + 1 : end].removesuffix("\n"))
            if source != cell.source:
                pieces += [self.raw[position : cell.span.start], _written(self.raw, cell.span, source)]
                position = cell.span.end
        return "".join(pieces) + self.raw[position:]


def parse(raw: str) -> Notebook:
    """The notebook whose file holds ``raw``. Raises ReadError for what is no notebook, and for a cell that is no Python."""
    try:
        document = json.loads(raw)
    except ValueError as error:
        raise ReadError(f"not a notebook: {error}", getattr(error, "lineno", 1)) from error
    match document:
        case {"cells": [*cells], "nbformat": int(version)} if version >= 4 and all(_is_cell(cell) for cell in cells):
            pass
        case {"nbformat": int(version)} if version < 4:
            raise ReadError(f"a notebook of the old format {version}: convert it with `jupyter nbconvert --to notebook`")
        case _:
            raise ReadError("not a notebook: it has no list of cells with types and sources")
    if not _is_python(document):
        return Notebook(raw, ())
    found = tuple(_cells(raw))
    for cell in found:
        _require_python(cell, raw)
    return Notebook(raw, found)


def cell_of(text: str, row: int) -> tuple[int, int]:
    """The number of the cell in which the 1-based ``row`` of a notebook's Python text stands, and the row within it.

    (0, ``row``) for a row above the first cell.
    """
    number, first = 0, 0
    for mark in _MARK.finditer(text):
        here = text.count("\n", 0, mark.start()) + 1
        if here > row:
            break
        number, first = int(mark[1]), here
    return number, row - first


def row_of(text: str, number: int, row: int) -> int:
    """The 1-based row of a notebook's Python text that is ``row`` of cell ``number``. Raises UsageError where there is no such row."""
    above = next((text.count("\n", 0, mark.start()) + 1 for mark in _MARK.finditer(text) if int(mark[1]) == number), None)
    if above is None:
        raise UsageError(f"the notebook has no code cell {number}")
    if row > cell_text(text, number).count("\n"):
        raise UsageError(f"cell {number} of the notebook has no row {row}")
    return above + row


def cell_text(text: str, number: int) -> str:
    """The Python text of one cell, "" where there is none of that number."""
    marks = list(_MARK.finditer(text))
    for at, mark in enumerate(marks):
        if int(mark[1]) == number:
            return text[mark.end() + 1 : marks[at + 1].start() if at + 1 < len(marks) else len(text)]
    return ""


def _is_python(document: dict[str, object]) -> bool:
    match document.get("metadata"):
        case {"language_info": {"name": str(name)}} | {"kernelspec": {"language": str(name)}}:
            return name.lower() in {"python", "ipython"}
        case _:
            return True


def _is_cell(cell: object) -> bool:
    match cell:
        case {"cell_type": str(), "source": str()}:
            return True
        case {"cell_type": str(), "source": [*lines]}:
            return all(isinstance(line, str) for line in lines)
        case _:
            return False


def _cells(raw: str) -> Iterator[Cell]:
    for number, cell in enumerate(items(raw, members(raw, Span(0, len(raw)))["cells"]), 1):
        parts = members(raw, cell)
        if json.loads(text_of(raw, parts["cell_type"])) == "code":
            value = json.loads(text_of(raw, parts["source"]))
            yield Cell(number, value if isinstance(value, str) else "".join(value), parts["source"])


def _require_python(cell: Cell, raw: str) -> None:
    try:
        compile(_hidden(cell.source), "<cell>", "exec", flags=COMPILE_FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        row = getattr(error, "lineno", None) or 1
        json_row = raw.count("\n", 0, cell.span.start) + 1
        reason = getattr(error, "msg", None) or str(error)
        raise ReadError(f"cell {cell.number}, row {row}: {reason}", json_row) from error


def _hidden(source: str) -> str:
    """``source`` with what is not Python made comments."""
    lines = source.split("\n")
    found = _CELL_MAGIC.match(source)
    if found is not None and found["name"] not in _PYTHON_BELOW:
        return "\n".join(_COMMENT + line for line in lines)
    above = 0 if found is None else found[0].count("\n") + 1
    out, lines = [_COMMENT + line for line in lines[:above]], lines[above:]
    depth, quote, is_joined, is_magic = 0, "", False, False
    for line in lines:
        if is_magic or (not depth and not quote and not is_joined and _MAGIC.match(line)):
            out.append(_comment(line))
            is_magic = line.endswith("\\")
            continue
        depth, quote, is_joined = _after(line, depth, quote)
        out.append(line)
    return _MARK.sub(lambda mark: _COMMENT + mark[0], "\n".join(out))


def _comment(line: str) -> str:
    found = _MAGIC.match(line)
    if found is not None and found["name"]:  # the name is bound: to what, only running it would tell
        return f"{found['indent']}{found['name']} = None  {_COMMENT}{line}"
    return f"{found['indent'] if found else ''}pass  {_COMMENT}{line}"


def _shown(source: str) -> str:
    return _HIDDEN.sub("", source)


def _after(line: str, depth: int, quote: str) -> tuple[int, str, bool]:
    """The brackets open, the long string open and whether a backslash joins the next line, at the end of ``line``."""
    position, is_joined = 0, False
    while position < len(line):
        if quote:
            end = line.find(quote, position)
            if end == -1:
                return depth, quote, False
            position, quote = end + 3, ""
            continue
        token = _TOKENS.search(line, position)
        if token is None:
            break
        position = token.end()
        match token.lastgroup:
            case "open_text":
                quote = token[0]
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "join":
                is_joined = True
            case _:
                pass
    return depth, quote, is_joined


def _written(raw: str, span: Span, source: str) -> str:
    """The JSON of ``source`` in the form of the value at ``span``: one string, or a list of lines spaced alike.

    Lines that were there before are written as they were.
    """
    before = text_of(raw, span)
    ascii_only = raw.isascii() and "\\u" in raw
    if not before.startswith("["):
        return json.dumps(source, ensure_ascii=ascii_only)
    old = items(raw, span)
    known = {json.loads(text_of(raw, item)): text_of(raw, item) for item in old}
    lines = re.findall(r"[^\n]*\n|[^\n]+", source)
    new = [known.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    if not old:
        return f"[{', '.join(new)}]"
    between = raw[old[0].end : old[1].start] if len(old) > 1 else "," + raw[span.start + 1 : old[0].start]
    return raw[span.start : old[0].start] + between.join(new) + raw[old[-1].end : span.end]
