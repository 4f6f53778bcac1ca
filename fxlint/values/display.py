"""Values as short text, for tests and explanations. Stable: the members of a union are sorted, provenance is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from fxlint.values.values import (
    Bottom,
    Bound,
    Class,
    Const,
    Function,
    Lib,
    ModuleFileValue,
    NativeMethod,
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


def show(value: Value, describe: Callable[[Ref], str]) -> str:
    """The text of a value. ``describe`` gives the text of an object of the store, which this layer knows nothing of."""
    match value:
        case Const(constant):
            return f"Const({constant!r})"
        case Static(type=name):
            return f"Static[{name}]" if name else "Static"
        case Proxy():
            return _proxy(value)
        case Tensor(kind=kind):
            return f"Tensor[{kind}]"
        case Tuple(items, cls):
            return f"{cls or 'tuple'}[{show_all(items, describe)}]"
        case Slice(lower, upper, step):
            return f"slice[{show_all((lower, upper, step), describe)}]"
        case Ref():
            return describe(value)
        case Function(code):
            return f"Function[{code.qualname}]"
        case Wrapped(target, name):
            return f"Wrapped[{name}: {show(target, describe)}]"
        case Bound(receiver, function):
            return f"Bound[{show(receiver, describe)}, {show(function, describe)}]"
        case NativeMethod(receiver, name):
            return f"Method[{show(receiver, describe)}, {name}]"
        case Partial(function, args, keywords):
            given = [show(function, describe), *(show(v, describe) for v in args), *(f"{k}={show(v, describe)}" for k, v in keywords)]
            return f"Partial[{', '.join(given)}]"
        case Class(info):
            return f"Class[{info.qualname}]"
        case Lib(dotted):
            return f"Lib[{dotted}]"
        case ModuleFileValue(source):
            return f"File[{source.module}]"
        case Super(receiver, after):
            return f"Super[{show(receiver, describe)}, after {after.qualname}]"
        case Union(members):
            return f"Union[{', '.join(sorted(show(v, describe) for v in members))}]"
        case Unknown(reason, may_be_proxy):
            return f"Unknown({reason}; maybe a Proxy)" if may_be_proxy else f"Unknown({reason})"
        case Bottom():
            return "Never"
        case _:
            assert_never(value)


def show_all(values: Iterable[Value], describe: Callable[[Ref], str]) -> str:
    """The texts of several values, with commas."""
    return ", ".join(show(v, describe) for v in values)


def _proxy(value: Proxy) -> str:
    words = [str(value.facet)]
    if value.length is not None:
        words.append(f"{value.length} items")
    if value.role == "parameter":
        words.append(value.role)
    if value.assumed:
        words.append(f"assumed of {value.assumed}")
    return f"Proxy[{', '.join(words)}]"
