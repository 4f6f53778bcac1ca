"""``itertools``: what its functions draw from, they iterate, also where that is a Proxy.

They are lazy: a Proxy raises where the iterator is made, and all the same the calls of functions that they are given happen in the loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import TypeAlias

from fxlint.interp import calls, iteration
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Sequence, State
from fxlint.interp.store import allocate, constant_int
from fxlint.values.join import union
from fxlint.values.values import Const, Static, Tuple, Value

MAX_ROWS = 64

Handler: TypeAlias = Callable[[Frame, State, CallSite, Arguments], Value]
Rows: TypeAlias = Callable[[Iterable[Value], int], Iterable[tuple[Value, ...]]]


def _columns(f: Frame, st: State, c: CallSite, values: tuple[Value, ...]) -> list[tuple[Value, ...] | Value]:
    return [iteration.elements(f, st, v, "zip", c.at, c.site(i)) for i, v in enumerate(values)]


def _any(column: tuple[Value, ...] | Value) -> Value:
    return union(column) if isinstance(column, tuple) else column


def _chosen(rows: Rows) -> Handler:
    """Tuples of ``r`` elements of the first argument."""

    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        first = args.get(0, "iterable") or Tuple(())
        column = iteration.elements(f, st, first, "zip", c.at, c.site(0))
        given = args.get(1, "r")
        count = constant_int(given) if given is not None else len(column) if isinstance(column, tuple) else None
        if isinstance(column, tuple) and count is not None and count >= 0:
            made = tuple(Tuple(row) for row in itertools.islice(rows(column, count), MAX_ROWS + 1))
            if len(made) <= MAX_ROWS:
                return allocate(f, st, Sequence("iterator", made))
        return allocate(f, st, Sequence("iterator", None, Tuple((_any(column),) * (count or 2))))

    return handler


def _elements(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """Some elements of the first argument: islice, cycle."""
    column = iteration.elements(f, st, args.get(0, "iterable") or Tuple(()), "zip", c.at, c.site(0))
    stop = constant_int(args.positional[1]) if c.name.endswith("islice") and len(args.positional) == 2 else None
    if isinstance(column, tuple) and stop is not None and stop >= 0:
        return allocate(f, st, Sequence("iterator", column[:stop]))
    return allocate(f, st, Sequence("iterator", None, _any(column)))


def _pairwise(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    column = iteration.elements(f, st, args.get(0, "iterable") or Tuple(()), "zip", c.at, c.site(0))
    if isinstance(column, tuple):
        return allocate(f, st, Sequence("iterator", tuple(Tuple(pair) for pair in itertools.pairwise(column))))
    return allocate(f, st, Sequence("iterator", None, Tuple((column, column))))


def _product(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    columns = _columns(f, st, c, args.positional)
    known = [column for column in columns if isinstance(column, tuple)]
    if len(known) == len(columns) and not args.keywords:
        made = tuple(Tuple(row) for row in itertools.islice(itertools.product(*known), MAX_ROWS + 1))
        if len(made) <= MAX_ROWS:
            return allocate(f, st, Sequence("iterator", made))
    return allocate(f, st, Sequence("iterator", None, Tuple(tuple(_any(column) for column in columns))))


def _zip_longest(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    fill = args.keyword("fillvalue") or Const(None)
    columns = _columns(f, st, c, args.positional)
    known = [column for column in columns if isinstance(column, tuple)]
    if len(known) == len(columns):
        rows = itertools.zip_longest(*known, fillvalue=fill)
        return allocate(f, st, Sequence("iterator", tuple(Tuple(row) for row in rows)))
    return allocate(f, st, Sequence("iterator", None, Tuple(tuple(union((_any(column), fill)) for column in columns))))


def _starmap(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) != 2:
        return f.machine.unknown("starmap with unknown arguments")
    column = iteration.elements(f, st, args.positional[1], "zip", c.at, c.site(1))
    results: list[Value] = []
    for row in column if isinstance(column, tuple) else (column,):
        given = iteration.elements(f, st, row, "star-call", c.at, c.site(1))
        results.append(calls.call(f, st, c.at, args.positional[0], Arguments(given if isinstance(given, tuple) else (given,))))
    return allocate(f, st, Sequence("iterator", tuple(results) if isinstance(column, tuple) else None, union(results)))


def _count(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    return allocate(f, st, Sequence("iterator", None, Static("int")))


HANDLERS: dict[str, Handler] = {
    "itertools.combinations": _chosen(itertools.combinations),
    "itertools.combinations_with_replacement": _chosen(itertools.combinations_with_replacement),
    "itertools.permutations": _chosen(itertools.permutations),
    "itertools.islice": _elements, "itertools.cycle": _elements, "itertools.pairwise": _pairwise, "itertools.product": _product,
    "itertools.zip_longest": _zip_longest, "itertools.starmap": _starmap, "itertools.count": _count,
}
