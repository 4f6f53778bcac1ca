"""Statements of graph code, path by path."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from fxlint.base.event import EventKind
from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import ClassCode
from fxlint.fxcode.graphcalls import add_member
from fxlint.fxcode.graphcompare import refine
from fxlint.fxcode.graphedits import set_field, store
from fxlint.fxcode.graphexprs import bind_loop, condition, evaluate
from fxlint.fxcode.graphmake import is_module
from fxlint.fxcode.graphreading import Activation, Reading, emit, text
from fxlint.fxcode.graphsettle import settle
from fxlint.fxcode.graphvalues import (
    NOTHING,
    UNKNOWN,
    Class,
    Func,
    Graph,
    GraphModule,
    Items,
    LibObject,
    Matches,
    Method,
    Node,
    Object,
    Place,
    Runner,
    State,
    Value,
    join,
    join_values,
)
from fxlint.syntax import ir, irwalk


def run_function(reading: Reading, act: Activation, state: State, node: ir.FuncDef | ir.Lambda) -> tuple[Value, State]:
    """What calling the function gives, and the state after it: the join of all its returns."""
    if isinstance(node, ir.Lambda):
        return evaluate(reading, act, state, node.body)
    before = len(reading.returned)
    after = run_block(reading, act, state, node.body)
    results = reading.returned[before:]
    del reading.returned[before:]
    if not after.ended:
        results.append((0, after, NOTHING))
    if not results:
        return UNKNOWN, replace(state, ended=False)
    value, joined = results[0][2], replace(results[0][1], ended=False)
    for _, other, result in results[1:]:
        value, joined = join_values(value, result), join(joined, replace(other, ended=False))
    return value, joined


def run_block(reading: Reading, act: Activation, state: State, stmts: tuple[ir.Stmt, ...]) -> State:
    """The state after the statements; code after a return or raise is not read."""
    for stmt in stmts:
        if state.ended:
            break
        state = run(reading, act, state, stmt)
    return state


def run(reading: Reading, act: Activation, state: State, stmt: ir.Stmt) -> State:
    """The state after one statement."""
    match stmt:
        case ir.Assign():
            if stmt.value is None:
                return state
            value, state = evaluate(reading, act, state, stmt.value)
            value = _overwritten(reading, act, state, stmt, value)
            for target in stmt.targets:
                state = assign(reading, act, state, target, value)
            return state
        case ir.AugAssign():
            _, state = evaluate(reading, act, state, stmt.value)
            return assign(reading, act, state, stmt.target, UNKNOWN)
        case ir.ExprStmt():
            return evaluate(reading, act, state, stmt.value)[1]
        case ir.Return():
            return _return(reading, act, state, stmt)
        case ir.Raise():
            for expr in irwalk.own_exprs(stmt):
                _, state = evaluate(reading, act, state, expr)
            return replace(state, ended=True)
        case ir.If():
            state = condition(reading, act, state, stmt.test, "if")
            first = run_block(reading, act, refine(reading, act, state, stmt.test), stmt.body)
            return forget(state, join(first, run_block(reading, act, state, stmt.orelse)))
        case ir.While():
            state = condition(reading, act, state, stmt.test, "while")
            again = join(state, _unended(run_block(reading, act, refine(reading, act, state, stmt.test), stmt.body)))
            return run_block(reading, act, again, stmt.orelse)
        case ir.For():
            source, state = evaluate(reading, act, state, stmt.iter)
            inner = bind_loop(reading, act, state, stmt.target, source, stmt.iter.at)
            once = join(state, _unended(run_block(reading, act, inner, stmt.body)))
            inner = bind_loop(reading, act, once, stmt.target, source, stmt.iter.at)
            return run_block(reading, act, join(once, _unended(run_block(reading, act, inner, stmt.body))), stmt.orelse)
        case ir.With():
            return _with(reading, act, state, stmt)
        case ir.Try():
            after = run_block(reading, act, state, (*stmt.body, *stmt.orelse))
            for handler in stmt.handlers:
                after = join(after, run_block(reading, act, join(state, _unended(after)), handler.body))
            return run_block(reading, act, after, stmt.final)
        case ir.Assert():
            state = condition(reading, act, state, stmt.test, "assert")
            return refine(reading, act, state, stmt.test)
        case ir.Match():
            _, state = evaluate(reading, act, state, stmt.subject)
            after = state
            for case in stmt.cases:
                after = join(after, run_block(reading, act, state, case.body))
            return after
        case ir.FuncDef():
            func = Func(act.body, stmt, dict(state.names))
            reading.deferred.append((act, func, state))
            return state.bind(stmt.name, func)
        case ir.Jump():
            return state
        case ir.ClassDef():
            code = ClassCode(act.source, act.body, stmt, f"{act.owner}.<locals>.{stmt.name}", act.source.path)
            reading.classes.append(code)
            return state.bind(stmt.name, Class(code))
        case ir.Delete() | ir.Import() | ir.ImportFrom() | ir.Scope():
            return state
        case _:
            assert_never(stmt)


def _unended(state: State) -> State:
    return replace(state, ended=False)


def forget(before: State, after: State) -> State:
    """The state after a branch: what the branch's test said of a node no longer holds."""
    names = dict(after.names)
    for name, value in before.names.items():
        later = names.get(name)
        if isinstance(value, Node) and isinstance(later, Node) and later.key == value.key:
            names[name] = value
    return replace(after, names=names)


def assign(reading: Reading, act: Activation, state: State, target: ir.Expr, value: Value) -> State:
    """The state after ``target = value``."""
    match target:
        case ir.Name():
            return state.bind(target.id, value)
        case ir.Attr():
            base, state = evaluate(reading, act, state, target.base)
            match base:
                case Node():
                    return set_field(reading, act, state, target, base, value)
                case GraphModule(graph) if target.name == "graph" and isinstance(value, Graph):
                    facts = state.facts(value.graph)
                    state = state.put(value.graph, replace(facts, owned=True, edited=None))
                    for name, held in state.names.items():
                        if held == base:
                            state = state.bind(name, GraphModule(value.graph))
                    return state
                case GraphModule() | Object() if target.name == "graph" and _is_module_for_graph(reading, base, value):
                    detail = "it becomes a submodule named graph, and the graph stays what it was"
                    emit(
                        reading, act, EventKind.GRAPH_MODULE_ARGUMENTS, "module-as-graph", target.at, subject=text(act, target.at),
                        detail=detail,
                    )
                    return state
                case GraphModule(graph):
                    return add_member(reading, act, state, target.at, graph, target.name, value)
                case Object() if isinstance(value, GraphModule):
                    return settle(reading, act, state, value.graph, compiled=False)
                case Object() | LibObject() if isinstance(target.base, ir.Name):
                    return state.bind(target.base.id, UNKNOWN)  # it has more members now than its class gives it
                case _:
                    return state
        case ir.Sub():
            base, state = evaluate(reading, act, state, target.base)
            store(reading, act, target, base)
            return state
        case ir.Display():
            items = value.items if isinstance(value, Items) and len(value.items) == len(target.items) else ()
            for number, inner in enumerate(target.items):
                state = assign(reading, act, state, inner, items[number] if items else UNKNOWN)
            return state
        case ir.Star():
            return assign(reading, act, state, target.value, UNKNOWN)
        case _:
            return state


GIVEN_BACK = {
    "recompile": "PythonCode", "eliminate_dead_code": "bool", "lint": "NoneType", "print_tabular": "NoneType", "print_readable": "str",
    "delete_all_unused_submodules": "NoneType", "delete_submodule": "bool", "add_submodule": "bool", "erase_node": "NoneType",
}
"""What methods that change a graph or its module in place give back."""


def _overwritten(reading: Reading, act: Activation, state: State, stmt: ir.Assign, value: Value) -> Value:
    """``gm = gm.recompile()``: the name that held the module holds what the call gives back, which is the result."""
    match stmt:
        case ir.Assign(targets=(ir.Name(id=name),), value=ir.Call() as call) if isinstance(state.names.get(name), GraphModule | Graph):
            pass
        case _:
            return value
    if isinstance(value, Matches):
        return Matches(Place(act.body, call.at))
    if isinstance(call.func, ir.Attr) and call.func.name in GIVEN_BACK and irwalk.dotted(call.func.base) in (name, f"{name}.graph"):
        detail = f"{call.func.name}() works in place and gives back a {GIVEN_BACK[call.func.name]}, and `{name}` no longer holds the module"
        emit(reading, act, EventKind.GRAPH_EDIT, "overwritten", call.at, subject=text(act, call.at), detail=detail)
    return value


def _is_module_for_graph(reading: Reading, base: GraphModule | Object, value: Value) -> bool:
    """Whether ``base.graph = value`` gives a GraphModule a module in place of a Graph."""
    owns = isinstance(base, GraphModule) or fxnames.derives(reading.project, base.code, "torch.fx.GraphModule")
    return owns and (isinstance(value, GraphModule) or is_module(reading, value))


def _with(reading: Reading, act: Activation, state: State, stmt: ir.With) -> State:
    restore: list[tuple[int, State]] = []
    for item, name in stmt.items:
        before = state
        value, state = evaluate(reading, act, state, item)
        if isinstance(value, Method) and isinstance(value.receiver, Graph):
            graph = value.receiver.graph
            state = state.put(graph, replace(state.facts(graph), bare=None))
            restore.append((graph, before))
        if name is not None:
            state = assign(reading, act, state, name, UNKNOWN)
    state = run_block(reading, act, state, stmt.body)
    for graph, before in reversed(restore):
        old = before.facts(graph)
        state = state.put(graph, replace(state.facts(graph), anchor=old.anchor, bare=old.bare))
    return state


def _return(reading: Reading, act: Activation, state: State, stmt: ir.Return) -> State:
    value: Value = NOTHING
    if stmt.value is not None:
        value, state = evaluate(reading, act, state, stmt.value)
        if act.method and isinstance(act.receiver, Runner) and act.receiver.kind == "Transformer":
            for arm in _arms(stmt.value):
                result = value if arm is stmt.value else evaluate(reading, act, state, arm)[0]
                if isinstance(result, Node):
                    detail = "NotImplementedError: argument of type: <class 'torch.fx.node.Node'>"
                    emit(reading, act, EventKind.TRANSFORMER_NODE_API, "node-return", arm.at, subject=text(act, arm.at), detail=detail)
    if len(act.stack) == 0:
        for one in value.items if isinstance(value, Items) else (value,):
            if isinstance(one, Matches) and one.instead is not None:
                detail = "TypeError: 'list' object is not callable"
                emit(reading, act, EventKind.PATTERN, "result", one.instead, subject=text(act, one.instead.at), detail=detail)
        for graph in _held(value):
            state = settle(reading, act, state, graph, compiled=False)
    reading.returned.append((stmt.at, state, value))
    return replace(state, ended=True)


def _arms(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The expressions of which a conditional expression gives one; the expression itself for any other."""
    return (*_arms(expr.body), *_arms(expr.orelse)) if isinstance(expr, ir.IfExp) else (expr,)


def _held(value: Value) -> tuple[int, ...]:
    match value:
        case GraphModule(graph):
            return (graph,)
        case Items():
            return tuple(g for item in value.items for g in _held(item))
        case _:
            return ()
