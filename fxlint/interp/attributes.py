"""Attribute look-up, value kind by value kind."""

from __future__ import annotations

from typing import assert_never

from fxlint.base.event import Facet
from fxlint.interp import autowrap, calls, classes, introspection, mixins, modulelevel, modules, trace_calls
from fxlint.interp.aliases import VIEW, VIEW_ATTRIBUTES
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.names import global_value, library_value, wrapped_names
from fxlint.interp.operators import derived
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import load
from fxlint.library import lookup as library
from fxlint.syntax import ir
from fxlint.values.fold import NUMPY
from fxlint.values.join import union
from fxlint.values.values import (
    Bottom,
    Bound,
    Class,
    ClassInfo,
    Const,
    Function,
    Lib,
    Member,
    ModuleFileValue,
    NativeMethod,
    Origin,
    Partial,
    Proxy,
    Ref,
    Slice,
    Static,
    Super,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
    Wrapped,
)

# What a Tracer with param_shapes_constant answers of a Parameter itself; methods have no type here. Source: ParameterProxy, torch 2.13.
CONSTANT_OF_PARAMETER = {"shape": "tuple", "ndim": "int", "size": "", "dim": "", "numel": "", "nelement": ""}
# Types of Static whose attributes are methods.
METHODS = frozenset({"str", "int", "float", "list", "tuple", "dict", "generator"})
CONCRETE_TENSOR = {Facet.SIZE: "tuple", Facet.SIZE_ITEM: "int", Facet.BOOL: "bool", Facet.NUMBER: "float"}


def get_attribute(f: Frame, st: State, at: ir.At, base: Value, name: str, base_at: ir.At) -> Value:
    """``base.name``."""
    match base:
        case Proxy():
            return _of_proxy(f, at, base, name)
        case Ref():
            return _of_object(f, st, at, base, name, base_at)
        case Lib(dotted):
            return _of_library(f, dotted, name)
        case ModuleFileValue(source):
            value = global_value(f.machine, source, name)
            if f.tracing and name in wrapped_names(f.machine, source) and value is not None:
                return Wrapped(value, name)
            if value is None:
                sub = f.machine.project.module(f"{source.module}.{name}", source)
                return ModuleFileValue(sub) if sub is not None else f.machine.unknown("unresolved attribute of a module")
            return autowrap.of_module(f.machine, source, name, value) if f.tracing else value
        case Class(info):
            return _of_class(f, st, at, info, base, name)
        case Super(receiver, after):
            return _of_super(f, st, at, receiver, after, name)
        case Union(members):
            return union(get_attribute(f, st, at, v, name, base_at) for v in members if v != Const(None))
        case Tensor():
            return _of_tensor(f, at, base, name)
        case Tuple(cls=cls):
            return NativeMethod(base, name) if not cls else _of_named_tuple(f, base, name)
        case NativeMethod(Function(code), "__code__") if name == "co_varnames":
            return introspection.variables(f, code)
        case Function() if name == "__code__":
            return NativeMethod(base, name)
        case Const() | Slice() | NativeMethod() | Partial():
            return NativeMethod(base, name)
        case Static():
            return NativeMethod(base, name) if base.type in METHODS or base.type.startswith(NUMPY) else Static("", base.why)
        case Function() | Bound():
            return Static("str", "attribute of a function") if name.startswith("__") else f.machine.unknown("attribute of a function")
        case Wrapped(target):
            return get_attribute(f, st, at, target, name, base_at)
        case Unknown() | Bottom():
            return base
        case _:
            assert_never(base)


def _of_library(f: Frame, dotted: str, name: str) -> Value:
    found = library_value(library.canonical(f"{dotted}.{name}"))
    if not isinstance(found, Lib):
        return found
    if f.tracing:
        return autowrap.through_module(f.machine, dotted, name, found)
    if name in ("__name__", "__qualname__") and library.module_class(dotted) is not None:
        return Const(dotted.rpartition(".")[2])
    return found


def _of_proxy(f: Frame, at: ir.At, base: Proxy, name: str) -> Value:
    if base.role == "parameter" and f.machine.tracing.shapes_constant and name in CONSTANT_OF_PARAMETER:
        kind = CONSTANT_OF_PARAMETER[name]
        return Static(kind, "shape of a parameter") if kind else NativeMethod(Tensor("parameter", base.origin), name)
    other = library.facet_attribute(base.facet, name)
    if other is not None:
        return derived(f, at, other, base)
    row = library.tensor_attribute(name)
    if row is not None:
        return derived(f, at, row.facet, base, note=VIEW if name in VIEW_ATTRIBUTES else "")
    if base.facet in (Facet.DTYPE, Facet.DEVICE) and not library.tensor_method(name):
        return derived(f, at, Facet.UNKNOWN, base)
    return NativeMethod(base, name, Origin(f.body, at, ""))


def _of_tensor(f: Frame, at: ir.At, base: Tensor, name: str) -> Value:
    row = library.tensor_attribute(name)
    if row is None:
        return NativeMethod(base, name)
    if row.facet is Facet.TENSOR:
        return Tensor("made", base.origin, source=base.source)
    return Static(CONCRETE_TENSOR.get(row.facet, row.facet.value), "attribute of a concrete tensor")


def _of_named_tuple(f: Frame, base: Tuple, name: str) -> Value:
    if name in ("index", "count", "_replace", "_asdict", "numel"):
        return NativeMethod(base, name)
    if name in base.names:
        return base.items[base.names.index(name)]
    return union(base.items) if base.items and not base.names else f.machine.unknown("field of a named tuple")


def _of_object(f: Frame, st: State, at: ir.At, ref: Ref, name: str, base_at: ir.At) -> Value:
    obj = load(f, st, ref)
    match obj:
        case ModuleObject():
            return modules.module_attribute(f, st, at, ref, obj, name)
        case Instance():
            value = obj.fields.get(name)
            if value is not None:
                return value
            if isinstance(obj.cls, str):
                if trace_calls.is_tracer(obj.cls):
                    return Bound(ref, Lib(f"{trace_calls.TRACER}.{name}"))
                return f.machine.unknown(f"attribute of an instance of {obj.cls}")
            found = class_member(f, st, at, ref, obj.cls, name)
            if found is not None:
                return found
            if name == "__class__":
                return Class(obj.cls)
            getter = classes.find(obj.cls, "__getattr__")
            if isinstance(getter, tuple) and getter[1].code is not None:
                return calls.call(f, st, at, Bound(ref, Function(getter[1].code)), Arguments((Const(name),)))
            if trace_calls.is_tracer(obj.cls):
                return Bound(ref, Lib(f"{trace_calls.TRACER}.{name}"))
            abstract = next((b for b in classes.library_bases(obj.cls) if b in mixins.OWNERS), "") if name in mixins.DERIVED else ""
            return Bound(ref, Lib(f"{abstract}.{name}")) if abstract else f.machine.unknown("attribute that no class of the project sets")
        case Sequence() | Mapping():
            return NativeMethod(ref, name)
        case None:
            return f.machine.unknown("object outside the store")
        case _:
            assert_never(obj)


def class_member(
    f: Frame, st: State, at: ir.At, receiver: Value, info: ClassInfo, name: str, after: ClassInfo | None = None
) -> Value | None:
    """A member found through an instance: methods bound, properties called. None where no project class has it."""
    found = classes.find(info, name, after)
    if found is None or isinstance(found, str):
        return None
    holder, member = found
    return bind_member(f, st, at, receiver, info, holder, member)


def bind_member(f: Frame, st: State, at: ir.At, receiver: Value, info: ClassInfo, holder: ClassInfo, member: Member) -> Value:
    """What a member is when read through an instance."""
    if member.code is None:
        value = modulelevel.member_value(f.machine, holder, member)
        return Bound(receiver, value) if isinstance(value, Function) else value
    function = Function(member.code, holder.captured)
    kinds = {d.split("(", 1)[0].rsplit(".", 1)[-1] for d in member.code.decorators}
    if "staticmethod" in kinds:
        return function
    if "classmethod" in kinds:
        return Bound(Class(info), function)
    if kinds & {"property", "cached_property"}:
        return calls.call(f, st, at, Bound(receiver, function), Arguments())
    return Bound(receiver, function)


def _of_class(f: Frame, st: State, at: ir.At, info: ClassInfo, base: Class, name: str) -> Value:
    found = classes.find(info, name)
    if isinstance(found, tuple):
        holder, member = found
        if member.code is None:
            return modulelevel.member_value(f.machine, holder, member)
        kinds = {d.split("(", 1)[0].rsplit(".", 1)[-1] for d in member.code.decorators}
        function = Function(member.code, holder.captured)
        return Bound(base, function) if "classmethod" in kinds else function
    if isinstance(found, str):
        return Lib(f"{found}.{name}")
    if name in ("__name__", "__qualname__"):
        return Const(info.name)
    if name == "__module__":
        return Const(info.source.module)
    for dotted in classes.library_bases(info):
        if dotted == "torch.autograd.Function" and name == "apply":
            return NativeMethod(base, "apply")
        if dotted not in ("builtins.object", "torch.nn.Module", "typing.Generic", "abc.ABC"):
            return Lib(f"{dotted}.{name}")
    return f.machine.unknown("attribute that no class of the project sets")


def _of_super(f: Frame, st: State, at: ir.At, receiver: Value, after: ClassInfo, name: str) -> Value:
    info = modules.class_of(f, st, receiver)
    if info is None:
        return f.machine.unknown("super() of an unknown class")
    found = classes.find(info, name, after)
    if isinstance(found, tuple):
        if isinstance(receiver, Class):
            holder, member = found
            if member.code is not None:
                function = Function(member.code, holder.captured)
                static = any(d.endswith("staticmethod") for d in member.code.decorators)
                return function if static else Bound(receiver, function)
            return modulelevel.member_value(f.machine, holder, member)
        return bind_member(f, st, at, receiver, info, *found)
    if isinstance(found, str):
        return Bound(receiver, Lib(f"{found}.{name}"))
    bases = classes.library_bases(info)
    library_class = next((b for b in bases if b not in ("typing.Generic", "abc.ABC")), "builtins.object")
    if name == "__getattr__":
        return NativeMethod(receiver, "__getattr__")
    return Bound(receiver, Lib(f"{library_class}.{name}"))


