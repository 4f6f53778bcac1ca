"""From frames and tracebacks to places in the user's files.

The user's files are all but Python's own library, torch, and this package; other installed packages count as the user's, for a model
of theirs may be what is traced.
"""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

from fxlint.verify.protocol import Executed, Place

_OWN = str(Path(__file__).resolve().parent) + os.sep
_STDLIB = sysconfig.get_path("stdlib") + os.sep
_LONGEST_CHAIN = 40  # places; a deeper chain keeps its innermost ones


@cache
def is_user_file(filename: str) -> bool:
    """Whether the code object's ``filename`` is one of the user's files."""
    if filename.startswith(("<", _OWN)) or "_distutils_hack" in filename:  # setuptools' import hook runs inside every import
        return False
    torch_file = getattr(sys.modules.get("torch"), "__file__", None)
    if torch_file and filename.startswith(os.path.dirname(torch_file) + os.sep):
        return False
    if filename.startswith(_STDLIB):
        return "site-packages" in filename or "dist-packages" in filename
    return True


def _place(code: CodeType, instruction: int, row: int) -> Place:
    line = linecache.getline(code.co_filename, row)
    column = end_column = 0
    end_row = row
    for index, position in enumerate(code.co_positions()):
        if index == instruction // 2:
            start, last, first_byte, last_byte = position
            if start is not None and last is not None and first_byte is not None and last_byte is not None:
                row, end_row = start, last
                line = linecache.getline(code.co_filename, row)
                column = _column(line, first_byte)
                end_column = _column(linecache.getline(code.co_filename, end_row), last_byte)
            break
    return Place(code.co_filename, row, column, end_row, end_column, code.co_qualname, line.strip())


def _column(line: str, offset: int) -> int:
    """The 1-based column, in characters, of a byte offset in the UTF-8 form of ``line``."""
    return len(line.encode()[:offset].decode(errors="replace")) + 1


def of_running() -> Place | None:
    """The innermost of the user's frames that is running now."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 (the documented way to the caller's frame)
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            return _place(frame.f_code, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back
    return None


def of_error(error: BaseException) -> tuple[Place, ...]:
    """The user's frames of the traceback, outermost first; a syntax error gives the place it names."""
    if isinstance(error, SyntaxError) and error.filename and is_user_file(error.filename):
        row = error.lineno or 1
        return (Place(error.filename, row, error.offset or 0, row, 0, "", (error.text or "").strip()),)
    chain = []
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if is_user_file(code.co_filename):
            chain.append(_place(code, traceback.tb_lasti, traceback.tb_lineno))
        traceback = traceback.tb_next
    return tuple(chain[-_LONGEST_CHAIN:])


class LineRecorder:
    """Collects the rows of the user's files that run while ``recording()`` is open."""

    def __init__(self) -> None:
        self._rows: dict[str, set[int]] = {}

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record in this thread, in place of whatever trace function is set."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        if not is_user_file(frame.f_code.co_filename):
            return None
        rows = self._rows.setdefault(frame.f_code.co_filename, set())

        def line(inner: FrameType, kind: str, _argument: Any) -> Any:
            if kind == "line":
                rows.add(inner.f_lineno)
            return line

        return line

    def executed(self) -> tuple[Executed, ...]:
        """What was recorded, by path."""
        return tuple(Executed(path, tuple(sorted(rows))) for path, rows in sorted(self._rows.items()) if rows)
