"""Roots: which modules and functions are traced, in which contexts.

A class that the tracing of another one reaches is judged there; every other class with a ``forward`` is a root. Users are traced
before what they use, so that one pass finds which is which.
"""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass, field, replace

from fxlint.base.event import Event, EventKind, Facet
from fxlint.interp import activation, calls, classes, library_calls, modulelevel, modules
from fxlint.interp.arguments import Arguments
from fxlint.interp.convert import to_event
from fxlint.interp.machine import Frame, FuncInfo, Machine
from fxlint.interp.names import decorator_name, defined_value, func_info
from fxlint.interp.state import Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import allocate, load, register
from fxlint.project.modules import SourceFile
from fxlint.syntax import ir
from fxlint.syntax.body import Body
from fxlint.syntax.outline import ClassOutline, FunctionOutline
from fxlint.values.join import alternatives
from fxlint.values.values import Bound, ClassInfo, Function, Origin, Partial, Proxy, Ref, Static, Tuple, Value

_WORDS = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Run:
    """What tracing all roots gave."""

    events: list[Event] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def trace_all(m: Machine, names: tuple[str, ...]) -> Run:
    """Trace the named roots, or all that are found."""
    run = Run()
    sources = [s for p in m.project.given if (s := m.project.file(p)) is not None]
    if names:
        for source in sources:
            _trace_named(m, run, source, names)
        return run
    pending = _ordered(m, [info for source in sources if _relevant(source) for info in module_classes(m, source)])
    for info in pending:
        if info not in m.entered:
            _guarded(m, run, info.name, info.source, lambda info=info: trace_class(m, run, info))  # type: ignore[misc]
    return run


def _relevant(source: SourceFile) -> bool:
    return "forward" in source.text


def module_classes(m: Machine, source: SourceFile) -> list[ClassInfo]:
    """The module classes of a file that have a ``forward`` of the project."""
    out = []
    for binding in source.outline.bindings:
        if isinstance(binding.what, ClassOutline):
            info = classes.class_info(m, source, binding.what)
            if info is not None and classes.is_module(info) and classes.find(info, "forward") is not None:
                out.append(info)
    return out


def _ordered(m: Machine, infos: list[ClassInfo]) -> list[ClassInfo]:
    """Users before what they use: a class stands after those whose text names it."""
    by_name: dict[str, list[ClassInfo]] = {}
    for info in infos:
        by_name.setdefault(info.name, []).append(info)
    used_by: dict[ClassInfo, set[ClassInfo]] = {info: set() for info in infos}
    for info in infos:
        for name in _names_in(info):
            for used in by_name.get(name, ()):
                if used is not info:
                    used_by[used].add(info)
    done: dict[ClassInfo, None] = {}
    state: dict[ClassInfo, int] = {}

    def visit(start: ClassInfo) -> None:
        stack = [(start, iter(sorted(used_by[start], key=_place)))]
        state[start] = 1
        while stack:
            current, rest = stack[-1]
            for user in rest:
                if user not in state:
                    state[user] = 1
                    stack.append((user, iter(sorted(used_by[user], key=_place))))
                    break
            else:
                stack.pop()
                done[current] = None

    for info in sorted(infos, key=_place):
        if info not in state:
            visit(info)
    return list(done)


def _place(info: ClassInfo) -> tuple[str, int]:
    return info.source.path, info.row


def _names_in(info: ClassInfo) -> set[str]:
    for binding in info.source.outline.bindings:
        what = binding.what
        if isinstance(what, ClassOutline) and what.row == info.row:
            return set(_WORDS.findall(info.source.text, what.start, what.end))
    return set()


def _guarded(m: Machine, run: Run, name: str, source: SourceFile, action: object) -> None:
    """Run one root; an internal error is a line of the report, and the other roots go on."""
    try:
        assert callable(action)
        action()
        run.names.append(name)
    except (RecursionError, AssertionError, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        run.failures.append(f"{source.path}: analysis of {name} failed: {type(error).__name__}: {error} ({last.name}:{last.lineno}; please report)")
        m.active.clear()
        m.running.clear()
        m.constructing.clear()


def _trace_named(m: Machine, run: Run, source: SourceFile, names: tuple[str, ...]) -> None:
    bare = {n.rsplit(".", 1)[-1]: n for n in names}
    for name, wanted in sorted(bare.items()):
        if wanted != name and not f"{source.module}.{name}".endswith(wanted):
            continue
        for binding in source.index.get(name, ())[-1:]:
            what = binding.what
            if isinstance(what, ClassOutline):
                info = classes.class_info(m, source, what)
                if info is not None and classes.is_module(info):
                    _guarded(m, run, name, source, lambda info=info: trace_class(m, run, info))  # type: ignore[misc]
            else:
                value = defined_value(m, source, binding)
                is_def = isinstance(what, FunctionOutline)
                _guarded(m, run, name, source, lambda value=value: trace_value(m, run, source, name, value, is_def))  # type: ignore[misc]  # noqa: B023


def root_frame(m: Machine, source: SourceFile, body: Body, *, tracing: bool) -> Frame:
    """The frame from which a root is called."""
    frame = modulelevel.detached_frame(m, source, body, "<root>")
    frame.tracing = tracing
    frame.depth = 0
    return frame


def trace_class(m: Machine, run: Run, info: ClassInfo) -> None:
    """Trace an instance of a class, built with its defaults; what has no default is unknown configuration."""
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
        ref = allocate(frame, st, ModuleObject(info, constructor_arguments(m, info), None))
        trace_module(m, run, info.name, frame, st, ref)
    finally:
        m.active.pop()


def constructor_arguments(m: Machine, info: ClassInfo) -> Arguments:
    """Unknown values for the parameters of ``__init__`` that have no default."""
    found = classes.find(info, "__init__")
    if not isinstance(found, tuple) or found[1].code is None:
        return Arguments()
    init = func_info(m, found[1].code)
    if init is None:
        return Arguments()
    pairs = [
        (p.name, Static(_annotated(p.annotation), f"constructor parameter {p.name}"))
        for p in init.func.params[1:] if p.default is None and p.kind in ("pos", "kw", "posonly")]
    return Arguments((), tuple(pairs))


def _annotated(annotation: ir.Expr | None) -> str:
    return annotation.id if isinstance(annotation, ir.Name) and annotation.id in ("int", "float", "bool", "str") else ""


def trace_module(m: Machine, run: Run, name: str, frame: Frame, st: State, ref: Ref) -> None:
    """Trace one module object in both contexts: optional arguments omitted, then all parameters Proxies."""
    obj = load(frame, st, ref)
    if isinstance(obj, Sequence):
        _trace_sequential(m, run, name, frame, st, ref, obj)
        return
    assert isinstance(obj, ModuleObject)
    if isinstance(obj.cls, str):
        return
    modules.force(frame, st, ref)
    register(frame, st, ref)
    m.entered.add(obj.cls)
    found = classes.find(obj.cls, "forward")
    if not isinstance(found, tuple) or found[1].code is None:
        _call_root(m, run, name, frame, st, lambda f, s: modules.run_forward(f, s, 0, ref, obj.cls, Arguments((Proxy(),))))  # type: ignore[arg-type]
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
    try:
        assert callable(action)
        action(traced, st.copy())
    finally:
        m.active.pop()
    run.events.extend(to_event(raw, name, frozenset(), frozenset()) for raw in traced.events.values())


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
    optional = frozenset(p.name for p in params if p.default is not None or p.kind in ("*", "**"))
    seen: set[object] = set()
    for plain in (False, True) if optional else (False,):
        traced = root_frame(m, function.code.source, info.body, tracing=True)
        state = st.copy()
        env: dict[str, Value] = dict(zip((p.name for p in info.func.params), first, strict=False))
        for param in params:
            env[param.name] = _input(traced, state, function, param, plain=plain)
        m.active.append(traced)
        try:
            _dropped_contexts(traced, state, function, info)
            if entry is function:
                activation.activate(traced, state, 0, function, info, env, Arguments(), ())
            else:
                activation.run_function(traced, state, 0, entry, _as_arguments(info, env))
        finally:
            m.active.pop()
        for key, raw in traced.events.items():
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


def _as_arguments(info: FuncInfo, env: dict[str, Value]) -> Arguments:
    """The inputs of the root as the tracer hands them to a wrapper around it."""
    params = info.func.params
    positional = tuple(env[p.name] for p in params if p.kind in ("posonly", "pos"))
    rest = next((env[p.name] for p in params if p.kind == "*"), None)
    return Arguments(positional, tuple((p.name, env[p.name]) for p in params if p.kind == "kw"), None if rest == Tuple(()) else rest)


def _input(f: Frame, st: State, function: Function, param: ir.Param, *, plain: bool) -> Value:
    info = func_info(f.machine, function.code)
    assert info is not None
    proxy = Proxy(Facet.TENSOR, Origin(info.body, param.at, param.name, None, param.name))
    if param.kind == "*":
        return Proxy(Facet.TUPLE, proxy.origin) if plain else Tuple(())
    if param.kind == "**":
        return Proxy(Facet.UNKNOWN, proxy.origin) if plain else allocate(f, st, Mapping("dict", ()))
    if param.default is not None and not plain:
        return activation.default_value(f, st, function, info, param)
    return proxy


def trace_value(m: Machine, run: Run, source: SourceFile, name: str, value: Value, is_def: bool) -> None:
    """Trace what a name stands for: a factory of modules, a function, a partial, a module object."""
    for one in alternatives(value):
        if isinstance(one, Function):
            if is_def and _trace_factory(m, run, name, one):
                continue
            _trace_function(m, run, name, one)
        elif isinstance(one, Partial) and isinstance(one.function, Function):
            _trace_function(m, run, name, one.function)
        elif isinstance(one, Bound) and isinstance(one.function, Function):
            _trace_function(m, run, name, one.function, (one.receiver,))
        elif isinstance(one, Ref):
            first = source.outline.bindings[0].what if source.outline.bindings else None
            if first is not None:
                body = m.project.body(source.path, first.start, first.end) if not hasattr(first, "module") else None
                if body is not None:
                    trace_module(m, run, name, root_frame(m, source, body, tracing=False), State(), one)


def _trace_factory(m: Machine, run: Run, name: str, function: Function) -> bool:
    """Call a function with its defaults outside any trace; trace the modules that it returns. False where it returns none."""
    info = func_info(m, function.code)
    if info is None:
        return True
    frame = root_frame(m, function.code.source, info.body, tracing=False)
    st = State()
    m.active.append(frame)
    try:
        unknown = tuple((p.name, Static("", f"parameter {p.name}")) for p in info.func.params if p.default is None and p.kind in ("pos", "kw"))
        value = activation.run_function(frame, st, 0, function, Arguments((), unknown))
        found = [v for v in alternatives(value) if isinstance(v, Ref) and _is_module_object(frame, st, v)]
        for ref in found:
            trace_module(m, run, name, frame, st, ref)
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
    _trace_contexts(m, run, name, frame, State(), function, first)


