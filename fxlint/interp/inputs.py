"""The inputs of a root: which of its parameters are Proxies, and what the others hold."""

from __future__ import annotations

from dataclasses import dataclass

from fxlint.base.event import Facet
from fxlint.interp import activation, trace_sites
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame, FuncInfo, Machine
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


def main_input(params: tuple[ir.Param, ...], fixed: set[str]) -> ir.Param | None:
    """The parameter that a caller passes although it has a default: the first, where each has one. None where one has none."""
    named = [p for p in params if p.kind not in ("*", "**")]
    if not named or fixed or any(p.default is None for p in named):
        return None
    return named[0]


def as_arguments(info: FuncInfo, env: dict[str, Value], given: frozenset[str]) -> Arguments:
    """The inputs named in ``given``, as a caller hands them to a wrapper around the root: by name, from the first on that it leaves out."""
    positional: list[Value] = []
    named: list[tuple[str, Value]] = []
    in_order = True
    for param in info.func.params:
        in_order = in_order and param.kind in ("posonly", "pos") and param.name in given and param.default is None
        if in_order:
            positional.append(env[param.name])
        elif param.name in given and param.kind not in ("*", "**"):
            named.append((param.name, env[param.name]))
    return Arguments(tuple(positional), tuple(named))


@dataclass(frozen=True, slots=True)
class Rebound:
    """A wrapper ready to run, with the inputs of the root in its own parameters."""

    info: FuncInfo
    env: dict[str, Value]


def collects(m: Machine, entry: Function) -> bool:
    """Whether a wrapper takes ``*args`` or ``**kwargs``."""
    info = func_info(m, entry.code)
    return info is not None and any(p.kind in ("*", "**") for p in info.func.params)


def rebound(m: Machine, entry: Function, first: tuple[Value, ...], env: dict[str, Value]) -> Rebound:
    """The parameters of a wrapper as the tracer fills them: it clears the flags of ``*args`` and ``**kwargs``, so each is one Proxy."""
    info = func_info(m, entry.code)
    assert info is not None
    proxies = [v for v in env.values() if isinstance(v, Proxy)]
    values: list[Value] = [*first, *proxies, *(Proxy() for _ in info.func.params)]
    return Rebound(info, dict(zip((p.name for p in info.func.params), values, strict=False)))


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
