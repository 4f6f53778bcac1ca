"""Making instances of project classes: modules, dataclasses, named tuples, enums, autograd functions, and plain ones."""

from __future__ import annotations

from fxlint.interp import activation, attributes, calls, classes, modulelevel, modules
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.names import decorator_name
from fxlint.interp.state import Instance, State
from fxlint.interp.store import allocate, may_hold_proxy
from fxlint.syntax import ir
from fxlint.values.join import union
from fxlint.values.values import ClassInfo, Const, Function, Static, Tuple, Value

NAMED_TUPLES = frozenset({"typing.NamedTuple", "collections.namedtuple"})
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
    if bases & NAMED_TUPLES:
        return Tuple((*args.positional, *(v for _, v in args.keywords)), info.name)
    if bases & ENUMS:
        return Static("", f"member of the enum {info.name}")
    made = classes.find(info, "__new__")
    ref = allocate(f, st, Instance(info, {}))
    found = classes.find(info, "__init__")
    if isinstance(found, tuple) and found[1].code is not None:
        holder, member = found
        assert member.code is not None
        activation.run_function(f, st, at, Function(member.code, holder.captured), args.before(ref))
    elif is_dataclass(f, info):
        st.store[ref.id] = Instance(info, dataclass_fields(f, info, args))
        after = attributes.class_member(f, st, at, ref, info, "__post_init__")
        if after is not None:
            calls.call(f, st, at, after, Arguments())
    elif bases - {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"} or info.bases_unknown or made is not None:
        held = any(may_hold_proxy(f, st, v) for v in args.all())
        return f.machine.unknown(f"instance of a class with a base outside the project ({', '.join(sorted(bases)) or 'unknown'})", proxy=held)
    return ref


def dataclass_fields(f: Frame, info: ClassInfo, args: Arguments) -> dict[str, Value]:
    """The fields of a dataclass instance: arguments by order of definition, else the class's defaults."""
    order: dict[str, Value] = {}
    for cls in reversed(info.mro):
        if isinstance(cls, ClassInfo):
            for name, member in cls.members.items():
                if member.code is None:
                    order[name] = _field_default(f, cls, name)
    names = list(order)
    out = dict(order)
    for name, value in zip(names, args.positional, strict=False):
        out[name] = value
    for name, value in args.keywords:
        out[name] = value
    if args.rest is not None or args.extra is not None:
        unknown = union(v for v in (args.rest, args.extra) if v is not None)
        out = {n: union((v, unknown)) for n, v in out.items()}
    return out


def _field_default(f: Frame, cls: ClassInfo, name: str) -> Value:
    value = modulelevel.member_value(f.machine, cls, cls.members[name])
    return value if isinstance(value, Const) else Static("", "field of a dataclass")
