"""Records as plain data that JSON can hold, and back: frozen dataclasses, enums, tuples, frozensets and scalars, by their annotations.

Nothing is executed on the way back, and what does not fit the annotations is refused.
"""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
SCALARS = (str, int, bool, float)


class FormatError(ValueError):
    """The data is not what the annotations of the record say."""


def encode(value: object) -> Any:
    """A record as lists and scalars: a dataclass as the list of its fields, sets in a fixed order."""
    if value is None or type(value) in SCALARS:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, frozenset):
        return [encode(item) for item in sorted(value)]
    if is_dataclass(value) and not isinstance(value, type):
        return [encode(getattr(value, f.name)) for f in fields(value)]
    raise TypeError(f"{type(value).__name__} cannot be kept")


def decode(kind: type[T], data: object) -> T:
    """The record of type ``kind`` that ``encode`` made ``data`` of. Raises FormatError."""
    got: T = _decode(kind, data)
    return got


@cache
def _hints(kind: type) -> tuple[Any, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(hints[f.name] for f in fields(kind))


def _decode(kind: Any, data: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _one_of(typing.get_args(kind), data)
    if origin is tuple:
        return _tuple(typing.get_args(kind), data)
    if origin is frozenset:
        (inner,) = typing.get_args(kind)
        return frozenset(_decode(inner, item) for item in _list(data))
    if is_dataclass(kind):
        hints = _hints(typing.cast("type", kind))
        items = _list(data)
        if len(items) != len(hints):
            raise FormatError(f"{len(items)} fields where {kind} has {len(hints)}")
        made: Any = kind
        return made(*map(_decode, hints, items))
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(data)
        except ValueError as error:
            raise FormatError(str(error)) from error
    if kind in SCALARS and type(data) is kind:
        return data
    raise FormatError(f"{type(data).__name__} where {kind} is wanted")


def _one_of(kinds: tuple[Any, ...], data: Any) -> Any:
    if data is None and types.NoneType in kinds:
        return None
    (kind,) = (k for k in kinds if k is not types.NoneType)
    return _decode(kind, data)


def _tuple(kinds: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    items = _list(data)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_decode(kinds[0], item) for item in items)
    if len(items) != len(kinds):
        raise FormatError(f"{len(items)} items where {len(kinds)} are wanted")
    return tuple(map(_decode, kinds, items))


def _list(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise FormatError(f"{type(data).__name__} where a list is wanted")
    return data
