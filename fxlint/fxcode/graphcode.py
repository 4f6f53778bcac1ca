"""Graph code: functions and classes that handle what tracing made. The events of one file.

Every function of a file that mentions torch.fx is read, those first that nothing in the file calls; functions that these call
are read with the arguments of the call. Module-level code counts as a function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fxlint.base.errors import ReadError
from fxlint.base.event import Event, EventKind
from fxlint.fxcode import fxnames
from fxlint.fxcode.facts_wrap import wrapped_functions
from fxlint.fxcode.fxnames import ClassCode, FunctionCode
from fxlint.fxcode.graphnames import global_value, is_module_class
from fxlint.fxcode.graphreading import Activation, Predicted, Reading, emit
from fxlint.fxcode.graphrunners import check_runner, runner_kind
from fxlint.fxcode.graphstmts import run_block, run_function
from fxlint.fxcode.graphvalues import (
    UNKNOWN,
    Func,
    Graph,
    GraphFacts,
    GraphModule,
    Lib,
    Node,
    Object,
    Root,
    State,
    Value,
)
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir, irwalk
from fxlint.syntax.outline import StatementOutline

_HANDLES = re.compile(
    r"\b(?:symbolic_trace|GraphModule|Tracer|Transformer|Interpreter|replace_pattern|eliminate_dead_code|Graph\(|"
    r"fx\.Graph|fx\.Node|erase_node|recompile|call_function)\b|fx\.Graph\b"
)
MAX_DEFERRED = 200


def nothing_predicted(name: str) -> tuple[tuple[str, str], ...] | None:
    """A ``Predicted`` that knows of no class."""
    del name
    return None


def handles_graphs(text: str) -> bool:
    """Whether a file may hold graph code, by its words alone."""
    return "fx" in text and _HANDLES.search(text) is not None


def graph_events(source: SourceFile, project: Project, predicted: Predicted = nothing_predicted) -> Iterator[Event]:
    """What goes wrong in the graph code of a file, in source order."""
    if not handles_graphs(source.text):
        return
    reading = Reading(project, source, predicted, wrapped_functions(project, source), _root(project, source))
    for cls in fxnames.classes(project, source):
        _read_class(reading, cls)
    codes = list(_functions(project, source))
    called = _called_names(codes)
    for first in (True, False):
        for code in codes:
            simple = code.name.rpartition(".")[2]
            if first == (simple not in called) and (first or f"{code.path}:{code.name}" not in reading.entered):
                _enter(reading, code)
    _module_level(reading)
    yield from sorted(reading.events.values(), key=lambda e: (e.site.path, e.site.start, e.kind.value, e.construct))


def _read_class(reading: Reading, cls: ClassCode) -> None:
    kind = runner_kind(reading, cls)
    if kind:
        check_runner(reading, cls, kind)
        _later(reading)
    own = fxnames.own_method(cls, "forward") if fxnames.derives(reading.project, cls, "torch.fx.GraphModule") else None
    if own is not None:
        act = Activation(cls.source, cls.body, own.name)
        place = own.node.params[0].at if own.node.params else own.node.at
        emit(reading, act, EventKind.GRAPH_MODULE_ARGUMENTS, "own-forward", place, subject=f"{cls.name}.forward")


def _functions(project: Project, source: SourceFile) -> Iterator[FunctionCode]:
    yield from fxnames.functions(project, source)
    for cls in fxnames.classes(project, source):
        ancestors = fxnames.ancestry(project, cls)
        if "torch.fx.Transformer" in ancestors or "torch.fx.Interpreter" in ancestors:
            continue
        for stmt in cls.node.body:
            if isinstance(stmt, ir.FuncDef):
                yield FunctionCode(source, cls.body, stmt, f"{cls.name}.{stmt.name}", cls.path)


def _called_names(codes: list[FunctionCode]) -> frozenset[str]:
    found: set[str] = set()
    for code in codes:
        for expr in irwalk.all_exprs(code.node.body):
            if isinstance(expr, ir.Call) and isinstance(expr.func, ir.Name):
                found.add(expr.func.id)
    return frozenset(found)


def _enter(reading: Reading, code: FunctionCode) -> None:
    """Reads one function on its own, with what its annotations say of its parameters."""
    if code.node.is_async:
        return
    names: dict[str, Value] = {}
    graphs: dict[int, GraphFacts] = {}
    holder = _graph_module_class(reading, code)
    act = Activation(code.source, code.body, code.name, holder, Object(holder) if holder is not None else None)
    for param in code.node.params:
        names[param.name] = _parameter(reading, act, param, graphs)
    if act.receiver is not None and code.node.params:
        names[code.node.params[0].name] = act.receiver
    run_function(reading, act, State(names, graphs), code.node)
    _later(reading)


def _graph_module_class(reading: Reading, code: FunctionCode) -> ClassCode | None:
    """The subclass of GraphModule of which ``code`` is a plain method; None for all other functions."""
    holder = code.name.rpartition(".")[0]
    cls = next((c for c in fxnames.classes(reading.project, code.source) if c.name == holder), None) if holder else None
    if cls is None or code.node.decorators or not fxnames.derives(reading.project, cls, "torch.fx.GraphModule"):
        return None
    return cls


def _parameter(reading: Reading, act: Activation, param: ir.Param, graphs: dict[int, GraphFacts]) -> Value:
    annotation = irwalk.dotted(param.annotation) if param.annotation is not None else None
    number = reading.number(act, param.at)
    match global_value(reading.project, act.source, annotation) if annotation else UNKNOWN:
        case Lib("torch.fx.GraphModule"):
            graphs[number] = GraphFacts(owned=True, anchor=("unknown", -1), declared=True)
            return GraphModule(number)
        case Lib("torch.fx.Graph"):
            graphs[number] = GraphFacts(anchor=("unknown", -1), rewired=True, declared=True)
            return Graph(number)
        case Lib("torch.fx.Node"):
            graphs[number] = GraphFacts(anchor=("unknown", -1), rewired=True, declared=True)
            return Node(number, number)
        case _:
            return Root(param.name) if param.kind in ("pos", "posonly") and param.name != "self" else UNKNOWN


def _later(reading: Reading) -> None:
    """Reads lambdas and nested functions that were made on the way, each once, with the names as they were."""
    seen: set[tuple[int, int]] = set()
    while reading.deferred:
        act, func, state = reading.deferred.pop()
        assert isinstance(func, Func)
        key = (func.body.offset, func.node.at)
        if key in seen or len(seen) > MAX_DEFERRED or (isinstance(func.node, ir.FuncDef) and func.node.is_async):
            continue
        seen.add(key)
        names = {**state.names, **{p.name: UNKNOWN for p in func.node.params}}
        graphs = {g: _open(f) for g, f in state.graphs.items()}
        inner = Activation(act.source, act.body, act.owner, act.holder, act.receiver, (*act.stack, ("later", func.node.at)))
        run_function(reading, inner, State(names, graphs), func.node)
    while reading.classes:
        _read_class(reading, reading.classes.pop())


def _open(facts: GraphFacts) -> GraphFacts:
    """What still holds of a graph when a function that was made earlier is called: edits that are open here may be finished by then."""
    return GraphFacts(
        traced=facts.traced, owned=facts.owned, rewired=True, closed=True, declared=facts.declared, anchor=("unknown", -1),
        modules=facts.modules, plain=facts.plain,
        bound=facts.bound,
    )


def _root(project: Project, source: SourceFile) -> Value | None:
    """The one thing in the file that ``def trace(m)`` can be meant for: its only module class that no other class of the file
    builds, or, where there is no such class, its only function that no fx code is in.
    """
    modules = [c for c in fxnames.classes(project, source) if is_module_class(project, c)]
    built = {
        e.func.id for c in modules for e in irwalk.all_exprs(c.node.body) if isinstance(e, ir.Call) and isinstance(e.func, ir.Name)
    }
    tops = [c for c in modules if c.name not in built]
    if len(tops) == 1:
        return Object(tops[0])
    if modules:
        return None
    plain = [f for f in fxnames.functions(project, source) if f.node.params and not handles_graphs(_text(f)) and "fx." not in _text(f)]
    return Func(plain[0].body, plain[0].node, {}, plain[0]) if len(plain) == 1 else None


def _text(code: FunctionCode) -> str:
    return code.body.text


def _module_level(reading: Reading) -> None:
    """Reads the statements at module level as one function."""
    source = reading.source
    stmts: dict[int, StatementOutline] = {s.start: s for s in source.outline.statements}
    stmts.update({b.what.start: b.what for b in source.outline.bindings if isinstance(b.what, StatementOutline)})
    state = State()
    for outline in sorted(stmts.values(), key=lambda s: s.start):
        try:
            body = reading.project.body(source.path, outline.start, outline.end)
        except ReadError:
            continue  # the driver has reported the file
        state = run_block(reading, Activation(source, body, ""), state, body.stmts)
        if state.ended:
            break
    _later(reading)
