"""Functions of libraries that do more than a row can say: hooks, loggers, swapped parameters, what lists the names of an object."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind, Facet
from fxlint.interp import builtin_calls, calls, hooks, modules
from fxlint.interp.arguments import Arguments
from fxlint.interp.builtin_calls import Handler
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import ModuleObject, State
from fxlint.interp.store import first_proxy, load
from fxlint.values.values import NONE, Lib, Origin, Proxy, Ref, Static, Tuple, Value

# Functions that register a forward pre-hook on the module that they are given, and give it back.
PRE_HOOKS = tuple(f"torch.nn.utils.{name}" for name in (
    "spectral_norm", "weight_norm", "prune.l1_unstructured", "prune.random_unstructured", "prune.ln_structured", "prune.identity",
    "prune.random_structured", "prune.custom_from_mask"))


def _listed(result: str) -> Handler:
    """``dir(x)``, ``vars(x)``: of a Proxy they list what the class Proxy has, not what the value has."""
    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        held = builtin_calls.proxy_among(args.get(0, "object") or NONE)
        if held is not None:
            f.emit(st, EventKind.SPECIALISED_TYPE, "hasattr", c.at, value=held, subject=c.site(0))
        return Static(result, c.name)

    return handler


def _proxy_class(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``type(x)(...)``: makes a Proxy of what is no node."""
    f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, subject=c.func_at, callee="torch.fx.Proxy",
           detail="AttributeError: object has no attribute 'graph'")
    return Proxy(Facet.UNKNOWN, Origin(f.body, c.at, ""))


def _pre_hooked(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``spectral_norm(module)``, ``prune.l1_unstructured(module)``: gives the module, which now computes its weight in a pre-hook."""
    module = args.get(0, "module") or NONE
    obj = load(f, st, module) if isinstance(module, Ref) else None
    if isinstance(module, Ref) and isinstance(obj, ModuleObject):
        fields = modules.force(f, st, module)
        hook = hooks.entry(f, "before", Static("function", c.name), c.at)
        st.store[module.id] = replace(modules.load_module(f, st, module), fields=hooks.added(fields, hook))
    return module


def _logger(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return Lib("logging.Logger")


def _functional_call(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """Swaps the parameters of a module for the time of a call; a Proxy is no tensor to swap in."""
    held = first_proxy(f, st, args.get(1, "parameter_and_buffer_dicts") or NONE)
    if held is not None:
        f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, value=held, subject=c.func_at, callee=c.name,
               detail="TypeError: Proxy(...) is not an instance of torch.Tensor")
    given = args.get(2, "args") or Tuple(())
    items = given.items if isinstance(given, Tuple) else (given,)
    return calls.call(f, st, c.at, args.get(0, "module") or NONE, Arguments(items))


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(PRE_HOOKS, _pre_hooked), "logging.getLogger": _logger, "torch.func.functional_call": _functional_call,
    "builtins.vars": _listed("dict"), "builtins.dir": _listed("list"), "torch.fx.Proxy": _proxy_class,
}
