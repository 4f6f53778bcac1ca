"""Calls of library functions: special ones by their handler, all others by their row in the tables."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind, Facet
from fxlint.interp import (
    argtypes,
    autowrap,
    buffers,
    builtin_calls,
    calls,
    concrete,
    dataclass_calls,
    dynamic_imports,
    foreign,
    introspection,
    iterators,
    mixins,
    modules,
    native,
    python_calls,
    special_calls,
    trace_calls,
    uncalled,
)
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.operators import attribute, derived
from fxlint.interp.state import ModuleObject, Sequence, State
from fxlint.interp.store import allocate, first_proxy, load, may_hold_proxy
from fxlint.library import lookup as library
from fxlint.library.rows import ArgShape, Behaviour, Row
from fxlint.library.torch_rows import TRANSFORMS
from fxlint.values.join import alternatives
from fxlint.values.values import (
    FALSE,
    NONE,
    Bound,
    Const,
    Function,
    Lib,
    NativeMethod,
    Origin,
    Proxy,
    Ref,
    Static,
    Tensor,
    Unknown,
    Value,
)

# Guards that symbolic tracing decides in one way: what they return while a Tracer runs.
GUARDS: dict[str, bool] = {
    "torch.jit.is_scripting": False, "torch.jit.is_tracing": False, "torch.onnx.is_in_onnx_export": False,
    "torch._C._get_tracing_state": False, "torch.compiler.is_compiling": False, "torch.compiler.is_dynamo_compiling": False,
    "torch.fx._symbolic_trace.is_fx_tracing": True, "torch._dynamo.is_compiling": False, "torch.compiler.is_exporting": False,
    "torch.jit._script.is_scripting": False, "torch._jit_internal.is_scripting": False, "torch.utils._triton.has_triton": False,
    "torch.fx._symbolic_trace.is_fx_symbolic_tracing": True,
}


def call_library(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """Call the library function ``c.name``."""
    name = c.name
    tables = (
        builtin_calls.HANDLERS, python_calls.HANDLERS, special_calls.HANDLERS, trace_calls.HANDLERS, dynamic_imports.HANDLERS,
        introspection.HANDLERS, dataclass_calls.HANDLERS, iterators.HANDLERS,
    )
    handler = next((table[name] for table in tables if name in table), None)
    if handler is not None:
        return handler(f, st, c, args)
    if name in foreign.MAKERS:
        return foreign.made(f, st, c, args)
    if name in TRANSFORMS:
        return foreign.transformed(name)
    if name.startswith(foreign.EINOPS_LAYERS):
        return allocate(f, st, ModuleObject(name, args, {}))
    if name in GUARDS:
        return Const(GUARDS[name] and f.tracing) if GUARDS[name] else FALSE
    row = library.function(name)
    if row is not None:
        return by_row(f, st, c, row, args)
    if library.module_class(name) is not None:
        return modules.construct(f, st, c.at, name, args)
    owner, _, method = name.rpartition(".")
    if owner in ("torch.Tensor", "torch._C.TensorBase") and args.positional:
        if isinstance(args.positional[0], Proxy) and library.method_signatures(method):
            detail = f"TypeError: descriptor '{method}' for 'torch._C.TensorBase' objects doesn't apply to a 'Proxy' object"
            f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, value=args.positional[0], subject=c.func_at, callee=name, detail=detail)
        return native.call_method(f, st, CallSite(c.at, c.func_at, c.sites[1:], method), args.positional[0], method,
                                  Arguments(args.positional[1:], args.keywords, args.rest, args.extra))
    if args.positional and library.module_class(owner) is not None:
        return unbound(f, st, c, args.positional[0], Arguments(args.positional[1:], args.keywords, args.rest, args.extra))
    if owner.startswith("builtins.") and args.positional:
        return native.call_method(f, st, CallSite(c.at, c.func_at, c.sites[1:], method), args.positional[0], method,
                                  Arguments(args.positional[1:], args.keywords, args.rest, args.extra))
    return outside(f, st, c, args)


def patched(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """A function that the tracer wraps by itself: with a Proxy it is recorded, whatever it would do with one."""
    held = first_proxy(f, st, *args.all())
    row = library.function(c.name)
    if held is None or row is None:
        return call_library(f, st, c, args)
    f.machine.calls += 1
    argtypes.check(f, st, c.at, tuple(args.all()), c.name, c.sites)
    return result(f, c, row, held)


def outside(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """A function of which the tables know nothing."""
    held = first_proxy(f, st, *args.all())
    if held is not None:
        f.machine.calls += 1
        f.machine.unresolved += 1
        f.machine.unknowns[f"call: {c.name} is not in the tables"] += 1
        return Proxy(Facet.UNKNOWN, Origin(f.body, c.at, "", held.origin), assumed=c.name)
    if name_is_exception(c.name):
        return Static("exception", "an exception")
    return Unknown(f"result of {c.name}", any(may_hold_proxy(f, st, v) for v in args.all()))


def name_is_exception(name: str) -> bool:
    """Whether a builtin name is that of an exception class."""
    return name.startswith("builtins.") and name.endswith(("Error", "Exception", "Warning", "Exit", "Iteration", "Interrupt"))


def shape_of(f: Frame, st: State, value: Value) -> ArgShape:
    """What torch's argument parser sees of one argument."""
    if any(isinstance(v, Proxy) for v in alternatives(value)):
        return ArgShape.PROXY
    return ArgShape.HOLDS_PROXY if first_proxy(f, st, value) is not None else ArgShape.PLAIN


def by_row(f: Frame, st: State, c: CallSite, row: Row, args: Arguments) -> Value:
    """Call a function that the tables describe."""
    if any(isinstance(v, NativeMethod) and isinstance(v.receiver, Proxy) for v in args.positional):
        # A method of a Proxy that is handed on without a call is a Proxy to whoever gets it.
        for i, value in enumerate(args.positional):
            uncalled.used(f, st, c.site(i), value)
        args = replace(args, positional=tuple(attribute(f, c.at, v) for v in args.positional))
    held = first_proxy(f, st, *args.all())
    if held is not None:
        f.machine.calls += 1
        raw = autowrap.breaks_on(f, c.name) if any(isinstance(v, Proxy) for a in args.positional for v in alternatives(a)) else ""
        if raw:
            f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, value=held, subject=c.func_at, callee=c.name, detail=raw)
            return derived(f, c.at, row.facet, held)
    match row.behaviour(f.machine.torch_version):
        case Behaviour.DISPATCHES | Behaviour.FACTORY | Behaviour.RECORDS | Behaviour.PROTOCOL:
            if held is None:
                return concrete.run(f, st, c, row, args)
            if row.on_proxy is Behaviour.PROTOCOL and row.error:
                f.emit(st, EventKind.FOREIGN_CALL, _library(c.name), c.at, value=held, subject=c.func_at, callee=c.name, detail=row.error)
            return recorded(f, st, c, row, args, held)
        case Behaviour.BREAKS:
            if held is None:
                return concrete.run(f, st, c, row, args)
            f.emit(st, EventKind.FOREIGN_CALL, _library(c.name), c.at, value=held, subject=c.func_at, callee=c.name, detail=row.error)
            taken = concrete.taken_out(f, st, c, args, held)
            return taken if taken is not None else derived(f, c.at, row.facet, held)
        case Behaviour.STATIC:
            if held is not None and c.name in ("torch.is_tensor", "torch.jit.isinstance", "torch.is_storage"):
                f.emit(st, EventKind.SPECIALISED_TYPE, "is-tensor", c.at, value=held, subject=c.at, callee=c.name)
                return FALSE
            if held is not None and c.name == "torch.iinfo":
                f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, value=held, subject=c.func_at, callee=c.name)
            if row.random:
                concrete.drawn(f, st, c.at, c.name)
            if c.name == "torch.is_tensor" and len(args.positional) == 1:
                return concrete.is_tensor(args.positional[0])
            return Static(concrete.TYPES.get(row.facet, ""), c.name)
        case Behaviour.CONTEXT:
            _refuses(f, st, c, row, args.get(0, "device_type"))
            return Static("context", c.name)
        case Behaviour.EFFECT:
            _refuses(f, st, c, row, args.get(0, "seed"))
            f.emit(st, EventKind.EFFECT_ONCE, _effect(c.name), c.at, value=held, callee=c.name)
            return NONE
        case Behaviour.THROUGH:
            return _through(f, st, c, row, args)


def _refuses(f: Frame, st: State, c: CallSite, row: Row, argument: Value | None) -> None:
    """A context manager or an effect whose first argument must not be a Proxy."""
    if row.error and isinstance(argument, Proxy):
        f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, value=argument, subject=c.func_at, callee=c.name, detail=row.error)


def _library(name: str) -> str:
    first = name.split(".", 1)[0]
    return {"numpy": "numpy", "einops": "einops", "torch": "c-function"}.get(first, "c-function")


def _effect(name: str) -> str:
    if name == "builtins.print":
        return "print"
    return "warn" if name.startswith("warnings.") else "log"


def recorded(f: Frame, st: State, c: CallSite, row: Row, args: Arguments, held: Proxy) -> Value:
    """A call with a Proxy: recorded, unless torch's argument parser refuses it."""
    positional = tuple(shape_of(f, st, v) for v in args.positional)
    keywords = {n: shape_of(f, st, v) for n, v in args.keywords}
    error = library.call_breaks(c.name, positional, keywords, f.machine.minor_version)
    if error and args.rest is None and args.extra is None:
        kind = EventKind.FACTORY_SIZE if row.on_proxy is Behaviour.FACTORY else EventKind.FOREIGN_CALL
        made = "factory" if kind is EventKind.FACTORY_SIZE else "c-function"
        f.emit(st, kind, made, c.at, value=held, subject=c.func_at, callee=c.name, detail=error)
    argtypes.check(f, st, c.at, tuple(args.all()), c.name, c.sites)
    target = args.keyword("out") or (args.positional[0] if row.in_place and args.positional else NONE)
    for one in alternatives(target):
        if isinstance(one, Tensor):
            buffers.written(f, st, c.at, one, c.at, held, construct="out", callee=c.name)
    facet, length = library.function_result(c.name, positional, keywords)
    return result(f, c, replace(row, facet=facet, returns_tuple=length) if row.facet is Facet.UNKNOWN else row, held)


def result(f: Frame, c: CallSite, row: Row, held: Proxy) -> Value:
    """The Proxy of a recorded call."""
    f.machine.recorded += 1
    facet = row.facet
    if c.name.startswith("math.") or (row.on_proxy is Behaviour.PROTOCOL and facet is Facet.UNKNOWN):
        facet = held.facet
    return Proxy(facet, Origin(f.body, c.at, "", held.origin), held.assumed, row.returns_tuple)


def _through(f: Frame, st: State, c: CallSite, row: Row, args: Arguments) -> Value:
    """A library function that tracing goes through: the function that it is given is called with the other arguments."""
    if c.name.startswith("torch.utils.checkpoint."):
        held = first_proxy(f, st, *args.all())
        f.emit(st, EventKind.AUTOGRAD_FUNCTION, "checkpoint", c.at, value=held, callee=c.name)
    if args.positional and isinstance(args.positional[0], (Function, Bound, Ref, Lib)):
        own = ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug")
        inner = tuple(k for k in args.keywords if k[0] not in own)
        if c.name.endswith("checkpoint_sequential"):
            return calls.call(f, st, c.at, args.positional[0], Arguments(args.positional[2:3]))
        if c.name.endswith("checkpoint"):
            return calls.call(f, st, c.at, args.positional[0], Arguments(args.positional[1:], inner, args.rest, args.extra))
    held = first_proxy(f, st, *args.all())
    return derived(f, c.at, Facet.UNKNOWN, held) if held is not None else Static("", c.name)


def unbound(f: Frame, st: State, c: CallSite, receiver: Value, args: Arguments) -> Value:
    """A method of a library class called on an instance: ``super().__init__()``, ``nn.Conv2d.forward(self, x)``."""
    owner, _, method = c.name.rpartition(".")
    of_tracer = trace_calls.METHODS.get(c.name)
    if of_tracer is not None:
        return of_tracer(f, st, c, receiver, args)
    if isinstance(receiver, Ref):
        obj = load(f, st, receiver)
        if isinstance(obj, ModuleObject):
            if method == "__init__":
                modules.init_from_library(f, st, c.at, receiver, owner, args)
                return NONE
            if method == "forward":
                return modules.library_forward(f, st, c.at, receiver, owner, args)
            if method == "__call__":
                return modules.call_module(f, st, c.at, receiver, obj, args, c.func_at)
            return native.call_method(f, st, c, receiver, method, args)
        if isinstance(obj, Sequence):
            return native.call_method(f, st, c, receiver, method, args)
    if method in ("__init__", "__init_subclass__", "__setattr__", "__post_init__"):
        return NONE
    if method == "__new__":
        return f.machine.unknown("__new__ of a library class")
    if owner in mixins.OWNERS and isinstance(receiver, Ref):
        found = mixins.method(f, st, c, receiver, method, args)
        if found is not None:
            return found
    held = first_proxy(f, st, *args.all())
    if isinstance(receiver, Proxy) or held is not None:
        return derived(f, c.at, Facet.UNKNOWN, receiver, *args.all())
    return f.machine.unknown(f"method {method} of {owner}")


def is_dropped_context(name: str) -> bool:
    """Whether a decorator of this dotted name is a context that the graph loses."""
    row = library.function(name) if name else None
    return row is not None and row.on_proxy is Behaviour.CONTEXT
