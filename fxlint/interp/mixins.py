"""Methods that Python's abstract containers derive from those that a class of the project defines: ``get`` from ``__getitem__``."""

from __future__ import annotations

from fxlint.interp import attributes, calls, iteration
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Sequence, State
from fxlint.interp.store import allocate
from fxlint.values.join import union
from fxlint.values.values import BOTTOM, NONE, Bottom, Const, Ref, Tuple, Value

OWNERS = frozenset(f"{module}.{name}" for module in ("collections.abc", "typing") for name in ("Mapping", "MutableMapping"))
DERIVED = frozenset({"get", "pop", "setdefault", "keys", "values", "items"})


def method(f: Frame, st: State, c: CallSite, receiver: Ref, name: str, args: Arguments) -> Value | None:
    """The result of such a method, None for one that is not derived."""
    match name:
        case "get" | "pop" | "setdefault":
            return _get(f, st, c, receiver, args)
        case "keys" | "values" | "items":
            keys = iteration.elements(f, st, receiver, "list", c.at, c.func_at)
            rows = [_row(f, st, c, receiver, key, name) for key in (keys if isinstance(keys, tuple) else (keys,))]
            known = isinstance(keys, tuple)
            return allocate(f, st, Sequence("iterator", tuple(rows) if known else None, BOTTOM if known else union(rows)))
        case _:
            return None


def _row(f: Frame, st: State, c: CallSite, receiver: Ref, key: Value, name: str) -> Value:
    if name == "keys":
        return key
    value = _item(f, st, c, receiver, key)
    return value if name == "values" else Tuple((key, value))


def _get(f: Frame, st: State, c: CallSite, receiver: Ref, args: Arguments) -> Value:
    """What the key gives; the default where the look-up raises."""
    key, default = args.get(0, "key") or NONE, args.get(1, "default") or NONE
    found = _item(f, st, c, receiver, key)
    if isinstance(found, Bottom):
        return default
    return found if isinstance(key, Const) else union((found, default))


def _item(f: Frame, st: State, c: CallSite, receiver: Ref, key: Value) -> Value:
    getter = attributes.get_attribute(f, st, c.at, receiver, "__getitem__", c.func_at)
    return calls.call(f, st, c.at, getter, Arguments((key,)))

