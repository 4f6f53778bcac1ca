"""Guards: ``if not isinstance(x, Tensor): raise``, ``assert torch.is_tensor(x)``, ``next(a for a in args if torch.is_tensor(a))``.

A test that a Proxy fails raises while tracing.
"""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import Assumption, AssumptionKind, EventKind, Facet
from fxlint.interp import spelling
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame, RawEvent
from fxlint.interp.scopes import walk
from fxlint.syntax import ir
from fxlint.values.values import BOTTOM, Origin, Proxy, Value

RAISES = "raises"
# The types that the values of Proxies have, by facet.
_TYPES: dict[Facet, frozenset[str]] = {
    Facet.TENSOR: frozenset({"torch.Tensor"}), Facet.UNKNOWN: frozenset({"torch.Tensor"}), Facet.SIZE_ITEM: frozenset({"builtins.int"}),
    Facet.SIZE: frozenset({"builtins.tuple", "torch.Size"}), Facet.BOOL: frozenset({"builtins.bool"}),
    Facet.DTYPE: frozenset({"torch.dtype"}), Facet.DEVICE: frozenset({"torch.device"}),
}
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


def eager_differs(f: Frame, test: ir.Expr) -> bool:
    """Whether eager execution decides a test the other way: one that asks a Proxy whether it is of the type that the value has."""
    if not f.tested:
        return False
    nodes = {n.at for n in walk(test) if isinstance(n, ir.Call)}
    return any(e.body is f.body and e.at in nodes and _is_of_type(e) for e in f.events.values())


def _is_of_type(event: RawEvent) -> bool:
    if event.construct == "is-tensor":
        return event.facet in (Facet.TENSOR, Facet.UNKNOWN)
    wanted = _TYPES.get(event.facet, frozenset())
    return event.construct == "isinstance" and not wanted.isdisjoint(event.detail.split(", "))


def eager_arm(f: Frame, test: ir.Expr) -> Assumption:
    """What holds in the arm of a test that eager execution takes and tracing does not."""
    return Assumption(AssumptionKind.EAGER_ARM, spelling.text_at(f.body, test.at))


def never_found(f: Frame, c: CallSite) -> Value:
    """``next`` of an iterator that is empty raises StopIteration; where a test on Proxies emptied it, eager execution finds one."""
    nodes = f.info.func.body if f.info is not None else ()
    call = next((n for stmt in nodes for n in walk(stmt) if isinstance(n, ir.Call) and n.at == c.at), None)
    if call is None or not call.args or not fatal(f, call.args[0].value):
        return BOTTOM
    return Proxy(Facet.TENSOR, Origin(f.body, c.at, "what eager execution finds"))
