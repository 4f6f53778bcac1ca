"""``eliminate_dead_code``: which nodes it takes for dead that do something. Source: Node.is_impure of torch 2.13."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind, Site, Step
from fxlint.fxcode.graphedits import edited
from fxlint.fxcode.graphreading import Activation, Reading, emit, operations, recording, text
from fxlint.fxcode.graphvalues import UNKNOWN, State
from fxlint.fxcode.recording import effect
from fxlint.syntax import ir


def eliminate(reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int) -> State:
    """The state after ``graph.eliminate_dead_code()``. Each effect that is lost is an event at the code that has it."""
    facts = state.facts(graph)
    known = recording(reading, facts)
    span = act.body.span(expr.at)
    step = Step(Site(act.body.path, span.start, span.end), text(act, expr.at), "removes calls whose result nobody uses")
    if not facts.owned and facts.traced != UNKNOWN and any(op == "call_module" for op, _ in operations(reading, facts) or ()):
        detail = "AssertionError: self.graph.owning_module not set for purity check"
        emit(reading, act, EventKind.DEAD_CODE, "no-owner", expr.at, subject=text(act, expr.at), detail=detail)
    if known is None or expr.args:  # with a rule of one's own for what is impure nothing is concluded
        return edited(state, act, graph, expr.at)
    for index, record in enumerate(known.records):
        what = "" if known.users(index) else effect(record, facts.mode)
        if what:
            inner = replace(act, owner="", holder=None)
            emit(reading, inner, EventKind.DEAD_CODE, "effect", record.place, detail=what, callee=record.target, steps=(step,))
    return edited(state, act, graph, expr.at)
