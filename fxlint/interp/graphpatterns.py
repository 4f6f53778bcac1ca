"""``replace_pattern(gm, pattern, replacement)``: what it wants, and whether the pattern can occur in the graph."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.interp.graphmake import is_module
from fxlint.interp.graphreading import Activation, Reading, emit, recording, text
from fxlint.interp.graphvalues import UNKNOWN, Func, Graph, GraphModule, Matches, Object, State, Value
from fxlint.interp.recorder import NotStraightError, record_function
from fxlint.interp.recording import Recording, Ref, matches, operation, used
from fxlint.syntax import ir

Result = tuple[Value, State]


def replace_pattern(reading: Reading, act: Activation, state: State, expr: ir.Call, args: tuple[Value, ...]) -> Result:
    """What the call gives (a list of matches), and the mistakes in its arguments."""
    subject = text(act, expr.at)
    first, pattern, replacement = (*args, UNKNOWN, UNKNOWN, UNKNOWN)[:3]
    if isinstance(first, Graph) or is_module(reading, first):
        name = "Graph" if isinstance(first, Graph) else first.code.name if isinstance(first, Object) else "Module"
        detail = f"AttributeError: '{name}' object has no attribute 'graph'"
        emit(reading, act, EventKind.PATTERN, "not-graph-module", expr.at, subject=subject, detail=detail)
        return UNKNOWN, state
    if not isinstance(first, GraphModule):
        return UNKNOWN, state
    if isinstance(pattern, Func) and isinstance(replacement, Func):
        wanted, given = len(pattern.node.params), len(replacement.node.params)
        if wanted != given:
            detail = f"AssertionError: Placeholder count mismatch: {wanted} vs {given}"
            emit(reading, act, EventKind.PATTERN, "arity", expr.at, subject=subject, detail=detail)
            return UNKNOWN, state
    facts = state.facts(first.graph)
    if isinstance(pattern, Func):
        graph = recording(reading, facts) if facts.edited is None and not facts.rewired else None
        _check_pattern(reading, act, expr, pattern, graph)
    # it edits the graph, and generates its code anew
    return Matches(), state.put(first.graph, replace(facts, traced=UNKNOWN, rewired=True, edited=None))


def _check_pattern(reading: Reading, act: Activation, expr: ir.Call, pattern: Func, graph: Recording | None) -> None:
    try:
        wanted = record_function(reading.project, act.source, pattern, reading.wraps)
    except NotStraightError as error:
        if error.truth is not None:
            emit(reading, act, EventKind.PATTERN, "branch", error.truth, subject=text(act, expr.at))
        elif error.module is not None:
            detail = "NameError: module is not installed as a submodule"
            emit(reading, act, EventKind.PATTERN, "module", error.module, subject=text(act, expr.at), detail=detail)
        return
    body = wanted.records[: len(wanted.records)]
    if not body or any(r.op in ("call_module", "get_attr") for r in body):
        return
    taken = {i for r in body for i in used(r)}
    unused = [r.target for i, r in enumerate(body) if r.op == "placeholder" and i not in taken]
    result = body[-1].args[0] if body[-1].args else None
    if isinstance(result, Ref) and wanted.records[result.index].op == "placeholder":
        emit(reading, act, EventKind.PATTERN, "identity", expr.at, subject=text(act, expr.at))
        return
    if graph is None or not isinstance(result, Ref):
        return
    hits = matches(wanted, graph)
    if hits and unused:
        detail = f"KeyError: '{unused[0]}'"
        emit(reading, act, EventKind.PATTERN, "unused-argument", expr.at, subject=unused[0], detail=detail)
        return
    anchor = wanted.records[result.index]
    others = sorted({_spelling(r.op, r.target) for r in graph.records if operation(r) == operation(anchor)
                     and (r.op, r.target) != (anchor.op, anchor.target)})
    same = any((r.op, r.target) == (anchor.op, anchor.target) for r in graph.records)
    if others and not hits:
        emit(reading, act, EventKind.PATTERN, "other-spelling", expr.at, subject=anchor.target, detail=", ".join(others))
    elif others:
        emit(reading, act, EventKind.PATTERN, "some-spellings", expr.at, subject=anchor.target, detail=", ".join(others))
    elif not hits and same:
        emit(reading, act, EventKind.PATTERN, "arguments", expr.at, subject=anchor.target)
    elif not hits:
        emit(reading, act, EventKind.PATTERN, "never-matches", expr.at, subject=anchor.target)


def _spelling(op: str, target: str) -> str:
    return f"{op}[{target}]"
