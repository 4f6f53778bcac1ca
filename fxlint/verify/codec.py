"""Frozen dataclasses to JSON values and back, checked: what crosses a process boundary is never trusted to have the right shape."""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast

T = TypeVar("T")


class DecodeError(ValueError):
    """A JSON value that does not fit the type it was meant for; the text names the path to it."""


def encode(value: object) -> Any:
    """The JSON value (dict, list, str, int, float, bool, None) of a dataclass, tuple, enum member or plain value.

    Raises TypeError for anything else.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def decode(kind: type[T], data: object, path: str = "value") -> T:
    """The object of type ``kind`` that ``data`` (parsed JSON) stands for; raises DecodeError, naming ``path``."""
    return cast("T", _decode(kind, data, path))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(kind: Any, data: object, path: str) -> object:
    origin = typing.get_origin(kind)
    if origin in (Union, types.UnionType):
        options = typing.get_args(kind)
        if data is None and type(None) in options:
            return None
        rest = [option for option in options if option is not type(None)]
        if len(rest) != 1:
            raise DecodeError(f"{path}: a union of several types cannot be decoded")
        return _decode(rest[0], data, path)
    if origin is tuple:
        item, *more = typing.get_args(kind)
        if more != [...] or not isinstance(data, list):
            raise DecodeError(f"{path}: a list is wanted, not {type(data).__name__}")
        return tuple(_decode(item, value, f"{path}[{index}]") for index, value in enumerate(data))
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(data)
        except ValueError as error:
            raise DecodeError(f"{path}: {error}") from error
    if isinstance(kind, type) and is_dataclass(kind):
        return _decode_record(kind, data, path)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if kind in (str, int, float, bool) and type(data) is kind:
        return data
    raise DecodeError(f"{path}: {kind} is wanted, not {type(data).__name__}")


def _decode_record(kind: type, data: object, path: str) -> object:
    if not isinstance(data, dict):
        raise DecodeError(f"{path}: an object is wanted, not {type(data).__name__}")
    hints = _hints(kind)
    names = {field.name for field in fields(kind)}
    if set(data) != names:
        raise DecodeError(f"{path}: the fields {sorted(names ^ set(data))} are missing or unknown")
    return kind(**{name: _decode(hints[name], data[name], f"{path}.{name}") for name in names})
