"""What programs ask of their own functions: ``inspect.signature(fn).parameters``, ``fn.__code__.co_varnames``."""

from __future__ import annotations

from fxlint.interp.arguments import Arguments
from fxlint.interp.builtin_calls import Handler
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.names import decorator_name, func_info
from fxlint.interp.state import Instance, Mapping, State
from fxlint.interp.store import allocate
from fxlint.syntax import ir
from fxlint.values.values import BOTTOM, NONE, Bound, Code, Const, Function, Static, Tuple, Value

PARAMETER = Static("", "inspect.Parameter")


def variables(f: Frame, code: Code) -> Value:
    """The names of a function's parameters and locals, parameters first."""
    info = func_info(f.machine, code)
    if info is None:
        return f.machine.unknown("function that libcst cannot parse")
    names = [p.name for p in info.func.params]
    return Tuple(tuple(Const(n) for n in (*names, *sorted(info.bound.difference(names)))))


def _signature(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``inspect.signature(fn)``: the names of the parameters, behind ``functools.wraps`` those of the wrapped function."""
    target = args.get(0, "obj") or NONE
    bound = isinstance(target, Bound)
    function = target.function if isinstance(target, Bound) else target
    wrapped = _unwrapped(f, function)
    info = func_info(f.machine, wrapped.code) if isinstance(wrapped, Function) else None
    if info is None:
        return f.machine.unknown("signature of what is no function of the project")
    names = [p.name for p in info.func.params][1 if bound else 0:]
    parameters = allocate(f, st, Mapping("dict", tuple((Const(n), PARAMETER) for n in names), BOTTOM))
    return allocate(f, st, Instance("inspect.Signature", {"parameters": parameters}))


def _unwrapped(f: Frame, function: Value) -> Value:
    """What ``functools.wraps`` says that a wrapper stands for: the function that it captured under the decorator's argument."""
    for _level in range(8):
        name = _wrapped_name(f, function.code) if isinstance(function, Function) else ""
        inner = dict(function.captured).get(name) if isinstance(function, Function) else None
        if inner is None:
            break
        function = inner
    return function


def _wrapped_name(f: Frame, code: Code) -> str:
    """The name in ``@functools.wraps(name)`` above a nested function, "" where there is none."""
    for text, decorator in zip(code.decorators, code.inline[1].decorators, strict=True) if code.inline is not None else ():
        if decorator_name(f.machine, code.source, text) == "functools.wraps" and isinstance(decorator, ir.Call):
            return next((a.value.id for a in decorator.args if isinstance(a.value, ir.Name)), "")
    return ""


HANDLERS: dict[str, Handler] = {"inspect.signature": _signature}
