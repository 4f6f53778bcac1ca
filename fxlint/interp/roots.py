"""Roots: which modules and functions are traced, in which contexts.

A class that the tracing of another one reaches is judged there; every other class with a ``forward`` is a root. Users are traced
before what they use, so that one pass finds which is which.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field, replace

from fxlint.base.event import Event, EventKind
from fxlint.interp import (
    activation,
    annotated,
    autowrap,
    buffers,
    builders,
    calls,
    classes,
    discovery,
    inputs,
    library_calls,
    modulelevel,
    modules,
    rootevents,
    trace_calls,
    trace_sites,
    variants,
)
from fxlint.interp.arguments import Arguments
from fxlint.interp.convert import to_event
from fxlint.interp.machine import Frame, FuncInfo, Machine
from fxlint.interp.names import decorator_name, defined_value, func_info
from fxlint.interp.state import ModuleObject, Sequence, State
from fxlint.interp.store import allocate, load, register
from fxlint.interp.tracing import PLAIN, Tell, TraceSite, Tracing
from fxlint.project.modules import SourceFile
from fxlint.syntax import ir, irwalk
from fxlint.syntax.body import Body
from fxlint.syntax.outline import ClassOutline, FunctionOutline, ImportOutline
from fxlint.values.join import alternatives
from fxlint.values.values import Bound, Class, ClassInfo, Function, Partial, Proxy, Ref, Static, Value


@dataclass(slots=True)
class Run:
    """What tracing all roots gave."""

    sites: list[TraceSite] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def trace_all(m: Machine, names: tuple[str, ...], tell: Tell) -> Run:
    """Trace the named roots, or all that are found; ``tell`` hears before each of those."""
    run = Run()
    sources = [s for p in m.project.given if (s := m.project.file(p)) is not None]
    for source in sources:
        _guarded(m, run, "", source, lambda source=source: _collect(m, run, source))
    if names:
        for source in sources:
            if not _trace_named(m, run, source, names):
                _trace_declared(m, run, source)
        return run
    found = discovery.roots(m, sources)
    public = discovery.exported(m, sources)
    traced: list[ClassInfo] = []
    for at, (source, name, what) in enumerate(found):
        tell(at, len(found))
        if isinstance(what, Function):
            _guarded(m, run, name, source, lambda name=name, what=what: builders.trace_builder(m, run, name, what))
        elif what not in m.entered or what in public:
            traced.append(what)
            _guarded(m, run, name, source, lambda what=what: trace_class(m, run, what))
    variants.begin(m)
    for info in traced:
        if variants.has_options(m, info):
            _guarded(m, run, "", info.source, lambda info=info: trace_class(m, run, info, variants.OPEN))
    return run


def _guarded(m: Machine, run: Run, name: str, source: SourceFile, action: object) -> None:
    """Run one root; an internal error is a line of the report, and the other roots go on."""
    m.contexts.clear()
    m.steps = 0
    try:
        assert callable(action)
        action()
        if name:
            run.names.append(name)
    except (RecursionError, AssertionError, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.name}:{last.lineno}"
        what = f"analysis of {name or 'trace sites'} failed: {type(error).__name__}: {error}"
        run.failures.append(f"{source.path}: {what} ({where}; please report)")
        m.active.clear()
        m.running.clear()
        m.constructing.clear()


def _collect(m: Machine, run: Run, source: SourceFile) -> None:
    sites, events = trace_sites.collect(m, source)
    run.sites.extend(sites)
    run.events.extend(events)


def _trace_declared(m: Machine, run: Run, source: SourceFile) -> None:
    """Trace what ``make()`` returns in a file that declares its model by the pair ``make``, ``inputs``, as ``fxlint trace`` takes it."""
    found = [source.index[n][-1] for n in ("make", "inputs") if n in source.index]
    if len(found) == 2 and all(isinstance(b.what, FunctionOutline) for b in found):
        value = defined_value(m, source, found[0])
        _guarded(m, run, "make", source, lambda: trace_value(m, run, source, "make", value, True))


def _trace_named(m: Machine, run: Run, source: SourceFile, names: tuple[str, ...]) -> bool:
    """Trace the roots of these names in a file; False where it has none."""
    traced = False
    bare = {n.rsplit(".", 1)[-1]: n for n in names}
    for name, wanted in sorted(bare.items()):
        if wanted != name and not f"{source.module}.{name}".endswith(wanted):
            continue
        for binding in source.index.get(name, ())[-1:]:
            traced = True
            what = binding.what
            if isinstance(what, ClassOutline):
                info = classes.class_info(m, source, what)
                if info is not None and classes.is_module(info):
                    _guarded(m, run, name, source, lambda info=info: trace_class(m, run, info))
            else:
                value = defined_value(m, source, binding)
                if isinstance(what, ImportOutline) and not isinstance(value, Function):
                    traced = _trace_imported(m, run, name, value)
                    continue
                is_def = isinstance(what, FunctionOutline)
                _guarded(m, run, name, source, lambda value=value: trace_value(m, run, source, name, value, is_def))  # noqa: B023
    return traced


def _trace_imported(m: Machine, run: Run, name: str, value: Value) -> bool:
    """Trace the module classes that an import binds (``from .net import Net``), where they have not been; False where it binds none."""
    infos = [one.info for one in alternatives(value) if isinstance(one, Class) and classes.is_module(one.info)]
    for info in infos:
        if info not in m.entered:
            _guarded(m, run, name, info.source, lambda info=info: trace_class(m, run, info))
    return bool(infos)


def root_frame(m: Machine, source: SourceFile, body: Body, *, tracing: bool) -> Frame:
    """The frame from which a root is called."""
    frame = modulelevel.detached_frame(m, source, body, "<root>")
    frame.tracing = tracing
    frame.depth = 0
    return frame


def trace_class(m: Machine, run: Run, info: ClassInfo, extra: Value | None = None) -> None:
    """Trace an instance of a class, built with its defaults, or also with ``extra``; what has no default is unknown configuration."""
    m.entered.add(info)
    found = classes.find(info, "forward")
    if not isinstance(found, tuple) or found[1].code is None:
        return
    finfo = func_info(m, found[1].code)
    if finfo is None:
        return
    frame = root_frame(m, found[1].code.source, finfo.body, tracing=False)
    st = State()
    m.active.append(frame)
    try:
        ref = allocate(frame, st, ModuleObject(info, annotated.arguments(frame, st, info, extra), None))
        trace_module(m, run, info.name, frame, st, ref)
    finally:
        m.active.pop()


def trace_module(m: Machine, run: Run, name: str, frame: Frame, st: State, ref: Ref, at: ir.At = 0) -> None:
    """Trace one module object, made at node ``at`` of the frame's body, by each Tracer that the code around it uses for it."""
    obj = load(frame, st, ref)
    sources = {frame.source.path: frame.source}
    if isinstance(obj, ModuleObject) and isinstance(obj.cls, ClassInfo):
        sources[obj.cls.source.path] = obj.cls.source
    for tracing in _tracings(m, run, list(sources.values()), frame, st, ref):
        trace_sites.begin(m, tracing, ref)
        try:
            _trace_object(m, run, name, frame, st.copy(), ref, at)
        finally:
            trace_sites.begin(m, PLAIN, None)


def _tracings(m: Machine, run: Run, sources: list[SourceFile], frame: Frame, st: State, root: Value) -> list[Tracing]:
    """The traces of a root that the code of its files, and other code that traces its class, asks for; a plain one where none does."""
    return trace_sites.chosen(m, run.sites, sources, root, trace_calls.identity(frame, st, root), st) or [PLAIN]


def _trace_object(m: Machine, run: Run, name: str, frame: Frame, st: State, ref: Ref, at: ir.At) -> None:
    """Trace one module object in both contexts: optional arguments omitted, then all parameters Proxies."""
    obj = load(frame, st, ref)
    if isinstance(obj, Sequence):
        _trace_sequential(m, run, name, frame, st, ref, obj)
        return
    assert isinstance(obj, ModuleObject)
    if isinstance(obj.cls, str):
        layer = obj.cls  # the rule of leaves is not asked about the root: tracing goes through it
        _call_root(m, run, name, frame, st, lambda f, s: modules.library_forward(f, s, at, ref, layer, Arguments((Proxy(),))))
        return
    modules.force(frame, st, ref)
    register(frame, st, ref)
    m.entered.add(obj.cls)
    found = classes.find(obj.cls, "forward")
    if not isinstance(found, tuple) or found[1].code is None:
        _call_root(m, run, name, frame, st, lambda f, s: modules.run_forward(f, s, 0, ref, obj.cls, Arguments((Proxy(),))))
        return
    holder, member = found
    assert member.code is not None
    function = Function(member.code, holder.captured)
    if func_info(m, member.code) is not None:
        decorated = calls.decorated_method(frame, st, 0, Bound(ref, function), member.code)
        entry = decorated.function if isinstance(decorated, Bound) and isinstance(decorated.function, Function) else function
        _trace_contexts(m, run, name, frame, st, function, (ref,), entry)


def _trace_sequential(m: Machine, run: Run, name: str, frame: Frame, st: State, ref: Ref, obj: Sequence) -> None:
    register(frame, st, ref)
    _call_root(m, run, name, frame, st, lambda f, s: modules.run_sequential(f, s, 0, obj, Arguments((Proxy(),))))


def _call_root(m: Machine, run: Run, name: str, frame: Frame, st: State, action: object) -> None:
    traced = root_frame(m, frame.source, frame.body, tracing=True)
    m.active.append(traced)
    autowrap.patch(m, frame.source)
    try:
        assert callable(action)
        action(traced, st.copy())
    finally:
        m.active.pop()
    run.events.extend(to_event(raw, name, frozenset(), frozenset()) for raw in buffers.settled(traced.events))


def _trace_contexts(
    m: Machine, run: Run, name: str, frame: Frame, st: State, function: Function, first: tuple[Value, ...], entry: Function | None = None,
) -> None:
    """Trace a function as ``call`` (parameters with a default hold it), then as ``plain`` (every parameter a Proxy).

    ``entry`` is what its decorators made of it. The tracer takes the parameters of what ``inspect.unwrap`` finds behind ``entry``.
    """
    entry = entry or function
    if not _wraps(m, entry):
        function = entry
    info = func_info(m, function.code)
    assert info is not None
    params = info.func.params[len(first):]
    tracing, root = m.tracing, m.root
    fixed = {key for key, _ in tracing.concrete}
    optional = frozenset(p.name for p in params if (p.default is not None or p.kind in ("*", "**")) and p.name not in fixed)
    seen: set[object] = set()
    for plain in inputs.contexts(tracing, optional):
        trace_sites.begin(m, tracing, root)
        traced = root_frame(m, function.code.source, info.body, tracing=True)
        state = st.copy()
        env: dict[str, Value] = dict(zip((p.name for p in info.func.params), first, strict=False))
        main = None if plain else inputs.main_input(params, fixed)
        for i, param in enumerate(params):
            env[param.name] = inputs.input_value(traced, state, function, param, i, plain=plain or param is main)
        m.active.append(traced)
        try:
            autowrap.patch(m, function.code.source)
            _dropped_contexts(traced, state, function, info)
            rootevents.before(traced, state, function, entry, first)
            if entry is function:
                activation.activate(traced, state, 0, function, info, env, Arguments(), ())
            else:
                if plain and inputs.collects(m, entry):
                    rebound = inputs.rebound(m, entry, first, env)
                    activation.activate(traced, state.copy(), 0, entry, rebound.info, rebound.env, Arguments(), ())
                given = frozenset(p.name for p in info.func.params if plain or p.default is None or p is main or p.name in fixed)
                activation.run_function(traced, state, 0, entry, inputs.as_arguments(info, env, given))
        finally:
            m.active.pop()
        for raw in buffers.settled(traced.events):
            key = (raw.kind, raw.construct, id(raw.body), raw.at)
            if plain and key in seen:
                continue
            seen.add(key)
            run.events.append(to_event(raw, name, optional if plain else frozenset(), frozenset()))


def _wraps(m: Machine, entry: Function) -> bool:
    """Whether ``functools.wraps`` lets ``inspect.unwrap`` see through a wrapper."""
    return any(decorator_name(m, entry.code.source, d) == "functools.wraps" for d in entry.code.decorators)


def _dropped_contexts(traced: Frame, st: State, function: Function, info: FuncInfo) -> None:
    """Events for context managers that decorate the root: tracing runs inside them, the graph does not."""
    inside = replace(traced, code=function.code)
    for decorator, text in zip(info.func.decorators, function.code.decorators, strict=True):
        name = decorator_name(traced.machine, function.code.source, text)
        if library_calls.is_dropped_context(name):
            inside.emit(st, EventKind.CONTEXT_DROPPED, "decorator", decorator.at, callee=name, detail=text)


def trace_value(m: Machine, run: Run, source: SourceFile, name: str, value: Value, is_def: bool) -> None:
    """Trace what a name stands for: a factory of modules, a function, a partial, a module object."""
    for one in alternatives(value):
        if isinstance(one, Function):
            if is_def and _trace_factory(m, run, name, one):
                continue
            _trace_function(m, run, name, one)
            continue
        frame, at = _binding_frame(m, source, name)
        kind = trace_calls.not_a_function(one)
        if kind:
            run.events.append(trace_calls.event_of(frame, at, kind))
        if isinstance(one, Partial) and isinstance(one.function, Function):
            _trace_function(m, run, name, one.function, one.args)
        elif isinstance(one, Bound) and isinstance(one.function, Function):
            _trace_function(m, run, name, one.function, (one.receiver,))
        elif isinstance(one, Ref):
            trace_module(m, run, name, frame, State(), one, at)


def _binding_frame(m: Machine, source: SourceFile, name: str) -> tuple[Frame, ir.At]:
    """A frame in the statement that binds a name at module level, and the node of the value it is given."""
    what = source.index[name][-1].what
    assert not isinstance(what, ImportOutline)
    body = m.project.body(source.path, what.start, what.end)
    at = next((s.value.at for s in body.stmts if isinstance(s, ir.Assign) and s.value is not None), 0)
    return root_frame(m, source, body, tracing=False), at


def _trace_factory(m: Machine, run: Run, name: str, function: Function) -> bool:
    """Call a function with its defaults outside any trace; trace the modules that it returns. False where it returns none."""
    info = func_info(m, function.code)
    if info is None:
        return True
    frame = root_frame(m, function.code.source, info.body, tracing=False)
    st = State()
    m.active.append(frame)
    try:
        needed = [p.name for p in info.func.params if p.default is None and p.kind in ("pos", "kw")]
        unknown = tuple((name, Static("", f"parameter {name}")) for name in needed)
        value = activation.run_function(frame, st, 0, function, Arguments((), unknown))
        found = [v for v in alternatives(value) if isinstance(v, Ref) and _is_module_object(frame, st, v)]
        returns = [s for s in irwalk.statements(info.func.body, nested=False) if isinstance(s, ir.Return) and s.value is not None]
        at = returns[-1].value.at if returns and returns[-1].value is not None else 0
        for ref in found:
            trace_module(m, run, name, frame, st, ref, at)
        return bool(found)
    finally:
        m.active.pop()


def _is_module_object(f: Frame, st: State, ref: Ref) -> bool:
    obj = load(f, st, ref)
    return isinstance(obj, ModuleObject) or (isinstance(obj, Sequence) and obj.kind == "Sequential")


def _trace_function(m: Machine, run: Run, name: str, function: Function, first: tuple[Value, ...] = ()) -> None:
    info = func_info(m, function.code)
    if info is None:
        return
    frame = root_frame(m, function.code.source, info.body, tracing=False)
    for tracing in _tracings(m, run, [function.code.source], frame, State(), function):
        trace_sites.begin(m, tracing, None)
        try:
            _trace_contexts(m, run, name, frame, State(), function, first)
        finally:
            trace_sites.begin(m, PLAIN, None)


