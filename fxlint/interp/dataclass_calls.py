"""Functions of ``dataclasses`` on instances of the project's dataclasses: ``replace``, ``asdict``, ``fields``."""

from __future__ import annotations

from dataclasses import replace

from fxlint.interp import constructors
from fxlint.interp.arguments import Arguments
from fxlint.interp.builtin_calls import Handler
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, State
from fxlint.interp.store import allocate, load
from fxlint.values.join import union
from fxlint.values.values import NONE, Class, ClassInfo, Const, Ref, Static, Tuple, Value

FIELD = "dataclasses.Field"


def _instance(f: Frame, st: State, value: Value) -> Instance | None:
    obj = load(f, st, value) if isinstance(value, Ref) else None
    return obj if isinstance(obj, Instance) else None


def _replace(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """A copy with some fields changed. ``__post_init__`` has seen the fields of the original."""
    obj = _instance(f, st, args.get(0, "obj") or NONE)
    if obj is None:
        return f.machine.unknown("dataclasses.replace of an unknown object")
    fields = {**obj.fields, **dict(args.keywords)}
    if args.extra is not None:
        fields = {name: union((value, args.extra)) for name, value in fields.items()}
    return allocate(f, st, replace(obj, fields=fields))


def _asdict(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    obj = _instance(f, st, args.get(0, "obj") or NONE)
    if obj is None:
        return f.machine.unknown("dataclasses.asdict of an unknown object")
    return allocate(f, st, Mapping("dict", tuple((Const(n), v) for n, v in obj.fields.items())))


def _fields(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """The fields of a dataclass or of an instance, in order; of each only its name is known."""
    value = args.get(0, "class_or_instance") or NONE
    obj = _instance(f, st, value)
    cls = value.info if isinstance(value, Class) else obj.cls if obj is not None else None
    if not isinstance(cls, ClassInfo) or not constructors.is_dataclass(f, cls):
        return f.machine.unknown("dataclasses.fields of an unknown class")
    names = constructors.dataclass_fields(f, st, c.at, cls, Arguments())
    made = (Instance(FIELD, {"name": Const(n), "default": v, "type": Static("", "type of a field")}) for n, v in names.items())
    return Tuple(tuple(allocate(f, st, one) for one in made))


HANDLERS: dict[str, Handler] = {"dataclasses.replace": _replace, "dataclasses.asdict": _asdict, "dataclasses.fields": _fields}
