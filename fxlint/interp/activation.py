"""Activations: running a function of the project on abstract arguments, once for all calls that are alike."""

from __future__ import annotations

from dataclasses import replace

from fxlint.interp import assign, expressions, handback, modulelevel, outputs, statements
from fxlint.interp.arguments import Arguments, BoundArguments, bind
from fxlint.interp.machine import MAX_CONTEXTS, MAX_DEPTH, Frame, FuncInfo, RawEvent, RawFrame, Summary
from fxlint.interp.names import func_info
from fxlint.interp.sharing import freeze, holds_number, object_parts, parts, proxies_deep, reachable, relocate, too_large
from fxlint.interp.state import Instance, Mapping, ModuleObject, Object, Sequence, State, merge_stores
from fxlint.interp.store import allocate, load, may_hold_proxy
from fxlint.syntax import ir
from fxlint.values.join import union
from fxlint.values.values import (
    BOTTOM,
    NONE,
    Class,
    ClassInfo,
    Code,
    Const,
    Function,
    Origin,
    Proxy,
    Ref,
    Tuple,
    Union,
    Value,
)


def run_function(f: Frame, st: State, at: ir.At, function: Function, args: Arguments) -> Value:
    """Call a function of the project. ``args`` hold the receiver first where it is a method."""
    code = function.code
    info = func_info(f.machine, code)
    if info is None:
        return f.machine.unknown("function that libcst cannot parse")
    if f.machine.decorating and not f.tracing:
        handed = handback.given_back(f.machine, function, args)
        if handed is not None:
            return handed
    function = _with_current_names(f, st, function, info)
    bound = bind(info.func.params, args, lambda p: default_value(f, st, function, info, p))
    env = _environment(f, st, info, bound)
    return activate(f, st, at, function, info, env, args, argument_origins(bound))


def activate(
    f: Frame, st: State, at: ir.At, function: Function, info: FuncInfo, env: dict[str, Value], args: Arguments,
    origins: tuple[tuple[str, Origin], ...],
) -> Value:
    """Run a function on bound parameters, or take the result from a call that was alike."""
    code = function.code
    if len(f.machine.active) >= MAX_DEPTH:
        return _given_up(f, st, env, "calls nested deeper than 40")
    key = _key(f, st, function, env, loose=f.tracing) if f.tracing or not _builds(f, st, env) else None
    if (key is not None and key in f.machine.running) or (key is None and _recurs(f, code, env)):
        return _given_up(f, st, env, "recursion")
    summary = f.machine.summaries.get(key) if key is not None else None
    if summary is None and key is not None and code in f.machine.exact_only:
        summary = f.machine.summaries.get(_key(f, st, function, env, loose=False))
    if summary is None:
        # Set-up code (constructors, builders) is followed in every context, but for recursion, whose contexts multiply with its depth.
        is_counted = f.tracing or any(frame.code == code for frame in f.machine.active)
        if is_counted and f.machine.contexts[_counted(function)] >= MAX_CONTEXTS:
            return _given_up(f, st, env, "more contexts of one function than the budget")
        if f.machine.steps >= f.machine.max_steps:
            return _given_up(f, st, env, "more calls of one root than the budget")
        f.machine.contexts[_counted(function)] += 1
        f.machine.steps += 1
        f.machine.running.add(key)
        try:
            value, fragment, events, shared = _run(f, st, code, info, env, function, summarise=key is not None)
        finally:
            f.machine.running.discard(key)
        if shared and key is not None:
            if f.tracing and holds_number(f, value, fragment):
                # A shared call wrote to nothing that it was given, so its arguments are what they were before it.
                f.machine.exact_only.add(code)
                key = _key(f, st, function, env, loose=False)
            f.machine.summaries[key] = Summary(value, fragment, events)
    else:
        (value,) = relocate(f, st, summary.fragment, (summary.value,))
        events = summary.events
        f.machine.recorded += f.tracing and any(may_hold_proxy(f, st, v) for v in env.values())
    _hand_over(f, st, at, code, env, events, origins)
    return _rebased(f, at, value, args, code)


def _given_up(f: Frame, st: State, env: dict[str, Value], reason: str) -> Value:
    """The result of a call that is not followed. Arguments that hold a Proxy, if only behind unknown code, may come back in it."""
    return f.machine.unknown(reason, proxy=any(may_hold_proxy(f, st, v) for v in env.values()))


def _builds(f: Frame, st: State, env: dict[str, Value]) -> bool:
    """Whether a call outside any trace is given a module or instance: it most likely writes to it, so no summary is tried for."""
    return any(isinstance(v, Ref) and isinstance(st.store.get(v.id), (ModuleObject, Instance)) for v in env.values())


def _recurs(f: Frame, code: Code, env: dict[str, Value]) -> bool:
    """Whether set-up code is at work on one object for the third time over: its arms are not decided, so it would never end."""
    first = next(iter(env.values()), None)
    return isinstance(first, Ref) and sum(frame.code is code and frame.receiver == first for frame in f.machine.active) > 1


def _reaches_object(f: Frame, st: State, env: dict[str, Value]) -> bool:
    """Whether a call is given a module or an instance, be it in containers."""
    seen: set[int] = set()
    queue = list(env.values())
    while queue:
        value = queue.pop()
        if not isinstance(value, Ref):
            queue.extend(parts(value))
        elif value.id not in seen:
            seen.add(value.id)
            obj = load(f, st, value)
            if isinstance(obj, (ModuleObject, Instance)):
                return True
            if obj is not None:
                queue.extend(object_parts(obj))
    return False


def _counted(function: Function) -> object:
    """What contexts are counted by: a function, and a wrapper for each function that it wraps."""
    if not function.captured:
        return function.code
    return (function.code, *(v.code for _, v in function.captured if isinstance(v, Function)))


def _key(f: Frame, st: State, function: Function, env: dict[str, Value], *, loose: bool) -> object:
    # What is under construction only matters to a call that can reach it.
    phase = f.machine.tracing if f.tracing else tuple(sorted(f.machine.constructing)) if _reaches_object(f, st, env) else ()
    return (
        loose, f.depth == 0, phase, f.guarded > 0,
        freeze(f, st, function, loose=loose), tuple((n, freeze(f, st, v, loose=loose)) for n, v in env.items()))


def default_value(f: Frame, st: State, function: Function, info: FuncInfo, param: ir.Param) -> Value:
    """The default of a parameter, evaluated where the function is defined."""
    for name, value in function.defaults:
        if name == param.name:
            return value
    key = (function.code, param.name)
    if key not in f.machine.defaults:
        assert param.default is not None
        holder = function.code.holder
        frame = modulelevel.detached_frame(f.machine, function.code.source, info.body, "<default>", holder)
        state = State()
        f.machine.defaults[key] = expressions.evaluate(frame, state, param.default)
        f.machine.global_store.update(state.store.flat())
    return f.machine.defaults[key]


def _with_current_names(f: Frame, st: State, function: Function, info: FuncInfo, siblings: bool = True) -> Function:
    """A nested function called by the one that defines it: the names it reads are bound to what they are now.

    So are those that its siblings read, which it may call; further levels keep what they captured, for siblings may call each other.
    """
    code = function.code
    if code.inline is None or code.inline[0] is not f.body or code.qualname != f"{f.code.qualname}.<locals>.{code.name}":
        return function
    scope = {**f.captured, **dict(function.captured), **st.env}
    captured: list[tuple[str, Value]] = []
    for name in sorted((info.reads - info.bound) & scope.keys()):
        value = scope[name]
        inner = func_info(f.machine, value.code) if siblings and isinstance(value, Function) else None
        if inner is not None and isinstance(value, Function):
            value = _with_current_names(f, st, value, inner, siblings=False)
        captured.append((name, value))
    return replace(function, captured=tuple(captured))


def _environment(f: Frame, st: State, info: FuncInfo, bound: BoundArguments) -> dict[str, Value]:
    """The parameters as locals; Proxies among them start a new chain, which the caller's chain continues."""
    ats = {p.name: p.at for p in info.func.params}
    env = {name: _as_parameter(info, ats[name], name, value) for name, value in bound.values.items()}
    if bound.var_positional is not None:
        name, items, rest = bound.var_positional
        if rest is None:
            env[name] = _as_parameter(info, ats[name], name, Tuple(items))
        else:
            env[name] = allocate(f, st, Sequence("tuple", None, _as_parameter(info, ats[name], name, union((*items, rest)))))
    if bound.var_keywords is not None:
        name, entries, extra = bound.var_keywords
        pairs = tuple((Const(k), _as_parameter(info, ats[name], name, v)) for k, v in entries)
        env[name] = allocate(f, st, Mapping("dict", pairs, extra if extra is not None else BOTTOM, extra is None))
    return env


def _as_parameter(info: FuncInfo, at: ir.At, name: str, value: Value) -> Value:
    match value:
        case Proxy():
            return replace(value, origin=Origin(info.body, at, name, None, name))
        case Tuple(items=items):
            return replace(value, items=tuple(_as_parameter(info, at, name, v) for v in items))
        case Union(members):
            return Union(tuple(_as_parameter(info, at, name, v) for v in members))
        case _:
            return value


def _run(
    f: Frame, st: State, code: Code, info: FuncInfo, env: dict[str, Value], function: Function, *, summarise: bool,
) -> tuple[Value, dict[int, Object], tuple[RawEvent, ...], bool]:
    """Execute the body once. The store of ``st`` becomes the store after the call. The last item: whether a summary may be kept."""
    m = f.machine
    base = m.next_id + 1
    receiver = next(iter(env.values())) if code.holder is not None and info.func.params and env else None
    captured = dict(function.captured)
    if code.holder is not None:
        captured = {**dict(code.holder.captured), **captured}
    frame = Frame(
        m, code, info, info.body, code.source, f.depth + 1, base, f.tracing, receiver, code.holder, _class_of(f, st, receiver), captured,
        guarded=f.guarded)
    if code.name != "<lambda>" and code.inline is not None:
        captured.setdefault(code.name, function)
    if frame.receiver_class is None and code.inline is not None:
        frame.receiver, frame.receiver_class = f.receiver, f.receiver_class
    m.active.append(frame)
    try:
        outputs.started(frame, st, info.func)
        last = statements.run(frame, State(dict(env), st.store), info.func.body)
    finally:
        m.active.pop()
    if last is not None:
        frame.returns.append((NONE, last))
    if not frame.returns and not frame.yields:
        return BOTTOM, {}, tuple(frame.events.values()), not frame.impure
    if info.nonlocals and code.inline is not None and f.code.qualname == assign.definer(code):
        for name in info.nonlocals:
            written = [state.env.get(name, captured.get(name, BOTTOM)) for _, state in frame.returns]
            st.env[name] = union(written)
    value = union(v for v, _ in frame.returns)
    store = frame.returns[0][1].store if frame.returns else st.store.fork()
    for _, state in frame.returns[1:]:
        store = merge_stores(store, state.store)
    st.store = store
    if info.func.is_generator:
        value = allocate(f, st, Sequence("generator", None, union(frame.yields)))
    if not summarise:
        return value, {}, tuple(frame.events.values()), False
    fragment = reachable(f, st, (value,))
    if too_large(value, fragment):
        value, fragment = m.unknown("value of more parts than the budget", proxy=any(isinstance(v, Proxy) for v in parts(value))), {}
    shared = not frame.impure and all(number >= base for number in fragment)
    return value, fragment, tuple(frame.events.values()), shared


def _class_of(f: Frame, st: State, receiver: Value | None) -> ClassInfo | None:
    match receiver:
        case Ref():
            cls = getattr(load(f, st, receiver), "cls", None)
            return cls if isinstance(cls, ClassInfo) else None
        case Class(info):
            return info
        case _:
            return None


def _hand_over(
    f: Frame, st: State, at: ir.At, code: Code, env: dict[str, Value], events: tuple[RawEvent, ...], origins: tuple[tuple[str, Origin], ...]
) -> None:
    """Give the events of a call to the caller, seen from there."""
    if not events or not f.tracing:
        return
    receiver_class = ""
    if code.holder is not None:
        first = next(iter(env.values()), None)
        cls = _class_of(f, st, first)
        receiver_class = cls.qualname if cls is not None else code.holder.qualname
    frame = RawFrame(f.body, at, f.code, code, receiver_class, origins)
    conditions = frozenset(st.conditions)
    for event in events:
        old = f.events.get((event.kind, event.construct, id(event.body), event.at))
        if old is None or old.assumptions:
            f.add(replace(event, stack=(frame, *event.stack), assumptions=event.assumptions | conditions))


def argument_origins(bound: BoundArguments) -> tuple[tuple[str, Origin], ...]:
    """Where each parameter's Proxy comes from in the caller."""
    out: list[tuple[str, Origin]] = []
    pairs: list[tuple[str, Value]] = list(bound.values.items())
    if bound.var_positional is not None:
        pairs.append((bound.var_positional[0], Tuple(bound.var_positional[1])))
    if bound.var_keywords is not None:
        pairs.append((bound.var_keywords[0], Tuple(tuple(v for _, v in bound.var_keywords[1]))))
    for name, value in pairs:
        origin = next((p.origin for p in proxies_deep(value) if p.origin is not None), None)
        if origin is not None:
            out.append((name, origin))
    return tuple(out)


def _rebased(f: Frame, at: ir.At, value: Value, args: Arguments, code: Code) -> Value:
    """The returned value in the caller's terms: its Proxies come from this call, and this call from its first Proxy argument."""
    parent = next((p.origin for v in args.all() for p in proxies_deep(v)), None)
    return _with_origin(value, Origin(f.body, at, f"returned by {code.qualname}", parent))


def _with_origin(value: Value, origin: Origin) -> Value:
    match value:
        case Proxy():
            return replace(value, origin=origin)
        case Tuple(items=items):
            return replace(value, items=tuple(_with_origin(v, origin) for v in items))
        case Union(members):
            return Union(tuple(_with_origin(v, origin) for v in members))
        case _:
            return value
