"""Where a graph is compiled, run or handed over: what was left undone until then is said."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.fxcode.graphnames import members
from fxlint.fxcode.graphreading import Activation, Reading, emit, operations, recording
from fxlint.fxcode.graphvalues import Graph, GraphFacts, GraphModule, Items, LibObject, Node, NodeField, Object, Root, State, Value


def settle(reading: Reading, act: Activation, state: State, graph: int, *, compiled: bool) -> State:
    """The state after the graph was compiled (``compiled``) or used: pending mistakes, and edits that never were compiled, are events."""
    facts = state.facts(graph)
    late = () if compiled else tuple(p for p in facts.pending if p.kind == "train-mode")
    for pending in facts.pending:
        if pending.kind in ("missing-module", "missing-attribute"):
            if has_member(reading, facts, pending.name) is False:
                emit(reading, act, EventKind.GRAPH_EDIT, pending.kind, pending.place, subject=pending.name)
        elif pending.kind != "train-mode" or pending in late:
            detail = "AssertionError: Expected node.target to be callable, got <class 'str'>" if pending.kind == "target-type" else ""
            callee = "call_function" if detail else ""
            emit(reading, act, EventKind.GRAPH_EDIT, pending.kind, pending.place, subject=pending.name, detail=detail, callee=callee)
    if compiled and facts.owned and facts.fresh and not facts.closed and facts.edited is not None:
        emit(reading, act, EventKind.GRAPH_EDIT, "no-output", facts.edited)
    if facts.edited is not None and facts.owned and not compiled:
        emit(reading, act, EventKind.NOT_RECOMPILED, "edited", facts.edited)
    kept = tuple(p for p in facts.pending if compiled and p.kind == "train-mode")
    return state.put(graph, replace(facts, pending=kept, edited=None))


def has_member(reading: Reading, facts: GraphFacts, name: str) -> bool | None:
    """Whether the module that owns the graph has a submodule, parameter or attribute ``name``; None where it is not known."""
    first = name.split(".", maxsplit=1)[0]
    if first in {m.split(".", maxsplit=1)[0] for m in facts.modules} or first in facts.plain:
        return True
    traced = reading.root if isinstance(facts.traced, Root) and reading.root is not None else facts.traced
    match traced:
        case Object(code):
            found = members(reading.project, code)
            if first in found.modules or first in found.tensors or first in found.plain:
                return True
            return False if found.complete else None
        case LibObject("torch.nn.Module"):
            return False
        case _:
            return None


def needs_root(reading: Reading, facts: GraphFacts) -> bool | None:
    """Whether a graph reads submodules, parameters or constants of the module it belongs to; None where it is not known."""
    known, pairs = recording(reading, facts), operations(reading, facts)
    if pairs is None:
        return None
    return (known is not None and known.constants) or any(op in ("call_module", "get_attr") for op, _ in pairs)


def escape(state: State, values: tuple[Value, ...]) -> State:
    """The state after unknown code was handed these values: it may have rewired their nodes."""
    for value in values:
        match value:
            case Node() | NodeField(node=Node()) | Graph() | GraphModule():
                graph = value.node.graph if isinstance(value, NodeField) else value.graph
                facts = state.facts(graph)
                state = state.put(graph, replace(facts, rewired=True, closed=True, edited=None, pending=(), anchor=("unknown", -1)))
            case Items(_, items):
                state = escape(state, items)
            case _:
                pass
    return state
