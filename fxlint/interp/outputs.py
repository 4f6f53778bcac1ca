"""The output of the graph: what the traced function returns becomes the argument of the output node."""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp import argtypes, constructors
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, State
from fxlint.interp.store import load
from fxlint.syntax import ir
from fxlint.values.join import alternatives
from fxlint.values.values import ClassInfo, Ref, Tuple, Value


def started(f: Frame, st: State, func: ir.FuncDef) -> None:
    """A traced function that is async or yields gives an object that no node can hold."""
    if f.is_root and (func.is_async or func.is_generator):
        kind = "coroutine" if func.is_async else "generator"
        f.emit(st, EventKind.NO_ARGUMENT_TYPE, "generator", func.at, detail=kind)


def returned(f: Frame, st: State, at: ir.At, value: Value, value_at: ir.At) -> None:
    """``return value`` at node ``at`` of a function: events of the root's output."""
    if not f.is_root or f.info is None or f.info.func.is_async or f.info.func.is_generator:
        return
    for one in alternatives(value):
        argtypes.check(f, st, at, (one,), "", (value_at,))
        name = lost_class(f, st, one)
        if name:
            f.emit(st, EventKind.OUTPUT_CLASS, "container", at, subject=value_at, detail=name)


def lost_class(f: Frame, st: State, value: Value) -> str:
    """The name of a subclass of dict or list, which comes back as a plain dict or list; "" for any other value."""
    if isinstance(value, Tuple) and value.cls == "torch.Size":
        return value.cls
    obj = load(f, st, value) if isinstance(value, Ref) else None
    if isinstance(obj, Mapping):
        return obj.cls if obj.kind == "dict" else ""
    if isinstance(obj, Instance) and isinstance(obj.cls, ClassInfo) and constructors.container_base(obj.cls):
        return obj.cls.name
    return ""
