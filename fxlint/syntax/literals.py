"""What literals and identifiers denote: the value of the text of a string, a number or a name, as Python reads it.

``ast.literal_eval`` would do it at thirty times the cost, and would print a SyntaxWarning for each odd escape of code that is only read.
"""

from __future__ import annotations

import re
import unicodedata

_SIMPLE = {
    "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\n": "",
}  # fmt: skip

# An escape that is not listed here stays as it is written, backslash and all.
_ESCAPE = re.compile(r"\\(?:([\\'\"abfnrtv\n])|([0-7]{1,3})|x([0-9a-fA-F]{2})|N\{([^}]+)\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
_BYTES_ESCAPE = re.compile(r"\\(?:([\\'\"abfnrtv\n])|([0-7]{1,3})|x([0-9a-fA-F]{2}))")

_STRING = re.compile(r"([a-zA-Z]*)('''|\"\"\"|'|\")")


def identifier(source: str) -> str:
    """The name that Python makes of an identifier: its NFKC form, so that two spellings of one name are one."""
    return source if source.isascii() else unicodedata.normalize("NFKC", source)


def string(source: str) -> str | bytes:
    """The value of one plain string or bytes literal, quotes and prefix included."""
    head = _STRING.match(source)
    assert head is not None, source
    prefix = head[1].lower()
    quote = head[2]
    inner = source[head.end() : -len(quote)]
    if "b" in prefix:
        raw = normal_newlines(inner)
        return (raw if "r" in prefix else _BYTES_ESCAPE.sub(_byte, raw)).encode("latin-1")
    return text(inner, is_raw="r" in prefix)


def text(inner: str, *, is_raw: bool) -> str:
    """The value of characters between quotes. Line ends are ``\\n`` whatever the file has, as in Python."""
    if "\r" in inner:
        inner = normal_newlines(inner)
    return inner if is_raw or "\\" not in inner else _ESCAPE.sub(_character, inner)


def normal_newlines(source: str) -> str:
    """``source`` with each line end as ``\\n``."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _character(escape: re.Match[str]) -> str:
    simple, octal, hex2, name, hex4, hex8 = escape.groups()
    if simple is not None:
        return _SIMPLE[simple]
    if octal is not None:
        return chr(int(octal, 8))
    if name is not None:
        return unicodedata.lookup(name)
    return chr(int(hex2 or hex4 or hex8, 16))


def _byte(escape: re.Match[str]) -> str:
    simple, octal, hexadecimal = escape.groups()
    if simple is not None:
        return _SIMPLE[simple]
    return chr(int(octal, 8) & 0xFF if octal is not None else int(hexadecimal, 16))


def integer(source: str) -> int:
    """The value of an integer literal in any base, underscores included."""
    return int(source) if source.isdecimal() else int(source, 0)


def real(source: str) -> float:
    """The value of a float literal."""
    return float(source)


def imaginary(source: str) -> complex:
    """The value of an imaginary literal."""
    return complex(source)
