"""``with``: what a context manager does to a trace."""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp import attributes, calls, expressions
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Sequence, State
from fxlint.interp.store import load
from fxlint.library import lookup as library
from fxlint.library.rows import Behaviour
from fxlint.syntax import ir
from fxlint.values.values import BOTTOM, ClassInfo, Lib, Ref, Value


def enter_context(f: Frame, st: State, item: ir.Expr) -> Value:
    """What ``as`` binds; a library context that the graph loses is an event."""
    name = dropped_context(f, st, item)
    value = expressions.evaluate(f, st, item)
    if name:
        f.emit(st, EventKind.CONTEXT_DROPPED, "with", item.at, callee=name, detail=f.text(item.at))
        return value
    if isinstance(value, Ref):
        obj = load(f, st, value)
        if isinstance(obj, Instance) and isinstance(obj.cls, ClassInfo):
            enter = attributes.class_member(f, st, item.at, value, obj.cls, "__enter__")
            if enter is not None:
                return calls.call(f, st, item.at, enter, Arguments())
        if isinstance(obj, Sequence) and obj.kind == "generator":
            # A contextmanager function: what it yields is what `as` binds.
            return obj.any()
        return value
    return value if value is not BOTTOM else f.machine.unknown("context manager")


def dropped_context(f: Frame, st: State, item: ir.Expr) -> str:
    """The dotted name of a library context manager that tracing drops, "" for any other."""
    head = item.func if isinstance(item, ir.Call) else item
    value = expressions.evaluate(f, st, head)
    if not isinstance(value, Lib):
        return ""
    row = library.function(value.dotted)
    return value.dotted if row is not None and row.on_proxy is Behaviour.CONTEXT else ""
