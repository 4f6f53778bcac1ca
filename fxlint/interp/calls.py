"""Calls: what calling a value does, value kind by value kind."""

from __future__ import annotations

from typing import assert_never

from fxlint.base.event import EventKind, Facet
from fxlint.interp import (
    activation,
    argtypes,
    attributes,
    constructors,
    declared,
    leafrule,
    library_calls,
    modulelevel,
    modules,
    native,
    spelling,
)
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.names import decorator_name, transparent
from fxlint.interp.operators import derived
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State, merge_stores
from fxlint.interp.store import first_proxy, load, may_hold_proxy
from fxlint.library import lookup as library
from fxlint.library.rows import Behaviour
from fxlint.syntax import ir
from fxlint.values.join import union
from fxlint.values.values import (
    BOTTOM,
    Bottom,
    Bound,
    Class,
    ClassInfo,
    Code,
    Const,
    Function,
    Lib,
    ModuleFileValue,
    NativeMethod,
    Origin,
    Partial,
    Proxy,
    Ref,
    Slice,
    Static,
    Super,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
    Wrapped,
)

# What makes it matter that a wrapped call runs while tracing.
IMPURE = frozenset({EventKind.RANDOM, EventKind.EFFECT_ONCE, EventKind.STATE_WRITE})
CACHES = frozenset({"functools.lru_cache", "functools.cache"})


def call(
    f: Frame, st: State, at: ir.At, function: Value, args: Arguments, func_at: ir.At | None = None, sites: tuple[ir.At, ...] = ()
) -> Value:
    """Call ``function``. ``sites`` are the nodes of the arguments as written, where there are such."""
    where = at if func_at is None else func_at
    said = declared.kind(f.machine, function)
    if said is not None:
        value = declared.call(f, st, CallSite(at, where, sites, declared.name_of(function)), said, args)
        if value is not None:
            return value
    match function:
        case Function():
            if function.code.decorators:
                _kept_decorators(f, st, at, function.code, args)
            return activation.run_function(f, st, at, function, args)
        case Bound(receiver, inner):
            if isinstance(inner, Lib):
                return library_calls.unbound(f, st, CallSite(at, where, sites, inner.dotted), receiver, args)
            return call(f, st, at, inner, args.before(receiver), func_at, sites)
        case Class(info):
            return constructors.instantiate(f, st, at, info, args)
        case Lib(dotted):
            return library_calls.call_library(f, st, CallSite(at, where, sites, dotted), args)
        case Wrapped(target, name, auto):
            if auto and isinstance(target, Lib):
                return library_calls.patched(f, st, CallSite(at, where, sites, target.dotted), args)
            return _call_wrapped(f, st, at, target, name, args, func_at, sites, auto=auto)
        case NativeMethod(receiver, name):
            return native.call_method(f, st, CallSite(at, where, sites, name), receiver, name, args)
        case Partial(inner, given, keywords):
            merged = Arguments(
                (*given, *args.positional), (*(k for k in keywords if args.keyword(k[0]) is None), *args.keywords), args.rest, args.extra)
            return call(f, st, at, inner, merged, func_at, sites)
        case Ref():
            return _call_object(f, st, at, function, args, where)
        case Proxy():
            return derived(f, at, Facet.UNKNOWN, function)
        case Union(members):
            return _call_union(f, st, at, members, args, func_at, sites)
        case Unknown() | Static():
            return unknown_call(f, st, at, function, args, where)
        case Bottom():
            return BOTTOM
        case Const() | Tuple() | Slice() | Tensor() | ModuleFileValue() | Super():
            return BOTTOM
        case _:
            assert_never(function)


def _call_union(
    f: Frame, st: State, at: ir.At, members: tuple[Value, ...], args: Arguments, func_at: ir.At | None, sites: tuple[ir.At, ...]
) -> Value:
    """Each alternative on its own copy of the store; what cannot be called is not the one that is."""
    callable_: list[Value] = [m for m in members if not isinstance(m, (Const, Tuple, Static))] or list(members)
    results: list[Value] = []
    store = None
    for member in callable_:
        arm = State(st.env, st.store.fork(), st.conditions)
        results.append(call(f, arm, at, member, args, func_at, sites))
        store = arm.store if store is None else merge_stores(store, arm.store)
    if store is not None:
        st.store = store
    return union(results)


def _call_wrapped(
    f: Frame, st: State, at: ir.At, target: Value, name: str, args: Arguments, func_at: ir.At | None, sites: tuple[ir.At, ...], *,
    auto: bool,
) -> Value:
    held = first_proxy(f, st, *args.all())
    if held is None:
        before = set(f.events)
        result = call(f, st, at, target, args, func_at, sites)
        if not auto and any(key[0] in IMPURE for key in f.events.keys() - before):
            f.emit(st, EventKind.WRAP_NO_PROXY, "call", at, callee=name)
        return result
    f.machine.recorded += 1
    argtypes.check(f, st, at, tuple(args.all()), name, sites)
    return Proxy(Facet.UNKNOWN, Origin(f.body, at, f"{name} is wrapped", held.origin))


def _call_object(f: Frame, st: State, at: ir.At, ref: Ref, args: Arguments, func_at: ir.At) -> Value:
    obj = load(f, st, ref)
    match obj:
        case ModuleObject():
            return modules.call_module(f, st, at, ref, obj, args, func_at)
        case Sequence(kind="Sequential"):
            if f.tracing and not obj.registered:
                f.emit(st, EventKind.MODULE_UNREGISTERED, "sequential-slice", at, subject=func_at, callee="torch.nn.Sequential")
            if f.tracing and leafrule.is_leaf(f, st, ref, "torch.nn.Sequential"):
                return modules.leaf_call(f, st, at, ModuleObject("torch.nn.Sequential"), args)
            return modules.run_sequential(f, st, at, obj, args)
        case Instance(cls=cls) if isinstance(cls, ClassInfo):
            method = attributes.class_member(f, st, at, ref, cls, "__call__")
            if method is not None:
                return call(f, st, at, method, args)
            return f.machine.unknown("call of an instance without __call__")
        case Instance() | Sequence() | Mapping() | None:
            return unknown_call(f, st, at, f.machine.unknown("call of an object"), args, func_at)
        case _:
            assert_never(obj)


def unknown_call(f: Frame, st: State, at: ir.At, function: Value, args: Arguments, func_at: ir.At) -> Value:
    """A callee that is not known: with Proxies going in, a Proxy is taken to come out."""
    held = first_proxy(f, st, *args.all())
    if held is not None:
        f.machine.calls += 1
        f.machine.unresolved += 1
        reason = function.reason if isinstance(function, Unknown) else "call of unknown configuration"
        f.machine.unknowns[f"call: {reason}"] += 1
        return Proxy(Facet.UNKNOWN, Origin(f.body, at, "", held.origin), assumed=spelling.text_at(f.body, func_at))
    if isinstance(function, Static):
        return Static("", function.why)
    carried = any(may_hold_proxy(f, st, v) for v in args.all())
    return Unknown("result of an unknown call", carried)


def decorated_method(f: Frame, st: State, at: ir.At, function: Value, code: Code) -> Value:
    """A method with the decorators of the project applied; those of libraries leave it as it is, and some are lost by tracing."""
    value = function
    if not code.decorators or not isinstance(function, Bound):
        return value
    if all(transparent(f.machine, code.source, d) or decorator_name(f.machine, code.source, d) for d in code.decorators):
        return value
    plain = function.function
    assert isinstance(plain, Function)
    done = f.machine.decorated.get(plain)
    if done is None:
        done = f.machine.decorated[plain] = modulelevel.decorated_value(f.machine, code.source, plain)
    return Bound(function.receiver, done)


def _kept_decorators(f: Frame, st: State, at: ir.At, code: Code, args: Arguments) -> None:
    """Events of decorators that a function keeps while it is traced through: a cache is asked once, a context leaves no trace."""
    held = first_proxy(f, st, *args.all())
    if held is None or not f.tracing:
        return
    for text in code.decorators:
        name = decorator_name(f.machine, code.source, text)
        row = library.function(name) if name else None
        if name in CACHES:
            f.emit(st, EventKind.CACHED, "lru_cache", at, value=held, callee=code.name)
        elif row is not None and row.on_proxy is Behaviour.CONTEXT:
            f.emit(st, EventKind.CONTEXT_DROPPED, "decorator", at, callee=name, detail=text)
