"""Reading and writing mutable objects: allocation, dereference, and the questions asked of whole values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, ModuleObject, Object, Sequence, State
from fxlint.values.fold import truth as plain_truth
from fxlint.values.join import Truth, union
from fxlint.values.values import (
    ATOMS,
    Bound,
    Class,
    Const,
    Function,
    Lib,
    ModuleFileValue,
    NativeMethod,
    Partial,
    Proxy,
    Ref,
    Slice,
    Static,
    Super,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
    Wrapped,
)


def allocate(f: Frame, st: State, obj: Object) -> Ref:
    """Put a new object into the store."""
    ref = Ref(f.machine.new_id())
    st.store[ref.id] = obj
    if not f.tracing:
        f.machine.kept.add(ref.id)
    return ref


def load(f: Frame, st: State, ref: Ref) -> Object | None:
    """The object behind a reference; objects made at module level live in the machine until a path changes them."""
    obj = st.store.get(ref.id)
    return obj if obj is not None else f.machine.global_store.get(ref.id)


def save(f: Frame, st: State, ref: Ref, obj: Object) -> None:
    """Replace the object behind a reference, and note the write."""
    st.store[ref.id] = obj
    f.wrote(ref)


def new_list(f: Frame, st: State, items: tuple[Value, ...] | None, element: Value | None = None, kind: str = "list") -> Ref:
    """A fresh sequence of known items, or of unknown length with elements denoted by ``element``."""
    if items is not None:
        return allocate(f, st, Sequence(kind, items))
    assert element is not None
    return allocate(f, st, Sequence(kind, None, element))


def proxies_in(f: Frame, st: State, value: Value, depth: int = 6) -> Iterator[Proxy]:
    """The Proxies that a recorded call would find in an argument: inside tuples, lists, dicts and slices, not inside instances."""
    if depth == 0:
        return
    match value:
        case Proxy():
            yield value
        case Tuple(items):
            for item in items:
                yield from proxies_in(f, st, item, depth - 1)
        case Slice(lower, upper, step):
            for item in (lower, upper, step):
                yield from proxies_in(f, st, item, depth - 1)
        case Union(members):
            for item in members:
                yield from proxies_in(f, st, item, depth - 1)
        case Ref():
            obj = load(f, st, value)
            if isinstance(obj, Sequence) and obj.kind in ("list", "tuple"):
                yield from proxies_in(f, st, obj.any() if obj.items is None else Tuple(obj.items), depth - 1)
            elif isinstance(obj, Mapping) and obj.kind == "dict":
                for _, item in obj.entries:
                    yield from proxies_in(f, st, item, depth - 1)
                yield from proxies_in(f, st, obj.rest, depth - 1)
        case _:
            return


def first_proxy(f: Frame, st: State, *values: Value) -> Proxy | None:
    """The first Proxy that a recorded call would find in these arguments; sure ones before assumed ones."""
    found: Proxy | None = None
    for value in values:
        if type(value) in ATOMS and not isinstance(value, Proxy):
            continue
        for proxy in proxies_in(f, st, value):
            if not proxy.assumed:
                return proxy
            found = found or proxy
    return found


def may_hold_proxy(f: Frame, st: State, value: Value) -> bool:
    """Whether a value that is handed to unknown code may carry a Proxy in."""
    if isinstance(value, Unknown):
        return value.may_be_proxy
    if type(value) in ATOMS:
        return isinstance(value, Proxy)
    if isinstance(value, Union):
        return any(may_hold_proxy(f, st, v) for v in value.members)
    if isinstance(value, Ref):
        obj = load(f, st, value)
        if isinstance(obj, Instance):
            return any(isinstance(v, Proxy) for v in obj.fields.values())
        if isinstance(obj, Sequence):
            return any(may_hold_proxy(f, st, v) for v in obj.items or (obj.element,))
        if isinstance(obj, Mapping):
            return any(may_hold_proxy(f, st, v) for _, v in obj.entries) or may_hold_proxy(f, st, obj.rest)
        return False
    return first_proxy(f, st, value) is not None


def truth(f: Frame, st: State, value: Value) -> Truth:
    """What ``bool(value)`` gives while tracing."""
    if isinstance(value, (Const, Static)):
        return plain_truth(value)
    match value:
        case Proxy():
            return Truth.RAISES
        case Union(members):
            seen = {truth(f, st, v) for v in members}
            if len(seen) == 1:
                return seen.pop()
            return Truth.RAISES if Truth.RAISES in seen else Truth.EITHER
        case Ref():
            return _object_truth(load(f, st, value))
        case Function() | Class() | Bound() | NativeMethod() | Partial() | ModuleFileValue() | Super() | Wrapped() | Slice():
            return Truth.TRUE
        case Lib(dotted):
            return Truth.EITHER if dotted.rsplit(".", 1)[-1].isupper() else Truth.TRUE
        case Tensor():
            return Truth.EITHER
        case _:
            return plain_truth(value)


def _object_truth(obj: Object | None) -> Truth:
    match obj:
        case Sequence(items=items) if items is not None:
            return Truth.TRUE if items else Truth.FALSE
        case Mapping(entries=entries, complete=complete):
            if entries:
                return Truth.TRUE
            return Truth.FALSE if complete else Truth.EITHER
        case Instance() | ModuleObject():
            return Truth.TRUE
        case _:
            return Truth.EITHER


def element_of(f: Frame, st: State, value: Value) -> Value | None:
    """What any element of a known container may be; None where the value is no such container."""
    if isinstance(value, Tuple):
        return union(value.items)
    if isinstance(value, Ref):
        obj = load(f, st, value)
        if isinstance(obj, (Sequence, Mapping)):
            return obj.any()
    return None


def register(f: Frame, st: State, value: Value) -> None:
    """Mark modules as registered: they were assigned to an attribute of a module or put into a module container."""
    match value:
        case Ref():
            obj = load(f, st, value)
            if isinstance(obj, ModuleObject) and not obj.registered:
                st.store[value.id] = replace(obj, registered=True)
            elif isinstance(obj, Sequence) and obj.kind in MODULE_KINDS and not obj.registered:
                st.store[value.id] = replace(obj, registered=True)
                for item in obj.items or (obj.element,):
                    register(f, st, item)
            elif isinstance(obj, Mapping) and obj.kind in MODULE_KINDS and not obj.registered:
                st.store[value.id] = replace(obj, registered=True)
                register(f, st, obj.any())
        case Union(members):
            for member in members:
                register(f, st, member)
        case _:
            return


MODULE_KINDS = frozenset({"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})


def constant_str(value: Value) -> str | None:
    """The text of a constant string, else None."""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def constant_int(value: Value) -> int | None:
    """The number of a constant int, else None."""
    return value.value if isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool) else None
