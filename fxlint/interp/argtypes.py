"""What a recorded call, an operator or the output of the graph makes of its concrete arguments: ``Tracer.create_arg``.

It knows numbers, strings, dtypes, devices, containers of them, dataclasses, enums, tensors and modules of the root; anything else raises
"argument of type: <class ...>". Some of what it takes is frozen with the value that it has while tracing.
"""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp import branches, classes, constructors, textflow, uncalled
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import load
from fxlint.library import lookup as library
from fxlint.syntax import ir
from fxlint.values.fold import NUMPY, is_array
from fxlint.values.join import alternatives
from fxlint.values.values import (
    Bound,
    Class,
    ClassInfo,
    Const,
    Function,
    Lib,
    NativeMethod,
    Partial,
    Proxy,
    Ref,
    Slice,
    Static,
    Tensor,
    Tuple,
    Value,
)

# Recorded calls whose string is a message only.
MESSAGES = frozenset({"torch._assert", "torch._assert_async", "torch._check"})


def check(f: Frame, st: State, at: ir.At, values: tuple[Value, ...], callee: str, sites: tuple[ir.At, ...] = ()) -> None:
    """Events of the arguments of one recorded call at node ``at``; ``callee`` is its name, "" for an operator and for the graph's output.

    ``sites`` are the nodes of the first values, where they are written out.
    """
    if not f.tracing:
        return
    if callee not in MESSAGES:
        textflow.reached(f, st, at, *values)
    for i, value in enumerate(values):
        uncalled.used(f, st, at, value)
        if callee and branches.is_training(value):
            f.emit(st, EventKind.TRAINING, "argument", at, callee=callee)
        found = problem(f, st, value)
        if found is not None:
            kind, construct, detail = found
            f.emit(st, kind, construct, at, subject=sites[i] if i < len(sites) else at, callee=callee, detail=detail)
            return


def problem(f: Frame, st: State, value: Value, depth: int = 4) -> tuple[EventKind, str, str] | None:
    """The kind, construct and detail of the event that an argument gives, None for one that a graph can hold."""
    match value:
        case Tensor(kind="parameter", registered=False):
            return EventKind.PARAMETER_UNREGISTERED, "operand", ""
        case Static(type=t) if t.startswith(NUMPY):
            return (EventKind.NO_ARGUMENT_TYPE, "instance", "numpy.ndarray") if is_array(t) else (EventKind.NUMPY_OPERAND, "operand", t)
        case NativeMethod(receiver=Proxy()):
            return None
        case Static(type="generator") if f.machine.torch_version < (2, 13):
            return EventKind.NO_ARGUMENT_TYPE, "instance", "torch._C.Generator"
        case Function() | Bound() | Partial() | NativeMethod():
            return EventKind.NO_ARGUMENT_TYPE, "function", "functools.partial" if isinstance(value, Partial) else "function"
        case Const(value=bytes()):
            return EventKind.NO_ARGUMENT_TYPE, "instance", "bytes"
        case Class():
            return EventKind.NO_ARGUMENT_TYPE, "function", "type"
        case Lib(dotted):
            known = library.function(dotted) is not None or library.module_class(dotted) is not None
            return (EventKind.NO_ARGUMENT_TYPE, "function", "builtin_function_or_method") if known else None
        case Tuple(items=items):
            return _first(f, st, items, depth)
        case Slice(lower, upper, step):
            return _first(f, st, (lower, upper, step), depth)
        case Ref():
            return _object(f, st, value, depth)
        case _:
            return None


def _first(f: Frame, st: State, values: tuple[Value, ...], depth: int) -> tuple[EventKind, str, str] | None:
    if depth == 0:
        return None
    return next((found for v in values if (found := problem(f, st, v, depth - 1)) is not None), None)


def _object(f: Frame, st: State, ref: Ref, depth: int) -> tuple[EventKind, str, str] | None:
    obj = load(f, st, ref)
    match obj:
        case Instance(cls=cls):
            if isinstance(cls, str) or constructors.is_dataclass(f, cls) or classes.is_module(cls):
                return None
            return EventKind.NO_ARGUMENT_TYPE, "instance", cls.name
        case ModuleObject(cls=cls):
            # The root is found under the name "", which no attribute has.
            name = cls.name if isinstance(cls, ClassInfo) else cls
            return (EventKind.NO_ARGUMENT_TYPE, "instance", name) if ref == f.machine.root else None
        case Sequence(kind="set" | "generator" | "iterator" as kind):
            return EventKind.NO_ARGUMENT_TYPE, "instance" if kind == "set" else "generator", kind
        case Sequence(kind="list" | "tuple", items=items):
            return _first(f, st, items or (), depth)
        case Mapping(kind="dict", entries=entries):
            return _first(f, st, tuple(v for _, v in entries), depth)
        case _:
            return None


def operand(f: Frame, st: State, at: ir.At, other: Value, other_at: ir.At, *, left: bool) -> None:
    """Events of the concrete operand of a recorded operator; ``left`` where it stands on the left of the Proxy."""
    if not f.tracing:
        return
    for one in alternatives(other):
        if isinstance(one, Static) and left and one.type.startswith(NUMPY):
            # numpy's own operator runs first, and makes an array of the Proxy.
            f.emit(st, EventKind.NUMPY_OPERAND, "left-operand", at, subject=other_at, detail=one.type)
        elif isinstance(one, (Tensor, Static, Function, Bound)):
            check(f, st, at, (one,), "", (other_at,))


def operands(f: Frame, st: State, at: ir.At, a: Value, b: Value, left_at: ir.At, right_at: ir.At) -> None:
    """Events of the concrete operands of ``a op b`` at node ``at``, which is recorded where a Proxy takes part."""
    if isinstance(a, Const) and isinstance(b, Const):
        return
    if _takes_part(a):
        operand(f, st, at, b, right_at, left=False)
    elif _takes_part(b):
        operand(f, st, at, a, left_at, left=True)
    uncalled.used(f, st, left_at, a)
    uncalled.used(f, st, right_at, b)


def _takes_part(value: Value) -> bool:
    return any(isinstance(v, Proxy) for v in alternatives(value))
