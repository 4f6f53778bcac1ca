"""Builtins that ask a Proxy for a concrete value: conversions, iteration and ordering."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from fxlint.base.event import EventKind, Facet
from fxlint.interp import attributes, branches, calls, guards, iteration, modules, textflow
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import MAX_UNROLL, Frame
from fxlint.interp.operators import binary, derived
from fxlint.interp.state import Mapping, Sequence, State
from fxlint.interp.store import allocate, constant_int, load
from fxlint.values.join import Truth, alternatives, type_name, union
from fxlint.values.values import (
    BOTTOM,
    FALSE,
    NONE,
    TRUE,
    Bottom,
    Const,
    Proxy,
    Ref,
    Slice,
    Static,
    Tensor,
    Tuple,
    Unknown,
    Value,
)

Handler: TypeAlias = Callable[[Frame, State, CallSite, Arguments], Value]


def proxy_among(value: Value) -> Proxy | None:
    """The Proxy that a value may be."""
    return next((v for v in alternatives(value) if isinstance(v, Proxy)), None)


def _len(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "obj")
    if value is None:
        return Static("int")
    held = proxy_among(value)
    if held is not None:
        f.emit(st, EventKind.PROXY_LEN, "len", c.at, value=held, subject=c.site(0))
        return Static("int", "len of a Proxy")
    info = modules.class_of(f, st, value)
    if info is not None:
        method = attributes.class_member(f, st, c.at, value, info, "__len__")
        if method is not None:
            return calls.call(f, st, c.at, method, Arguments())
    return iteration.length(f, st, value)


def _number(result: str) -> Handler:
    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        for i, value in enumerate(args.positional):
            held = proxy_among(value)
            if held is not None:
                f.emit(st, EventKind.PROXY_NUMBER, result, c.at, value=held, subject=c.site(i))
                return Static(result if result != "index" else "int", f"{result} of a Proxy")
        return _convert(result, args.positional)

    return handler


def _convert(name: str, values: tuple[Value, ...]) -> Value:
    if not values:
        return Const({"int": 0, "float": 0.0, "complex": 0j}.get(name, 0))
    if any(isinstance(v, Unknown) and v.may_be_proxy for v in values):
        return Unknown(f"{name} of an unknown value", True)
    if len(values) == 1 and isinstance(values[0], Const) and isinstance(values[0].value, (int, float, str)):
        try:
            return Const({"int": int, "float": float, "complex": complex}.get(name, int)(values[0].value))
        except (ValueError, OverflowError):
            return BOTTOM
    return Static("int" if name == "index" else name, "conversion of unknown configuration")


def _bool(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "x")
    if value is None:
        return FALSE
    result = branches.decide(f, st, value, "bool", c.site(0))
    return {Truth.TRUE: TRUE, Truth.FALSE: FALSE}.get(result, Static("bool"))


def _range(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    for i, value in enumerate(args.positional):
        held = proxy_among(value)
        if held is not None:
            f.emit(st, EventKind.PROXY_NUMBER, "range", c.at, value=held, subject=c.site(i))
            return allocate(f, st, Sequence("iterator", None, Static("int", "index of a loop")))
    numbers = [constant_int(v) for v in args.positional]
    if numbers and all(n is not None for n in numbers) and args.rest is None:
        known = [n for n in numbers if n is not None]
        if len(known) < 3 or known[2] != 0:
            values = range(*known)
            if len(values) <= MAX_UNROLL:
                return Tuple(tuple(Const(n) for n in values))
    return allocate(f, st, Sequence("iterator", None, Static("int", "index of a loop")))


def _round(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    held = proxy_among(args.positional[0]) if args.positional else None
    if held is not None:
        f.emit(st, EventKind.PROXY_NUMBER, "round", c.at, value=held, subject=c.site(0))
        return Static("int", "round of a Proxy")
    value = args.positional[0] if args.positional else NONE
    if len(args.positional) == 1 and isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Const(round(value.value))
    return Static(type_name(value) or "int", "round of unknown configuration")


def _divmod(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    held = next((p for v in args.positional if (p := proxy_among(v)) is not None), None)
    if held is not None:
        f.emit(st, EventKind.PROXY_NUMBER, "divmod", c.at, value=held, subject=c.at)
        return Tuple((derived(f, c.at, held.facet, held), derived(f, c.at, held.facet, held)))
    if len(args.positional) == 2:
        a, b = args.positional
        return Tuple((binary(f, st, c.at, "//", a, b), binary(f, st, c.at, "%", a, b)))
    return Static("tuple")


def _pow(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    held = next((p for v in args.positional if (p := proxy_among(v)) is not None), None)
    if held is not None and len(args.positional) == 3:
        f.emit(st, EventKind.PROXY_NUMBER, "pow", c.at, value=held, subject=c.at)
        return Static("int")
    if len(args.positional) >= 2:
        return binary(f, st, c.at, "**", args.positional[0], args.positional[1])
    return Static("int")


def _collect(kind: str) -> Handler:
    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        value = args.get(0, "iterable")
        if value is None:
            return Tuple(()) if kind == "tuple" else allocate(f, st, Sequence(kind, ()))
        items = iteration.elements(f, st, value, kind, c.at, c.site(0))
        if isinstance(items, tuple):
            return Tuple(items) if kind == "tuple" else allocate(f, st, Sequence(kind, items))
        if isinstance(items, Unknown):
            return items
        return allocate(f, st, Sequence(kind, None, items))

    return handler


def _zip(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    columns = [iteration.elements(f, st, v, "zip", c.at, c.site(i)) for i, v in enumerate(args.positional)]
    known = [column for column in columns if isinstance(column, tuple)]
    if columns and len(known) == len(columns) and args.rest is None:
        return allocate(f, st, Sequence("iterator", tuple(Tuple(row) for row in zip(*known, strict=False))))
    if known and args.rest is None:
        # A known column bounds the length; what the others give is the same in every round.
        rounds = min(len(column) for column in known)
        rows = tuple(Tuple(tuple(c_[i] if isinstance(c_, tuple) else c_ for c_ in columns)) for i in range(rounds))
        return allocate(f, st, Sequence("iterator", rows))
    row = Tuple(tuple(union(column) if isinstance(column, tuple) else column for column in columns))
    return allocate(f, st, Sequence("iterator", None, row))


def _enumerate(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "iterable")
    items = iteration.elements(f, st, value if value is not None else Tuple(()), "enumerate", c.at, c.site(0))
    start = constant_int(args.get(1, "start") or Const(0))
    if isinstance(items, tuple):
        number: Callable[[int], Value] = lambda i: Const(i + start) if start is not None else Static("int")  # noqa: E731  # a local table
        return allocate(f, st, Sequence("iterator", tuple(Tuple((number(i), v)) for i, v in enumerate(items))))
    return allocate(f, st, Sequence("iterator", None, Tuple((Static("int", "index of a loop"), items))))


def _reversed(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "sequence")
    held = proxy_among(value) if value is not None else None
    if held is not None:
        f.emit(st, EventKind.PROXY_LEN, "reversed", c.at, value=held, subject=c.site(0))
        return allocate(f, st, Sequence("iterator", None, derived(f, c.at, Facet.UNKNOWN, held)))
    items = iteration.elements(f, st, value if value is not None else Tuple(()), "list", c.at, c.site(0))
    return allocate(f, st, Sequence("iterator", tuple(reversed(items))) if isinstance(items, tuple) else Sequence("iterator", None, items))


def _map(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) < 2:
        return f.machine.unknown("map with unknown arguments")
    function = args.positional[0]
    columns = [iteration.elements(f, st, v, "map", c.at, c.site(i + 1)) for i, v in enumerate(args.positional[1:])]
    known = [column for column in columns if isinstance(column, tuple)]
    if len(known) == len(columns) and min(len(k) for k in known) <= MAX_UNROLL:
        rows = zip(*known, strict=False)
        return allocate(f, st, Sequence("iterator", tuple(calls.call(f, st, c.at, function, Arguments(row)) for row in rows)))
    row = tuple(union(column) if isinstance(column, tuple) else column for column in columns)
    if any(isinstance(v, Bottom) for v in row):
        return allocate(f, st, Sequence("iterator", ()))
    return allocate(f, st, Sequence("iterator", None, calls.call(f, st, c.at, function, Arguments(row))))


def _filter(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    if len(args.positional) != 2:
        return f.machine.unknown("filter with unknown arguments")
    function, iterable = args.positional
    items = iteration.elements(f, st, iterable, "list", c.at, c.site(1))
    kept: list[Value] = []
    exact = isinstance(items, tuple)
    for item in items if isinstance(items, tuple) else (items,):
        test = item if function == NONE else calls.call(f, st, c.at, function, Arguments((item,)))
        result = branches.decide(f, st, test, "filter", c.at)
        if result is not Truth.FALSE:
            kept.append(item)
            exact = exact and result is Truth.TRUE
    return allocate(f, st, Sequence("iterator", tuple(kept)) if exact else Sequence("iterator", None, union(kept)))


def _sum(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "iterable")
    if value is None:
        return Static("int")
    items = iteration.elements(f, st, value, "sum", c.at, c.site(0))
    total: Value = args.get(1, "start") or Const(0)
    for item in items if isinstance(items, tuple) else (items,):
        if not isinstance(item, Bottom):
            total = binary(f, st, c.at, "+", total, item)
    return total


def _ordered(name: str) -> Handler:
    """min, max, sorted: every comparison is asked for its truth as soon as one operand is a Proxy."""
    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        if len(args.positional) == 1 or name == "sorted":
            value = args.positional[0] if args.positional else Tuple(())
            items = iteration.elements(f, st, value, name if isinstance(value, Proxy) else "list", c.at, c.site(0))
            candidates = items if isinstance(items, tuple) else (items,)
            many = not isinstance(items, tuple) or len(items) > 1
        else:
            candidates, many = args.positional, True
        key = args.keyword("key")
        keys = [calls.call(f, st, c.at, key, Arguments((v,))) if key is not None and key != NONE else v for v in candidates]
        held = next((p for v in keys if (p := proxy_among(v)) is not None), None)
        if held is not None and many:
            subject = next((c.site(i) for i, v in enumerate(keys) if proxy_among(v) is not None), c.at)
            f.emit(st, EventKind.PROXY_TRUTH, name, c.at, value=held, subject=subject)
        if name == "sorted":
            return allocate(f, st, Sequence("list", None, union(candidates)) if many else Sequence("list", candidates))
        values = [v.value for v in candidates if isinstance(v, Const) and isinstance(v.value, (int, float))]
        if len(values) == len(candidates) and values and key is None:
            return Const(min(values) if name == "min" else max(values))
        return union(candidates) if held is not None else Static(type_name(union(candidates)) or "", f"{name} of unknown configuration")

    return handler


def _any_all(name: str) -> Handler:
    def handler(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
        value = args.get(0, "iterable")
        items = iteration.elements(f, st, value if value is not None else Tuple(()), name, c.at, c.site(0))
        stop = Truth.TRUE if name == "any" else Truth.FALSE
        decided = True
        for item in items if isinstance(items, tuple) else (items,):
            if isinstance(item, Bottom):
                continue
            result = branches.decide(f, st, item, name, c.at)
            if result is stop and decided:
                return TRUE if name == "any" else FALSE
            if result not in (Truth.TRUE, Truth.FALSE):
                decided = False
        if decided and isinstance(items, tuple):
            return FALSE if name == "any" else TRUE
        return Static("bool")

    return handler


def _str(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "object")
    if isinstance(value, Const):
        return Const(str(value.value))
    return Static("str") if value is None else textflow.string(f, st, c.at, value) or Static("str")


def _slice(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    values = args.positional
    match len(values):
        case 1:
            return Slice(NONE, values[0], NONE)
        case 2:
            return Slice(values[0], values[1], NONE)
        case 3:
            return Slice(values[0], values[1], values[2])
        case _:
            return f.machine.unknown("slice with unknown arguments")


def _dict(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    entries: dict[Const, Value] = {}
    rest: Value = BOTTOM
    complete = args.extra is None and args.rest is None
    if args.positional:
        first = args.positional[0]
        obj = load(f, st, first) if isinstance(first, Ref) else None
        if isinstance(obj, Mapping):
            entries.update(obj.entries)
            rest, complete = obj.rest, complete and obj.complete
        else:
            items = iteration.elements(f, st, first, "list", c.at, c.site(0))
            for item in items if isinstance(items, tuple) else (items,):
                if isinstance(item, Tuple) and len(item.items) == 2 and isinstance(item.items[0], Const) and isinstance(items, tuple):
                    entries[item.items[0]] = item.items[1]
                elif not isinstance(item, Bottom):
                    rest = union((rest, item.items[1])) if isinstance(item, Tuple) and len(item.items) == 2 else union((rest, item))
                    complete = False
    entries.update((Const(n), v) for n, v in args.keywords)
    if args.extra is not None:
        rest = union((rest, args.extra))
    cls = c.name.rpartition(".")[2]
    return allocate(f, st, Mapping("dict", tuple(entries.items()), rest, complete, cls="" if cls == "dict" else cls))


def _default_dict(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``defaultdict(list)``: a key that is asked for is there."""
    factory = args.get(0, "default_factory") or NONE
    made = calls.call(f, st, c.at, factory, Arguments()) if factory != NONE else BOTTOM
    return allocate(f, st, Mapping("dict", (), made, complete=False, cls="defaultdict"))


def _iter(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "object")
    items = iteration.elements(f, st, value if value is not None else Tuple(()), "list", c.at, c.site(0))
    return allocate(f, st, Sequence("iterator", items) if isinstance(items, tuple) else Sequence("iterator", None, items))


def _next(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    value = args.get(0, "iterator")
    if value is None:
        return BOTTOM
    if isinstance(value, (Proxy, Tensor)):
        return value
    items = iteration.elements(f, st, value, "list", c.at, c.site(0))
    default = args.get(1, "default")
    if items == () and default is None:
        return guards.never_found(f, c)
    return union((*(items if isinstance(items, tuple) else (items,)), *((default,) if default is not None else ())))


HANDLERS: dict[str, Handler] = {
    "builtins.len": _len, "builtins.int": _number("int"), "builtins.float": _number("float"), "builtins.complex": _number("complex"),
    "operator.index": _number("index"), "builtins.bin": _number("index"), "builtins.hex": _number("index"),
    "builtins.chr": _number("index"),
    "builtins.bool": _bool, "builtins.range": _range, "builtins.round": _round, "builtins.divmod": _divmod, "builtins.pow": _pow,
    "builtins.list": _collect("list"), "builtins.tuple": _collect("tuple"), "builtins.set": _collect("set"),
    "builtins.frozenset": _collect("set"), "collections.deque": _collect("list"), "builtins.zip": _zip, "builtins.enumerate": _enumerate,
    "builtins.reversed": _reversed, "builtins.map": _map, "builtins.filter": _filter, "builtins.sum": _sum, "builtins.min": _ordered("min"),
    "builtins.max": _ordered("max"), "builtins.sorted": _ordered("sorted"),
    "builtins.any": _any_all("any"), "builtins.all": _any_all("all"),
    "builtins.str": _str, "builtins.repr": _str, "builtins.ascii": _str, "builtins.format": _str, "builtins.slice": _slice,
    "builtins.dict": _dict, "collections.OrderedDict": _dict, "collections.defaultdict": _default_dict,
    "builtins.iter": _iter, "builtins.next": _next,
}
