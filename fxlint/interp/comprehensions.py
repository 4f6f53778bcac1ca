"""Comprehensions: loops that collect."""

from __future__ import annotations

from fxlint.interp import assign, branches, expressions, iteration
from fxlint.interp.machine import MAX_UNROLL, Frame
from fxlint.interp.scopes import walk
from fxlint.interp.state import Mapping, Sequence, State
from fxlint.interp.store import allocate
from fxlint.syntax import ir
from fxlint.values.join import Truth, join, union
from fxlint.values.values import BOTTOM, Bottom, Const, Value

Collected = list[tuple[Value, ...]]


def comprehension(f: Frame, st: State, expr: ir.Comp) -> Value:
    """The container that a comprehension makes; a generator is run at once, as whoever consumes it would."""
    outer = st.env
    st.env = dict(outer)
    collected: Collected = []
    exact = _collect(f, st, expr, 0, collected)
    leaked = _walrus_names(expr)
    st.env = {**outer, **{k: v for k, v in st.env.items() if k in leaked}} if leaked else outer
    if expr.kind == "dict":
        return _mapping(f, st, collected, exact)
    values = [v for (v,) in collected]
    if exact and not any(isinstance(v, Bottom) for v in values):
        return allocate(f, st, Sequence(expr.kind, tuple(values)))
    return allocate(f, st, Sequence(expr.kind, None, union(values)))


def _walrus_names(expr: ir.Comp) -> frozenset[str]:
    return frozenset(n.target.id for n in walk(expr) if isinstance(n, ir.Walrus) and isinstance(n.target, ir.Name))


def _collect(f: Frame, st: State, expr: ir.Comp, depth: int, out: Collected) -> bool:
    """Run the ``for`` clauses from ``depth`` on; whether the number of elements is exactly known."""
    if depth == len(expr.gens):
        out.append(tuple(expressions.evaluate(f, st, e) for e in expr.elts))
        return True
    gen = expr.gens[depth]
    items = iteration.elements(f, st, expressions.evaluate(f, st, gen.iter), "comprehension", gen.iter.at, gen.iter.at)
    exact = isinstance(items, tuple) and len(items) <= MAX_UNROLL
    rounds = items if isinstance(items, tuple) and exact else (union(items) if isinstance(items, tuple) else items,)
    for item in rounds:
        if isinstance(item, Bottom):
            continue
        assign.assign(f, st, gen.target, item, expr.at)
        keep = Truth.TRUE
        for test in gen.ifs:
            _, result = branches.condition(f, st, test, "comprehension", test.at)
            if result is Truth.FALSE:
                keep = Truth.FALSE
                break
            if result is not Truth.TRUE:
                keep = result
            branches.narrow(f, st, test, True)
        if keep is Truth.FALSE:
            continue
        exact = exact and keep is Truth.TRUE
        exact = _collect(f, st, expr, depth + 1, out) and exact
    return exact


def _mapping(f: Frame, st: State, collected: Collected, exact: bool) -> Value:
    entries: dict[Const, Value] = {}
    rest: Value = BOTTOM
    for key, value in collected:
        if isinstance(key, Const):
            entries[key] = value if exact else join(entries.get(key, BOTTOM), value)
        else:
            rest, exact = join(rest, value), False
    return allocate(f, st, Mapping("dict", tuple(entries.items()), rest, exact))
