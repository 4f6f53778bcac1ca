"""What makes graphs, GraphModules, Interpreters and Transformers: the arguments they want, in the order they want them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import ClassCode
from fxlint.fxcode.graphapi import HOOKS
from fxlint.fxcode.graphnames import is_module_class
from fxlint.fxcode.graphreading import Activation, Reading, emit, text
from fxlint.fxcode.graphsettle import has_member, needs_root
from fxlint.fxcode.graphvalues import (
    UNKNOWN,
    Class,
    Const,
    Graph,
    GraphFacts,
    GraphModule,
    Items,
    LibObject,
    Object,
    Part,
    Root,
    Runner,
    State,
    TracerObject,
    Value,
)
from fxlint.syntax import ir, irwalk

Result = tuple[Value, State]


def is_module(reading: Reading, value: Value) -> bool:
    """Whether the value surely is a torch module that has not been traced."""
    match value:
        case Object(code):
            return is_module_class(reading.project, code) and not fxnames.derives(reading.project, code, "torch.fx.GraphModule")
        case LibObject(dotted):
            return dotted.startswith("torch.nn.")
        case _:
            return False


def new_graph(reading: Reading, act: Activation, state: State, expr: ir.Call) -> Result:
    """``torch.fx.Graph()``: no nodes, no output."""
    number = reading.number(act, expr.at)
    return Graph(number), state.put(number, GraphFacts(fresh=True))


def trace(
    reading: Reading, act: Activation, state: State, expr: ir.Call, tracer: TracerObject, args: tuple[Value, ...],
    keywords: Mapping[str, Value], *, graph_only: bool = False,
) -> Result:
    """``symbolic_trace(root, concrete_args)`` gives a GraphModule, ``Tracer().trace(root, concrete_args)`` a Graph."""
    root = args[0] if args else keywords.get("root", UNKNOWN)
    number = reading.number(act, expr.at)
    bound = _bound(args[1] if len(args) > 1 else keywords.get("concrete_args", UNKNOWN))
    _check_site(reading, act, expr, root, args[1] if len(args) > 1 else keywords.get("concrete_args", UNKNOWN))
    mode = root.mode if isinstance(root, Object | LibObject) else ""
    # only what the default Tracer records is predicted
    traced = root if tracer.code is None else UNKNOWN
    if isinstance(root, GraphModule):
        earlier = state.facts(root.graph)
        traced, mode = earlier.traced if earlier.edited is None and not earlier.rewired else UNKNOWN, earlier.mode
    facts = GraphFacts(traced=traced, owned=not graph_only, bound=bound, mode=mode)
    return (Graph(number) if graph_only else GraphModule(number)), state.put(number, facts)


TENSOR_MAKERS = frozenset({f"torch.{name}" for name in ("ones", "zeros", "rand", "randn", "randint", "tensor", "empty", "full", "arange")})


def _bound(value: Value) -> tuple[tuple[str, Value], ...]:
    if isinstance(value, Items) and value.kind == "dict":
        return tuple((str(k.value), v) for k, v in zip(value.keys, value.items, strict=False) if isinstance(k, Const))
    return ()


def _check_site(reading: Reading, act: Activation, expr: ir.Call, root: Value, bound: Value) -> None:
    if isinstance(root, Class) and is_module_class(reading.project, root.code):
        detail = "AssertionError: Expected FunctionType, got <class 'type'>"
        emit(reading, act, EventKind.TRACE_SITE, "class", expr.at, subject=text(act, expr.args[0].value.at), detail=detail)
    example = expr.args[1].value if len(expr.args) > 1 else None
    if isinstance(example, ir.Call) and fxnames.external(reading.project, act.source, irwalk.dotted(example.func)) in TENSOR_MAKERS:
        detail = "RuntimeError: Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class 'str'>."
        emit(reading, act, EventKind.TRACE_SITE, "example-input", expr.at, subject=text(act, example.at), detail=detail)
    if isinstance(bound, Items) and bound.kind == "list":
        detail = "TypeError: list indices must be integers or slices, not str"
        emit(reading, act, EventKind.TRACE_SITE, "concrete-args-type", expr.at, subject=text(act, expr.args[1].value.at), detail=detail)


def graph_module(
    reading: Reading, act: Activation, state: State, expr: ir.Call, args: tuple[Value, ...], keywords: Mapping[str, Value]
) -> Result:
    """``GraphModule(root, graph)``."""
    root = args[0] if args else keywords.get("root", UNKNOWN)
    graph = args[1] if len(args) > 1 else keywords.get("graph", UNKNOWN)
    subject = text(act, expr.at)
    if isinstance(root, Graph):
        detail = "RuntimeError: Unsupported type graph()"
        emit(reading, act, EventKind.GRAPH_MODULE_ARGUMENTS, "swapped", expr.at, subject=subject, detail=detail)
        return UNKNOWN, state
    if isinstance(graph, GraphModule) or is_module(reading, graph):
        construct = "swapped" if isinstance(root, GraphModule) and not isinstance(graph, GraphModule) else "graph-for-module"
        detail = "AttributeError: the second argument has no attribute 'nodes'"
        emit(reading, act, EventKind.GRAPH_MODULE_ARGUMENTS, construct, expr.at, subject=subject, detail=detail)
        return UNKNOWN, state
    if not isinstance(graph, Graph):
        return UNKNOWN, state
    facts = state.facts(graph.graph)
    if facts.fresh and not facts.closed and facts.edited is not None:
        emit(reading, act, EventKind.GRAPH_EDIT, "no-output", expr.at, subject=subject)
    _check_root(reading, act, expr, root, facts)
    owner = facts.traced if isinstance(root, Part | Root) or facts.traced != UNKNOWN else root
    return GraphModule(graph.graph), state.put(graph.graph, replace(facts, owned=True, edited=None, traced=owner, pending=()))


def _check_root(reading: Reading, act: Activation, expr: ir.Call, root: Value, facts: GraphFacts) -> None:
    """A graph names its modules, parameters and constants from the module that was traced: another root has not got them."""
    needs = needs_root(reading, facts)
    other = (isinstance(root, Part) and root.owner == facts.traced and facts.traced != UNKNOWN) or root == LibObject("torch.nn.Module")
    if other and facts.traced != UNKNOWN and (needs or (needs is None and isinstance(root, Part))):
        emit(
            reading, act, EventKind.GRAPH_MODULE_ARGUMENTS, "other-root", expr.at, subject=text(act, expr.args[0].value.at),
            assumed="" if needs else text(act, expr.args[0].value.at),
        )
    elif root == LibObject("torch.nn.Module"):
        for pending in facts.pending:
            missing = pending.kind in ("missing-module", "missing-attribute")
            if missing and has_member(reading, replace(facts, traced=root), pending.name) is False:
                emit(reading, act, EventKind.GRAPH_EDIT, pending.kind, pending.place, subject=pending.name)


def runner(
    reading: Reading, act: Activation, state: State, expr: ir.Call, kind: str, code: ClassCode | None, args: tuple[Value, ...]
) -> Result:
    """``Transformer(gm)`` and ``Interpreter(gm)``, or a subclass whose ``__init__`` takes the module first."""
    module = args[0] if args else UNKNOWN
    own_init = code is not None and any(
        isinstance(c, ClassCode) and fxnames.own_method(c, "__init__") for c in fxnames.ancestry(reading.project, code))
    subject = text(act, expr.at)
    if not own_init or len(args) == 1:
        if isinstance(module, Graph):
            detail = "'Graph' object has no attribute 'named_modules'"
            emit(reading, act, EventKind.TRANSFORMER_NODE_API, "graph-argument", expr.at, subject=subject, detail=detail, callee=kind)
        elif is_module(reading, module):
            name = module.code.name.rpartition(".")[2] if isinstance(module, Object) else "Module"
            detail = f"'{name}' object has no attribute 'graph'"
            emit(reading, act, EventKind.TRANSFORMER_NODE_API, "module-argument", expr.at, subject=subject, detail=detail, callee=kind)
    return Runner(kind, code, module.graph if isinstance(module, GraphModule) else -1), state


def check_targets(reading: Reading, act: Activation, state: State, receiver: Runner) -> None:
    """A Transformer that calls a submodule by a literal name, over a module that has none of that name."""
    facts = state.facts(receiver.graph)
    holders = fxnames.ancestry(reading.project, receiver.code) if receiver.code else ()
    for holder in (h for h in holders if isinstance(h, ClassCode)):
        for method in holder.node.body:
            if not isinstance(method, ir.FuncDef) or method.name not in HOOKS:
                continue
            inner = replace(act, body=holder.body, owner=f"{holder.name}.{method.name}", holder=holder)
            for name, at in _literal_calls(method):
                if has_member(reading, facts, name) is False:
                    detail = f"RuntimeError: Node referenced nonexistent target {name}"
                    emit(reading, inner, EventKind.GRAPH_EDIT, "missing-module", at, subject=name, detail=detail)


def _literal_calls(method: ir.FuncDef) -> Iterator[tuple[str, ir.At]]:
    """The calls ``super().call_module("name", ...)`` of a method."""
    for found in irwalk.all_exprs(method.body):
        match found:
            case ir.Call(func=ir.Attr(base=ir.Call(func=ir.Name(id="super")), name="call_module"), args=[first, *_]):
                if isinstance(first.value, ir.Const) and isinstance(first.value.value, str):
                    yield first.value.value, found.at
            case _:
                pass
