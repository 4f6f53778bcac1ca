"""Iteration: what the elements of a value are, where ``iter`` is asked of it."""

from __future__ import annotations

from fxlint.base.event import EventKind, Facet
from fxlint.interp import attributes, calls, modules
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import MAX_UNROLL, Frame
from fxlint.interp.operators import derived
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import load
from fxlint.syntax import ir
from fxlint.values.fold import is_array
from fxlint.values.join import alternatives, union
from fxlint.values.values import (
    NONE,
    Bottom,
    Class,
    ClassInfo,
    Const,
    Lib,
    Origin,
    Proxy,
    Ref,
    Static,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
)

Elements = tuple[Value, ...] | Value


def element_facet(proxy: Proxy) -> Facet:
    """What one element of a Proxy stands for, as a repaired model would see it."""
    match proxy.facet:
        case Facet.SIZE:
            return Facet.SIZE_ITEM
        case Facet.TENSOR | Facet.TUPLE:
            return Facet.TENSOR
        case Facet.NUMBER:
            return Facet.NUMBER
        case _:
            return Facet.UNKNOWN


def elements(f: Frame, st: State, value: Value, construct: str, at: ir.At, value_at: ir.At, unpack: int | None = None) -> Elements:
    """The elements in order, or one value that denotes each of an unknown number of them.

    ``unpack`` is the number of targets of an unpacking assignment, which a Proxy allows; any other iteration of a Proxy is an event.
    """
    match value:
        case Proxy():
            if unpack is not None:
                return tuple(derived(f, value_at, element_facet(value), value) for _ in range(unpack))
            f.emit(st, EventKind.PROXY_ITER, construct, at, value=value, subject=value_at)
            return derived(f, value_at, element_facet(value), value)
        case Tuple(items):
            return items
        case Const(text) if isinstance(text, str):
            return tuple(Const(c) for c in text) if len(text) <= MAX_UNROLL else Static("str")
        case Union(members):
            return _of_union(f, st, members, construct, at, value_at, unpack)
        case Ref():
            return _of_object(f, st, value, construct, at, value_at, unpack)
        case Tensor():
            return Tensor("made", Origin(f.body, at, ""))
        case Unknown() | Bottom():
            return value
        case Static(type=t) if is_array(t):
            return Static(f"numpy.{t.partition(':')[2]}" if ":" in t else "", "item of an array")
        case Static():
            return Static("int" if value.type == "range" else "", "element of unknown configuration")
        case Class(info):
            return f.machine.unknown(f"iteration over the class {info.name}")
        case Lib(dotted):
            return f.machine.unknown(f"iteration over {dotted}")
        case _:
            return f.machine.unknown("iteration over a function")


def _of_union(
    f: Frame, st: State, members: tuple[Value, ...], construct: str, at: ir.At, value_at: ir.At, unpack: int | None
) -> Elements:
    parts = [elements(f, st, m, construct, at, value_at, unpack) for m in members if m != NONE]
    known = [p for p in parts if isinstance(p, tuple)]
    if len(known) == len(parts) and known and len({len(p) for p in known}) == 1:
        return tuple(union(column) for column in zip(*known, strict=True))
    return union(v for p in parts for v in (p if isinstance(p, tuple) else (p,)))


def _of_object(f: Frame, st: State, ref: Ref, construct: str, at: ir.At, value_at: ir.At, unpack: int | None) -> Elements:
    obj = load(f, st, ref)
    match obj:
        case Sequence(items=items):
            return items if items is not None else obj.element
        case Mapping():
            if obj.complete:
                return tuple(k for k, _ in obj.entries)
            return union((*(k for k, _ in obj.entries), Static("str", "key of a dict")))
        case Instance(cls=cls) if isinstance(cls, ClassInfo):
            return _by_method(f, st, ref, cls, at, construct, value_at)
        case ModuleObject(cls=cls) if isinstance(cls, ClassInfo):
            inner = modules.force(f, st, ref).get("")
            if inner is not None and attributes.class_member(f, st, at, ref, cls, "__iter__") is None:
                return elements(f, st, inner, construct, at, value_at, unpack)
            return _by_method(f, st, ref, cls, at, construct, value_at)
        case _:
            return f.machine.unknown("iteration over an object of a library")


def _by_method(f: Frame, st: State, ref: Ref, cls: ClassInfo, at: ir.At, construct: str, value_at: ir.At) -> Elements:
    method = attributes.class_member(f, st, at, ref, cls, "__iter__")
    if method is None:
        return f.machine.unknown("iteration over an instance")
    result = calls.call(f, st, at, method, Arguments())
    if isinstance(result, Ref) and result != ref:
        return elements(f, st, result, construct, at, value_at)
    return f.machine.unknown("iterator of an instance")


def length(f: Frame, st: State, value: Value) -> Value:
    """``len(value)`` of a concrete container."""
    lengths: list[Value] = []
    for one in alternatives(value):
        obj = load(f, st, one) if isinstance(one, Ref) else one
        if isinstance(obj, ModuleObject) and isinstance(one, Ref) and isinstance(obj.cls, ClassInfo):
            inner = modules.force(f, st, one).get("")
            obj = load(f, st, inner) if isinstance(inner, Ref) else None
        match obj:
            case Sequence(items=items) | Tuple(items=items) if items is not None:
                lengths.append(Const(len(items)))
            case Mapping(entries=entries, complete=True):
                lengths.append(Const(len(entries)))
            case Const(text) if isinstance(text, (str, bytes)):
                lengths.append(Const(len(text)))
            case _:
                lengths.append(Static("int", "length of unknown configuration"))
    return union(lengths)
