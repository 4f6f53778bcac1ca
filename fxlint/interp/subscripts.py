"""Subscripts: ``base[index]`` that is read."""

from __future__ import annotations

from fxlint.base.event import EventKind, Facet
from fxlint.interp import argtypes, attributes, calls, modules, textflow
from fxlint.interp.aliases import VIEW, is_view
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.operators import derived
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import allocate, constant_int, first_proxy, load
from fxlint.syntax import ir
from fxlint.values.fold import is_array
from fxlint.values.join import alternatives, union
from fxlint.values.values import (
    BOTTOM,
    NONE,
    Bottom,
    Bound,
    Class,
    ClassInfo,
    Const,
    Function,
    Lib,
    ModuleFileValue,
    NativeMethod,
    Origin,
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


def get_item(f: Frame, st: State, at: ir.At, base: Value, index: Value, base_at: ir.At, index_at: ir.At) -> Value:
    """``base[index]``."""
    if isinstance(index, Bottom):
        return BOTTOM
    match base:
        case Proxy():
            argtypes.check(f, st, at, (index,), "", (index_at,))
            return derived(f, at, _item_facet(base, index), base, note=VIEW if is_view(base, index) else "")
        case Union(members):
            return union(get_item(f, st, at, v, index, base_at, index_at) for v in members if v != NONE)
        case Tensor():
            return _of_tensor(f, st, at, base, index, index_at)
        case Tuple(items):
            return _of_items(f, st, at, "tuple", items, union(items), index, index_at)
        case Ref():
            return _of_object(f, st, at, base, index, index_at)
        case Const(value) if isinstance(value, (str, bytes)):
            return _of_text(f, st, at, value, index, index_at)
        case Static():
            held = index if isinstance(index, Proxy) else None
            if held is not None and base.type in ("list", "tuple", "str"):
                f.emit(st, EventKind.PROXY_NUMBER, "list-index", at, value=held, subject=index_at)
            if ":" in base.type and not isinstance(index, (Slice, Tuple)):
                return Static(f"numpy.{base.type.partition(':')[2]}", "item of an array")
            return Static(base.type if is_array(base.type) and isinstance(index, Slice) else "", base.why)
        case Unknown() | Bottom():
            return base
        case (
            Class() | Function() | Lib() | ModuleFileValue() | Wrapped() | Partial() | NativeMethod() | Bound() | Super() | Slice()
            | Const()
        ):
            # A subscripted class is an annotation or a generic alias, which stands for the class itself.
            return base if isinstance(base, (Class, Lib)) else f.machine.unknown("subscript of a function")


def _item_facet(base: Proxy, index: Value) -> Facet:
    if base.facet is Facet.SIZE:
        return Facet.SIZE if isinstance(index, Slice) else Facet.SIZE_ITEM
    if base.facet is Facet.TUPLE:
        return Facet.TUPLE if isinstance(index, Slice) else Facet.TENSOR
    if base.facet in (Facet.TENSOR, Facet.NUMBER):
        return base.facet
    return Facet.UNKNOWN


def _of_tensor(f: Frame, st: State, at: ir.At, base: Tensor, index: Value, index_at: ir.At) -> Value:
    """A concrete tensor: its C parser wants real numbers in slices, and dispatches on a Proxy anywhere else."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    sliced: Proxy | None = None
    for part in parts:
        for one in alternatives(part):
            if isinstance(one, Slice):
                sliced = sliced or first_proxy(f, st, one.lower, one.upper, one.step)
    if sliced is not None:
        f.emit(st, EventKind.TENSOR_ARGUMENT, "slice", at, value=sliced, subject=index_at, detail=base.kind)
        return derived(f, at, Facet.TENSOR, sliced)
    held = first_proxy(f, st, index)
    if held is not None:
        return derived(f, at, Facet.TENSOR, held)
    return Tensor("buffer" if base.kind == "buffer" else "made", Origin(f.body, at, ""), source=base.source)


def _bounds(index: Slice) -> slice | None:
    """The slice of constant bounds, None for any other."""
    bounds = [v.value if isinstance(v, Const) else ... for v in (index.lower, index.upper, index.step)]
    known = [b for b in bounds if b is None or isinstance(b, int)]
    return slice(*known) if len(known) == len(bounds) and known[2] != 0 else None


def _of_items(
    f: Frame, st: State, at: ir.At, kind: str, items: tuple[Value, ...] | None, element: Value, index: Value, index_at: ir.At
) -> Value:
    held = index if isinstance(index, Proxy) else first_proxy(f, st, index) if isinstance(index, Slice) else None
    if held is not None:
        f.emit(st, EventKind.PROXY_NUMBER, "slice" if isinstance(index, Slice) else "list-index", at, value=held, subject=index_at)
        return allocate(f, st, Sequence(kind, None, element)) if isinstance(index, Slice) else element
    if isinstance(index, Slice):
        bounds = _bounds(index)
        if items is not None and bounds is not None:
            part = items[bounds]
            return Tuple(part) if kind == "tuple" else allocate(f, st, Sequence(kind, part))
        return allocate(f, st, Sequence(kind, None, element))
    n = constant_int(index)
    if n is None and isinstance(index, Const) and isinstance(index.value, bool):
        n = int(index.value)
    if items is not None and n is not None:
        return items[n] if -len(items) <= n < len(items) else BOTTOM
    return element


def _of_object(f: Frame, st: State, at: ir.At, ref: Ref, index: Value, index_at: ir.At) -> Value:
    obj = load(f, st, ref)
    match obj:
        case Sequence(kind=kind, items=items):
            if kind == "Sequential" and isinstance(index, Slice):
                # A slice of a Sequential is a new Sequential, which no module holds under a name.
                return _of_items(f, st, at, kind, items, obj.any(), index, index_at)
            if kind == "ModuleList" and isinstance(index, Slice):
                return _of_items(f, st, at, "ModuleList", items, obj.any(), index, index_at)
            if kind == "ModuleDict":
                return obj.any()
            return _of_items(f, st, at, kind, items, obj.any(), index, index_at)
        case Mapping():
            return _of_mapping(f, st, at, obj, index, index_at)
        case Instance(cls=cls) if isinstance(cls, ClassInfo):
            method = attributes.class_member(f, st, at, ref, cls, "__getitem__")
            if method is not None:
                return calls.call(f, st, at, method, Arguments((index,)))
            return f.machine.unknown("subscript of an instance")
        case ModuleObject():
            return _of_module(f, st, at, ref, obj, index)
        case _:
            return f.machine.unknown("subscript of an unknown object")


def _of_module(f: Frame, st: State, at: ir.At, ref: Ref, obj: ModuleObject, index: Value) -> Value:
    if isinstance(obj.cls, ClassInfo):
        method = attributes.class_member(f, st, at, ref, obj.cls, "__getitem__")
        if method is not None:
            return calls.call(f, st, at, method, Arguments((index,)))
        fields = modules.force(f, st, ref)
        inner = fields.get("")
        if inner is not None:
            return get_item(f, st, at, inner, index, at, at)
    return f.machine.unknown("subscript of a module")


def _of_mapping(f: Frame, st: State, at: ir.At, obj: Mapping, index: Value, index_at: ir.At) -> Value:
    textflow.reached(f, st, at, index)
    if isinstance(index, Proxy):
        construct = "module-dict" if obj.kind == "ModuleDict" else "dict"
        f.emit(st, EventKind.PROXY_KEY, construct, at, value=index, subject=index_at)
        return obj.any()
    found: list[Value] = []
    for key in alternatives(index):
        value = obj.get(key) if isinstance(key, Const) else None
        if value is not None:
            found.append(value)
        elif not isinstance(key, Const) or not obj.complete:
            found.append(obj.any())
    result = union(found)
    if isinstance(result, Bottom) and not obj.complete:
        return f.machine.unknown("key of a dict that is not known")
    return result


def _of_text(f: Frame, st: State, at: ir.At, value: str | bytes, index: Value, index_at: ir.At) -> Value:
    if isinstance(index, Proxy):
        f.emit(st, EventKind.PROXY_NUMBER, "list-index", at, value=index, subject=index_at)
    held = first_proxy(f, st, index) if isinstance(index, Slice) else None
    if held is not None:
        f.emit(st, EventKind.PROXY_NUMBER, "slice", at, value=held, subject=index_at)
    n = constant_int(index)
    if n is not None:
        return Const(value[n]) if -len(value) <= n < len(value) else BOTTOM
    if isinstance(index, Slice):
        bounds = _bounds(index)
        if bounds is not None:
            return Const(value[bounds])
    return Static(type(value).__name__)


