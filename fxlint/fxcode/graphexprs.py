"""Expressions of graph code: what they give, and what goes wrong in them."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from fxlint.base.event import EventKind
from fxlint.fxcode.graphattributes import attribute
from fxlint.fxcode.graphcalls import call
from fxlint.fxcode.graphcompare import check_comparison, refine
from fxlint.fxcode.graphnames import global_value
from fxlint.fxcode.graphreading import Activation, Reading, emit, text
from fxlint.fxcode.graphvalues import (
    UNKNOWN,
    Const,
    Func,
    FxProxy,
    HookValue,
    Items,
    Node,
    NodeField,
    NodeItem,
    Nodes,
    State,
    SuperOf,
    Value,
    join,
    join_values,
)
from fxlint.syntax import ir, irwalk

Result = tuple[Value, State]


def evaluate(reading: Reading, act: Activation, state: State, expr: ir.Expr) -> Result:
    """The value of an expression and the state after it."""
    match expr:
        case ir.Const():
            return Const(expr.value), state
        case ir.Name():
            if expr.id in state.names:
                return state.names[expr.id], state
            return global_value(reading.project, act.source, expr.id), state
        case ir.Attr():
            base, state = evaluate(reading, act, state, expr.base)
            return attribute(reading, act, state, base, expr)
        case ir.Call():
            return _call(reading, act, state, expr)
        case ir.Sub():
            return _subscript(reading, act, state, expr)
        case ir.BoolOp() | ir.Compare() | ir.Unary(op="not"):
            return _test(reading, act, state, expr)
        case ir.Unary(op="-", operand=ir.Const(value=int() | float() as number)):
            return Const(-number), state
        case ir.IfExp():
            after = condition(reading, act, state, expr.test, "ternary")
            first, one = evaluate(reading, act, refine(reading, act, after, expr.test), expr.body)
            second, other = evaluate(reading, act, after, expr.orelse)
            return join_values(first, second), join(one, other)
        case ir.Lambda():
            func = Func(act.body, expr, dict(state.names))
            reading.deferred.append((act, func, state))
            return func, state
        case ir.Display():
            items, state = _several(reading, act, state, expr.items)
            return Items(expr.kind, items), state
        case ir.DictDisplay():
            keys, state = _several(reading, act, state, tuple(k for k, _ in expr.items if k is not None))
            values, state = _several(reading, act, state, tuple(v for _, v in expr.items))
            return Items("dict", values, keys if len(keys) == len(values) else ()), state
        case ir.Comp():
            return _comprehension(reading, act, state, expr)
        case ir.Walrus():
            value, state = evaluate(reading, act, state, expr.value)
            return value, state.bind(expr.target.id, value) if isinstance(expr.target, ir.Name) else state
        case ir.Star():
            value, state = evaluate(reading, act, state, expr.value)
            return value if isinstance(value, NodeField) else UNKNOWN, state
        case ir.Binary():
            (left, right), state = _several(reading, act, state, (expr.left, expr.right))
            return FxProxy() if isinstance(left, FxProxy) or isinstance(right, FxProxy) else UNKNOWN, state
        case ir.Unary() | ir.Slice() | ir.FString() | ir.Formatted() | ir.Yield() | ir.Await():
            for inner in irwalk.children(expr):
                _, state = evaluate(reading, act, state, inner)
            return UNKNOWN, state
        case _:
            assert_never(expr)


def _several(reading: Reading, act: Activation, state: State, exprs: tuple[ir.Expr, ...]) -> tuple[tuple[Value, ...], State]:
    values: list[Value] = []
    for expr in exprs:
        value, state = evaluate(reading, act, state, expr)
        values.append(value)
    return tuple(values), state


def condition(reading: Reading, act: Activation, state: State, expr: ir.Expr, construct: str) -> State:
    """The state after a test, which asks for the truth of a value: of a Proxy, that raises. ``construct`` as in PROXY_TRUTH."""
    value, state = _test(reading, act, state, expr)
    if isinstance(value, FxProxy):
        emit(reading, act, EventKind.PROXY_TRUTH, construct, expr.at, subject=text(act, expr.at))
    return state


def _test(reading: Reading, act: Activation, state: State, expr: ir.Expr) -> Result:
    """The value of a test. What one side of an ``and`` says of a node's op holds for the other side, too."""
    match expr:
        case ir.BoolOp():
            known = refine(reading, act, state, expr, only_ops=True) if expr.op == "and" else state
            known = condition(reading, act, known, expr.left, expr.op)
            value, known = _test(reading, act, known, expr.right)
            return value, replace(state, graphs=known.graphs)
        case ir.Unary(op="not"):
            return UNKNOWN, condition(reading, act, state, expr.operand, "not")
        case ir.Compare():
            result: Value = UNKNOWN
            left, state = evaluate(reading, act, state, expr.left)
            for op, right in zip(expr.ops, expr.rights, strict=True):
                value, state = evaluate(reading, act, state, right)
                check_comparison(reading, act, state, expr, op, left, value)
                if op in ORDERED and (isinstance(left, FxProxy) or isinstance(value, FxProxy)):
                    result = FxProxy()
                left = value
            return result, state
        case _:
            return evaluate(reading, act, state, expr)


ORDERED = frozenset({"==", "!=", "<", "<=", ">", ">="})


def _call(reading: Reading, act: Activation, state: State, expr: ir.Call) -> Result:
    if isinstance(expr.func, ir.Name) and expr.func.id == "super" and act.holder is not None and act.receiver is not None:
        return SuperOf(act.holder, act.receiver), state
    func, state = evaluate(reading, act, state, expr.func)
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    for arg in expr.args:
        value, state = evaluate(reading, act, state, arg.value)
        if arg.star:
            args.append(value if isinstance(value, HookValue) else UNKNOWN)
        elif arg.keyword is not None:
            keywords[arg.keyword] = value
        else:
            args.append(value)
    return call(reading, act, state, expr, func, tuple(args), keywords)


def _subscript(reading: Reading, act: Activation, state: State, expr: ir.Sub) -> Result:
    base, state = evaluate(reading, act, state, expr.base)
    index, state = _several(reading, act, state, expr.index)
    match base:
        case NodeField(name="args" | "kwargs"):
            return NodeItem(base.node), state
        case NodeField(name="users") if isinstance(index[0], Const):
            detail = "KeyError: users is a dict whose keys are nodes"
            emit(reading, act, EventKind.GRAPH_EDIT, "nodes-indexed", expr.at, subject=text(act, expr.at), detail=detail)
            return UNKNOWN, state
        case NodeItem():
            return base, state
        case HookValue(name="args" | "kwargs") if base.runner.kind == "Transformer":
            return FxProxy(), state
        case Nodes(live=True):
            detail = "TypeError \"'_node_list' object is not subscriptable\""
            emit(reading, act, EventKind.GRAPH_EDIT, "nodes-indexed", expr.at, subject=text(act, expr.at), detail=detail)
            return Node(base.graph, reading.number(act, expr.at)), state
        case Nodes():
            if isinstance(expr.index[0], ir.Slice):
                return base, state
            last = index == (Const(-1),) and not base.op
            return Node(base.graph, reading.number(act, expr.at), "output" if last else base.op, base.target), state
        case Items(kind="tuple" | "list"):
            match index:
                case (Const(int() as number),) if -len(base.items) <= number < len(base.items):
                    return base.items[number], state
        case _:
            pass
    return UNKNOWN, state


def _comprehension(reading: Reading, act: Activation, state: State, expr: ir.Comp) -> Result:
    inner = state
    source: Value = UNKNOWN
    for gen in expr.gens:
        source, inner = evaluate(reading, act, inner, gen.iter)
        inner = bind_loop(reading, act, inner, gen.target, source, gen.iter.at)
        for test in gen.ifs:
            inner = refine(reading, act, condition(reading, act, inner, test, "comprehension"), test)
    values, inner = _several(reading, act, inner, expr.elts)
    after = replace(state, graphs=inner.graphs)
    if len(values) == 1 and isinstance(values[0], Node):
        return Nodes(values[0].graph, live=False, op=values[0].op, target=values[0].target), after
    return UNKNOWN, after


def bind_loop(reading: Reading, act: Activation, state: State, target: ir.Expr, source: Value, at: ir.At) -> State:
    """The state in the body of a loop over ``source``."""
    value: Value = UNKNOWN
    match source:
        case Nodes():
            value = Node(source.graph, reading.number(act, at, "loop"), source.op, source.target, among=True, live=source.live)
        case NodeField(name="args"):
            value = NodeItem(source.node)
        case NodeField(name="users"):
            value = Node(source.node.graph, reading.number(act, at, "user"), among=True)
        case Items() if source.items and source.kind != "dict" and all(v == source.items[0] for v in source.items):
            value = source.items[0]
        case HookValue(name="args") if source.runner.kind == "Transformer":
            value = FxProxy()
        case _:
            pass
    if isinstance(target, ir.Name):
        return state.bind(target.id, value)
    for inner in irwalk.expressions(target):
        if isinstance(inner, ir.Name):
            state = state.bind(inner.id, UNKNOWN)
    return state
