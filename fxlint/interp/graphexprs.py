"""Expressions of graph code: what they give, and what goes wrong in them."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from fxlint.base.event import EventKind
from fxlint.interp import fxnames, irwalk
from fxlint.interp.graphapi import GRAPH, GRAPH_MODULE_ONLY, GRAPH_ONLY, HOOKS, MODULE_METHODS, NODE, RUNNER, TRANSFORMER_ONLY
from fxlint.interp.graphcalls import call
from fxlint.interp.graphcompare import check_comparison, refine
from fxlint.interp.graphlost import lost_attribute
from fxlint.interp.graphnames import global_value
from fxlint.interp.graphreading import Activation, Reading, emit, text
from fxlint.interp.graphsettle import has_member
from fxlint.interp.graphvalues import (
    NOTHING,
    UNKNOWN,
    Class,
    Const,
    Func,
    FxProxy,
    Graph,
    GraphModule,
    HookValue,
    Items,
    Lib,
    LibObject,
    Matches,
    Method,
    Node,
    NodeField,
    NodeItem,
    Nodes,
    Object,
    Part,
    Root,
    Runner,
    State,
    SuperOf,
    TracerObject,
    Unknown,
    Value,
    join,
    join_values,
)
from fxlint.syntax import ir

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
                check_comparison(reading, act, expr, op, left, value)
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
            value = Node(source.graph, reading.number(act, at, "loop"), source.op, source.target, among=True)
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


def attribute(reading: Reading, act: Activation, state: State, base: Value, expr: ir.Attr) -> Result:
    """``base.name``, and the AttributeError that it raises where the object has no such attribute."""
    name = expr.name
    match base:
        case GraphModule(graph):
            return _of_graph_module(reading, act, state, graph, expr)
        case Graph(graph):
            if name == "nodes":
                return Nodes(graph, live=True), state
            if name == "owning_module":
                return GraphModule(graph) if state.facts(graph).owned else NOTHING, state
            if name in GRAPH_MODULE_ONLY | MODULE_METHODS | {"transform"} and name not in GRAPH:
                detail = f"'Graph' object has no attribute '{name}'"
                emit(reading, act, EventKind.GRAPH_EDIT, "graph-attribute", expr.at, subject=text(act, expr.at), detail=detail, callee=name)
                return UNKNOWN, state
            return Method(base, name), state
        case Node() if name in ("args", "kwargs", "op", "target", "name", "users"):
            if name == "users":
                # whoever looks at the users is taken to know whether there are any
                state = state.put(base.graph, replace(state.facts(base.graph), rewired=True))
            return NodeField(base, name), state
        case Node() if name == "graph":
            return Graph(base.graph), state
        case Node() if name in ("next", "prev"):
            return Node(base.graph, reading.number(act, expr.at)), state
        case Node() if name == "all_input_nodes":
            return Nodes(base.graph, live=False), state
        case Node() if name not in NODE and not name.startswith("_"):
            detail = f"'Node' object has no attribute '{name}'"
            emit(reading, act, EventKind.GRAPH_EDIT, "node-attribute", expr.at, subject=text(act, expr.at), detail=detail, callee=name)
            return UNKNOWN, state
        case Matches():
            if name in ("graph", "recompile", "code", "eval", "train", "to"):
                detail = f"AttributeError: 'list' object has no attribute '{name}'"
                emit(reading, act, EventKind.PATTERN, "result", expr.at, subject=text(act, expr.at), detail=detail)
            return UNKNOWN, state
        case HookValue(name="target") if name in NODE and name != "name":
            kind = "'str'" if base.method != "call_function" else "a function"
            detail = f"AttributeError: {kind} object has no attribute '{name}'"
            emit(
                reading, act, EventKind.TRANSFORMER_NODE_API, "node-parameter", expr.at, subject=base.method, detail=detail,
                callee=base.runner.kind,
            )
            return UNKNOWN, state
        case Node() | Nodes() | NodeField() | NodeItem() | TracerObject() | Items() | HookValue():
            return Method(base, name), state
        case FxProxy():
            return (Node(base.graph, reading.number(act, expr.at), made=True) if name == "node" else FxProxy()), state
        case Runner():
            return _of_runner(reading, act, state, base, expr), state
        case SuperOf():
            return Method(base, name), state
        case Object() | LibObject() | Root():
            return (Method(base, name) if name in MODULE_METHODS else Part(base, name)), state
        case Part():
            return (Method(base, name) if name in MODULE_METHODS else lost_attribute(reading, act, state, base, expr)), state
        case Lib(dotted):
            return Lib(fxnames.canonical(f"{dotted}.{name}")), state
        case Class() | Func() | Method() | Const():
            return UNKNOWN, state
        case Unknown():
            return UNKNOWN, state
        case _:
            assert_never(base)


def _of_graph_module(reading: Reading, act: Activation, state: State, graph: int, expr: ir.Attr) -> Result:
    name = expr.name
    if name == "graph":
        return Graph(graph), state
    facts = state.facts(graph)
    if name in facts.modules or name in facts.plain:
        return UNKNOWN, state
    part = lost_attribute(reading, act, state, Part(GraphModule(graph), name), expr, first=True)
    if name in (GRAPH_ONLY | TRANSFORMER_ONLY) and part != UNKNOWN and has_member(reading, facts, name) is not True:
        detail = f"'{class_name(facts.traced)}' object has no attribute '{name}'"
        kind = EventKind.PRINT_TABULAR if name == "print_tabular" else EventKind.GRAPH_EDIT
        construct = "graph-module" if name == "print_tabular" else "graph-module-attribute"
        emit(reading, act, kind, construct, expr.at, subject=text(act, expr.base.at), detail=detail, callee=name)
        return UNKNOWN, state
    known = MODULE_METHODS | GRAPH_MODULE_ONLY
    return Method(GraphModule(graph), name) if name in known else part, state


def class_name(traced: Value) -> str:
    """The name of the class that a GraphModule is called by: that of the module that was traced."""
    return traced.code.name.rpartition(".")[2] if isinstance(traced, Object) else "GraphModule"


def _of_runner(reading: Reading, act: Activation, state: State, base: Runner, expr: ir.Attr) -> Value:
    name = expr.name
    known = RUNNER | (TRANSFORMER_ONLY if base.kind == "Transformer" else frozenset())
    if name not in known and not name.startswith("_") and not _defines(reading, base, name):
        owner = base.code.name.rpartition(".")[2] if base.code else base.kind
        construct = name if name in ("create_node", "create_proxy", "transform") else "attribute"
        detail = f"'{owner}' object has no attribute '{name}'"
        emit(reading, act, EventKind.TRANSFORMER_NODE_API, construct, expr.at, subject=text(act, expr.at), detail=detail, callee=base.kind)
        return UNKNOWN
    match name:
        case "new_graph":
            return Graph(-2)
        case "tracer":
            return TracerObject(None, -2)
        case "module":
            return GraphModule(base.graph) if base.graph >= 0 else UNKNOWN
        case _:
            return Method(base, name)


def _defines(reading: Reading, base: Runner, name: str) -> bool:
    """Whether the class, or a base of it in the project, has or sets the attribute, or has a base that is not known."""
    for holder in fxnames.ancestry(reading.project, base.code) if base.code else ():
        if isinstance(holder, str):
            if not holder.startswith("torch.fx.") and holder != "object":
                return True
            continue
        if len(holder.node.bases) != len(list(fxnames.bases(reading.project, holder))) or holder.node.decorators:
            return True
        for stmt in irwalk.statements(holder.node.body):
            match stmt:
                case ir.FuncDef(name=found) if found == name or found == "__getattr__":
                    return True
                case ir.Assign() | ir.AugAssign() | ir.For() | ir.With():
                    if any(_names(e, name) for e in irwalk.own_exprs(stmt)):
                        return True
                case _:
                    pass
    return name in HOOKS


def _names(expr: ir.Expr, name: str) -> bool:
    match expr:
        case ir.Name():
            return expr.id == name
        case ir.Attr(base=ir.Name(id="self")):
            return expr.name == name
        case ir.Display():
            return any(_names(e, name) for e in expr.items)
        case _:
            return False
