"""Calls that trace, as ordinary code makes them: symbolic_trace, a Tracer and its methods, torchvision's and quantisation's front ends.

Outside any trace such a call is noted as a site; its result is a module, or a graph, of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from fxlint.base.event import Event, EventKind
from fxlint.interp import attributes, autowrap, classes, leafrule, python_calls
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.convert import site_of, text_of
from fxlint.interp.machine import Frame
from fxlint.interp.sharing import reachable
from fxlint.interp.state import Instance, Mapping, Sequence, State
from fxlint.interp.store import allocate, constant_str, load, truth
from fxlint.interp.tracing import LeafRule, TraceSite, Tracing
from fxlint.syntax import ir
from fxlint.values.join import Truth, alternatives
from fxlint.values.values import (
    BOTTOM,
    FALSE,
    NONE,
    TRUE,
    Bound,
    Class,
    ClassInfo,
    Code,
    Const,
    Function,
    Lib,
    Partial,
    Proxy,
    Ref,
    Static,
    Tuple,
    Value,
)

TRACER = "torch.fx.Tracer"
GRAPH_MODULE = "torch.fx.GraphModule"
# The parameters of Tracer.__init__, in order. Source: torch 2.13.
INIT = ("autowrap_modules", "autowrap_functions", "param_shapes_constant")
HOOKS = {
    "to_bool": EventKind.PROXY_TRUTH, "iter": EventKind.PROXY_ITER, "create_arg": EventKind.NO_ARGUMENT_TYPE,
    "path_of_module": EventKind.MODULE_UNREGISTERED,
}
"""Hooks of a Tracer, and the event that one which answers prevents."""

Handler: TypeAlias = Callable[[Frame, State, CallSite, Arguments], Value]
Method: TypeAlias = Callable[[Frame, State, CallSite, Value, Arguments], Value]


def make_tracer(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``torch.fx.Tracer(...)``."""
    return allocate(f, st, Instance(TRACER, _init_fields(args)))


def is_tracer(cls: ClassInfo | str) -> bool:
    """Whether instances are Tracers."""
    return cls == TRACER or (isinstance(cls, ClassInfo) and TRACER in cls.mro)


def set_init(f: Frame, st: State, ref: Ref, args: Arguments) -> None:
    """``Tracer.__init__`` of an instance."""
    obj = load(f, st, ref)
    if isinstance(obj, Instance):
        st.store[ref.id] = replace(obj, fields={**_init_fields(args), **obj.fields})


def _init_fields(args: Arguments) -> dict[str, Value]:
    given = ((name, args.get(i, name)) for i, name in enumerate(INIT))
    return {name: value for name, value in given if value is not None}


def symbolic_trace(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``torch.fx.symbolic_trace(root, concrete_args=None)``."""
    return _traced(f, st, c, args.get(0, "root"), with_concrete(f, st, Tracing(), args.get(1, "concrete_args")))


def _traced(f: Frame, st: State, c: CallSite, root: Value | None, tracing: Tracing) -> Value:
    _note(f, st, c, root, tracing)
    return allocate(f, st, Instance(GRAPH_MODULE))


def _note(f: Frame, st: State, c: CallSite, root: Value | None, tracing: Tracing) -> None:
    """Keep a site. Calls that lead here are not taken from earlier ones that were alike."""
    for frame in f.machine.active:
        frame.impure = True
    sites = f.machine.sites
    if sites is None or f.tracing or root is None:
        return
    given = (*(v for _, v in tracing.concrete), *((tracing.tracer,) if tracing.tracer is not None else ()))
    f.machine.global_store.update(reachable(f, st, given))
    for one in alternatives(root):
        sites.found.append(TraceSite(identity(f, st, one), tracing))
        kind = not_a_function(one)
        if kind:
            sites.events.append(event_of(f, c.site(0), kind))


def identity(f: Frame, st: State, root: Value) -> Value:
    """What a site is about, without the store: a module object is known by its class."""
    if isinstance(root, Ref):
        cls = getattr(load(f, st, root), "cls", None)
        return Class(cls) if isinstance(cls, ClassInfo) else Lib(cls) if isinstance(cls, str) else root
    return root


def not_a_function(root: Value) -> str:
    """The type that the tracer names where a root is callable but neither a module nor a plain function; "" where it is one."""
    match root:
        case Partial():
            return "functools.partial"
        case Bound(function=Function()):
            return "method"
        case _:
            return ""


def event_of(f: Frame, at: ir.At, kind: str) -> Event:
    """The event of a root, written at node ``at``, that is no function."""
    return Event(
        EventKind.TRACE_SITE, "not-a-function", site_of(f.body, at), subject=text_of(f.body, at), owner=f.code.qualname,
        detail=f"AssertionError: Expected FunctionType, got <class '{kind}'>")


def tracer_trace(f: Frame, st: State, c: CallSite, receiver: Value, args: Arguments) -> Value:
    """``tracer.trace(root, concrete_args=None)``; ``tracer.root`` is the root afterwards."""
    root = args.get(0, "root")
    if isinstance(receiver, Ref):
        obj = load(f, st, receiver)
        if isinstance(obj, Instance) and is_tracer(obj.cls):
            _note(f, st, c, root, with_concrete(f, st, tracing_of(f, st, receiver, obj), args.get(1, "concrete_args")))
            if root is not None:
                st.store[receiver.id] = replace(obj, fields={**obj.fields, "root": root})
    return f.machine.unknown("a traced graph")


def tracing_of(f: Frame, st: State, ref: Ref, obj: Instance) -> Tracing:
    """How an instance of a Tracer traces, by its class and its fields."""
    plain = Tracing()
    flags = {n: truth(f, st, _field(f, st, ref, n)) is Truth.TRUE for n in ("proxy_buffer_attributes", "param_shapes_constant")}
    given = obj.fields.get("autowrap_modules")
    wrapped = plain.modules if given is None else frozenset(
        key for v in _items(f, st, given) if (key := autowrap.module_key(v)) is not None)
    out = replace(
        plain, modules=wrapped, functions=_functions(_items(f, st, obj.fields.get("autowrap_functions", NONE))),
        buffers=flags["proxy_buffer_attributes"], shapes_constant=flags["param_shapes_constant"])
    if not isinstance(obj.cls, ClassInfo):
        return out
    own = any(isinstance(classes.find(obj.cls, n), tuple) for n in ("is_leaf_module", "call_module"))
    prevented = frozenset(kind for name, kind in HOOKS.items() if leafrule.overridden_answers(f, st, ref, name, Proxy()))
    return replace(out, tracer=ref, rule=LeafRule.METHOD if own else LeafRule.DEFAULT, prevented=prevented)


def _field(f: Frame, st: State, ref: Ref, name: str) -> Value:
    obj = load(f, st, ref)
    assert isinstance(obj, Instance)
    if name in obj.fields or (isinstance(obj.cls, ClassInfo) and isinstance(classes.find(obj.cls, name), tuple)):
        return attributes.get_attribute(f, st, 0, ref, name, 0)
    return FALSE


def _items(f: Frame, st: State, value: Value) -> tuple[Value, ...]:
    if isinstance(value, Tuple):
        return value.items
    obj = load(f, st, value) if isinstance(value, Ref) else None
    return obj.items if isinstance(obj, Sequence) and obj.items is not None else ()


def _functions(values: tuple[Value, ...]) -> frozenset[Code | ClassInfo | str]:
    out: set[Code | ClassInfo | str] = set()
    for value in values:
        match value:
            case Function(code):
                out.add(code)
            case Class(info):
                out.add(info)
            case Lib(dotted):
                out.add(dotted)
            case _:
                continue
    return frozenset(out)


def with_concrete(f: Frame, st: State, tracing: Tracing, given: Value | None) -> Tracing:
    """The same trace with ``concrete_args``: a dict by name, or a tuple by position."""
    if given is None or given == NONE:
        return tracing
    if isinstance(given, Tuple):
        return replace(tracing, concrete=tuple((str(i), v) for i, v in enumerate(given.items)))
    obj = load(f, st, given) if isinstance(given, Ref) else None
    if not isinstance(obj, Mapping):
        return replace(tracing, concrete_open=True)
    named = tuple((name, v) for k, v in obj.entries if (name := constant_str(k)) is not None)
    return replace(tracing, concrete=named, concrete_open=not obj.complete)


def _feature_extractor(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """Torchvision's ``create_feature_extractor(model, ..., tracer_kwargs)``: layers of torchvision.ops are leaves too."""
    given = args.keyword("tracer_kwargs")
    obj = load(f, st, given) if isinstance(given, Ref) else None
    tracing = with_concrete(f, st, Tracing(), args.keyword("concrete_args"))
    if isinstance(obj, Mapping):
        leaves = obj.get(Const("leaf_modules"))
        named = _functions(_items(f, st, leaves)) if leaves is not None else frozenset()
        wrapped = _functions(_items(f, st, obj.get(Const("autowrap_functions")) or NONE))
        tracing = replace(tracing, leaves=frozenset(v for v in named if not isinstance(v, Code)), functions=wrapped)
    elif given is not None:
        tracing = replace(tracing, rule=LeafRule.UNKNOWN)
    return _traced(f, st, c, args.get(0, "model"), tracing)


def _prepare(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``prepare_fx`` and its like: what their configuration says of leaves is not read."""
    custom = args.get(3, "prepare_custom_config")
    rule = LeafRule.DEFAULT if custom is None or custom == NONE else LeafRule.UNKNOWN
    return _traced(f, st, c, args.get(0, "model"), replace(Tracing(), rule=rule))


def _is_leaf_module(f: Frame, st: State, c: CallSite, receiver: Value, args: Arguments) -> Value:
    given = args.get(0, "m")
    cls = python_calls.object_kind(f, st, given) if given is not None else None
    if cls is None:
        return Static("bool", "leaf rule of torch")
    return TRUE if leafrule.default_leaf(f, cls) else FALSE


def _init(f: Frame, st: State, c: CallSite, receiver: Value, args: Arguments) -> Value:
    if isinstance(receiver, Ref):
        set_init(f, st, receiver, args)
    return NONE


def _call_module(f: Frame, st: State, c: CallSite, receiver: Value, args: Arguments) -> Value:
    return leafrule.BY_RULE


def _forward(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return leafrule.THROUGH


def _proxy(f: Frame, st: State, c: CallSite, receiver: Value, args: Arguments) -> Value:
    return Proxy()


def _raises(f: Frame, st: State, c: CallSite, receiver: Value, args: Arguments) -> Value:
    return BOTTOM


METHODS: dict[str, Method] = {
    f"{TRACER}.__init__": _init, f"{TRACER}.trace": tracer_trace, f"{TRACER}.is_leaf_module": _is_leaf_module,
    leafrule.CALL_MODULE: _call_module, f"{TRACER}.create_proxy": _proxy, f"{TRACER}.proxy": _proxy, f"{TRACER}.to_bool": _raises,
    f"{TRACER}.iter": _raises,
}
"""Methods of a Tracer as ``super()`` or an instance reaches them; the receiver is given apart."""


def unbound(method: Method) -> Handler:
    """The same method called on the class, with the receiver as the first argument."""
    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        if not args.positional:
            return f.machine.unknown("method of a Tracer without a receiver")
        return method(f, st, c, args.positional[0], Arguments(args.positional[1:], args.keywords, args.rest, args.extra))

    return handler


HANDLERS: dict[str, Handler] = {
    "torch.fx.symbolic_trace": symbolic_trace, TRACER: make_tracer, leafrule.FORWARD: _forward,
    "torchvision.models.feature_extraction.create_feature_extractor": _feature_extractor,
    **{f"{package}.quantize_fx.{name}": _prepare for package in ("torch.ao.quantization", "torch.quantization")
       for name in ("prepare_fx", "prepare_qat_fx")},
    **{name: unbound(method) for name, method in METHODS.items()},
}
