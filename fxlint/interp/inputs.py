"""The inputs of a root: which of its parameters are Proxies, and what the others hold."""

from __future__ import annotations

from fxlint.base.event import Facet
from fxlint.interp import activation, trace_sites
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame, FuncInfo
from fxlint.interp.names import func_info
from fxlint.interp.state import Mapping, State
from fxlint.interp.store import allocate
from fxlint.interp.tracing import Tracing
from fxlint.syntax import ir
from fxlint.values.values import Function, Origin, Proxy, Tuple, Value


def contexts(tracing: Tracing, optional: frozenset[str]) -> tuple[bool, ...]:
    """Whether optional parameters are Proxies, for each trace: where ``concrete_args`` is known, what it does not name is."""
    if not optional or tracing.concrete_open:
        return (False,)
    return (True,) if tracing.concrete else (False, True)


def as_arguments(info: FuncInfo, env: dict[str, Value]) -> Arguments:
    """The inputs of the root as the tracer hands them to a wrapper around it."""
    params = info.func.params
    positional = tuple(env[p.name] for p in params if p.kind in ("posonly", "pos"))
    rest = next((env[p.name] for p in params if p.kind == "*"), None)
    return Arguments(positional, tuple((p.name, env[p.name]) for p in params if p.kind == "kw"), None if rest == Tuple(()) else rest)


def input_value(f: Frame, st: State, function: Function, param: ir.Param, position: int, *, plain: bool) -> Value:
    """What a parameter of the root holds: what ``concrete_args`` fixes, its default unless ``plain``, or a Proxy."""
    info = func_info(f.machine, function.code)
    assert info is not None
    proxy = Proxy(Facet.TENSOR, Origin(info.body, param.at, param.name, None, param.name), role="input")
    fixed = trace_sites.concrete(f, st, f.machine.tracing, param.name, position, proxy)
    if fixed is not None:
        return fixed
    if param.kind == "*":
        return Proxy(Facet.TUPLE, proxy.origin) if plain else Tuple(())
    if param.kind == "**":
        return Proxy(Facet.UNKNOWN, proxy.origin) if plain else allocate(f, st, Mapping("dict", ()))
    if param.default is not None and not plain:
        return activation.default_value(f, st, function, info, param)
    return proxy
