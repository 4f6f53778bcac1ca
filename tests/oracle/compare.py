"""Finds where two lowerings of the same text differ, and pairs the nodes that correspond."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from fxlint.syntax import ir


def difference(got: object, want: object, path: str = "") -> str | None:
    """The first place where two pieces of IR differ, for people to read; None where they are equal."""
    if type(got) is type(want) and not isinstance(got, ir.Const):
        if isinstance(got, tuple) and isinstance(want, tuple) and len(got) == len(want):
            steps = [(f"{path}[{i}]", *pair) for i, pair in enumerate(zip(got, want, strict=True))]
            return next((found for step, a, b in steps if (found := difference(a, b, step))), None)
        if is_dataclass(got):
            steps = [(f"{path}.{f.name}", getattr(got, f.name), getattr(want, f.name)) for f in fields(got) if f.compare]
            return next((found for step, a, b in steps if (found := difference(a, b, step))), None)
    return None if got == want else f"{path}: {got!r:.300} != {want!r:.300}"


def pairs(got: object, want: object) -> Iterator[tuple[str, ir.At, ir.At]]:
    """The class name and both numbers of each node of two equal pieces of IR."""
    if isinstance(got, tuple) and isinstance(want, tuple):
        for a, b in zip(got, want, strict=True):
            yield from pairs(a, b)
    elif is_dataclass(got):
        for f in fields(got):
            if f.name == "at":
                yield type(got).__name__, getattr(got, f.name), getattr(want, f.name)
            else:
                yield from pairs(getattr(got, f.name), getattr(want, f.name))
