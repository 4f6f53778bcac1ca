"""Functions of Python that inspect or combine values, and constructors of torch that need more than a row."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from fxlint.base.event import EventKind, Facet
from fxlint.interp import assign, attributes, builtin_calls, calls, classes, iteration, modules, reveal, textflow
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import allocate, constant_int, constant_str, load
from fxlint.library import lookup as library
from fxlint.values.join import alternatives, union
from fxlint.values.values import (
    BOTTOM,
    FALSE,
    NONE,
    TRUE,
    Bound,
    Class,
    ClassInfo,
    Const,
    Function,
    Lib,
    NativeMethod,
    Origin,
    Partial,
    Proxy,
    Ref,
    Static,
    Super,
    Tensor,
    Tuple,
    Unknown,
    Value,
)

Handler: TypeAlias = Callable[[Frame, State, CallSite, Arguments], Value]


FACTORY = Lib("dataclasses.field")
DEEP_COPY = "RuntimeError in Graph.lint: the copy belongs to a copy of the graph"


def folded(name: str, args: Arguments) -> Value:
    """A function of ``math`` or a builtin on concrete numbers."""
    values = [v.value for v in args.positional if isinstance(v, Const)]
    function: Any = getattr(math, name.removeprefix("math."), None) if name.startswith("math.") else {"builtins.abs": abs}.get(name)
    if function is not None and len(values) == len(args.positional) and values and not args.keywords:
        try:
            result = function(*values)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError):
            return Static("", name)
        if isinstance(result, (int, float)):
            return Const(result)
    return Static("float" if name.startswith("math.") else "", name)


def _getattr(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    base, name = args.get(0, "object"), constant_str(args.get(1, "name") or NONE)
    default = args.get(2, "default")
    if base is None:
        return f.machine.unknown("getattr with unknown arguments")
    held = builtin_calls.proxy_among(base)
    if held is not None and default is not None:
        f.emit(st, EventKind.SPECIALISED_TYPE, "getattr", c.at, value=held, subject=c.site(0))
    textflow.reached(f, st, c.site(1), args.get(1, "name") or NONE, construct="attribute" if default is None else "str")
    if name is None:
        found = _any_attribute(f, st, base)
        return found if found is not None else f.machine.unknown("getattr with a name that is not known")
    value = attributes.get_attribute(f, st, c.at, base, name, c.site(0))
    if default is not None and not has_attribute(f, st, base, name):
        return union((value, default)) if not isinstance(value, Unknown) else default
    return value


def _any_attribute(f: Frame, st: State, base: Value) -> Value | None:
    """What ``getattr(self, name)`` may give when the name is computed: any module that the object holds."""
    if isinstance(base, Ref):
        obj = load(f, st, base)
        if isinstance(obj, ModuleObject):
            held = [v for v in modules.force(f, st, base).values() if isinstance(v, Ref)]
            return union(held) if held else None
    return None


def has_attribute(f: Frame, st: State, base: Value, name: str) -> bool:
    """Whether an object surely has an attribute; a Proxy has every one."""
    match base:
        case Proxy():
            return True
        case Ref():
            obj = load(f, st, base)
            if isinstance(obj, ModuleObject):
                fields = modules.force(f, st, base)
                return name in fields or (isinstance(obj.cls, ClassInfo) and classes.find(obj.cls, name) is not None) or name == "training"
            if isinstance(obj, Instance) and isinstance(obj.cls, ClassInfo):
                return name in obj.fields or classes.find(obj.cls, name) is not None
            return False
        case Class(info):
            return classes.find(info, name) is not None
        case Tensor():
            return library.tensor_attribute(name) is not None or library.tensor_method(name) is not None
        case Lib():
            return True
        case _:
            return False


def _hasattr(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    base, name = args.get(0, "obj"), constant_str(args.get(1, "name") or NONE)
    if base is None or name is None:
        return Static("bool")
    held = builtin_calls.proxy_among(base)
    if held is not None:
        tensors_have_it = library.tensor_attribute(name) is not None or library.tensor_method(name) is not None
        if held.facet is not Facet.TENSOR or not tensors_have_it:
            f.emit(st, EventKind.SPECIALISED_TYPE, "hasattr", c.at, value=held, subject=c.site(0))
        return TRUE
    if has_attribute(f, st, base, name):
        return TRUE
    if isinstance(base, Ref):
        obj = load(f, st, base)
        if isinstance(obj, (ModuleObject, Instance)) and isinstance(obj.cls, ClassInfo) and not obj.cls.bases_unknown:
            return FALSE
    return Static("bool")


def _setattr(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) == 3:
        name = constant_str(args.positional[1])
        if name is not None:
            assign.set_attribute(f, st, c.at, args.positional[0], name, args.positional[2], c.site(0))
        elif isinstance(args.positional[0], Ref):
            # Under a name that is not known: what counts is that the module holds it.
            assign.set_attribute(f, st, c.at, args.positional[0], "*", args.positional[2], c.site(0))
    return NONE


def _isinstance(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) != 2:
        return Static("bool")
    value, wanted = args.positional
    kinds = wanted.items if isinstance(wanted, Tuple) else alternatives(wanted)
    results = [_is_instance(f, st, c, v, kinds) for v in alternatives(value)]
    return union(results)


def _is_instance(f: Frame, st: State, c: CallSite, value: Value, kinds: tuple[Value, ...]) -> Value:
    names = {k.dotted for k in kinds if isinstance(k, Lib)}
    if isinstance(value, Proxy):
        if "torch.fx.Proxy" in names or "torch.fx.proxy.Proxy" in names:
            return TRUE
        f.emit(st, EventKind.SPECIALISED_TYPE, "isinstance", c.at, value=value, subject=c.site(0), detail=", ".join(sorted(names)))
        return FALSE
    kind = object_kind(f, st, value)
    if kind is None:
        return Static("bool")
    if isinstance(kind, ClassInfo):
        return _is_kind_of(kind, kinds)
    if any(not isinstance(k, (Lib, Class)) for k in kinds):
        return Static("bool")
    layer = library.module_class(kind)
    supertypes = frozenset({kind, *layer.bases}) if layer is not None else SUPERTYPES.get(kind, frozenset({kind}))
    if names & supertypes:
        return TRUE
    answers = {library.is_subclass(kind, name) for name in names} if kind.startswith(("builtins.", "collections.")) else {False}
    return TRUE if True in answers else FALSE


def _is_kind_of(kind: ClassInfo, kinds: tuple[Value, ...]) -> Value:
    """Whether instances of a class of the project are instances of one of ``kinds``."""
    lineage = kind.mro
    wanted = [k.info if isinstance(k, Class) else k.dotted if isinstance(k, Lib) else None for k in kinds]
    if any(w in lineage for w in wanted if w is not None):
        return TRUE
    if classes.is_module(kind) and "torch.nn.Module" in wanted:
        return TRUE
    names = [w for w in wanted if isinstance(w, str)]
    if any(library.is_subclass(base, name) for base in classes.library_bases(kind) for name in names):
        return TRUE
    # An abstract class of Python asks for methods, not for a base.
    open_ = None in wanted or kind.bases_unknown or any(n.startswith(("collections.abc.", "typing.")) for n in names)
    return Static("bool") if open_ else FALSE


SUPERTYPES: dict[str, frozenset[str]] = {
    "torch.Tensor": frozenset({"torch.Tensor"}),
    "torch.nn.Parameter": frozenset({"torch.Tensor", "torch.nn.Parameter", "torch.nn.parameter.Parameter"}),
}
_SEQUENCE_KINDS = {
    "list": "builtins.list", "tuple": "builtins.tuple", "set": "builtins.set", "Sequential": "torch.nn.Sequential",
    "ModuleList": "torch.nn.ModuleList", "ParameterList": "torch.nn.ParameterList",
}
_MAPPING_KINDS = {"dict": "builtins.dict", "ModuleDict": "torch.nn.ModuleDict", "ParameterDict": "torch.nn.ParameterDict"}


def object_kind(f: Frame, st: State, value: Value) -> ClassInfo | str | None:
    """The class of a concrete value: a project class, or the dotted name of a library class; None where it is not known."""
    match value:
        case Ref():
            obj = load(f, st, value)
            match obj:
                case Instance(cls=cls) | ModuleObject(cls=cls):
                    return cls
                case Sequence(kind=kind):
                    return _SEQUENCE_KINDS.get(kind, "builtins.generator")
                case Mapping(kind=kind, cls=cls):
                    return "collections.OrderedDict" if cls == "OrderedDict" else _MAPPING_KINDS.get(kind)
                case _:
                    return None
        case Const(v):
            return f"builtins.{type(v).__name__}"
        case Tuple():
            return "builtins.tuple"
        case Static(type=t):
            return f"builtins.{t}" if t in ("int", "float", "bool", "str", "list", "tuple", "dict") else None
        case Tensor(kind=kind):
            return "torch.nn.Parameter" if kind == "parameter" else "torch.Tensor"
        case Function() | Bound() | NativeMethod() | Partial():
            return "builtins.function"
        case _:
            return None


def _type(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "object")
    if value is None or len(args.positional) != 1:
        return f.machine.unknown("class made by type()")
    held = builtin_calls.proxy_among(value)
    if held is not None:
        f.emit(st, EventKind.SPECIALISED_TYPE, "type", c.at, value=held, subject=c.site(0))
        return Lib("torch.fx.Proxy")
    kind = object_kind(f, st, value)
    if isinstance(kind, ClassInfo):
        return Class(kind)
    return Lib(kind) if kind is not None else Static("type")


def _callable(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "obj") or NONE
    held = builtin_calls.proxy_among(value)
    if held is not None:
        f.emit(st, EventKind.SPECIALISED_TYPE, "callable", c.at, value=held, subject=c.site(0))
        return TRUE
    match value:
        case Function() | Bound() | Class() | NativeMethod() | Partial():
            return TRUE
        case Const() | Tuple() | Tensor():
            return FALSE
        case Ref():
            return TRUE if isinstance(load(f, st, value), ModuleObject) else Static("bool")
        case _:
            return Static("bool")


def _issubclass(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) == 2 and isinstance(args.positional[0], Class):
        wanted = args.positional[1]
        name = wanted.info if isinstance(wanted, Class) else wanted.dotted if isinstance(wanted, Lib) else None
        if name is not None:
            return TRUE if name in args.positional[0].info.mro else FALSE
    return Static("bool")


def _super(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) == 2 and isinstance(args.positional[0], Class):
        return Super(args.positional[1], args.positional[0].info)
    receiver = f.receiver
    if receiver is None or f.holder is None:
        receiver = st.env.get("self") or f.captured.get("self") or st.env.get("cls")
    if receiver is None or f.holder is None:
        return f.machine.unknown("super() outside a method")
    return Super(receiver, f.holder)


def _partial(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if not args.positional or args.rest is not None:
        return f.machine.unknown("partial with unknown arguments")
    return union(Partial(function, args.positional[1:], args.keywords) for function in alternatives(args.positional[0]))


def _reduce(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) < 2:
        return f.machine.unknown("reduce with unknown arguments")
    items = iteration.elements(f, st, args.positional[1], "list", c.at, c.site(1))
    queue = [*args.positional[2:3], *(items if isinstance(items, tuple) else (items, items))]
    total = queue[0] if queue else BOTTOM
    for item in queue[1:]:
        total = calls.call(f, st, c.at, args.positional[0], Arguments((total, item)))
    return total


def _copy(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "x") or NONE
    if c.name == "copy.deepcopy" and isinstance(value, Proxy):
        f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, value=value, subject=c.func_at, callee=c.name, detail=DEEP_COPY)
    if isinstance(value, Ref):
        obj = load(f, st, value)
        if isinstance(obj, ModuleObject):
            # A copy is another module: it is registered where it is put, not where the original is.
            return allocate(f, st, ModuleObject(obj.cls, obj.args, obj.fields, False, obj.touched, obj.buffers))
        if obj is not None:
            return allocate(f, st, obj)
    return value


def _chain(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    parts = [iteration.elements(f, st, v, "list", c.at, c.site(i)) for i, v in enumerate(args.positional)]
    if all(isinstance(p, tuple) for p in parts) and args.rest is None:
        return allocate(f, st, Sequence("iterator", tuple(v for p in parts if isinstance(p, tuple) for v in p)))
    return allocate(f, st, Sequence("iterator", None, union(v for p in parts for v in (p if isinstance(p, tuple) else (p,)))))


def _repeat(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "object") or NONE
    times = constant_int(args.get(1, "times") or NONE)
    if times is not None and times <= 64:
        return allocate(f, st, Sequence("iterator", (value,) * max(times, 0)))
    return allocate(f, st, Sequence("iterator", None, value))


def _cast(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return args.get(1, "val") or f.machine.unknown("cast with unknown arguments")


def _annotate(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return args.get(1, "the_value") or f.machine.unknown("annotate with unknown arguments")


def _parameter(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return Tensor("parameter", Origin(f.body, c.at, ""), registered=False)


def _buffer(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return Tensor("buffer", Origin(f.body, c.at, ""))


def _identity(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return args.positional[0] if args.positional else Static("function", c.name)


def _static(result: str) -> Handler:
    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        return Static(result, c.name)

    return handler


def _field(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``dataclasses.field``: its default, or the factory that every instance calls."""
    default, factory = args.keyword("default"), args.keyword("default_factory")
    if factory is not None:
        return Partial(FACTORY, (factory,), ())
    return default or Static("", "field of a dataclass")


def _namedtuple(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    name, fields = args.get(0, "typename") or NONE, args.get(1, "field_names") or NONE
    text = constant_str(fields)
    names = tuple(Const(n) for n in text.replace(",", " ").split()) if text is not None else (
        iteration.elements(f, st, fields, "list", c.at, c.site(1)))
    return Partial(Lib("collections.namedtuple.instance"), (name, Tuple(names) if isinstance(names, tuple) else NONE), ())


def _named_instance(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    name, fields, *given = args.positional
    names = tuple(text for v in fields.items if (text := constant_str(v)) is not None) if isinstance(fields, Tuple) else ()
    if len(names) < len(given) + len(args.keywords):
        return Tuple((*given, *(v for _, v in args.keywords)), "namedtuple")
    rest = tuple(args.keyword(n) or Static("", "default of a named tuple") for n in names[len(given):])
    return Tuple((*given, *rest), constant_str(name) or "namedtuple", names)


HANDLERS: dict[str, Handler] = {
    "builtins.getattr": _getattr, "builtins.hasattr": _hasattr, "builtins.setattr": _setattr, "builtins.isinstance": _isinstance,
    "builtins.type": _type, "builtins.callable": _callable, "builtins.issubclass": _issubclass, "builtins.super": _super,
    "functools.partial": _partial, "functools.reduce": _reduce, "copy.copy": _copy, "copy.deepcopy": _copy, "itertools.chain": _chain,
    "itertools.repeat": _repeat, "typing.cast": _cast, "torch.jit.annotate": _annotate, "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter, "torch.nn.UninitializedParameter": _parameter,
    "torch.nn.Buffer": _buffer, "torch.nn.parameter.Buffer": _buffer, "functools.wraps": _static("function"),
    "functools.lru_cache": _identity, "functools.cache": _identity, "torch.jit.ignore": _identity, "torch.jit.unused": _identity,
    "torch.jit.export": _identity, "torch.fx.wrap": _identity, "builtins.id": _static("int"),
    "builtins.hash": _static("int"), "builtins.globals": _static("dict"), "builtins.locals": _static("dict"),
    "builtins.property": _identity, "builtins.staticmethod": _identity, "builtins.classmethod": _identity,
    "dataclasses.field": _field, "collections.namedtuple": _namedtuple, "typing.NamedTuple": _namedtuple,
    "collections.namedtuple.instance": _named_instance, reveal.DOTTED: reveal.reveal,
}
