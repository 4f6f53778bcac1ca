"""The text of a Proxy: ``str(x)``, ``repr(x)``, ``f"{x}"`` say "Proxy(x)" or a node's name while tracing, whatever x stands for.

Nothing is wrong with such a text as long as nobody looks at it (an error message, a print). It is an event where it reaches an output, a
key, a branch or an argument of a recorded call; the event stands where the text was made.
"""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp.machine import Frame
from fxlint.interp.state import Mapping, Sequence, State
from fxlint.interp.store import first_proxy, load
from fxlint.syntax import ir
from fxlint.values.join import alternatives
from fxlint.values.values import Origin, Proxy, Ref, Static, Tuple, Value

TEXT = "the text of a Proxy"


def text_of(f: Frame, at: ir.At, proxy: Proxy) -> Static:
    """The string that is made at node ``at`` from a Proxy."""
    return Static("str", TEXT, Origin(f.body, at, TEXT, proxy.origin))


def held_text(*values: Value) -> Static | None:
    """The first of the values (looking into tuples) that holds a Proxy's text, or was decided by one."""
    for value in values:
        for one in alternatives(value):
            if isinstance(one, Static) and one.why == TEXT and one.origin is not None:
                return one
            if isinstance(one, Tuple):
                inner = held_text(*one.items)
                if inner is not None:
                    return inner
    return None


def string(f: Frame, st: State, at: ir.At, *values: Value) -> Static | None:
    """What a string made of the values at ``at`` is, if a Proxy or a Proxy's text is among them; None if not."""
    proxy = first_proxy(f, st, *values)
    if proxy is not None:
        return text_of(f, at, proxy)
    held = held_text(*values)
    return None if held is None else Static("str", TEXT, held.origin)


def decided(kind: str, *values: Value) -> Static | None:
    """What is computed from the values (a "bool" by a comparison, a part of a string), if a Proxy's text is among them."""
    held = held_text(*values)
    return None if held is None else Static(kind, TEXT, held.origin)


def _inside(f: Frame, st: State, value: Value) -> tuple[Value, ...]:
    """A value, and what a list or dict among its alternatives holds."""
    out: list[Value] = [value]
    for one in alternatives(value):
        obj = load(f, st, one) if isinstance(one, Ref) else None
        if isinstance(obj, Sequence) and obj.kind in ("list", "tuple"):
            out.extend(obj.items or ())
        elif isinstance(obj, Mapping) and obj.kind == "dict":
            out.extend(v for pair in obj.entries for v in pair)
    return tuple(out)


def reached(f: Frame, st: State, at: ir.At, *values: Value, construct: str = "str") -> None:
    """A Proxy's text among the values reaches something that depends on it, at node ``at``; ``construct`` is "attribute" for a name."""
    held = held_text(*(v for value in values for v in _inside(f, st, value)))
    if held is None or held.origin is None:
        return
    here = held.origin.at if held.origin.body is f.body else at
    f.emit(st, EventKind.PROXY_TEXT, construct, here, value=held, subject=here)
