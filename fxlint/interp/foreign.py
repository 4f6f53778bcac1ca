"""Callables that tracing does not go into and that take no Proxy: scripted and compiled functions, transforms of functions, einops layers.

Such a callable is the method ``__call__`` of a Static whose type says what it is and whose ``why`` names it.
"""

from __future__ import annotations

from fxlint.base.event import EventKind, Facet
from fxlint.interp import spelling
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.operators import derived
from fxlint.interp.state import ModuleObject, State
from fxlint.interp.store import allocate, first_proxy, load
from fxlint.library.torch_rows import TRANSFORMS
from fxlint.syntax import ir
from fxlint.values.values import Bound, ClassInfo, Function, Lib, NativeMethod, Origin, Ref, Static, Tensor, Unknown, Value

COMPILED = "RuntimeError: Detected that you are using FX to symbolically trace a dynamo-optimized function"
KINDS = {"scripted": "scripted", "compiled": "compiled", "transform": "c-function"}
COMPILED_MODULE = "torch._dynamo.OptimizedModule"
SCRIPTED_MODULE = "torch.jit.ScriptModule"
EINOPS_LAYERS = "einops.layers.torch."
EINOPS_ERROR = "KeyError: Proxy(getattr_1)"
MAKERS = frozenset({"torch.jit.script", "torch.compile", "torch._dynamo.optimize"})


def made(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``torch.jit.script(fn)``, ``torch.compile(fn)``: of a module a module, of a function a callable; without one, the decorator."""
    compiled = c.name != "torch.jit.script"
    target = args.get(0, "model" if compiled else "obj")
    match target:
        case None:
            return Lib(c.name)
        case Function() | Bound():
            function = target if isinstance(target, Function) else target.function
            name = function.code.name if isinstance(function, Function) else "the function"
            return _callable("compiled" if compiled else "scripted", name)
        case Ref():
            obj = load(f, st, target)
            if isinstance(obj, ModuleObject):
                return allocate(f, st, ModuleObject(COMPILED_MODULE if compiled else SCRIPTED_MODULE, Arguments((target,)), {}))
            return target
        case _:
            return target


def transformed(name: str) -> Value:
    """``torch.func.vmap(fn)`` and the like: a function of tensors."""
    return _callable("transform", name)


def _callable(kind: str, name: str) -> NativeMethod:
    return NativeMethod(Static(kind, name), "__call__")


def call(f: Frame, st: State, c: CallSite, receiver: Static, args: Arguments) -> Value:
    """Call such a function."""
    held = first_proxy(f, st, *args.all())
    if held is None:
        if any(isinstance(v, Unknown) and v.may_be_proxy for v in args.all()):
            return Unknown(f"result of {receiver.why}", True)
        return Tensor("made", Origin(f.body, c.at, "")) if any(isinstance(v, Tensor) for v in args.all()) else Static("", receiver.why)
    detail = TRANSFORMS.get(receiver.why, "") if receiver.type == "transform" else COMPILED if receiver.type == "compiled" else ""
    f.emit(st, EventKind.FOREIGN_CALL, KINDS[receiver.type], c.at, value=held, subject=c.func_at, callee=receiver.why, detail=detail)
    return derived(f, c.at, Facet.UNKNOWN, held)


def call_module(f: Frame, st: State, at: ir.At, cls: ClassInfo | str, args: Arguments, func_at: ir.At) -> Value | None:
    """Call an instance of a library class whose code does not take Proxies; None for any other class."""
    if isinstance(cls, ClassInfo) or (cls != COMPILED_MODULE and not cls.startswith(EINOPS_LAYERS)):
        return None
    held = first_proxy(f, st, *args.all())
    if held is None:
        return Tensor("made", Origin(f.body, at, ""))
    compiled = cls == COMPILED_MODULE
    f.emit(st, EventKind.FOREIGN_CALL, "compiled" if compiled else "einops", at, value=held, subject=func_at,
           callee=spelling.text_at(f.body, func_at) if compiled else cls, detail=COMPILED if compiled else EINOPS_ERROR)
    return derived(f, at, Facet.TENSOR, held)
