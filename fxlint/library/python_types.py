"""Which classes of Python's own library the objects of builtin types are instances of: asked of Python itself."""

from __future__ import annotations

import builtins
import collections
import collections.abc
import enum
import numbers
import os
import pathlib
import types
import typing

_HOLDERS: dict[str, object] = {
    "builtins": builtins, "collections": collections, "collections.abc": collections.abc, "enum": enum, "numbers": numbers, "os": os,
    "pathlib": pathlib, "types": types, "typing": typing,
}
# Types that builtins does not name, and what the interpreter calls them.
_UNNAMED: dict[str, type] = {
    "builtins.NoneType": types.NoneType, "builtins.function": types.FunctionType, "builtins.generator": types.GeneratorType,
    "builtins.ellipsis": types.EllipsisType,
}


def python_class(dotted: str) -> type | None:
    """The class of that dotted name (``typing.Sequence`` is that of ``collections.abc``); None where there is none such."""
    if dotted in _UNNAMED:
        return _UNNAMED[dotted]
    holder, _, name = dotted.rpartition(".")
    found = getattr(_HOLDERS.get(holder), name, None)
    found = typing.get_origin(found) or found
    return found if isinstance(found, type) else None


def is_subclass(kind: str, wanted: str) -> bool | None:
    """Whether instances of the builtin type ``kind`` are instances of ``wanted``, both dotted names; None where that is not known."""
    cls, other = python_class(kind), python_class(wanted)
    if cls is None or other is None:
        return None
    try:
        return issubclass(cls, other)
    except TypeError:  # a Protocol that is not for isinstance
        return None
