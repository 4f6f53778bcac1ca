"""Making instances of project classes: modules, dataclasses, named tuples, enums, autograd functions, and plain ones."""

from __future__ import annotations

from dataclasses import replace

from fxlint.interp import activation, attributes, builtin_calls, calls, classes, modulelevel, modules, python_calls, trace_calls
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.names import decorator_name
from fxlint.interp.state import Instance, Mapping, State
from fxlint.interp.store import allocate, may_hold_proxy
from fxlint.syntax import ir
from fxlint.values.join import union
from fxlint.values.values import Class, ClassInfo, Const, Function, Lib, Partial, Ref, Static, Tuple, Value

NAMED_TUPLES = frozenset({"typing.NamedTuple", "collections.namedtuple"})
CONTAINERS = frozenset({"builtins.dict", "collections.OrderedDict", "builtins.list"})
ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})


def is_dataclass(f: Frame, info: ClassInfo) -> bool:
    """Whether ``@dataclass`` made the class's ``__init__``."""
    for cls in info.mro:
        if isinstance(cls, ClassInfo):
            names = {decorator_name(f.machine, cls.source, d) for d in cls.decorators}
            if names & {"dataclasses.dataclass", "dataclass", "attr.s", "attrs.define"}:
                return True
    return False


def instantiate(f: Frame, st: State, at: ir.At, info: ClassInfo, args: Arguments) -> Value:
    """``Class(...)``."""
    if classes.is_module(info):
        return modules.construct(f, st, at, info, args)
    bases = frozenset(classes.library_bases(info))
    if container_base(info) and not is_dataclass(f, info) and not isinstance(classes.find(info, "__init__"), tuple):
        return _container(f, st, at, info, args)
    if bases & NAMED_TUPLES:
        fields = dataclass_fields(f, st, at, info, args)
        return Tuple(tuple(fields.values()), info.name, tuple(fields))
    if bases & ENUMS:
        return Static("", f"member of the enum {info.name}")
    if trace_calls.is_tracer(info):
        return _tracer(f, st, at, info, args)
    made = classes.find(info, "__new__")
    ref = allocate(f, st, Instance(info, {}))
    found = classes.find(info, "__init__")
    if isinstance(found, tuple) and found[1].code is not None:
        holder, member = found
        assert member.code is not None
        activation.run_function(f, st, at, Function(member.code, holder.captured), args.before(ref))
    elif is_dataclass(f, info):
        st.store[ref.id] = Instance(info, dataclass_fields(f, st, at, info, args))
        after = attributes.class_member(f, st, at, ref, info, "__post_init__")
        if after is not None:
            calls.call(f, st, at, after, Arguments())
    elif not all(_holds_nothing(b) for b in bases) or info.bases_unknown or made is not None:
        held = any(may_hold_proxy(f, st, v) for v in args.all())
        named = ", ".join(sorted(bases)) or "unknown"
        return f.machine.unknown(f"instance of a class with a base outside the project ({named})", proxy=held)
    return ref


def _holds_nothing(base: str) -> bool:
    """Whether a library class gives its instances methods at most, and no state."""
    return base in ("builtins.object", "abc.ABC") or base.startswith(("typing.", "collections.abc."))


def container_base(info: ClassInfo) -> str:
    """The builtin container that a class derives from, "" for none."""
    return next((b for b in classes.library_bases(info) if b in CONTAINERS), "")


def _container(f: Frame, st: State, at: ir.At, info: ClassInfo, args: Arguments) -> Value:
    """An instance of a subclass of dict or list that has no ``__init__`` of its own."""
    base = container_base(info)
    made = builtin_calls.HANDLERS[base](f, st, CallSite(at, at, (), base), args)
    obj = st.store.get(made.id) if isinstance(made, Ref) else None
    if isinstance(made, Ref) and isinstance(obj, Mapping):
        st.store[made.id] = replace(obj, cls=info.name)
    return made


def _tracer(f: Frame, st: State, at: ir.At, info: ClassInfo, args: Arguments) -> Ref:
    """An instance of a Tracer of the project."""
    ref = allocate(f, st, Instance(info, {}))
    found = classes.find(info, "__init__")
    if isinstance(found, tuple) and found[1].code is not None:
        activation.run_function(f, st, at, Function(found[1].code, found[0].captured), args.before(ref))
    else:
        trace_calls.set_init(f, st, ref, args)
    return ref


def dataclass_fields(f: Frame, st: State, at: ir.At, info: ClassInfo, args: Arguments) -> dict[str, Value]:
    """The fields of an instance of a dataclass or a NamedTuple: arguments by order of definition, else the class's defaults."""
    order: dict[str, Value] = {}
    for cls in reversed(info.mro):
        if isinstance(cls, ClassInfo):
            for name, member in cls.members.items():
                if member.code is None:
                    order[name] = _field_default(f, cls, name)
    names = list(order)
    out = dict(order)
    out.update(zip(names, args.positional, strict=False))
    out.update(args.keywords)
    for name, value in out.items():
        if isinstance(value, Partial) and value.function == python_calls.FACTORY:
            out[name] = calls.call(f, st, at, value.args[0], Arguments())
    if args.rest is not None or args.extra is not None:
        unknown = union(v for v in (args.rest, args.extra) if v is not None)
        out = {n: union((v, unknown)) for n, v in out.items()}
    return out


def _field_default(f: Frame, cls: ClassInfo, name: str) -> Value:
    value = modulelevel.member_value(f.machine, cls, cls.members[name])
    known = isinstance(value, (Const, Tuple, Class, Function, Partial, Lib))
    return value if known else Static("", "field of a dataclass")
