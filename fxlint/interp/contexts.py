"""``with``: what a context manager does to a trace."""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp import assign, attributes, calls, expressions, handlers, spelling, statements
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Sequence, State
from fxlint.interp.store import load
from fxlint.library import lookup as library
from fxlint.library.rows import Behaviour
from fxlint.syntax import ir
from fxlint.values.values import BOTTOM, NONE, ClassInfo, Lib, Ref, Value


def run_with(f: Frame, st: State, stmt: ir.With) -> State | None:
    """``with``: enter, run the body, leave. A library context that the graph loses is an event if its body records anything."""
    before, recorded, conditions = st.copy(), f.machine.recorded, st.conditions
    lost: list[tuple[ir.At, str]] = []
    entered: list[tuple[ir.At, Value]] = []
    for item, target in stmt.items:
        name = dropped_context(f, st, item)
        value = expressions.evaluate(f, st, item)
        if name:
            lost.append((item.at, name))
        got = value if name else _enter(f, st, item.at, value)
        entered.append((item.at, value))
        if target is not None:
            assign.assign(f, st, target, got, item.at)
    after = statements.run(f, st, stmt.body)
    if f.machine.recorded > recorded:
        for at, name in lost:
            f.emit(State(conditions=conditions), EventKind.CONTEXT_DROPPED, "with", at, callee=name, detail=spelling.text_at(f.body, at))
        for item, _ in stmt.items:
            if _suppresses(f, before, item):
                f.emit(State(conditions=conditions), EventKind.HANDLER_LOST, "try", item.at)
    if after is not None:
        for at, value in reversed(entered):
            _leave(f, after, at, value)
    return after


def _enter(f: Frame, st: State, at: ir.At, value: Value) -> Value:
    """What ``as`` binds."""
    if isinstance(value, Ref):
        obj = load(f, st, value)
        if isinstance(obj, Instance) and isinstance(obj.cls, ClassInfo):
            enter = attributes.class_member(f, st, at, value, obj.cls, "__enter__")
            if enter is not None:
                return calls.call(f, st, at, enter, Arguments())
        if isinstance(obj, Sequence) and obj.kind == "generator":
            # A contextmanager function: what it yields is what `as` binds.
            return obj.any()
        return value
    return value if value is not BOTTOM else f.machine.unknown("context manager")


def _leave(f: Frame, st: State, at: ir.At, value: Value) -> None:
    obj = load(f, st, value) if isinstance(value, Ref) else None
    if isinstance(value, Ref) and isinstance(obj, Instance) and isinstance(obj.cls, ClassInfo):
        leave = attributes.class_member(f, st, at, value, obj.cls, "__exit__")
        if leave is not None:
            calls.call(f, st, at, leave, Arguments((NONE, NONE, NONE)))


def _suppresses(f: Frame, st: State, item: ir.Expr) -> bool:
    """``contextlib.suppress(RuntimeError)``: the block ends early where an operation fails, in eager execution alone."""
    if not isinstance(item, ir.Call) or expressions.evaluate(f, st, item.func) != Lib("contextlib.suppress"):
        return False
    return any(handlers.is_run_time_error(expressions.evaluate(f, st, a.value)) for a in item.args)


def switched(f: Frame, st: State, call: ir.Call) -> None:
    """``torch.set_grad_enabled(flag)`` as a statement: it switches while tracing, and the graph does not."""
    name = dropped_context(f, st, call)
    if name:
        f.emit(st, EventKind.EFFECT_ONCE, "log", call.at, callee=name)


def dropped_context(f: Frame, st: State, item: ir.Expr) -> str:
    """The dotted name of a library context manager that tracing drops, "" for any other."""
    head = item.func if isinstance(item, ir.Call) else item
    value = expressions.evaluate(f, st, head)
    if not isinstance(value, Lib):
        return ""
    row = library.function(value.dotted)
    return value.dotted if row is not None and row.on_proxy is Behaviour.CONTEXT else ""
