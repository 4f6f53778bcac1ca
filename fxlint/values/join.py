"""Joining values: the smallest value that denotes all that either denotes, within a budget of six alternatives."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from fxlint.base.event import Facet
from fxlint.values.values import Bottom, Const, Proxy, Static, Tensor, Tuple, Union, Unknown, Value

UNION_LIMIT = 6


class Truth(Enum):
    """What ``bool(value)`` gives while tracing."""

    TRUE = "true"
    FALSE = "false"
    EITHER = "either"  # concrete, but not known here
    RAISES = "raises"  # a Proxy: TraceError


def alternatives(value: Value) -> tuple[Value, ...]:
    """The members of a union, or the value itself; nothing for Bottom."""
    if isinstance(value, Union):
        return value.members
    return () if isinstance(value, Bottom) else (value,)


def join(a: Value, b: Value) -> Value:
    """The join of two values. Equal values keep the first one's provenance."""
    if a is b or isinstance(b, Bottom):
        return a
    if isinstance(a, Bottom):
        return b
    if a == b:
        return a
    return union((*alternatives(a), *alternatives(b)))


def union(values: Iterable[Value]) -> Value:
    """The join of many values; more than six alternatives are widened to Static or Unknown."""
    out: list[Value] = []
    for value in values:
        if isinstance(value, Union):
            for one in value.members:
                _add(out, one)
        elif not isinstance(value, Bottom):
            _add(out, value)
    if not out:
        return Bottom()
    if len(out) == 1:
        return out[0]
    if len(out) <= UNION_LIMIT:
        return Union(tuple(out))
    return widen(out)


def _add(out: list[Value], value: Value) -> None:
    if value in out:
        return
    if isinstance(value, Proxy):
        for i, old in enumerate(out):
            if isinstance(old, Proxy):
                out[i] = _join_proxies(old, value)
                return
    if isinstance(value, Tuple):
        for i, old in enumerate(out):
            if isinstance(old, Tuple) and len(old.items) == len(value.items) and old.cls == value.cls:
                out[i] = Tuple(tuple(join(x, y) for x, y in zip(old.items, value.items, strict=True)), old.cls, old.names)
                return
    out.append(value)


def _join_proxies(a: Proxy, b: Proxy) -> Proxy:
    """Both are Proxies, so the join surely is one; it is assumed only where both are."""
    return Proxy(
        a.facet if a.facet is b.facet else Facet.UNKNOWN,
        a.origin,
        a.assumed if b.assumed else "",
        a.length if a.length == b.length else None,
        a.role if a.role == b.role else "",
    )


def widen(values: list[Value]) -> Value:
    """One value for many: Static of a common type where all are concrete, else Unknown."""
    types = {type_name(v) for v in values}
    if all(isinstance(v, (Const, Static)) for v in values):
        return Static(types.pop() if len(types) == 1 else "", "one of more than six constants")
    proxies = [v for v in values if isinstance(v, Proxy)]
    rest = [v for v in values if not isinstance(v, Proxy)]
    return Unknown("more than six alternatives", bool(proxies) or any(isinstance(v, Unknown) and v.may_be_proxy for v in rest))


def type_name(value: Value) -> str:
    """The name of the Python type that every object of the value has, "" where it is not one type."""
    match value:
        case Const(v):
            return type(v).__name__
        case Static(type=t):
            return t
        case Tensor():
            return "Tensor"
        case Tuple():
            return "tuple"
        case _:
            return ""
