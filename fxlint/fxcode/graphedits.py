"""Edits of a graph: nodes made, rewired and erased, and the rules of torch.fx that they must keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.fxcode.graphapi import CREATORS, OPS, Creator
from fxlint.fxcode.graphreading import Activation, Reading, emit, recording, text
from fxlint.fxcode.graphsettle import has_member
from fxlint.fxcode.graphvalues import (
    NOTHING,
    UNKNOWN,
    Class,
    Const,
    Func,
    FxProxy,
    Graph,
    GraphFacts,
    HookValue,
    Items,
    Lib,
    LibObject,
    Method,
    Node,
    NodeField,
    NodeItem,
    Nodes,
    Object,
    Part,
    Pending,
    Place,
    State,
    Value,
)
from fxlint.fxcode.recording import Recording
from fxlint.syntax import ir

Result = tuple[Value, State]


def edited(state: State, act: Activation, graph: int, at: ir.At) -> State:
    """The state after an edit of the graph at ``at``."""
    return state.put(graph, replace(state.facts(graph), edited=Place(act.body, at)))


def graph_call(
    reading: Reading, act: Activation, state: State, expr: ir.Call, receiver: Graph, name: str, args: tuple[Value, ...],
    keywords: Mapping[str, Value],
) -> Result:
    """A method of Graph other than eliminate_dead_code."""
    graph = receiver.graph
    first = args[0] if args else UNKNOWN
    match name:
        case _ if name in CREATORS:
            return create(reading, act, state, expr, graph, CREATORS[name], args, keywords)
        case "inserting_before" | "inserting_after":
            return Method(receiver, name), _move(reading, act, state, expr, graph, name, first)
        case "erase_node":
            return NOTHING, _erase(reading, act, state, expr, graph, first)
        case "node_copy":
            _check_copy(reading, act, expr, graph, first, args, keywords)
            if not isinstance(first, Node) or first.op in ("", "output"):
                state = state.put(graph, replace(state.facts(graph), closed=True))  # a copy of the output may be among them
            return Node(graph, reading.number(act, expr.at), made=True), edited(state, act, graph, expr.at)
        case "graph_copy":
            return UNKNOWN, edited(state, act, graph, expr.at)
        case "on_generate_code":
            _check_generator(reading, act, expr, first)
            return UNKNOWN, edited(state, act, graph, expr.at)
        case "print_tabular":
            return Part(receiver, "print_tabular()"), state
        case "find_nodes":
            op = keywords.get("op", first)
            return Nodes(graph, live=False, op=str(op.value) if isinstance(op, Const) else ""), state
        case "output_node":
            return Node(graph, reading.number(act, expr.at), "output"), state
        case _:
            return UNKNOWN, state


def _surely_other(state: State, one: int, other: int) -> bool:
    """Whether two numbers surely stand for different graphs: both were made in sight."""
    known = one in state.graphs and other in state.graphs
    return one != other and known and not (state.facts(one).declared or state.facts(other).declared)


def _move(reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int, name: str, at: Value) -> State:
    side = name.removeprefix("inserting_")
    if isinstance(at, Node) and _surely_other(state, graph, at.graph):
        detail = f"AssertionError: Node to insert {side} is not in graph."
        emit(reading, act, EventKind.GRAPH_EDIT, "other-graph", expr.at, subject=text(act, expr.at), detail=detail)
    if not isinstance(at, Node):
        return state.put(graph, replace(state.facts(graph), anchor=("unknown", -1), bare=None))
    where = "after-output" if side == "after" and at.op == "output" else side
    return state.put(graph, replace(state.facts(graph), anchor=(where, at.key), bare=Place(act.body, expr.at)))


def create(
    reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int, creator: Creator, args: tuple[Value, ...],
    keywords: Mapping[str, Value],
) -> Result:
    """``graph.call_function(target, args, kwargs)`` and its sisters."""
    facts = state.facts(graph)
    op = creator.op
    if not op:
        named = args[0] if args else keywords.get("op", UNKNOWN)
        op = str(named.value) if isinstance(named, Const) else ""
        if op and op not in OPS:
            detail = f"op '{op}' is not in _legal_ops"
            emit(reading, act, EventKind.GRAPH_EDIT, "unknown-op", expr.at, subject=op, detail=detail)
    target = _argument(args, keywords, creator.target, "target")
    given = _argument(args, keywords, creator.args, "args")
    number = reading.number(act, expr.at)
    node = Node(graph, number, op, target, made=True)
    if op == "output":
        if facts.outputs:
            emit(reading, act, EventKind.GRAPH_EDIT, "second-output", expr.at, subject=text(act, expr.at))
        _check_taken(reading, act, state, expr, graph, tuple(_nodes((given if creator.op == "" else args[0] if args else UNKNOWN,))))
        facts = replace(facts, outputs=facts.outputs + 1, closed=True)
        return node, edited(state.put(graph, facts), act, graph, expr.at)
    _check_target(reading, act, expr, op, target)
    _check_tuple(reading, act, expr, creator, given)
    state = _missing(reading, act, state.put(graph, facts), expr, graph, op, target)
    taken = tuple(_nodes((given, _argument(args, keywords, creator.kwargs, "kwargs"))))
    _check_taken(reading, act, state, expr, graph, taken)
    if op != "placeholder":
        _check_place(reading, act, state.facts(graph), expr, taken)
    _check_endless(reading, act, state, expr, node)
    facts = state.facts(graph)
    uses = {(number, v.key) for v in taken if isinstance(v, Node)}
    placed = facts.placed | {(facts.anchor[1], number)} if facts.anchor[0] == "after" else facts.placed
    return node, edited(state.put(graph, replace(facts, uses=facts.uses | uses, placed=placed)), act, graph, expr.at)


def _argument(args: tuple[Value, ...], keywords: Mapping[str, Value], position: int, name: str) -> Value:
    return args[position] if 0 <= position < len(args) else keywords.get(name, UNKNOWN)


def _nodes(values: tuple[Value, ...]) -> Iterator[Value]:
    """What stands in the arguments of a new node, at any depth."""
    for value in values:
        if isinstance(value, Items):
            yield from _nodes(value.items)
        else:
            yield value


def _check_target(reading: Reading, act: Activation, expr: ir.Call, op: str, target: Value) -> None:
    wrong = ""
    match op, target:
        case "call_function", Const(str() as name):
            wrong = f"ValueError: Node target {name!r} has type <class 'str'> but a Callable is expected"
        case "call_function", Object() | LibObject():
            wrong = "AttributeError: a module object has no attribute '__name__'"
        case "call_function", Lib(dotted) if dotted.startswith("torch.nn.") and dotted.rpartition(".")[2][:1].isupper():
            wrong = "the class is called with the values of the node as arguments of its constructor"
        case "call_method" | "call_module", Lib() | Func() | Class() | Object() | LibObject():
            wrong = "the target has another type, but a str is expected"
        case _:
            return
    emit(reading, act, EventKind.GRAPH_EDIT, "target-type", expr.at, subject=text(act, expr.at), detail=wrong, callee=op)


def _check_tuple(reading: Reading, act: Activation, expr: ir.Call, creator: Creator, given: Value) -> None:
    if creator.args < 0:
        return
    if isinstance(given, Node | NodeItem) or (isinstance(given, Items) and given.kind == "list"):
        kind = "list" if isinstance(given, Items) else "torch.fx.node.Node"
        if isinstance(given, NodeItem):
            return
        detail = f"AssertionError: args must be a tuple, got <class '{kind}'>"
        emit(reading, act, EventKind.GRAPH_EDIT, "args-not-tuple", expr.at, subject=text(act, expr.at), detail=detail)


def _missing(reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int, op: str, target: Value) -> State:
    if op not in ("call_module", "get_attr") or not isinstance(target, Const) or not isinstance(target.value, str):
        return state
    facts = state.facts(graph)
    if has_member(reading, facts, target.value) is True:
        return state
    kind = "missing-module" if op == "call_module" else "missing-attribute"
    # a graph that belongs to a module looks a submodule up at once; an attribute may still be added
    if facts.owned and kind == "missing-module" and has_member(reading, facts, target.value) is False:
        detail = f"AttributeError: no attribute `{target.value}`"
        emit(reading, act, EventKind.GRAPH_EDIT, kind, expr.at, subject=target.value, detail=detail)
        return state
    return state.put(graph, replace(facts, pending=(*facts.pending, Pending(kind, Place(act.body, expr.at), target.value))))


def _check_taken(reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int, taken: tuple[Value, ...]) -> None:
    for value in taken:
        match value:
            case FxProxy() if graph != -2:
                emit(reading, act, EventKind.GRAPH_EDIT, "proxy-argument", expr.at, subject=text(act, expr.at))
            case NodeField(name="name"):
                emit(reading, act, EventKind.GRAPH_EDIT, "string-argument", expr.at, subject=text(act, expr.at))
            case (
                Node(graph=other) | NodeItem(Node(graph=other)) | NodeField(Node(graph=other), "args" | "kwargs")
            ) if _surely_other(state, graph, other):
                detail = "RuntimeError: the argument does not belong to this Graph, but was used as an argument!"
                emit(reading, act, EventKind.GRAPH_EDIT, "other-graph", expr.at, subject=text(act, expr.at), detail=detail)
            case _:
                continue
        return


def _check_place(reading: Reading, act: Activation, facts: GraphFacts, expr: ir.Call, taken: tuple[Value, ...]) -> None:
    side, key = facts.anchor
    late = "RuntimeError: an argument was used before it has been defined!"
    if side == "end" and not facts.fresh:
        emit(reading, act, EventKind.GRAPH_EDIT, "no-insert-point", expr.at, subject=text(act, expr.at), detail=late)
    elif side == "after-output":
        emit(reading, act, EventKind.GRAPH_EDIT, "after-output", expr.at, subject=text(act, expr.at), detail=late)
    elif side == "before" and any(isinstance(v, Node) and v.key == key for v in taken):
        emit(reading, act, EventKind.GRAPH_EDIT, "used-before-defined", expr.at, subject=text(act, expr.at), detail=late)
    elif side == "after" and any(isinstance(v, Node) and (key, v.key) in facts.placed for v in taken):
        # each new node is put right after the same one: the later ones stand before the earlier ones
        emit(reading, act, EventKind.GRAPH_EDIT, "used-before-defined", expr.at, subject=text(act, expr.at), detail=late)
    elif side == "before" and facts.bare is not None:
        roots = {v.key if isinstance(v, Node) else v.node.key for v in taken if isinstance(v, Node | NodeItem)}
        if roots - {key} and not any(isinstance(v, Node) and v.made for v in taken):
            emit(reading, act, EventKind.GRAPH_EDIT, "bare-insert-point", facts.bare, subject=text(act, expr.at), detail=late)


def _check_endless(reading: Reading, act: Activation, state: State, expr: ir.Call, node: Node) -> None:
    """In a loop over the live list, a node put after the current one is visited next; where it passes the same test, it never ends."""
    side, key = state.facts(node.graph).anchor
    if side != "after":
        return
    for value in state.names.values():
        if isinstance(value, Node) and value.key == key and value.live and value.target == node.target != UNKNOWN:
            emit(reading, act, EventKind.GRAPH_EDIT, "endless", expr.at, subject=text(act, expr.at))
            return


def _erase(reading: Reading, act: Activation, state: State, expr: ir.Call, graph: int, node: Value) -> State:
    facts = state.facts(graph)
    if isinstance(node, Node):
        if node.op == "output":
            facts = replace(facts, fresh=True, outputs=max(facts.outputs - 1, 0), closed=facts.outputs > 0)
        elif node.made and not any(used == node.key for _, used in facts.uses):
            pass
        elif node.key not in facts.free and not facts.rewired:
            certain = _has_users(recording(reading, facts), node)
            if certain is not False:
                name = text(act, expr.args[0].value.at) if expr.args else ""
                emit(reading, act, EventKind.ERASE_USED, "users", expr.at, subject=name, assumed="" if certain else name)
    return edited(state.put(graph, facts), act, graph, expr.at)


def _has_users(known: Recording | None, node: Node) -> bool | None:
    """Whether a node that a test has picked out has users in the graph as it was traced; None where that is not known."""
    if known is None or node.target == UNKNOWN:
        return None
    wanted = node.target.dotted if isinstance(node.target, Lib) else node.target.value if isinstance(node.target, Const) else None
    hits = [i for i, r in enumerate(known.records) if r.target == wanted and node.op in ("", r.op)]
    return any(known.users(i) for i in hits)


def _check_copy(
    reading: Reading, act: Activation, expr: ir.Call, graph: int, node: Value, args: tuple[Value, ...], keywords: Mapping[str, Value]
) -> None:
    if isinstance(node, Node) and node.graph != graph and len(args) == 1 and not keywords and node.op != "placeholder":
        detail = "RuntimeError: the argument does not belong to this Graph, but was used as an argument!"
        emit(reading, act, EventKind.GRAPH_EDIT, "node-copy", expr.at, subject=text(act, expr.at), detail=detail)


def _check_generator(reading: Reading, act: Activation, expr: ir.Call, maker: Value) -> None:
    """``on_generate_code`` takes a function that makes the transformer, not the transformer."""
    if not isinstance(maker, Func):
        return
    if isinstance(maker.node, ir.Lambda):
        results: list[ir.Expr | None] = [maker.node.body]
    else:
        results = [s.value for s in maker.node.body if isinstance(s, ir.Return)]
    if results and all(isinstance(r, ir.Display | ir.Comp | ir.Const | ir.FString | ir.Binary) for r in results):
        emit(reading, act, EventKind.GRAPH_EDIT, "code-generator", expr.at, subject=text(act, expr.at))


def node_call(
    reading: Reading, act: Activation, state: State, expr: ir.Call, node: Node, name: str, args: tuple[Value, ...],
    keywords: Mapping[str, Value],
) -> Result:
    """A method of Node."""
    graph = node.graph
    facts = state.facts(graph)
    first = args[0] if args else keywords.get("replace_with", UNKNOWN)
    match name:
        case "replace_all_uses_with":
            if (isinstance(first, Const) and isinstance(first.value, str)) or isinstance(first, NodeField):
                emit(reading, act, EventKind.GRAPH_EDIT, "string-argument", expr.at, subject=text(act, expr.at))
            selective = len(args) > 1 or "delete_user_cb" in keywords
            if isinstance(first, Node) and (first.key, node.key) in facts.uses and not selective:
                pending = Pending("self-use", Place(act.body, expr.at), text(act, expr.at), first.key)
                facts = replace(facts, pending=(*facts.pending, pending))
            facts = replace(facts, free=facts.free | {node.key})
            return UNKNOWN, edited(state.put(graph, facts), act, graph, expr.at)
        case "replace_input_with" | "update_arg" | "update_kwarg" | "insert_arg":
            return NOTHING, rewire(state, act, node, expr.at)
        case "append" | "prepend":
            return NOTHING, edited(state, act, graph, expr.at)
        case _:
            return UNKNOWN, state


def rewire(state: State, act: Activation, node: Node, at: ir.At) -> State:
    """The state after the arguments of a node were changed."""
    facts = state.facts(node.graph)
    kept = tuple(p for p in facts.pending if not (p.kind == "self-use" and p.key == node.key))
    return edited(state.put(node.graph, replace(facts, rewired=True, pending=kept)), act, node.graph, at)


MUTATORS = frozenset({"append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "popitem", "sort", "reverse"})


def node_item_call(reading: Reading, act: Activation, expr: ir.Call, receiver: NodeField | NodeItem, name: str) -> Value:
    """A method of ``node.args``, ``node.kwargs`` or of a list or dict inside them."""
    where = receiver.name if isinstance(receiver, NodeField) else "args"
    if name in MUTATORS and where in ("args", "kwargs"):
        kind = "immutable_dict" if where == "kwargs" or name in ("update", "setdefault", "popitem") else "immutable_list"
        detail = f"TypeError: '{kind}' object does not support mutation"
        emit(reading, act, EventKind.GRAPH_EDIT, "immutable", expr.at, subject=text(act, expr.at), detail=detail)
    return receiver if where == "users" and name in ("keys", "values", "items") else UNKNOWN


def store(reading: Reading, act: Activation, target: ir.Sub, base: Value) -> None:
    """``base[index] = value``: arguments of nodes cannot be changed in place."""
    match base:
        case NodeField(name="args") | HookValue(name="args"):
            detail = "TypeError: 'tuple' object does not support item assignment"
        case NodeField(name="kwargs") | HookValue(name="kwargs"):
            detail = "TypeError: 'immutable_dict' object does not support mutation"
        case NodeItem():
            detail = "TypeError: 'immutable_list' object does not support mutation"
        case _:
            return
    emit(reading, act, EventKind.GRAPH_EDIT, "immutable", target.at, subject=text(act, target.at), detail=detail)


def set_field(reading: Reading, act: Activation, state: State, target: ir.Attr, node: Node, value: Value) -> State:
    """``node.name = value``."""
    match target.name:
        case "args" | "kwargs":
            if isinstance(value, FxProxy):
                emit(reading, act, EventKind.GRAPH_EDIT, "proxy-argument", target.at, subject=text(act, target.at))
            return rewire(state, act, node, target.at)
        case "name" if node.among and isinstance(value, Const):
            emit(reading, act, EventKind.GRAPH_EDIT, "same-name", target.at, subject=text(act, target.at), detail=str(value.value))
            return edited(state, act, node.graph, target.at)
        case "target" | "op" | "name":
            if target.name == "target" and isinstance(value, Func) and isinstance(value.node, ir.Lambda):
                state = state.put(node.graph, replace(state.facts(node.graph), unpicklable=True))
            changed = replace(node, op=str(value.value)) if target.name == "op" and isinstance(value, Const) else node
            facts = state.facts(node.graph)
            pending = tuple(p for p in facts.pending if p.kind != "target-type" or p.key != node.key)
            if target.name == "target" and isinstance(value, Const) and isinstance(value.value, str) and node.op == "call_function":
                pending = (*pending, Pending("target-type", Place(act.body, target.at), text(act, target.at), node.key))
            state = state.put(node.graph, replace(facts, pending=pending))
            if isinstance(target.base, ir.Name):
                state = state.bind(target.base.id, changed)
            return edited(state, act, node.graph, target.at)
        case _:
            return state
