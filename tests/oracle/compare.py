"""Finds where two lowerings of the same text differ, and pairs the nodes that correspond."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from fxlint.syntax import ir


def difference(got: object, want: object) -> str | None:
    """The path to the first place where two pieces of IR differ, and what stands there; None where they are equal."""
    if type(got) is type(want) and not isinstance(got, ir.Const):
        if isinstance(got, tuple) and isinstance(want, tuple) and len(got) == len(want):
            for i in range(len(got)):
                if found := difference(got[i], want[i]):
                    return f"[{i}]{found}"
            return None
        if is_dataclass(got):
            for name in names(type(got)):
                if found := difference(getattr(got, name), getattr(want, name)):
                    return f".{name}{found}"
            return None
    return None if got == want else f": {got!r:.300} != {want!r:.300}"


def pairs(got: object, want: object) -> Iterator[tuple[str, ir.At, ir.At]]:
    """The class name and both numbers of each node of two equal pieces of IR."""
    if isinstance(got, tuple) and isinstance(want, tuple):
        for a, b in zip(got, want, strict=True):
            yield from pairs(a, b)
    elif is_dataclass(got):
        if hasattr(got, "at") and hasattr(want, "at"):
            yield type(got).__name__, got.at, want.at
        for name in names(type(got)):
            yield from pairs(getattr(got, name), getattr(want, name))


_NAMES: dict[type, tuple[str, ...]] = {}


def names(kind: type) -> tuple[str, ...]:
    """The fields of a class of the IR, but for the number, which takes no part in equality."""
    found = _NAMES.get(kind)
    if found is None:
        found = _NAMES[kind] = tuple(field.name for field in fields(kind) if field.compare)
    return found
