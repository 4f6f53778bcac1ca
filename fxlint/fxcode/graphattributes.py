"""Attributes of what graph code handles: what they give, and those that the objects do not have."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from fxlint.base.event import EventKind
from fxlint.fxcode import fxnames
from fxlint.fxcode.graphapi import (
    GRAPH,
    GRAPH_MODULE_ONLY,
    GRAPH_ONLY,
    HOOKS,
    MODULE_METHODS,
    NODE,
    NODE_MISNOMERS,
    RUNNER,
    TRANSFORMER_ONLY,
)
from fxlint.fxcode.graphlost import lost_attribute
from fxlint.fxcode.graphreading import Activation, Reading, emit, text
from fxlint.fxcode.graphsettle import has_member
from fxlint.fxcode.graphvalues import (
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
)
from fxlint.syntax import ir, irwalk

Result = tuple[Value, State]


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
                declared = state.facts(graph).declared
                assumed = f"the annotation of {text(act, expr.base.at)}" if declared else ""
                edit, subject = EventKind.GRAPH_EDIT, text(act, expr.at)
                emit(reading, act, edit, "graph-attribute", expr.at, subject=subject, detail=detail, callee=name, assumed=assumed)
                return UNKNOWN, forget_graph(state, graph) if declared else state
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
        case Node() if name in NODE_MISNOMERS:
            detail = f"'Node' object has no attribute '{name}'"
            emit(reading, act, EventKind.GRAPH_EDIT, "node-attribute", expr.at, subject=text(act, expr.at), detail=detail, callee=name)
            return UNKNOWN, state
        case Matches():
            if name in ("graph", "recompile", "code", "eval", "train", "to"):
                detail = f"AttributeError: 'list' object has no attribute '{name}'"
                emit(reading, act, EventKind.PATTERN, "result", expr.at, subject=text(act, expr.at), detail=detail)
            return UNKNOWN, state
        case HookValue(name="target") if name in NODE and name != "name":
            owner = "'str'" if base.method != "call_function" else "a function"
            detail = f"AttributeError: {owner} object has no attribute '{name}'"
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
        assumed = f"the annotation of {text(act, expr.base.at)}" if facts.declared else ""
        emit(reading, act, kind, construct, expr.at, subject=text(act, expr.base.at), detail=detail, callee=name, assumed=assumed)
        # an annotation that is wrong once is not believed again
        return UNKNOWN, forget_graph(state, graph) if facts.declared else state
    known = MODULE_METHODS | GRAPH_MODULE_ONLY
    return Method(GraphModule(graph), name) if name in known else part, state


def forget_graph(state: State, graph: int) -> State:
    """The state in which nothing is known of the names that hold the GraphModule or Graph."""
    for name, value in state.names.items():
        if isinstance(value, GraphModule | Graph) and value.graph == graph:
            state = state.bind(name, UNKNOWN)
    return state


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
