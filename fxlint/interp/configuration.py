"""Configurations: which builder functions make a model that differs from those traced before.

A project often has hundreds of builders of one class that differ in widths alone. A model is worth tracing when one of its
constructor arguments, down to entries of dicts and fields of dataclasses, takes a value that no traced model of the class had; numbers
other than 0 and 1 count by their type.
"""

from __future__ import annotations

from collections.abc import Iterator

from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import load
from fxlint.values.values import Bound, Class, ClassInfo, Const, Function, Lib, Partial, Ref, Static, Tuple, Union, Value

MAX_DEPTH = 4


class CoveredError(Exception):
    """Raised out of a builder function that is about to make a model with nothing new in its settings."""


def settings_of(f: Frame, st: State, args: Arguments) -> frozenset[tuple[str, object]]:
    """The arguments as (path, value) pairs, numbers by type."""
    out: set[tuple[str, object]] = set()
    for i, value in enumerate(args.positional):
        out.update(_pairs(f, st, str(i), value, MAX_DEPTH))
    for name, value in args.keywords:
        out.update(_pairs(f, st, name, value, MAX_DEPTH))
    return frozenset(out)


def check(f: Frame, st: State, info: ClassInfo, args: Arguments, made: Ref) -> None:
    """Note by which calls a builder makes a module; raises CoveredError where such calls led to the model before, and it has nothing new.

    What a builder does after making its model (loading of weights, records about it) then need not be executed.
    """
    m = f.machine
    way = (info, *(frame.code for frame in m.active[m.building:]))
    if way in m.model_ways:
        known = m.configurations.get(info)
        if known and settings_of(f, st, args) <= known:
            raise CoveredError
    m.made_by[made.id] = way


def _pairs(f: Frame, st: State, path: str, value: Value, depth: int) -> Iterator[tuple[str, object]]:
    if depth == 0:
        return
    match value:
        case Const(number) if type(number) in (int, float):
            yield path, number if number in (0, 1) else type(number).__name__
        case Const(constant):
            yield path, constant
        case Tuple(items=items):
            yield from _elements(f, st, path, items, depth)
        case Union(members):
            for member in members:
                yield from _pairs(f, st, path, member, depth)
        case Partial(function, _, keywords):
            yield from _pairs(f, st, path, function, depth - 1)
            for name, inner in keywords:
                yield from _pairs(f, st, f"{path}.{name}", inner, depth - 1)
        case Class(info):
            yield path, info
        case Function(code):
            yield path, code
        case Bound(_, function):
            yield from _pairs(f, st, path, function, depth - 1)
        case Lib(dotted):
            yield path, dotted
        case Static(type=kind):
            yield path, ("static", kind)
        case Ref():
            yield from _of_object(f, st, path, value, depth)
        case _:
            yield path, type(value).__name__


def _elements(f: Frame, st: State, path: str, items: tuple[Value, ...], depth: int) -> Iterator[tuple[str, object]]:
    yield path, ("items", bool(items))
    for item in items:
        yield from _pairs(f, st, f"{path}[]", item, depth - 1)


def _of_object(f: Frame, st: State, path: str, ref: Ref, depth: int) -> Iterator[tuple[str, object]]:
    obj = load(f, st, ref)
    match obj:
        case Sequence(items=items):
            yield from _elements(f, st, path, items or (), depth)
        case Mapping(entries=entries):
            for key, value in entries:
                yield from _pairs(f, st, f"{path}.{key.value}", value, depth - 1)
        case Instance(cls=cls, fields=fields):
            yield path, cls
            for name, value in fields.items():
                yield from _pairs(f, st, f"{path}.{name}", value, depth - 1)
        case ModuleObject(cls=cls, args=args):
            yield path, cls
            for name, inner in settings_of(f, st, args):
                yield f"{path}({name})", inner
        case None:
            return
