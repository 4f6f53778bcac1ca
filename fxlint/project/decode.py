"""Source files as text, and back: decoded as Python decodes them (PEP 263), with all that is needed to write the same bytes again.

The text of a notebook is its code cells, see ``fxlint.project.notebook``.
"""

from __future__ import annotations

import codecs
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path

from fxlint.base.errors import ReadError
from fxlint.project import notebook
from fxlint.project.notebook import Notebook


@dataclass(frozen=True, slots=True)
class Source:
    """A decoded file. ``text`` keeps its line ends; ``bom`` tells whether a UTF-8 byte order mark stood in front of it."""

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    notebook: Notebook | None = None

    def encode(self, text: str) -> bytes:
        """The bytes of ``text`` in this file's encoding, within its notebook where it is one.

        Raises UnicodeEncodeError where the encoding lacks a character, ReadError where ``text`` does not fit the notebook.
        """
        whole = text if self.notebook is None else self.notebook.with_python(text)
        return (codecs.BOM_UTF8 if self.bom else b"") + whole.encode(self.encoding)


def decode(path: str, data: bytes) -> Source:
    """The text of ``data``. Raises ReadError for a null byte, an unknown encoding or bytes that are not in the encoding."""
    if b"\x00" in data:
        row = data.count(b"\n", 0, data.index(b"\x00")) + 1
        raise ReadError("holds a null byte: not Python source", row)
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    encoding = "utf-8"
    try:
        if not bom:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if not error.msg.startswith("invalid or missing"):  # which means: not UTF-8, said below with the place
            raise ReadError(f"cannot be decoded: {error.msg}") from error
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        row = body.count(b"\n", 0, error.start) + 1
        raise ReadError(f"cannot be decoded as {encoding}: byte 0x{body[error.start]:02x}, {error.reason}", row) from error
    if not path.endswith(notebook.SUFFIX):
        return Source(path, text, encoding, bom)
    cells = notebook.parse(text)
    return Source(path, cells.python(), encoding, bom, cells)


def read(path: Path, name: str) -> Source:
    """The file at ``path``, called ``name`` in messages. Raises ReadError where it cannot be read or decoded."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror}") from error
    return decode(name, data)
