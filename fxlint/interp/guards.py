"""Guards: ``if not isinstance(x, Tensor): raise``, ``assert torch.is_tensor(x)``, ``next(a for a in args if torch.is_tensor(a))``.

A test that a Proxy fails raises while tracing.
"""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind, Facet
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.scopes import walk
from fxlint.syntax import ir
from fxlint.values.values import BOTTOM, Origin, Proxy, Value

RAISES = "raises"
_DECIDED = (EventKind.SPECIALISED_TYPE, EventKind.SPECIALISED_NONE)


def ends_in_raise(block: tuple[ir.Stmt, ...]) -> bool:
    """Whether a block surely ends by raising."""
    return bool(block) and isinstance(block[-1], ir.Raise)


def fatal(f: Frame, test: ir.Expr) -> bool:
    """Mark the events of a test whose outcome raises; false where no Proxy decided it."""
    nodes = {n.at for n in walk(test) if isinstance(n, ir.Call | ir.Compare)}
    found = [(k, e) for k, e in f.events.items() if e.body is f.body and e.at in nodes and e.kind in _DECIDED]
    for key, event in found:
        f.events[key] = replace(event, detail=RAISES)
    return bool(found)


def held(f: Frame, test: ir.Expr) -> None:
    """Forget that an assertion asked for None and tracing passed it: nobody hands None to what asserts that it gets none."""
    nodes = {n.at for n in walk(test) if isinstance(n, ir.Compare)}
    for key, event in list(f.events.items()):
        if event.body is f.body and event.at in nodes and event.kind is EventKind.SPECIALISED_NONE:
            del f.events[key]


def never_found(f: Frame, c: CallSite) -> Value:
    """``next`` of an iterator that is empty raises StopIteration; where a test on Proxies emptied it, eager execution finds one."""
    nodes = f.info.func.body if f.info is not None else ()
    call = next((n for stmt in nodes for n in walk(stmt) if isinstance(n, ir.Call) and n.at == c.at), None)
    if call is None or not call.args or not fatal(f, call.args[0].value):
        return BOTTOM
    return Proxy(Facet.TENSOR, Origin(f.body, c.at, "what eager execution finds"))
