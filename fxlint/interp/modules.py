"""nn.Modules: construction, the fields that ``__init__`` sets, attribute look-up, and calls as the tracer sees them."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind, Facet
from fxlint.interp import (
    activation,
    argtypes,
    attributes,
    autowrap,
    branches,
    calls,
    classes,
    configuration,
    foreign,
    hooks,
    iteration,
    layers,
    leafrule,
    owned,
)
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame, Template
from fxlint.interp.operators import derived
from fxlint.interp.sharing import freeze_arguments, reachable, relocate
from fxlint.interp.state import Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import allocate, first_proxy, load, register
from fxlint.library import lookup as library
from fxlint.library.modules import SPREADS
from fxlint.syntax import ir
from fxlint.values.join import union
from fxlint.values.values import (
    BOTTOM,
    NONE,
    Bottom,
    Bound,
    Class,
    ClassInfo,
    Const,
    Function,
    Lib,
    NativeMethod,
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

CONTAINERS = {
    "torch.nn.Sequential": "Sequential", "torch.nn.ModuleList": "ModuleList", "torch.nn.ModuleDict": "ModuleDict",
    "torch.nn.ParameterList": "ParameterList", "torch.nn.ParameterDict": "ParameterDict",
}
BUFFER_REFUSED = "TypeError: cannot assign 'torch.fx.proxy.Proxy' as buffer"
# The items of a subclass of a container are kept under this name, which no Python attribute can have.
ITEMS = ""
MODULE_METHODS = frozenset(
    "parameters named_parameters children named_children modules named_modules buffers named_buffers state_dict train eval apply to "
    "cuda cpu double float half type register_buffer register_parameter add_module register_module register_forward_hook "
    "register_forward_pre_hook requires_grad_ zero_grad get_submodule get_parameter get_buffer load_state_dict extra_repr append extend "
    "insert keys values items pop update copy register_full_backward_hook forward __call__ _get_name share_memory".split())


def class_of(f: Frame, st: State, value: Value | None) -> ClassInfo | None:
    """The project class of an instance, or the class itself."""
    match value:
        case Class(info):
            return info
        case Ref():
            cls = getattr(load(f, st, value), "cls", None)
            return cls if isinstance(cls, ClassInfo) else None
        case _:
            return None


def construct(f: Frame, st: State, at: ir.At, cls: ClassInfo | str, args: Arguments) -> Value:
    """An instance of a module class; ``__init__`` of a project class runs when the instance is first looked into."""
    if isinstance(cls, ClassInfo):
        made = allocate(f, st, ModuleObject(cls, args, None))
        if f.machine.building and not f.machine.constructing:
            configuration.check(f, st, cls, args, made)
        return made
    kind = CONTAINERS.get(cls)
    if kind is not None:
        return container(f, st, at, kind, args)
    layers.asked(f, st, at, cls, args)
    return allocate(f, st, ModuleObject(cls, args, layers.fields(f, st, cls, args)))


def container(f: Frame, st: State, at: ir.At, kind: str, args: Arguments) -> Ref:
    """Sequential, ModuleList and the like, made of their constructor's arguments."""
    if kind.endswith("Dict"):
        given = args.get(0, "modules")
        obj = load(f, st, given) if isinstance(given, Ref) else None
        if isinstance(obj, Mapping):
            for _, value in obj.entries:
                register(f, st, value)
            register(f, st, obj.rest)
            held = tuple((k, owned.own(st, v)) for k, v in obj.entries)
            return allocate(f, st, replace(obj, kind=kind, entries=held, rest=owned.own(st, obj.rest)))
        return allocate(f, st, Mapping(kind, (), BOTTOM, given is None))
    if kind == "Sequential":
        only = args.positional[0] if len(args.positional) == 1 else None
        ordered = load(f, st, only) if isinstance(only, Ref) else None
        if isinstance(ordered, Mapping) and ordered.kind == "dict":
            items: tuple[Value, ...] | Value = tuple(v for _, v in ordered.entries) if ordered.complete else ordered.any()
        else:
            items = args.positional if args.rest is None else union((*args.positional, args.rest))
    else:
        given = args.get(0, "modules")
        items = () if given is None else iteration.elements(f, st, given, "list", at, at)
    items = tuple(owned.own(st, v) for v in items) if isinstance(items, tuple) else owned.own(st, items)
    for value in items if isinstance(items, tuple) else (items,):
        register(f, st, value)
    if isinstance(items, tuple):
        return allocate(f, st, Sequence(kind, items))
    return allocate(f, st, Sequence(kind, None, items))


def force(f: Frame, st: State, ref: Ref) -> dict[str, Value]:
    """The fields of a module object, after its ``__init__``; equal constructions are executed once for the whole run."""
    obj = load(f, st, ref)
    assert isinstance(obj, ModuleObject)
    if obj.fields is not None:
        return obj.fields
    fields = _built(f, st, ref, obj)
    if obj.later:
        done = load(f, st, ref)
        assert isinstance(done, ModuleObject)
        fields = {**fields, **dict(obj.later)}
        st.store[ref.id] = replace(done, fields=fields, touched=True, later=())
    return fields


def _built(f: Frame, st: State, ref: Ref, obj: ModuleObject) -> dict[str, Value]:
    assert isinstance(obj.cls, ClassInfo)
    key = (obj.cls, freeze_arguments(f, st, obj.args))
    template = f.machine.templates.get(key)
    if template is not None:
        names = tuple(template.fields)
        values = relocate(f, st, template.fragment, tuple(template.fields.values()), made_before=True)
        fields = dict(zip(names, values, strict=True))
        st.store[ref.id] = replace(obj, fields=fields, buffers=template.buffers)
        return fields
    return _construct_now(f, st, ref, obj, key)


def _construct_now(f: Frame, st: State, ref: Ref, obj: ModuleObject, key: object) -> dict[str, Value]:
    base = f.machine.next_id + 1
    st.store[ref.id] = replace(obj, fields={})
    assert isinstance(obj.cls, ClassInfo)
    found = classes.find(obj.cls, "__init__")
    f.machine.constructing.add(ref.id)
    frame = replace(f, tracing=False, events={}, returns=[], yields=[], loops=[])
    try:
        if isinstance(found, tuple) and found[1].code is not None:
            holder, member = found
            assert member.code is not None
            activation.run_function(frame, st, 0, Function(member.code, holder.captured), obj.args.before(ref))
        elif isinstance(found, str):
            init_from_library(frame, st, 0, ref, found, obj.args)
    finally:
        f.machine.constructing.discard(ref.id)
    done = load(f, st, ref)
    assert isinstance(done, ModuleObject)
    fields = done.fields or {}
    st.store[ref.id] = replace(done, touched=False)
    fragment = reachable(f, st, fields.values())
    if ref.id not in fragment and all(number >= base for number in fragment):
        f.machine.templates[key] = Template(fields, done.buffers, fragment)
    return fields


def init_from_library(f: Frame, st: State, at: ir.At, ref: Ref, dotted: str, args: Arguments) -> None:
    """``super().__init__(...)`` that reaches a torch.nn class."""
    obj = load(f, st, ref)
    if not isinstance(obj, ModuleObject):
        return
    kind = CONTAINERS.get(dotted)
    added = {ITEMS: container(f, st, at, kind, args)} if kind is not None else layers.fields(f, st, dotted, args)
    current = load(f, st, ref)
    assert isinstance(current, ModuleObject)
    st.store[ref.id] = replace(current, fields={**(current.fields or {}), **added})


def module_attribute(f: Frame, st: State, at: ir.At, ref: Ref, obj: ModuleObject, name: str) -> Value:
    """``module.name``: a Parameter comes back as a Proxy while tracing, everything else as it is."""
    if name == "training":
        return Static("bool", branches.TRAINING)
    written = dict(obj.later).get(name) if obj.later else None
    if written is not None:
        return fetched(f, at, name, written)
    fields = force(f, st, ref)
    value = fields.get(name)
    if value is not None:
        return fetched(f, at, name, value)
    if isinstance(obj.cls, ClassInfo):
        found = attributes.class_member(f, st, at, ref, obj.cls, name)
        if found is not None:
            if f.tracing and ref != f.receiver and isinstance(found, Bound):
                f.machine.entered.add(obj.cls)  # used by its other methods: what calls them is its context
            return found
        if name == "__class__":
            return Class(obj.cls)
        if name == "__module__":
            return Const(obj.cls.source.module)
        if name == "forward":
            return Bound(ref, Lib(f"{(classes.library_bases(obj.cls) or ('torch.nn.Module',))[0]}.forward"))
    elif name == "forward":
        return Bound(ref, Lib(f"{obj.cls}.forward"))
    if name in MODULE_METHODS:
        return NativeMethod(ref, name)
    if name in ("_modules", "_parameters", "_buffers", "__dict__"):
        return Static("dict", "registry of a module")
    if isinstance(obj.cls, ClassInfo):
        getter = classes.find(obj.cls, "__getattr__")
        if isinstance(getter, tuple) and getter[1].code is not None:
            return calls.call(f, st, at, Bound(ref, Function(getter[1].code)), Arguments((Const(name),)))
        if f.tracing and not classes.find(obj.cls, name) and not obj.cls.bases_unknown and not _external(obj.cls):
            return Static("", f"attribute {name} that __init__ was not seen to set")
    return f.machine.unknown("attribute of a module that is not known")


def _external(info: ClassInfo) -> bool:
    return any(not b.startswith(("torch.nn.", "builtins.", "abc.", "typing.")) for b in classes.library_bases(info))


def fetched(f: Frame, at: ir.At, name: str, value: Value) -> Value:
    """A field as attribute access gives it: the tracer's patched ``__getattr__`` turns a Parameter into a Proxy."""
    if isinstance(value, Tensor) and value.kind == "buffer" and f.tracing and f.machine.tracing.buffers:
        return Proxy(Facet.TENSOR, Origin(f.body, at, f"self.{name} is a buffer, which this Tracer takes for a Proxy"))
    if isinstance(value, Union):
        return union(fetched(f, at, name, v) for v in value.members)
    if isinstance(value, Tensor) and value.kind == "parameter" and f.tracing:
        return Proxy(Facet.TENSOR, Origin(f.body, at, f"self.{name} is a parameter"), role="parameter")
    if isinstance(value, Tensor) and value.kind == "buffer":
        return replace(value, source=name)
    return value


def set_module_field(f: Frame, st: State, at: ir.At, ref: Ref, obj: ModuleObject, name: str, value: Value, base_at: ir.At) -> None:
    """``module.name = value``."""
    if obj.fields is None and not f.tracing and name != "forward":
        register(f, st, value)
        current = load(f, st, ref)
        assert isinstance(current, ModuleObject)
        st.store[ref.id] = replace(current, later=(*current.later, (name, owned.own(st, value))))
        f.wrote(ref)
        return
    if obj.fields is None:
        force(f, st, ref)
        current = load(f, st, ref)
        assert isinstance(current, ModuleObject)
        obj = current
    building = ref.id in f.machine.constructing
    value = owned.own(st, value)
    if name == "forward" and not f.tracing:
        obj = replace(obj, fields={**(obj.fields or {}), hooks.OVERRIDE: hooks.place(f, at)})
    held = first_proxy(f, st, value)
    if f.tracing and not building:
        old = (obj.fields or {}).get(name)
        if held is not None:
            construct_ = "buffer" if isinstance(old, Tensor) and old.kind == "buffer" else "attribute"
            refused = construct_ == "buffer" and isinstance(value, Proxy) and f.machine.torch_version < (2, 13)
            callee = BUFFER_REFUSED if refused else ""
            f.emit(st, EventKind.STATE_WRITE, construct_, at, value=held, subject=base_at, callee=callee, detail=name)
        elif isinstance(value, Tensor) and isinstance(old, Tensor) and old.kind == "buffer":
            f.emit(st, EventKind.STATE_WRITE, "buffer", at, subject=base_at, detail=name)
            value = Tensor("buffer")
        elif old is not None and old != value and (
            isinstance(value, (Const, Static)) or (isinstance(value, Tensor) and isinstance(old, Tensor) and old.kind == "plain")
        ):
            f.emit(st, EventKind.STATE_WRITE, "counter", at, subject=base_at, detail=name)
    if building or not f.tracing:
        # The tracer lists the submodules before it calls forward: one that forward assigns has no path.
        register(f, st, value)
    st.store[ref.id] = replace(load_module(f, st, ref), fields={**(obj.fields or {}), name: value}, touched=obj.touched or not building)
    if not building or f.tracing:
        f.wrote(ref)


def load_module(f: Frame, st: State, ref: Ref) -> ModuleObject:
    """The module object behind a reference that is known to be one."""
    obj = load(f, st, ref)
    assert isinstance(obj, ModuleObject)
    return obj


def call_module(f: Frame, st: State, at: ir.At, ref: Ref, obj: ModuleObject, args: Arguments, func_at: ir.At) -> Value:
    """Calling an instance: a leaf is recorded as one node, any other module is traced through."""
    name = obj.cls.name if isinstance(obj.cls, ClassInfo) else obj.cls
    if isinstance(obj.cls, ClassInfo):
        own = classes.find(obj.cls, "__call__")
        if isinstance(own, tuple) and own[1].code is not None:
            return activation.run_function(f, st, at, Function(own[1].code), args.before(ref))
    if not f.tracing:
        return _eager(f, st, at, ref, obj, args)
    if not obj.registered:
        unregistered(f, st, at, ref, func_at, name)
    autowrap.enter_module(f.machine, obj.cls)
    if isinstance(obj.cls, ClassInfo):
        f.machine.entered.add(obj.cls)
    other = foreign.call_module(f, st, at, obj.cls, args, func_at)
    if other is not None:
        return other
    if leafrule.is_leaf(f, st, ref, obj.cls):
        return leaf_call(f, st, at, obj, args)
    if isinstance(obj.cls, str):
        return library_forward(f, st, at, ref, obj.cls, args)
    given = hooks.run(f, st, at, ref, args, "before")
    args = replace(args, positional=given.items) if isinstance(given, Tuple) else args
    return hooks.run(f, st, at, ref, args, "after", run_forward(f, st, at, ref, obj.cls, args))


def run_forward(f: Frame, st: State, at: ir.At, ref: Ref, info: ClassInfo, args: Arguments) -> Value:
    """``forward`` of a module that is traced through: the instance's own, else that of its class."""
    own = hooks.fields_of(f, st, ref).get("forward")
    if own is not None:
        return calls.call(f, st, at, own, args)
    found = classes.find(info, "forward")
    if isinstance(found, tuple):
        holder, member = found
        if member.code is not None:
            function = attributes.bind_member(f, st, at, ref, info, holder, member)
            decorated = calls.decorated_method(f, st, at, function, member.code)
            return calls.call(f, st, at, decorated, args)
        return f.machine.unknown("forward that is no method")
    if isinstance(found, str):
        return library_forward(f, st, at, ref, found, args)
    if "forward" in (force(f, st, ref) or {}):
        return calls.call(f, st, at, force(f, st, ref)["forward"], args)
    held = first_proxy(f, st, *args.all())
    if held is not None and (info.bases_unknown or _external(info)):
        return Proxy(Facet.UNKNOWN, Origin(f.body, at, "", held.origin), assumed=f"{info.name}.forward")
    return BOTTOM


def library_forward(f: Frame, st: State, at: ir.At, ref: Ref, dotted: str, args: Arguments) -> Value:
    """``forward`` of a torch.nn class that is traced through: as the base of a user's class, or called as ``.forward``."""
    kind = CONTAINERS.get(dotted)
    if kind == "Sequential":
        items = force(f, st, ref).get(ITEMS)
        if isinstance(items, Ref):
            inner = load(f, st, items)
            if isinstance(inner, Sequence):
                return run_sequential(f, st, at, inner, args)
        return f.machine.unknown("items of a Sequential")
    row = library.module_class(dotted)
    held = first_proxy(f, st, *args.all())
    if dotted in SPREADS and f.depth == 0 and f.tracing:
        f.emit(st, EventKind.PROXY_ITER, "star-call", at, value=held, callee=f"{dotted}.forward")
    if row is not None and row.through and held is not None:
        f.emit(st, EventKind.FOREIGN_CALL, "nn-function", at, value=held, callee=f"{dotted}.forward", detail=row.through)
    if held is None:
        return Tensor("made", Origin(f.body, at, ""))
    count = row.outputs if row is not None else 1
    return derived(f, at, Facet.TENSOR, held) if count == 1 else Tuple(tuple(derived(f, at, Facet.TENSOR, held) for _ in range(count)))


def run_sequential(f: Frame, st: State, at: ir.At, obj: Sequence, args: Arguments) -> Value:
    """The modules of a Sequential in order, each called with the result of the one before."""
    value: Value = args.get(0, "input") or NONE
    for item in obj.items if obj.items is not None else (obj.element,):
        if isinstance(item, Bottom):
            continue
        value = calls.call(f, st, at, item, Arguments((value,)))
        if isinstance(value, Bottom):
            return BOTTOM
    return value


def leaf_call(f: Frame, st: State, at: ir.At, obj: ModuleObject, args: Arguments) -> Value:
    """One call_module node; its result is one Proxy, whatever the module returns."""
    f.machine.recorded += 1
    argtypes.check(f, st, at, tuple(args.all()), obj.cls.name if isinstance(obj.cls, ClassInfo) else obj.cls)
    held = first_proxy(f, st, *args.all())
    row = library.module_class(obj.cls) if isinstance(obj.cls, str) else None
    facet = Facet.TENSOR if row is not None and row.outputs == 1 else Facet.TUPLE if row is not None else Facet.UNKNOWN
    origin = Origin(f.body, at, "", held.origin if held is not None else None)
    return Proxy(facet, origin, length=row.outputs if row is not None and row.outputs > 1 else None)


def unregistered(f: Frame, st: State, at: ir.At, ref: Ref, func_at: ir.At, name: str) -> None:
    """A module that no registered place holds: the tracer cannot name it."""
    root = next((frame for frame in f.machine.active if frame.tracing), f)
    construct_ = "forward" if ref.id >= root.base else "list"
    f.emit(st, EventKind.MODULE_UNREGISTERED, construct_, at, subject=func_at, callee=name)


def _eager(f: Frame, st: State, at: ir.At, ref: Ref, obj: ModuleObject, args: Arguments) -> Value:
    """A call outside any trace, as in ``__init__``."""
    if isinstance(obj.cls, str):
        return Tensor("plain")
    return Unknown("a module called outside a trace")
