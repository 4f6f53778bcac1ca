"""Methods of a Proxy that are named and not called: ``h = x.relu``. Tracing takes them for attributes, which a Proxy has any of."""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp.machine import Frame
from fxlint.interp.scopes import walk
from fxlint.interp.state import State
from fxlint.library import lookup as library
from fxlint.syntax import ir
from fxlint.values.values import NativeMethod, Proxy, Value

# Methods of sparse tensors that are fields of what max, sort and topk return.
FIELDS = frozenset({"values", "indices"})


def is_method(value: Value) -> bool:
    """Whether a value is a method that tensors have, of a Proxy."""
    return isinstance(value, NativeMethod) and isinstance(value.receiver, Proxy) and value.name not in FIELDS and (
        library.tensor_method(value.name) is not None)


def used(f: Frame, st: State, at: ir.At, value: Value) -> None:
    """A value is an operand, an argument or an output at node ``at``; the event stands where the method was named."""
    if isinstance(value, NativeMethod) and isinstance(value.receiver, Proxy) and is_method(value):
        origin = value.origin
        here = origin.at if origin is not None and origin.body is f.body else at
        f.emit(st, EventKind.METHOD_UNCALLED, "operand", here, value=value.receiver, subject=here, detail=value.name)


def assigned(f: Frame, st: State, stmt: ir.Assign, value: Value) -> None:
    """``name = x.relu``, where nothing in the function calls the name or hands it on."""
    targets = [t.id for t in stmt.targets if isinstance(t, ir.Name)]
    if not is_method(value) or not targets or f.info is None or stmt.value is None:
        return
    for node in (n for s in f.info.func.body for n in walk(s)):
        if isinstance(node, ir.Call):
            handed = (node.func, *(a.value for a in node.args))
            if any(isinstance(e, ir.Name) and e.id in targets for e in handed):
                return
    used(f, st, stmt.value.at, value)
