"""Guards: ``if not isinstance(x, Tensor): raise``, ``assert torch.is_tensor(x)``. A test that a Proxy fails raises while tracing."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.interp.machine import Frame
from fxlint.interp.scopes import walk
from fxlint.syntax import ir

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
