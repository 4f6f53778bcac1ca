"""Calls in graph code: which part of torch.fx is called, on what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from fxlint.base.event import EventKind, Site, Step
from fxlint.fxcode import fxnames, graphmake
from fxlint.fxcode.fxnames import FunctionCode
from fxlint.fxcode.graphapi import MODE_DEPENDENT, PICKLES, READS_CODE
from fxlint.fxcode.graphcompare import check_isinstance
from fxlint.fxcode.graphdead import eliminate
from fxlint.fxcode.graphedits import graph_call, node_call, node_item_call
from fxlint.fxcode.graphnames import called, is_module_class
from fxlint.fxcode.graphpatterns import replace_pattern
from fxlint.fxcode.graphreading import MAX_CALLS, MAX_ENTERED, Activation, Reading, emit, recording, text
from fxlint.fxcode.graphrunnercalls import hook_method, runner_method, super_method
from fxlint.fxcode.graphsettle import escape, settle
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
    Pending,
    Place,
    Runner,
    State,
    SuperOf,
    TracerObject,
    Value,
)
from fxlint.project.modules import DESCRIBED
from fxlint.syntax import ir

Result = tuple[Value, State]
Keywords = Mapping[str, Value]


def call(
    reading: Reading, act: Activation, state: State, expr: ir.Call, func: Value, args: tuple[Value, ...], keywords: Keywords
) -> Result:
    """What ``func(*args, **keywords)`` gives, and the state after it."""
    match func:
        case Lib(dotted):
            return _library(reading, act, state, expr, dotted, args, keywords)
        case Class(code):
            return _construct(reading, act, state, expr, code, args, keywords)
        case Func():
            return enter(reading, act, state, expr, func, args, keywords)
        case Method():
            return _method(reading, act, state, expr, func, args, keywords)
        case GraphModule(graph):
            stale = state.facts(graph).edited
            state = settle(reading, act, state, graph, compiled=False)
            if stale is not None:
                span = stale.body.span(stale.at)
                step = Step(Site(stale.body.path, span.start, span.end), text(replace(act, body=stale.body), stale.at), "is edited here")
                emit(reading, act, EventKind.NOT_RECOMPILED, "called", expr.at, subject=text(act, expr.func.at), steps=(step,))
            _check_bound(reading, act, state, expr, graph, args, keywords)
            return UNKNOWN, state
        case Graph():
            detail = "'Graph' object is not callable"
            emit(reading, act, EventKind.GRAPH_EDIT, "graph-called", expr.at, subject=text(act, expr.func.at), detail=detail)
            return UNKNOWN, state
        case FxProxy():
            return FxProxy(), state
        case HookValue("target", "call_method" | "call_module"):
            detail = "TypeError: 'str' object is not callable"
            subject = text(act, expr.func.at)
            emit(reading, act, EventKind.TRANSFORMER_NODE_API, "called", expr.at, subject=subject, detail=detail, callee=func.runner.kind)
            return UNKNOWN, state
        case Matches():
            detail = "TypeError: 'list' object is not callable"
            emit(reading, act, EventKind.PATTERN, "result", expr.at, subject=text(act, expr.func.at), detail=detail)
            return UNKNOWN, state
        case Runner():
            owner = func.code.name.rpartition(".")[2] if func.code else func.kind
            detail = f"'{owner}' object is not callable"
            subject = text(act, expr.func.at)
            emit(reading, act, EventKind.TRANSFORMER_NODE_API, "called", expr.at, subject=subject, detail=detail, callee=func.kind)
            return UNKNOWN, state
        case _:
            return UNKNOWN, escape(state, (*args, *keywords.values()))


def _library(
    reading: Reading, act: Activation, state: State, expr: ir.Call, dotted: str, args: tuple[Value, ...], keywords: Keywords
) -> Result:
    first = args[0] if args else UNKNOWN
    if dotted in READS_CODE and isinstance(first, GraphModule):
        facts = state.facts(first.graph)
        if dotted in PICKLES and facts.unpicklable:
            emit(reading, act, EventKind.GRAPH_EDIT, "lambda-pickled", expr.at, subject=text(act, expr.at), callee=dotted)
        state = settle(reading, act, state, first.graph, compiled=False)
    match dotted:
        case "torch.fx.symbolic_trace":
            return graphmake.trace(reading, act, state, expr, TracerObject(None), args, keywords)
        case "torch.fx.Tracer":
            return TracerObject(None), state
        case "torch.fx.Tracer.trace" if len(args) == 1:
            detail = "TypeError: Tracer.trace() missing 1 required positional argument: 'root'"
            emit(reading, act, EventKind.TRACE_SITE, "unbound", expr.at, subject=text(act, expr.at), detail=detail)
            return UNKNOWN, state
        case "torch.fx.Graph":
            return graphmake.new_graph(reading, act, state, expr)
        case "torch.fx.GraphModule":
            return graphmake.graph_module(reading, act, state, expr, args, keywords)
        case "torch.fx.Transformer" | "torch.fx.Interpreter":
            return graphmake.runner(reading, act, state, expr, dotted.rpartition(".")[2], None, args)
        case "torch.fx.Proxy":
            node = first if isinstance(first, Node) else first.node if isinstance(first, NodeItem) else None
            return FxProxy(node.graph if node else -1), state
        case "torch.fx.replace_pattern":
            return replace_pattern(reading, act, state, expr, args)
        case "copy.deepcopy" | "copy.copy":
            return _copy(reading, act, state, expr, dotted, first)
        case "list" | "tuple" | "reversed" | "sorted" | "iter" if isinstance(first, Nodes):
            return replace(first, live=False), state
        case "next" if isinstance(first, Nodes):
            if first.live:
                detail = "TypeError \"'_node_list' object is not an iterator\""
                emit(reading, act, EventKind.GRAPH_EDIT, "nodes-indexed", expr.at, subject=text(act, expr.at), detail=detail)
            return Node(first.graph, reading.number(act, expr.at), first.op, first.target), state
        case "enumerate" if isinstance(first, Nodes):
            return UNKNOWN, state
        case "print" if isinstance(first, Part) and first.name == "print_tabular()":
            emit(reading, act, EventKind.PRINT_TABULAR, "printed", expr.at, subject=text(act, expr.args[0].value.at))
            return NOTHING, state
        case "isinstance" if len(args) == 2:
            check_isinstance(reading, act, expr, first, args[1])
            return UNKNOWN, state
        case "getattr" if len(args) >= 2 and isinstance(first, GraphModule):
            return _getattr(reading, act, state, expr, first, args[1]), state
        case "setattr" if isinstance(first, Object | LibObject) and isinstance(expr.args[0].value, ir.Name):
            return NOTHING, state.bind(expr.args[0].value.id, UNKNOWN)
        case "setattr" if len(args) == 3 and isinstance(first, GraphModule) and isinstance(args[1], Const):
            return NOTHING, add_member(reading, act, state, expr.at, first.graph, str(args[1].value), args[2])
        case _:
            first_name = dotted.partition(".")[0]
            proxy = next((v for v in args if isinstance(v, FxProxy)), None)
            if proxy is not None and first_name == "torch":
                return proxy, state
            foreign = first_name not in DESCRIBED and first_name not in fxnames.BUILTINS
            return called(Lib(dotted), args), escape(state, (*args, *keywords.values())) if foreign else state


def _copy(reading: Reading, act: Activation, state: State, expr: ir.Call, dotted: str, first: Value) -> Result:
    if not isinstance(first, GraphModule | Graph):
        return first if isinstance(first, Object | LibObject) else UNKNOWN, state
    facts = state.facts(first.graph)
    if isinstance(first, GraphModule) and facts.plain and dotted == "copy.deepcopy":
        emit(
            reading, act, EventKind.GRAPH_EDIT, "deepcopy-attribute", expr.at, subject=text(act, expr.at), detail=", ".join(facts.plain),
        )
    number = reading.number(act, expr.at)
    is_module = isinstance(first, GraphModule)
    # a deep copy generates its code anew (observed on torch 2.13): edits reach it without recompile()
    kept = replace(facts, owned=is_module, edited=None, plain=(), modules=facts.modules)
    return (GraphModule(number) if is_module else Graph(number)), state.put(number, kept)


def _getattr(reading: Reading, act: Activation, state: State, expr: ir.Call, module: GraphModule, name: Value) -> Value:
    if isinstance(name, NodeField) and name.name == "target" and name.node.op in ("call_module", "get_attr", ""):
        known = recording(reading, state.facts(module.graph))
        dotted = [r.target for r in known.records if r.op == "call_module" and "." in r.target] if known else []
        if dotted:
            emit(reading, act, EventKind.GRAPH_EDIT, "dotted-getattr", expr.at, subject=text(act, expr.at), detail=dotted[0])
    return UNKNOWN


def add_member(reading: Reading, act: Activation, state: State, at: ir.At, graph: int, name: str, value: Value) -> State:
    """The state after ``gm.name = value`` or ``gm.add_submodule(name, value)``."""
    facts = state.facts(graph)
    if isinstance(value, LibObject | Object):
        facts = replace(facts, modules=facts.modules | {name})
        if isinstance(value, LibObject) and value.dotted.startswith(MODE_DEPENDENT) and value.mode != "eval" and facts.mode == "eval":
            facts = replace(facts, pending=(*facts.pending, Pending("train-mode", Place(act.body, at), text(act, at))))
        return state.put(graph, facts)
    if name in ("graph", "forward", "training"):
        return state
    plain = facts.plain if isinstance(value, Lib) or name in facts.plain else (*facts.plain, name)
    return state.put(graph, replace(facts, plain=plain))


def _construct(
    reading: Reading, act: Activation, state: State, expr: ir.Call, code: fxnames.ClassCode, args: tuple[Value, ...], keywords: Keywords
) -> Result:
    for base in fxnames.ancestry(reading.project, code):
        match base:
            case "torch.fx.Transformer" | "torch.fx.Interpreter":
                return graphmake.runner(reading, act, state, expr, base.rpartition(".")[2], code, args)
            case "torch.fx.Tracer":
                return TracerObject(code), state
            case "torch.fx.GraphModule":
                init = fxnames.method(reading.project, code, "__init__")
                if not isinstance(init, FunctionCode):
                    return graphmake.graph_module(reading, act, state, expr, args, keywords)
                func = Func(init.body, init.node, {}, init)
                return UNKNOWN, enter(reading, act, state, expr, func, (Object(code, args), *args), keywords, code, Object(code, args))[1]
            case _:
                pass
    return Object(code, args), escape(state, () if is_module_class(reading.project, code) else args)


def enter(
    reading: Reading, act: Activation, state: State, expr: ir.Call, func: Func, args: tuple[Value, ...], keywords: Keywords,
    holder: fxnames.ClassCode | None = None, receiver: Value | None = None,
) -> Result:
    """Follows a call of a function of the project."""
    from fxlint.fxcode.graphstmts import run_function  # functions hold calls, and calls lead to functions

    if len(act.stack) >= MAX_CALLS or (isinstance(func.node, ir.FuncDef) and (func.node.is_generator or func.node.is_async)):
        return UNKNOWN, escape(state, args)
    key = (func.body.path, func.body.offset, func.node.at)
    if any(k[0] == f"{key[0]}:{key[1]}:{key[2]}" for k in act.stack):
        return UNKNOWN, escape(state, args)
    if reading.calls >= MAX_ENTERED or not (any(_concerns(v) for v in (*args, *keywords.values())) or _makes_graphs(func)):
        return UNKNOWN, escape(state, args)
    reading.calls += 1
    names = dict(func.names)
    for param, value in zip(func.node.params, args, strict=False):
        if param.kind in ("pos", "posonly"):
            names[param.name] = value
    for param in func.node.params[len(args) :]:
        names[param.name] = keywords.get(param.name, Const(param.default.value) if isinstance(param.default, ir.Const) else UNKNOWN)
    inner = Activation(
        func.code.source if func.code else act.source, func.body, func.code.name if func.code else act.owner, holder, receiver,
        (*act.stack, (f"{key[0]}:{key[1]}:{key[2]}", expr.at)),
    )
    reading.entered.add(f"{func.body.path}:{inner.owner}")
    value, after = run_function(reading, inner, State(names, state.graphs), func.node)
    return value, replace(state, graphs=after.graphs)


def _concerns(value: Value) -> bool:
    """Whether a function that is given this value may do something to a graph."""
    match value:
        case Items(_, items):
            return any(_concerns(v) for v in items)
        case GraphModule() | Graph() | Node() | Nodes() | NodeItem() | TracerObject() | Runner() | Object():
            return True
        case NodeField(name="args" | "kwargs" | "users"):
            return True
        case _:
            return False


def _makes_graphs(func: Func) -> bool:
    """Whether the words of a function's file leave room for a graph that it makes or reaches around its arguments."""
    reached = any(_concerns(v) for v in func.names.values()) if func.code is None else False
    return reached or (func.code is not None and _MAKES.search(func.body.text) is not None)


_MAKES = re.compile(r"\b(?:symbolic_trace|GraphModule|Tracer|Transformer|Interpreter|Graph)\(|\.trace\(|\b[A-Z]\w*\(")


def _check_bound(
    reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int, args: tuple[Value, ...], keywords: Keywords
) -> None:
    """Arguments bound by concrete_args stay parameters under other names: ``flag`` becomes ``flag_1``."""
    facts = state.facts(graph)
    params = _forward_parameters(reading, facts.traced)
    for name, bound in facts.bound:
        if name in keywords:
            detail = f"forward() got an unexpected keyword argument '{name}'"
            emit(reading, act, EventKind.CONCRETE_ARGS, "keyword", expr.at, subject=name, detail=detail)
            return
        index = next((i for i, p in enumerate(params) if p.name == name), -1)
        if index < 0 or any(a.star for a in expr.args):
            continue
        given = args[index] if index < len(args) else None
        if isinstance(given, Const) and isinstance(bound, Const) and given != bound:
            detail = f"AssertionError: {name} has been specialized to have value {bound.value} but got another value"
            emit(reading, act, EventKind.CONCRETE_ARGS, "contradicted", expr.at, subject=name, detail=detail)
        elif given is None and params[index].default is None:
            detail = f"forward() missing 1 required positional argument: '{name}_1'"
            emit(reading, act, EventKind.CONCRETE_ARGS, "omitted", expr.at, subject=name, detail=detail)


def _forward_parameters(reading: Reading, traced: Value) -> tuple[ir.Param, ...]:
    """The parameters of what was traced, self left out; none where they are not known."""
    match traced:
        case Object(code):
            forward = fxnames.method(reading.project, code, "forward")
            return forward.node.params[1:] if isinstance(forward, FunctionCode) else ()
        case Func():
            return traced.node.params
        case _:
            return ()


def _method(
    reading: Reading, act: Activation, state: State, expr: ir.Call, func: Method, args: tuple[Value, ...], keywords: Keywords
) -> Result:
    receiver, name = func.receiver, func.name
    match receiver:
        case TracerObject() if name == "trace":
            return graphmake.trace(reading, act, state, expr, receiver, args, keywords, graph_only=True)
        case TracerObject() if name == "create_node" and receiver.traced == -2:
            return Node(-2, reading.number(act, expr.at), made=True), state
        case TracerObject() if name in ("create_proxy", "proxy"):
            return FxProxy(), state
        case TracerObject() if name == "root":
            return UNKNOWN, state
        case Graph(graph) if name == "eliminate_dead_code":
            return UNKNOWN, eliminate(reading, act, state, expr, graph)
        case Graph():
            return graph_call(reading, act, state, expr, receiver, name, args, keywords)
        case GraphModule(graph):
            return _module_method(reading, act, state, expr, graph, name, args, keywords)
        case Node():
            return node_call(reading, act, state, expr, receiver, name, args, keywords)
        case NodeField() | NodeItem():
            return node_item_call(reading, act, expr, receiver, name), state
        case Runner():
            return runner_method(reading, act, state, expr, receiver, name, args, keywords)
        case SuperOf():
            return super_method(reading, act, state, expr, receiver, name, args, keywords)
        case HookValue():
            return hook_method(reading, act, expr, receiver, name), state
        case Object() | LibObject() if name in ("eval", "train"):
            off = name == "train" and args == (Const(False),)
            return replace(receiver, mode="eval" if name == "eval" or off else "train"), state
        case Object() | LibObject() if name in ADDERS and isinstance(expr.func, ir.Attr) and isinstance(expr.func.base, ir.Name):
            return UNKNOWN, state.bind(expr.func.base.id, UNKNOWN)  # it has more members now than its class gives it
        case Object() | LibObject() if name == "state_dict":
            return Part(receiver, "state_dict()"), state
        case Nodes() | Items():
            return UNKNOWN, state
        case _:
            return UNKNOWN, escape(state, args)


ADDERS = frozenset({"add_submodule", "add_module", "register_module", "set_submodule", "register_buffer", "register_parameter"})
"""Methods that give a module a member."""


def _module_method(
    reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int, name: str, args: tuple[Value, ...], keywords: Keywords
) -> Result:
    facts = state.facts(graph)
    match name:
        case "recompile":
            state = settle(reading, act, state, graph, compiled=True)
            return UNKNOWN, state.put(graph, replace(state.facts(graph), edited=None, compiled=facts.edited or facts.compiled))
        case _ if name in ADDERS:
            if len(args) >= 2 and isinstance(args[0], Const):
                value = args[1] if isinstance(args[1], LibObject | Object) else LibObject("torch.nn.Module")
                return UNKNOWN, add_member(reading, act, state, expr.at, graph, str(args[0].value), value)
            return UNKNOWN, state
        case "eval" | "train":
            mode = "eval" if name == "eval" or args == (Const(False),) else "train"
            kept = tuple(p for p in facts.pending if p.kind != "train-mode")
            return GraphModule(graph), state.put(graph, replace(facts, mode=mode, pending=kept))
        case "load_state_dict":
            known = recording(reading, facts)
            loose = keywords.get("strict") == Const(False)
            foreign = bool(args) and isinstance(args[0], Part) and not isinstance(args[0].owner, GraphModule)
            if known is not None and known.constants and foreign and not loose:
                emit(reading, act, EventKind.GRAPH_EDIT, "constants-in-state", expr.at, subject=text(act, expr.at))
            return UNKNOWN, state
        case "state_dict":
            return Part(GraphModule(graph), "state_dict()"), state
        case "to" | "cpu" | "cuda" | "float" | "half" | "double" | "requires_grad_":
            return GraphModule(graph), state
        case _:
            return UNKNOWN, state
