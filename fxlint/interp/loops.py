"""Loops: unrolled where the elements are known and few, else run twice as an approximation of any number of rounds."""

from __future__ import annotations

from fxlint.interp import assign, branches, expressions, iteration, statements
from fxlint.interp.machine import MAX_UNROLL, Frame, Loop
from fxlint.interp.state import State, merge
from fxlint.syntax import ir
from fxlint.values.join import Truth, union
from fxlint.values.values import Bottom, Value

ROUNDS = 2


def run_for(f: Frame, st: State, stmt: ir.For) -> State | None:
    """``for``."""
    iterable = expressions.evaluate(f, st, stmt.iter)
    if isinstance(iterable, Bottom):
        return None
    items = iteration.elements(f, st, iterable, "for", stmt.at, stmt.iter.at)
    if isinstance(items, tuple) and len(items) <= MAX_UNROLL:
        return _unrolled(f, st, stmt, items)
    if isinstance(items, tuple):
        f.machine.unknowns["loop of more than 64 rounds"] += 1
        items = union(items)
    return _approximated(f, st, stmt, items)


def _unrolled(f: Frame, st: State, stmt: ir.For, items: tuple[Value, ...]) -> State | None:
    loop = Loop()
    current: State | None = st
    for item in items:
        if current is None:
            break
        current = _round(f, current, stmt, item, loop)
    after = statements.run(f, current, stmt.orelse) if current is not None else None
    for left in loop.breaks:
        after = merge(after, left)
    return after


def _round(f: Frame, st: State, stmt: ir.For, item: Value, loop: Loop) -> State | None:
    assign.assign(f, st, stmt.target, assign.named(f, stmt.target.at, "", item), stmt.at)
    f.loops.append(loop)
    after = statements.run(f, st, stmt.body)
    f.loops.pop()
    for left in loop.continues:
        after = merge(after, left)
    loop.continues.clear()
    return after


def _approximated(f: Frame, st: State, stmt: ir.For, item: Value) -> State | None:
    loop = Loop()
    current: State | None = st
    if not isinstance(item, Bottom):
        for _ in range(ROUNDS):
            assert current is not None
            current = merge(current, _round(f, current.copy(), stmt, item, loop))
    after = statements.run(f, current, stmt.orelse)
    for left in loop.breaks:
        after = merge(after, left)
    return after


def run_while(f: Frame, st: State, stmt: ir.While) -> State | None:
    """``while``."""
    loop = Loop()
    current: State | None = st
    out: State | None = None
    for round_number in range(MAX_UNROLL + 1):
        if current is None:
            break
        value, result = branches.condition(f, current, stmt.test, "while", stmt.at)
        first, second = branches.arms(f, current, stmt.test, value, result)
        out = merge(out, second)
        decided = result is Truth.TRUE
        if first is None or (not decided and round_number >= ROUNDS) or round_number == MAX_UNROLL:
            if decided:
                f.machine.unknowns["loop of more than 64 rounds"] += 1
                out = merge(out, first)
            break
        f.loops.append(loop)
        current = statements.run(f, first, stmt.body)
        f.loops.pop()
        for left in loop.continues:
            current = merge(current, left)
        loop.continues.clear()
    after = statements.run(f, out, stmt.orelse)
    for left in loop.breaks:
        after = merge(after, left)
    return after
