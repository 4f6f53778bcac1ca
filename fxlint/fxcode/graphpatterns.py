"""``replace_pattern(gm, pattern, replacement)``: what it wants, and whether the pattern can occur in the graph."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.fxcode.graphmake import is_module
from fxlint.fxcode.graphreading import Activation, Reading, emit, operations, recording, text
from fxlint.fxcode.graphvalues import UNKNOWN, Func, Graph, GraphModule, Matches, Object, State, Value
from fxlint.fxcode.recorder import NotStraightError, record_function
from fxlint.fxcode.recording import Record, Recording, Ref, matches, operation, used
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
        as_traced = facts.edited is None and not facts.rewired
        graph, pairs = (recording(reading, facts), operations(reading, facts)) if as_traced else (None, None)
        _check_pattern(reading, act, expr, pattern, graph, pairs)
    # it edits the graph, and generates its code anew
    return Matches(), state.put(first.graph, replace(facts, traced=UNKNOWN, rewired=True, edited=None))


def _check_pattern(
    reading: Reading, act: Activation, expr: ir.Call, pattern: Func, graph: Recording | None, pairs: tuple[tuple[str, str], ...] | None
) -> None:
    try:
        wanted = record_function(reading.project, act.source, pattern, reading.wraps)
    except NotStraightError as error:
        if error.truth is not None:
            emit(reading, act, EventKind.PATTERN, "branch", error.truth, subject=text(act, expr.at))
        elif error.module is not None:
            detail = "NameError: module is not installed as a submodule"
            emit(reading, act, EventKind.PATTERN, "module", error.module, subject=text(act, expr.at), detail=detail)
        return
    body = wanted.records
    if not body or any(r.op in ("call_module", "get_attr") for r in body):
        return
    taken = {i for r in body for i in used(r)}
    unused = [r.target for i, r in enumerate(body) if r.op == "placeholder" and i not in taken]
    result = body[-1].args[0] if body[-1].args else None
    if isinstance(result, Ref) and wanted.records[result.index].op == "placeholder":
        emit(reading, act, EventKind.PATTERN, "identity", expr.at, subject=text(act, expr.at))
        return
    if not isinstance(result, Ref):
        return
    anchor = wanted.records[result.index]
    if graph is not None:
        hits = matches(wanted, graph)
        if hits and unused:
            detail = f"KeyError: '{unused[0]}'"
            emit(reading, act, EventKind.PATTERN, "unused-argument", expr.at, subject=unused[0], detail=detail)
            return
        held = [(r.op, r.target, r.module.dotted if r.module is not None else r.target) for r in graph.records]
    elif pairs is not None:
        hits = int((anchor.op, anchor.target) in pairs)  # the arguments are not known: it may match
        held = [(op, target, target) for op, target in pairs]
    else:
        return
    _check_spelling(reading, act, expr, anchor, hits, held)


def _check_spelling(
    reading: Reading, act: Activation, expr: ir.Call, anchor: Record, hits: int, held: list[tuple[str, str, str]]
) -> None:
    """Says so where the pattern's last operation is not in the graph as it is spelt. ``held``: op, target and name of each node."""
    own = anchor.op, anchor.target
    wanted = operation(anchor.target)
    others = sorted({f"{op}[{target}]" for op, target, name in held if operation(name) == wanted and (op, target) != own})
    if others:
        construct = "some-spellings" if hits else "other-spelling"
        emit(reading, act, EventKind.PATTERN, construct, expr.at, subject=anchor.target, detail=", ".join(others))
    elif not hits:
        construct = "arguments" if any((op, target) == own for op, target, _ in held) else "never-matches"
        emit(reading, act, EventKind.PATTERN, construct, expr.at, subject=anchor.target)
