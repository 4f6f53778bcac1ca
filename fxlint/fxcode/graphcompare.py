"""Tests on nodes: which can never hold, and what is known of a node where they do."""

from __future__ import annotations

import re
from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import FunctionCode
from fxlint.fxcode.graphapi import OPS
from fxlint.fxcode.graphnames import global_value
from fxlint.fxcode.graphreading import Activation, Reading, emit, recording, text
from fxlint.fxcode.graphvalues import (
    UNKNOWN,
    Class,
    Const,
    Func,
    GraphFacts,
    HookValue,
    Items,
    Lib,
    Node,
    NodeField,
    Object,
    Root,
    State,
    Value,
)
from fxlint.fxcode.recording import operation
from fxlint.library.tensors import tensor_attribute
from fxlint.syntax import ir, irwalk

NAMED_TARGETS = frozenset({"call_method", "call_module", "get_attr", "placeholder", "output"})
"""The ops whose target is a string; that of call_function is a callable."""


def target_kind(value: Value) -> tuple[str, str]:
    """For a value that is some node's target: "named" or "callable" where its op tells, and the op; ("", "") for other values."""
    match value:
        case NodeField(node, "target"):
            op = node.op
        case HookValue("target"):
            op = value.method
        case _:
            return "", ""
    if op == "call_function":
        return "callable", op
    return ("named", op) if op in NAMED_TARGETS else ("any", op)


def check_comparison(reading: Reading, act: Activation, state: State, expr: ir.Compare, op: str, left: Value, right: Value) -> None:
    """Says so where a comparison with ``node.target`` or ``node.op`` has the same answer for every node."""
    for one, other in ((left, right), (right, left)):
        choices = other.items if isinstance(other, Items) and op in ("in", "not in") else (other,)
        kind, node_op = target_kind(one)
        if kind and choices and op in ("==", "!=", "is", "is not", "in", "not in"):
            wrong = {_mismatch(kind, node_op, c) for c in choices}
            if wrong in ({"string"}, {"class"}, {"callable"}, {"attribute"}):
                emit(
                    reading, act, EventKind.TARGET_COMPARISON, wrong.pop(), expr.at, subject=text(act, expr.at), callee=node_op,
                )
                return
        if isinstance(one, NodeField) and kind and choices and op in ("==", "is", "in"):
            there = _elsewhere(reading, state.facts(one.node.graph), choices)
            if there:
                emit(reading, act, EventKind.TARGET_COMPARISON, "absent", expr.at, subject=text(act, expr.at), detail=there)
                return
        if isinstance(one, NodeField) and one.name == "op" and choices:
            texts = [c.value for c in choices if isinstance(c, Const)]
            if len(texts) == len(choices) and not any(t in OPS for t in texts):
                emit(reading, act, EventKind.TARGET_COMPARISON, "op", expr.at, subject=text(act, expr.at), detail=str(texts[0]))
                return
        if isinstance(one, NodeField) and one.name == "name" and choices and op in ("==", "in"):
            wanted = [c.value for c in choices if isinstance(c, Const) and isinstance(c.value, str)]
            if len(wanted) == len(choices) and all(_is_variable(reading, state.facts(one.node.graph), name) for name in wanted):
                detail = str(wanted[0])
                emit(reading, act, EventKind.TARGET_COMPARISON, "variable", expr.at, subject=text(act, expr.at), detail=detail)
                return


def _elsewhere(reading: Reading, facts: GraphFacts, choices: tuple[Value, ...]) -> str:
    """The target by which the graph, as it was traced, knows an operation that it holds under none of ``choices``; "" where it has one."""
    known = recording(reading, facts)
    wanted = [c.dotted if isinstance(c, Lib) else c.value for c in choices if isinstance(c, Lib | Const)]
    if known is None or facts.rewired or facts.edited is not None or facts.compiled is not None or len(wanted) != len(choices):
        return ""
    held = {r.target: r.op for r in known.records}
    if any(w in held for w in wanted) or any(not isinstance(w, str) for w in wanted):
        return ""
    names = {operation(str(w)) for w in wanted}
    others = [f"{op} {target}" for target, op in held.items() if op in ("call_function", "call_method") and operation(target) in names]
    return others[0] if others else ""


def _is_variable(reading: Reading, facts: GraphFacts, name: str) -> bool:
    """Whether ``name`` is a variable of the forward that was traced, and names none of the nodes, which are called by their operations."""
    known = recording(reading, facts)
    traced = reading.root if isinstance(facts.traced, Root) and reading.root is not None else facts.traced
    touched = facts.rewired or facts.edited is not None or facts.compiled is not None
    if known is None or touched or not isinstance(traced, Object):
        return False
    forward = fxnames.method(reading.project, traced.code, "forward")
    if not isinstance(forward, FunctionCode):
        return False
    variables = {
        t.id for s in irwalk.statements(forward.node.body) if isinstance(s, ir.Assign) for t in s.targets if isinstance(t, ir.Name)
    }
    return name in variables and not any(_plain(name) in (_plain(r.target), operation(r.target)) for r in known.records)


def _plain(name: str) -> str:
    """A name without what fx adds or changes: case, dots, underscores and numbers at the end."""
    return re.sub(r"[\W_]", "", name.removeprefix("wrapped:")).rstrip("0123456789").lower()


def _mismatch(kind: str, op: str, value: Value) -> str:
    match value:
        case Const(str() as name) if op == "call_method":
            return "attribute" if tensor_attribute(name) is not None else ""
        case Const(str()):
            return "string" if kind == "callable" else ""
        case Class():
            return "class" if kind == "named" else ""
        case Lib(dotted) if dotted.startswith("torch.nn.") and dotted.rpartition(".")[2][:1].isupper():
            return "class" if kind in ("named", "any") else ""
        case Lib() | Func():
            return "callable" if kind == "named" else ""
        case _:
            return ""


def check_isinstance(reading: Reading, act: Activation, expr: ir.Call, value: Value, classes: Value) -> None:
    """Says so where ``isinstance(node.target, nn.ReLU)`` asks a string for a module's class."""
    kind, node_op = target_kind(value)
    choices = classes.items if isinstance(classes, Items) else (classes,)
    if kind and choices and all(_mismatch("named", node_op, c) == "class" for c in choices):
        emit(reading, act, EventKind.TARGET_COMPARISON, "class", expr.at, subject=text(act, expr.at), callee=node_op)


def refine(reading: Reading, act: Activation, state: State, test: ir.Expr, *, only_ops: bool = False) -> State:
    """The state where ``test`` holds: what it says of the op and the target of nodes held by names."""
    match test:
        case ir.BoolOp(op="and"):
            state = refine(reading, act, state, test.left, only_ops=only_ops)
            return refine(reading, act, state, test.right, only_ops=only_ops)
        case ir.Compare(left=ir.Attr(base=ir.Name(id=name), name=field), ops=("==" | "is",), rights=(right,)):
            node = state.names.get(name)
            if not isinstance(node, Node):
                return state
            if field == "op" and isinstance(right, ir.Const) and isinstance(right.value, str):
                return state.bind(name, replace(node, op=right.value))
            if field == "target" and not only_ops:
                return state.bind(name, _with_target(reading, act, state, node, right))
            return state
        case _:
            return state


def _with_target(reading: Reading, act: Activation, state: State, node: Node, right: ir.Expr) -> Node:
    if isinstance(right, ir.Const):
        return replace(node, target=Const(right.value))
    dotted = irwalk.dotted(right)
    if dotted is None or dotted.split(".")[0] in state.names:
        return node
    value = global_value(reading.project, act.source, dotted)
    if value == UNKNOWN:
        return node
    return replace(node, target=value, op=node.op or ("call_function" if isinstance(value, Lib | Func) else ""))
