"""Statements. Each takes a state that it owns and gives the state after it, or None where no path goes on."""

from __future__ import annotations

from typing import assert_never

from fxlint.base.event import Assumption, AssumptionKind, EventKind
from fxlint.interp import (
    aliases,
    argtypes,
    assign,
    branches,
    buffers,
    contexts,
    expressions,
    guards,
    handlers,
    loops,
    matching,
    nested,
    outputs,
    reveal,
    spelling,
    uncalled,
)
from fxlint.interp.machine import Frame
from fxlint.interp.names import read_name
from fxlint.interp.operators import binary
from fxlint.interp.state import State, merge
from fxlint.library.conventions import INITIALISERS
from fxlint.syntax import ir
from fxlint.values.join import Truth, alternatives
from fxlint.values.values import NONE, Bottom, Proxy, Ref, Tensor, Unknown


def run(f: Frame, st: State | None, stmts: tuple[ir.Stmt, ...]) -> State | None:
    """Run a block."""
    watched = f.machine.watch is not None
    for stmt in stmts:
        if st is None:
            return None
        if watched:
            reveal.before(f, st, stmt)
        st = step(f, st, stmt)
        if watched and st is not None:
            reveal.after(f, st, stmt)
    return st


def _callee_name(func: ir.Expr) -> str:
    """The last name of a callee as written."""
    match func:
        case ir.Attr(name=name) | ir.Name(id=name):
            return name
        case _:
            return ""


def step(f: Frame, st: State, stmt: ir.Stmt) -> State | None:
    """Run one statement."""
    f.at = stmt.at
    if f.tracing:
        f.machine.covered.add((id(f.body), stmt.at))
    match stmt:
        case ir.ExprStmt(value=value):
            if not f.tracing and isinstance(value, ir.Call) and _callee_name(value.func) in INITIALISERS:
                return st
            if f.tracing and isinstance(value, ir.Call) and _callee_name(value.func) == "set_grad_enabled":
                contexts.switched(f, st, value)
            return None if isinstance(expressions.evaluate(f, st, value), Bottom) else st
        case ir.Assign(targets=targets, value=value):
            if value is None:
                return st
            got = expressions.evaluate(f, st, value)
            if isinstance(got, Bottom):
                return None
            uncalled.assigned(f, st, stmt, got)
            for target in targets:
                assign.assign(f, st, target, got, stmt.at)
            return st
        case ir.AugAssign():
            return _aug_assign(f, st, stmt)
        case ir.Return(value=value):
            got = NONE if value is None else expressions.evaluate(f, st, value)
            if not isinstance(got, Bottom):
                outputs.returned(f, st, stmt.at, got, stmt.at if value is None else value.at)
                f.returns.append((got, st))
            return None
        case ir.If():
            return branches.run_if(f, st, stmt)
        case ir.For():
            return loops.run_for(f, st, stmt)
        case ir.While():
            return loops.run_while(f, st, stmt)
        case ir.With():
            return contexts.run_with(f, st, stmt)
        case ir.Try():
            return _run_try(f, st, stmt)
        case ir.Raise(exc=exc):
            if exc is not None and not isinstance(exc, ir.Call):
                expressions.evaluate(f, st, exc)
            return None
        case ir.Assert(test=test):
            return _assert(f, st, stmt.at, test)
        case ir.Delete(targets=targets):
            for target in targets:
                assign.delete(f, st, target)
            return st
        case ir.Import() | ir.ImportFrom():
            nested.run_import(f, st, stmt)
            return st
        case ir.Jump(kind=kind):
            return _jump(f, st, kind)
        case ir.Scope():
            return st
        case ir.FuncDef():
            st.env[stmt.name] = nested.define_function(f, st, stmt)
            return st
        case ir.ClassDef():
            st.env[stmt.name] = nested.define_class(f, st, stmt)
            return st
        case ir.Match():
            return matching.run_match(f, st, stmt)
        case _:
            assert_never(stmt)


def _jump(f: Frame, st: State, kind: str) -> State | None:
    if kind == "pass" or not f.loops:
        return st
    (f.loops[-1].breaks if kind == "break" else f.loops[-1].continues).append(st)
    return None


def _assert(f: Frame, st: State, at: ir.At, test: ir.Expr) -> State | None:
    value, truth = branches.condition(f, st, test, "assert", at)
    if truth is Truth.FALSE and not isinstance(value, (Proxy, Unknown)):
        if guards.fatal(f, test):
            return branches.narrow(f, st, test, True)
        return None
    if truth is Truth.TRUE:
        guards.held(f, test)
    return st


def _aug_assign(f: Frame, st: State, stmt: ir.AugAssign) -> State | None:
    target = stmt.target
    old = read_name(f, st, target.id) if isinstance(target, ir.Name) else expressions.evaluate(f, st, target)
    new = expressions.evaluate(f, st, stmt.value)
    if isinstance(target, ir.Sub) and isinstance(expressions.evaluate(f, st, target.base), Proxy):
        f.emit(st, EventKind.SET_ITEM, "augmented", stmt.at, value=expressions.evaluate(f, st, target.base), subject=target.base.at)
        return st
    if isinstance(old, Ref) and stmt.op in ("+", "|"):
        if isinstance(target, ir.Name):
            assign.note_leak(f, st, stmt.at, old, new, target)
        assign.extend_in_place(f, st, old, new, stmt.at)
        return st
    argtypes.operands(f, st, stmt.at, old, new, target.at, stmt.value.at)
    result = binary(f, st, stmt.at, stmt.op, old, new, target.at, stmt.value.at)
    if isinstance(result, Bottom):
        return None
    for one in alternatives(old):
        if isinstance(one, Proxy):
            aliases.note(f, st, stmt, one)
        elif isinstance(one, Tensor):
            buffers.written(f, st, stmt.at, one, target.at, new, construct="augmented")
    assign.assign(f, st, target, result, stmt.at, augmented=True)
    return st


def _run_try(f: Frame, st: State, stmt: ir.Try) -> State | None:
    before = st.copy()
    recorded = f.machine.recorded
    swallows = any(branches.catches_trace_error(f, st, h) for h in stmt.handlers)
    f.guarded += swallows
    after = run(f, st, stmt.body)
    f.guarded -= swallows
    lost = f.machine.recorded > recorded and any(handlers.catches_run_time_error(f, before, h) for h in stmt.handlers)
    if lost or handlers.asks_for_attribute(f, before, stmt):
        f.emit(before, EventKind.HANDLER_LOST, "try", stmt.at)
    entry = merge(before, after.copy() if after is not None else None)
    if after is not None and stmt.orelse:
        after = run(f, after, stmt.orelse)
    out = after
    for handler in stmt.handlers:
        assert entry is not None
        text = "" if handler.type is None else spelling.text_at(f.body, handler.type.at)
        arm = entry.under(Assumption(AssumptionKind.HANDLER, f"except {text}".strip()))
        if handler.name is not None:
            arm.env[handler.name] = Unknown("a caught exception")
        out = merge(out, run(f, arm, handler.body))
    if stmt.final:
        done = run(f, out if out is not None else before, stmt.final)
        out = done if out is not None else None
    return out

