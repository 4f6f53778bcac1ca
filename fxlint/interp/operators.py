"""Operators on values: recorded where a Proxy takes part, folded where all is concrete."""

from __future__ import annotations

from fxlint.base.event import EventKind, Facet
from fxlint.interp import buffers, spelling
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, Sequence, State
from fxlint.interp.store import allocate, first_proxy, load, truth
from fxlint.interp.textflow import decided, string, text_of
from fxlint.syntax import ir
from fxlint.values import fold
from fxlint.values.join import Truth, alternatives, union
from fxlint.values.values import (
    BOTTOM,
    FALSE,
    NONE,
    TRUE,
    Bottom,
    Const,
    Lib,
    NativeMethod,
    Origin,
    Proxy,
    Ref,
    Static,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
)

PROXY_CLASS = Lib("torch.fx.Proxy")
SIZES = (Facet.SIZE_ITEM, Facet.BOOL)


def derived(f: Frame, at: ir.At, facet: Facet, *parents: Value, note: str = "", length: int | None = None) -> Proxy:
    """A Proxy computed at node ``at`` from others; it is assumed only where all its Proxies are."""
    f.machine.recorded += 1
    proxies = [p for v in parents for p in alternatives(v) if isinstance(p, Proxy)]
    parent = next((p for p in proxies if not p.assumed), proxies[0] if proxies else None)
    origin = Origin(f.body, at, note, parent.origin if parent is not None else None)
    return Proxy(facet, origin, parent.assumed if parent is not None else "", length)


def binary(
    f: Frame, st: State, at: ir.At, op: str, a: Value, b: Value, left_at: ir.At | None = None, right_at: ir.At | None = None
) -> Value:
    """``a op b``."""
    if isinstance(a, Bottom) or isinstance(b, Bottom):
        return BOTTOM
    if isinstance(a, Union) or isinstance(b, Union):
        return union(binary(f, st, at, op, x, y, left_at, right_at) for x in alternatives(a) for y in alternatives(b))
    a, b = attribute(f, at, a), attribute(f, at, b)
    if isinstance(a, Proxy) or isinstance(b, Proxy):
        return _recorded(f, st, at, op, a, b, left_at, right_at)
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return buffers.computed(f, st, at, a, b)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return f.machine.unknown("operator on an unknown value", proxy=any(isinstance(v, Unknown) and v.may_be_proxy for v in (a, b)))
    if isinstance(a, Ref) or isinstance(b, Ref) or isinstance(a, Tuple) or isinstance(b, Tuple):
        return _containers(f, st, at, op, a, b)
    return decided("str", a, b) or fold.binary(op, a, b)


def attribute(f: Frame, at: ir.At, value: Value) -> Value:
    """A method of a Proxy that is used without a call is a Proxy, like any attribute of it."""
    return derived(f, at, Facet.UNKNOWN, value.receiver) if isinstance(value, NativeMethod) and isinstance(value.receiver, Proxy) else value


def _recorded(
    f: Frame, st: State, at: ir.At, op: str, a: Value, b: Value, left_at: ir.At | None, right_at: ir.At | None
) -> Value:
    proxy = a if isinstance(a, Proxy) else b
    assert isinstance(proxy, Proxy)
    other = b if proxy is a else a
    if op == "%" and isinstance(a, Const) and isinstance(a.value, str):
        if any(c in a.value for c in ("%d", "%i", "%f", "%g", "%e", "%x", "%.", "%0")):
            f.emit(st, EventKind.PROXY_NUMBER, "percent", at, value=proxy, subject=right_at)
        return text_of(f, at, proxy)
    if isinstance(other, Const) and isinstance(other.value, str) and op in ("+", "*"):
        f.emit(st, EventKind.PROXY_NUMBER, "str-mul", at, value=proxy, subject=left_at if proxy is a else right_at)
        return Static("str")
    if op == "*" and _is_sequence(f, st, other):
        # list.__mul__ asks the Proxy for an index and gets none, then Proxy.__rmul__ records the product.
        return derived(f, at, Facet.TUPLE, proxy)
    if op == "+" and _is_sequence(f, st, other) and proxy.facet in (Facet.SIZE, Facet.TUPLE):
        return derived(f, at, Facet.SIZE, proxy)
    return derived(f, at, _arithmetic_facet(f, op, a, b), a, b)


def _is_sequence(f: Frame, st: State, value: Value) -> bool:
    return isinstance(value, Tuple) or (isinstance(value, Ref) and isinstance(load(f, st, value), Sequence))


def _arithmetic_facet(f: Frame, op: str, a: Value, b: Value) -> Facet:
    facets = [v.facet for v in (a, b) if isinstance(v, Proxy)]
    plain = all(isinstance(v, (Proxy, Const, Static)) for v in (a, b))
    if plain and all(x in SIZES or x is Facet.NUMBER for x in facets):
        if Facet.NUMBER in facets:
            return Facet.NUMBER
        return Facet.BOOL if all(x is Facet.BOOL for x in facets) and op in ("&", "|", "^") else Facet.SIZE_ITEM
    if len(facets) == 1 and facets[0] is Facet.SIZE and op in ("+", "*"):
        return Facet.SIZE
    if all(x is Facet.UNKNOWN for x in facets) and plain:
        return Facet.UNKNOWN
    return Facet.TENSOR


def _containers(f: Frame, st: State, at: ir.At, op: str, a: Value, b: Value) -> Value:
    """Operators of lists, tuples, sets and dicts."""
    left = load(f, st, a) if isinstance(a, Ref) else a
    right = load(f, st, b) if isinstance(b, Ref) else b
    if isinstance(left, Tuple) and isinstance(right, Tuple) and op == "+":
        return Tuple((*left.items, *right.items))
    if isinstance(left, Sequence) and isinstance(right, Sequence) and op in ("+", "|", "-", "&", "^"):
        if op == "+" and left.items is not None and right.items is not None:
            return allocate(f, st, Sequence(left.kind, (*left.items, *right.items)))
        return allocate(f, st, Sequence(left.kind, None, union((left.any(), right.any()))))
    for seq, count in ((left, right), (right, left)):
        if op == "*" and isinstance(seq, (Sequence, Tuple)) and isinstance(count, (Const, Static, Union)):
            return _repeat(f, st, seq, count)
    if isinstance(left, Mapping) and isinstance(right, Mapping) and op == "|":
        entries = dict(left.entries) | dict(right.entries)
        return allocate(f, st, Mapping("dict", tuple(entries.items()), union((left.rest, right.rest)), left.complete and right.complete))
    if (isinstance(left, Sequence) and isinstance(right, Tuple)) or (isinstance(left, Tuple) and isinstance(right, Sequence)):
        values = [v for part in (left, right) for v in ((part.items or ()) if isinstance(part, Tuple) else (part.any(),))]
        return allocate(f, st, Sequence("tuple", None, union(values)))
    if isinstance(left, Instance) or isinstance(right, Instance):
        proxy = any(isinstance(v, Proxy) for o in (left, right) if isinstance(o, Instance) for v in o.fields.values())
        return f.machine.unknown("operator method of an instance", proxy=proxy)
    if isinstance(left, Const) and isinstance(left.value, str) and op == "%":
        return string(f, st, at, b) or Static("str", "formatted text")
    return Static("", "operator on containers")


def _repeat(f: Frame, st: State, seq: Sequence | Tuple, count: Value) -> Value:
    n = count.value if isinstance(count, Const) and isinstance(count.value, int) else None
    if isinstance(seq, Tuple):
        if n is not None and n * len(seq.items) <= 256:
            return Tuple(seq.items * max(n, 0))
        return allocate(f, st, Sequence("tuple", None, union(seq.items)))
    if n is not None and seq.items is not None and n * len(seq.items) <= 256:
        return allocate(f, st, Sequence(seq.kind, seq.items * max(n, 0)))
    return allocate(f, st, Sequence(seq.kind, None, seq.any()))


def unary(f: Frame, st: State, at: ir.At, op: str, a: Value) -> Value:
    """``-a``, ``+a``, ``~a``."""
    match a:
        case Proxy():
            return derived(f, at, a.facet, a)
        case Tensor():
            return buffers.computed(f, st, at, a)
        case Union(members):
            return union(unary(f, st, at, op, v) for v in members)
        case Bottom() | Unknown():
            return a
        case _:
            return fold.unary(op, a)


def compare_chain(f: Frame, st: State, at: ir.At, ops: tuple[str, ...], values: list[Value], sites: list[ir.At]) -> Value:
    """``a < b < c``: a chain asks the first comparison for its truth."""
    result = compare(f, st, at, ops[0], values[0], values[1], sites[0], sites[1])
    for i, op in enumerate(ops[1:], 1):
        decided = truth(f, st, result)
        if decided is Truth.RAISES:
            f.emit(st, EventKind.PROXY_TRUTH, "chain", at, value=result, subject=at)
        if decided is Truth.FALSE:
            return result
        result = compare(f, st, at, op, values[i], values[i + 1], sites[i], sites[i + 1])
    return result


def compare(f: Frame, st: State, at: ir.At, op: str, a: Value, b: Value, left_at: ir.At, right_at: ir.At) -> Value:
    """``a op b`` for one comparison."""
    if isinstance(a, Bottom) or isinstance(b, Bottom):
        return BOTTOM
    if op in ("in", "not in"):
        return _membership(f, st, at, op, a, b, left_at, right_at)
    if isinstance(a, Union) or isinstance(b, Union):
        return union(compare(f, st, at, op, x, y, left_at, right_at) for x in alternatives(a) for y in alternatives(b))
    if op in ("is", "is not"):
        return _identity(f, st, at, op, a, b, left_at)
    a, b = attribute(f, at, a), attribute(f, at, b)
    if isinstance(a, Proxy) or isinstance(b, Proxy):
        facets = [v.facet for v in (a, b) if isinstance(v, Proxy)]
        return derived(f, at, Facet.TENSOR if Facet.TENSOR in facets else Facet.BOOL, a, b)
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return buffers.computed(f, st, at, a, b)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        if op in ("==", "!="):
            return Static("bool", "comparison with an unknown value")
        return f.machine.unknown("comparison with an unknown value", proxy=any(isinstance(v, Unknown) and v.may_be_proxy for v in (a, b)))
    if isinstance(a, (Ref, Tuple)) or isinstance(b, (Ref, Tuple)):
        held = first_proxy(f, st, a, b)
        if held is not None and op in ("==", "!=") and _same_length(f, st, a, b):
            # tuple.__eq__ compares the items one by one and asks each comparison for its truth.
            f.emit(st, EventKind.PROXY_TRUTH, "in", at, value=held, subject=at)
            return Static("bool")
    return decided("bool", a, b) or fold.compare(op, a, b)


def _same_length(f: Frame, st: State, a: Value, b: Value) -> bool:
    lengths = []
    for value in (a, b):
        obj = load(f, st, value) if isinstance(value, Ref) else value
        if not isinstance(obj, (Sequence, Tuple)) or obj.items is None:
            return False
        lengths.append(len(obj.items))
    return lengths[0] == lengths[1] > 0


def _identity(f: Frame, st: State, at: ir.At, op: str, a: Value, b: Value, left_at: ir.At) -> Value:
    """``is``: concrete while tracing, and wrong where a Proxy stands for None or a bool."""
    for proxy, other in ((a, b), (b, a)):
        if isinstance(proxy, Proxy) and not isinstance(other, (Unknown, Static)):
            if other == NONE:
                if _may_be_none(proxy):
                    f.emit(st, EventKind.SPECIALISED_NONE, "is-none", at, value=proxy, subject=left_at)
            elif isinstance(other, Const) and isinstance(other.value, bool):
                f.emit(st, EventKind.SPECIALISED_TYPE, "is-true", at, value=proxy, subject=left_at)
            elif isinstance(other, Lib) and proxy.facet in (Facet.DTYPE, Facet.DEVICE):
                f.emit(st, EventKind.SPECIALISED_TYPE, "dtype-is", at, value=proxy, subject=left_at)
            elif isinstance(other, Proxy):
                return _two_proxies(f, st, at, op, proxy, other, left_at)
            return FALSE if op == "is" else TRUE
    return fold.compare(op, a, b)


def _may_be_none(proxy: Proxy) -> bool:
    """Whether None may stand at run time where a Proxy stands while tracing: for an input, and for what is fetched from one.

    A Parameter is none, nor is a size, nor what an operator or a function of torch gives. What an unknown callee returned may as well
    be None while tracing, so that nothing is known to be decided.
    """
    if proxy.role == "parameter" or proxy.assumed or proxy.facet not in (Facet.TENSOR, Facet.UNKNOWN):
        return False
    if proxy.role == "input" or proxy.facet is Facet.UNKNOWN:
        return True
    origin = proxy.origin
    while origin is not None and not origin.param and origin.parent is not None and origin.note.isidentifier():
        origin = origin.parent
    return origin is not None and origin.body is not None and spelling.is_fetched(origin.body, origin.at)


def _two_proxies(f: Frame, st: State, at: ir.At, op: str, a: Proxy, b: Proxy, left_at: ir.At) -> Value:
    """``x is y``: two inputs are two Proxies, also where the caller passes one tensor for both."""
    one, other = input_name(a), input_name(b)
    if not one or not other:
        return Static("bool", "identity of Proxies")
    if one == other:
        return TRUE if op == "is" else FALSE
    f.emit(st, EventKind.SPECIALISED_TYPE, "is-true", at, value=a, subject=left_at)
    return FALSE if op == "is" else TRUE


def input_name(proxy: Proxy) -> str:
    """The parameter of the function being read that a Proxy is, "" where it is none; assignments to other names are followed."""
    origin = proxy.origin
    while origin is not None and not origin.param and origin.note.isidentifier():
        origin = origin.parent
    return origin.param if origin is not None else ""


def _membership(f: Frame, st: State, at: ir.At, op: str, a: Value, b: Value, left_at: ir.At, right_at: ir.At) -> Value:
    outcomes = [_in_one(f, st, at, a, container, left_at, right_at) for container in alternatives(b)]
    result = decided("bool", a, b) or union(outcomes)
    if op == "not in" and isinstance(result, Const):
        return FALSE if result.value else TRUE
    return result


def _in_one(f: Frame, st: State, at: ir.At, a: Value, container: Value, left_at: ir.At, right_at: ir.At) -> Value:
    if isinstance(container, Proxy):
        f.emit(st, EventKind.PROXY_ITER, "in", at, value=container, subject=right_at)
        return Static("bool")
    obj = load(f, st, container) if isinstance(container, Ref) else container
    if (isinstance(obj, Sequence) and obj.kind == "set") or isinstance(obj, Mapping):
        if isinstance(a, Proxy):
            f.emit(st, EventKind.SPECIALISED_TYPE, "in-set", at, value=a, subject=left_at)
            return FALSE
        if isinstance(obj, Mapping) and isinstance(a, Const):
            if obj.get(a) is not None:
                return TRUE
            return FALSE if obj.complete else Static("bool")
        # No table of types has the class of Proxies among its keys.
        return FALSE if a == PROXY_CLASS else Static("bool")
    items = obj.items if isinstance(obj, (Sequence, Tuple)) else None
    if isinstance(obj, (Sequence, Tuple)):
        candidates = items if items is not None else alternatives(obj.any()) if isinstance(obj, Sequence) else ()
        if isinstance(a, Proxy):
            # x in [x, y] is decided by identity before == is asked.
            if any(c is a for c in candidates[:1]):
                return TRUE
            if candidates:
                f.emit(st, EventKind.PROXY_TRUTH, "in", at, value=a, subject=left_at)
            return Static("bool")
        held = next((c for c in candidates if isinstance(c, Proxy)), None)
        if held is not None:
            f.emit(st, EventKind.PROXY_TRUTH, "in", at, value=held, subject=right_at)
            return Static("bool")
        if isinstance(a, Const) and items is not None and all(isinstance(i, Const) for i in items):
            return TRUE if a in items else FALSE
        if items == ():
            return FALSE
        return Static("bool")
    if isinstance(a, Const) and isinstance(obj, Const) and isinstance(a.value, str) and isinstance(obj.value, str):
        return TRUE if a.value in obj.value else FALSE
    return Static("bool")
