"""Functions of which the configuration says what they do with Proxies: it stands in place of their source, and of the tables."""

from __future__ import annotations

from enum import StrEnum

from fxlint.base.event import EventKind, Facet
from fxlint.interp import argtypes
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame, Machine
from fxlint.interp.operators import derived
from fxlint.interp.state import State
from fxlint.interp.store import first_proxy
from fxlint.values.values import Function, Lib, Origin, Proxy, Static, Value


class Declared(StrEnum):
    """What a function does. Without a Proxy among its arguments it runs as it is written, but for STATIC."""

    WRAP = "wrap"  # a call with a Proxy is one node, and gives a Proxy
    PROXY = "proxy"  # tracing goes through it without trouble, and a Proxy comes out
    BREAKS = "breaks"  # it raises when it is given a Proxy
    STATIC = "static"  # a plain value comes out, whatever goes in


def name_of(function: Value) -> str:
    """The dotted name by which a configuration may describe a function: where it is defined in the project, or as it is imported."""
    match function:
        case Function(code):
            return f"{code.source.module}.{code.qualname}"
        case Lib(dotted):
            return dotted
        case _:
            return ""


def kind(m: Machine, function: Value) -> Declared | None:
    """What the configuration says of ``function``, if anything."""
    said = m.declared.get(name_of(function)) if m.declared else None
    return None if said is None else Declared(said)


def call(f: Frame, st: State, c: CallSite, what: Declared, args: Arguments) -> Value | None:
    """The value of a call that the configuration describes; None where the function runs as it is written."""
    if what is Declared.STATIC:
        return Static("", f"what {c.name} returns")
    held = first_proxy(f, st, *args.all())
    if held is None or not f.tracing:
        return None
    f.machine.calls += 1
    if what is Declared.WRAP:
        f.machine.recorded += 1
        argtypes.check(f, st, c.at, tuple(args.all()), c.name, c.sites)
        return Proxy(Facet.UNKNOWN, Origin(f.body, c.at, f"{c.name} is one node", held.origin))
    if what is Declared.BREAKS:
        detail = "an error, as the configuration says"
        f.emit(st, EventKind.FOREIGN_CALL, "c-function", c.at, value=held, subject=c.func_at, callee=c.name, detail=detail)
    return derived(f, c.at, Facet.UNKNOWN, held)
