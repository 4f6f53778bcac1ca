"""Concrete tensors that forward writes or branches on: buffers, and tensors that are made while tracing.

A buffer fetched from its module is a real tensor. An in-place operation on it that takes no Proxy runs once, while tracing; one that
takes a Proxy is recorded. Which buffers forward writes is known at the end of the trace only, so ``settled`` looks at all its events.
"""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.interp.machine import EventKey, Frame, RawEvent
from fxlint.interp.state import State
from fxlint.interp.store import first_proxy
from fxlint.syntax import ir
from fxlint.values.join import alternatives
from fxlint.values.values import Origin, Tensor, Value


def branched(f: Frame, st: State, at: ir.At, value: Value) -> None:
    """A condition on a concrete tensor that comes from a buffer.

    A buffer that is the condition itself is a flag, which something sets some day; of others ``settled`` drops those that nothing writes.
    """
    for one in alternatives(value):
        if isinstance(one, Tensor) and one.source:
            f.emit(st, EventKind.BUFFER_BRANCH, "flag" if one.kind == "buffer" else "branch", at, value=one, subject=at, detail=one.source)


def written(f: Frame, st: State, at: ir.At, tensor: Tensor, subject_at: ir.At, *values: Value, construct: str, callee: str = "") -> None:
    """An in-place write to a concrete tensor at node ``at``, with ``values`` as its operands."""
    held = first_proxy(f, st, *values)
    if held is not None:
        f.machine.written.add(tensor.source)
        detail = tensor.source if tensor.kind == "buffer" else tensor.kind
        f.emit(st, EventKind.CONSTANT_WRITE, construct, at, value=held, subject=subject_at, callee=callee, detail=detail)
    elif tensor.kind == "buffer":
        f.emit(st, EventKind.STATE_WRITE, "buffer", at, callee=callee, detail=tensor.source)


def computed(f: Frame, st: State, at: ir.At, *operands: Value) -> Tensor:
    """A tensor that is computed while tracing, at node ``at``. It keeps the name of the buffer among its operands.

    It is an event where an operand is a real Parameter (what is computed of it is frozen), or a tensor that the graph writes.
    """
    tensors = [v for value in operands for v in alternatives(value) if isinstance(v, Tensor)]
    for tensor in tensors if f.tracing else ():
        if tensor.kind == "parameter":
            f.emit(st, EventKind.PARAMETER_BAKED, "operand", at, subject=at)
        elif tensor.source and (tensor.source in f.machine.written):
            f.emit(st, EventKind.CONSTANT_WRITE, "stale", at, subject=at, detail=tensor.source)
    return Tensor("made" if f.tracing else "plain", Origin(f.body, at, ""), source=next((t.source for t in tensors if t.source), ""))


def settled(events: dict[EventKey, RawEvent]) -> list[RawEvent]:
    """The events of one trace, in terms of checks: branches on buffers that nothing writes go, the name of a buffer becomes its kind."""
    listed = list(events.values())
    names = {e.detail for e in listed if e.kind in (EventKind.CONSTANT_WRITE, EventKind.STATE_WRITE)}
    out = []
    for event in listed:
        if event.kind is EventKind.BUFFER_BRANCH and event.construct == "branch" and event.detail not in names:
            continue
        if event.kind is EventKind.CONSTANT_WRITE and event.detail not in ("made", "plain", "parameter"):
            event = replace(event, detail="buffer")
        out.append(event)
    return out

