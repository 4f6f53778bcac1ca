"""The types that the value of a key may have: how each is read, and how JSON schema says it.

A reader answers what the field of Settings holds, or raises TypeError with the words of what was wanted ("a list of strings").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fxlint.base.errors import UsageError

Value: TypeAlias = str | bool | tuple[str, ...] | tuple[tuple[str, str], ...] | tuple[tuple[str, tuple[str, ...]], ...]
Schema: TypeAlias = Mapping[str, object]
VERSION = r"2\.([4-9]|[1-9]\d+)(\.\d+)?"  # torch 2.4 and newer
DOTTED = r"[^\W\d]\w*(\.[^\W\d]\w*)*"


@dataclass(frozen=True, slots=True)
class Type:
    """A type of values: what to call it, its reader, its JSON schema."""

    words: str
    read: Callable[[object], Value]
    schema: Schema


def torch_version(text: str) -> str:
    """``text`` where it is a torch version that fxlint knows about; raises UsageError otherwise."""
    if re.fullmatch(VERSION, text) is None:
        raise UsageError(f'wrong torch version {text!r}: give one such as "2.4" or "2.13.0", 2.4 or newer')
    return text


def _of(words: str, schema: Schema, convert: Callable[[object], Value | None]) -> Type:
    def read(value: object) -> Value:
        found = convert(value)
        if found is None:
            raise TypeError(words)
        return found

    return Type(words, read, schema)


def _texts(value: object) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def _table(value: object, known: tuple[str, ...] = (), names: str = ".*") -> tuple[tuple[str, str], ...] | None:
    if not isinstance(value, dict) or not all(isinstance(item, str) and (not known or item in known) for item in value.values()):
        return None
    return tuple(sorted(value.items())) if all(re.fullmatch(names, key, re.DOTALL) for key in value) else None


def _lists(value: object) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
    if not isinstance(value, dict):
        return None
    read = {key: _texts(item) for key, item in value.items()}
    return tuple(sorted((key, item) for key, item in read.items() if item is not None)) if None not in read.values() else None


def one_of(known: tuple[str, ...]) -> Type:
    """One of the words ``known``."""
    words = "one of " + ", ".join(known)
    return _of(words, {"enum": list(known)}, lambda value: value if isinstance(value, str) and value in known else None)


def table_of(known: tuple[str, ...], keys: str, names: str) -> Type:
    """A table whose keys match the expression ``names``, which ``keys`` describes, and whose values are words of ``known``."""
    schema = {"type": "object", "propertyNames": {"pattern": f"^{names}$"}, "additionalProperties": {"enum": list(known)}}
    return _of(f"a table of {keys}, each with one of " + ", ".join(known), schema, lambda value: _table(value, known, names))


def pattern(words: str, expression: str) -> Type:
    """A string that matches ``expression`` as a whole."""
    def convert(value: object) -> str | None:
        return value if isinstance(value, str) and re.fullmatch(expression, value) else None

    return _of(words, {"type": "string", "pattern": f"^({expression})$"}, convert)


FLAG = _of("true or false", {"type": "boolean"}, lambda value: value if isinstance(value, bool) else None)
TEXTS = _of("a list of strings", {"type": "array", "items": {"type": "string"}}, _texts)
TABLE = _of("a table of strings", {"type": "object", "additionalProperties": {"type": "string"}}, _table)
LISTS = _of(
    "a table of lists of strings", {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}, _lists)
