"""Where the values of a JSON text stand, so that some can be replaced and the rest kept byte for byte. The text must be valid JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from fxlint.base.span import Span

__all__ = ["Span", "items", "members", "text_of"]
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


def text_of(text: str, span: Span) -> str:
    """The characters of ``span``."""
    return text[span.start : span.end]


def members(text: str, span: Span) -> Mapping[str, Span]:
    """Where the values of the object within ``span`` stand, by key; of a key that comes twice the last counts, as in json.loads."""
    found: dict[str, Span] = {}
    position = _past(text, span.start, "{")
    while text[position] != "}":
        key, end = _DECODER.raw_decode(text, position)
        value = _value(text, _past(text, end, ":"))
        found[key] = value
        position = _next(text, value.end)
    return found


def items(text: str, span: Span) -> tuple[Span, ...]:
    """Where the values of the list within ``span`` stand."""
    found: list[Span] = []
    position = _past(text, span.start, "[")
    while text[position] != "]":
        found.append(_value(text, position))
        position = _next(text, found[-1].end)
    return tuple(found)


def _value(text: str, start: int) -> Span:
    return Span(start, _DECODER.raw_decode(text, start)[1])


def _past(text: str, position: int, letter: str) -> int:
    """The position of what follows ``letter``, which is the next that is no space."""
    position = _skip(text, position)
    assert text[position] == letter, f"{letter!r} is wanted at character {position}, not {text[position]!r}"
    return _skip(text, position + 1)


def _next(text: str, position: int) -> int:
    """The position of the next key or item, or of the closing bracket."""
    position = _skip(text, position)
    return _skip(text, position + 1) if text[position] == "," else position


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    assert found is not None  # the expression matches the empty string as well
    return found.end()
