"""Methods of values whose type Python or a library implements: Proxies, tensors, containers, text, modules."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind, Facet
from fxlint.interp import (
    argtypes,
    attributes,
    buffers,
    calls,
    containers,
    foreign,
    hooks,
    library_calls,
    modules,
    spelling,
    text_methods,
    textflow,
)
from fxlint.interp.aliases import VIEW, VIEW_METHODS
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.operators import derived
from fxlint.interp.state import Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import allocate, constant_str, first_proxy, load
from fxlint.library import lookup as library
from fxlint.values.fold import ARRAY, NUMPY, is_array
from fxlint.values.join import union
from fxlint.values.values import (
    NONE,
    Class,
    Const,
    Origin,
    Proxy,
    Ref,
    Static,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
)

CONCRETE = {Facet.SIZE: "tuple", Facet.SIZE_ITEM: "int", Facet.BOOL: "bool", Facet.NUMBER: "float", Facet.TUPLE: "tuple"}


def call_method(f: Frame, st: State, c: CallSite, receiver: Value, name: str, args: Arguments) -> Value:
    """``receiver.name(...)``."""
    match receiver:
        case Proxy():
            return of_proxy(f, st, c, receiver, name, args)
        case Tensor():
            return _of_tensor(f, st, c, receiver, name, args)
        case Union(members):
            return union(call_method(f, st, c, v, name, args) for v in members)
        case Ref():
            obj = load(f, st, receiver)
            if isinstance(obj, ModuleObject):
                return _of_module(f, st, c, receiver, obj, name, args)
            if isinstance(obj, Sequence):
                return containers.sequence_method(f, st, c, receiver, obj, name, args)
            if isinstance(obj, Mapping):
                return containers.mapping_method(f, st, c, receiver, obj, name, args)
            return f.machine.unknown("method of an object of a library")
        case Tuple():
            return containers.tuple_method(f, st, c, receiver, name, args)
        case Const(value) if isinstance(value, str):
            return text_methods.text_method(f, st, c, value, name, args)
        case Class(info):
            if name == "apply":
                return _apply_function(f, st, c, receiver, args)
            return f.machine.unknown(f"method {name} of the class {info.name}")
        case Static(type=t):
            if t in foreign.KINDS:
                return foreign.call(f, st, c, receiver, args)
            if t.startswith(NUMPY):
                return _of_numpy(t, name)
            if t == "generator":
                return receiver
            if t == "str":
                return _of_text(f, st, c, receiver, name, args)
            held = first_proxy(f, st, *args.all())
            if held is not None:
                return calls.unknown_call(f, st, c.at, receiver, args, c.func_at)
            return Static("", receiver.why)
        case Unknown():
            return calls.unknown_call(f, st, c.at, receiver, args, c.func_at)
        case _:
            held = first_proxy(f, st, *args.all())
            if held is not None:
                return calls.unknown_call(f, st, c.at, receiver, args, c.func_at)
            return Static("", f"method {name}")


def _of_numpy(type_: str, name: str) -> Value:
    """A method of a numpy scalar or array."""
    if name == "item":
        return Static("float" if "float" in type_ else "int" if "int" in type_ else "")
    if name == "tolist":
        return Static("list")
    if is_array(type_):
        return Static("numpy.float64" if name in ("mean", "std", "var") else "" if name in ("sum", "max", "min", "prod") else ARRAY)
    return Static(type_ if name in ("round", "copy", "squeeze") else "numpy.int64" if name == "astype" else "")


def _of_text(f: Frame, st: State, c: CallSite, receiver: Static, name: str, args: Arguments) -> Value:
    """A method of a string that is not known: what it gives holds a Proxy's text where the string or an argument does."""
    kind = text_methods.RESULTS.get(name, "str")
    if name == "format":
        return textflow.string(f, st, c.at, receiver, *args.all()) or Static("str", "formatted text")
    if kind == "list":
        part = textflow.decided("str", receiver, *args.all())
        return Static("list") if part is None else allocate(f, st, Sequence("list", None, part))
    return textflow.decided(kind, receiver, *args.all()) or Static(kind, receiver.why)


# Methods that Proxy itself has (torch/fx/proxy.py): a call of one does what the builtin does. Any other name is recorded.
PROXY_OWN = {
    "__len__": "builtins.len", "__bool__": "builtins.bool", "__iter__": "builtins.iter", "__str__": "builtins.str",
    "__repr__": "builtins.repr",
}


def of_proxy(f: Frame, st: State, c: CallSite, proxy: Proxy, name: str, args: Arguments) -> Value:
    """A method of a Proxy: any is recorded, whether tensors have it or not."""
    if name in PROXY_OWN:
        sites = (spelling.receiver_at(f.body, c.func_at),)
        return library_calls.call_library(f, st, CallSite(c.at, c.func_at, sites, PROXY_OWN[name]), Arguments((proxy,)))
    f.machine.calls += 1
    argtypes.check(f, st, c.at, tuple(args.all()), f"Tensor.{name}", c.sites)
    if proxy.facet in (Facet.DTYPE, Facet.DEVICE, Facet.SIZE, Facet.UNKNOWN, Facet.TUPLE) and name not in ("size", "numel", "dim"):
        facet, length = _of_other_facet(proxy, name)
        return derived(f, c.at, facet, proxy, length=length)
    shapes = tuple(library_calls.shape_of(f, st, v) for v in args.positional)
    facet, length = library.method_result(name, shapes, {n: library_calls.shape_of(f, st, v) for n, v in args.keywords})
    return derived(f, c.at, facet, proxy, length=length, note=VIEW if name in VIEW_METHODS else "")


def _of_other_facet(proxy: Proxy, name: str) -> tuple[Facet, int | None]:
    if proxy.facet is Facet.SIZE and name in ("index", "count", "numel"):
        return Facet.SIZE_ITEM, None
    if proxy.facet is Facet.UNKNOWN:
        row = library.tensor_method(name)
        return (row.facet if row is not None else Facet.UNKNOWN), None
    return Facet.UNKNOWN, None


def _of_tensor(f: Frame, st: State, c: CallSite, tensor: Tensor, name: str, args: Arguments) -> Value:
    """A method of a concrete tensor: recorded where its C parser finds a Proxy, an error where it trips over one."""
    row = library.tensor_method(name)
    held = first_proxy(f, st, *args.all())
    if held is not None:
        f.machine.calls += 1
        positional = tuple(library_calls.shape_of(f, st, v) for v in args.positional)
        keywords = {n: library_calls.shape_of(f, st, v) for n, v in args.keywords}
        error = library.concrete_tensor_breaks(name, positional, keywords, f.machine.minor_version)
        if error and args.rest is None and args.extra is None:
            callee = f"torch.Tensor.{name}"
            f.emit(st, EventKind.TENSOR_ARGUMENT, "method", c.at, value=held, subject=c.func_at, callee=callee, detail=error)
        elif row is not None and row.in_place:
            buffers.written(f, st, c.at, tensor, c.func_at, *args.all(), construct="method", callee=f"torch.Tensor.{name}")
        return derived(f, c.at, row.facet if row is not None else Facet.UNKNOWN, held)
    if row is not None and row.in_place:
        buffers.written(f, st, c.at, tensor, c.func_at, construct="method", callee=f"torch.Tensor.{name}")
        return tensor
    if row is not None and row.random:
        f.emit(st, EventKind.RANDOM, "torch", c.at, callee=f"torch.Tensor.{name}")
    if row is not None and row.facet in CONCRETE:
        if name == "size" and not args.positional:
            return Static("tuple", "size of a concrete tensor")
        return Static("int" if name == "size" else CONCRETE[row.facet], "a concrete tensor")
    if name in VIEW_METHODS and tensor.kind == "buffer":
        return tensor
    return buffers.computed(f, st, c.at, tensor) if f.tracing else Tensor("made" if tensor.kind != "plain" else "plain", tensor.origin)


def _apply_function(f: Frame, st: State, c: CallSite, receiver: Class, args: Arguments) -> Value:
    """``Function.apply``: traced through, and the backward is lost."""
    held = first_proxy(f, st, *args.all())
    if held is None:
        return Tensor("made", Origin(f.body, c.at, ""))
    f.emit(st, EventKind.AUTOGRAD_FUNCTION, "apply", c.at, value=held, subject=c.func_at, callee=receiver.info.name)
    forward = attributes.get_attribute(f, st, c.at, receiver, "forward", c.func_at)
    context = Static("", "the context of an autograd function")
    return calls.call(f, st, c.at, forward, args.before(context))


def _of_module(f: Frame, st: State, c: CallSite, ref: Ref, obj: ModuleObject, name: str, args: Arguments) -> Value:
    """The methods that every nn.Module has."""
    match name:
        case "register_buffer" | "register_parameter":
            key = constant_str(args.get(0, "name") or NONE)
            value = args.get(1, "tensor" if name == "register_buffer" else "param") or NONE
            if key is not None:
                kind = "buffer" if name == "register_buffer" else "parameter"
                if f.tracing and kind == "buffer" and ref.id not in f.machine.constructing:
                    refused = isinstance(value, Proxy) and f.machine.torch_version < (2, 13)
                    f.emit(st, EventKind.STATE_WRITE, "buffer", c.at, subject=c.func_at, detail=key,
                           callee=modules.BUFFER_REFUSED if refused else "")
                registered = Tensor(kind) if isinstance(value, (Tensor, Unknown, Static)) else value
                modules.set_module_field(f, st, c.at, ref, obj, key, registered, c.at)
            return NONE
        case "add_module" | "register_module":
            key = constant_str(args.get(0, "name") or NONE)
            modules.set_module_field(f, st, c.at, ref, obj, key if key is not None else "*", args.get(1, "module") or NONE, c.at)
            return NONE
        case "register_forward_hook" | "register_forward_pre_hook":
            fields = modules.force(f, st, ref)
            st.store[ref.id] = replace(modules.load_module(f, st, ref), fields=hooks.registered(f, c, fields, args))
            return Static("handle")
        case "train" | "eval" | "to" | "cuda" | "cpu" | "double" | "float" | "half" | "apply" | "requires_grad_" | "type" | "share_memory":
            return ref
        case "__call__":
            return modules.call_module(f, st, c.at, ref, obj, args, c.func_at)
        case "parameters" | "buffers":
            kind = "parameter" if name == "parameters" else "buffer"
            return allocate(f, st, Sequence("generator", None, Tensor(kind)))
        case "children" | "modules":
            held = union(v for v in modules.force(f, st, ref).values() if isinstance(v, Ref))
            return allocate(f, st, Sequence("generator", None, held))
        case "named_children" | "named_modules":
            pairs = tuple(Tuple((Const(n), v)) for n, v in modules.force(f, st, ref).items() if isinstance(v, Ref))
            return allocate(f, st, Sequence("generator", pairs)) if name == "named_children" else allocate(
                f, st, Sequence("generator", None, union(pairs)))
        case "named_parameters" | "named_buffers":
            return allocate(f, st, Sequence("generator", None, Tuple((Static("str"), Tensor("parameter")))))
        case _:
            held_proxy = first_proxy(f, st, *args.all())
            if held_proxy is not None:
                return calls.unknown_call(f, st, c.at, f.machine.unknown(f"method {name} of nn.Module"), args, c.func_at)
            inner = modules.force(f, st, ref).get(modules.ITEMS)
            if isinstance(inner, Ref):
                return call_method(f, st, c, inner, name, args)
            return Static("", f"method {name} of nn.Module")
