"""Expressions: each evaluates to a value and may change the state that it is given."""

from __future__ import annotations

from typing import assert_never

from fxlint.base.event import EventKind, Facet
from fxlint.interp import argtypes, attributes, branches, calls, comprehensions, iteration, nested, subscripts
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.names import read_name
from fxlint.interp.operators import binary, compare_chain, unary
from fxlint.interp.state import Mapping, Sequence, State
from fxlint.interp.store import allocate, first_proxy, load
from fxlint.interp.textflow import reached, string
from fxlint.syntax import ir
from fxlint.values.join import alternatives, join, union
from fxlint.values.values import BOTTOM, NONE, Bottom, Const, Proxy, Ref, Slice, Static, Tuple, Unknown, Value


def evaluate(f: Frame, st: State, expr: ir.Expr) -> Value:
    """The value of an expression."""
    match expr:
        case ir.Name(id=name):
            return read_name(f, st, name)
        case ir.Const(value=value):
            return Const(value)
        case ir.Attr(base=base, name=name):
            return attributes.get_attribute(f, st, expr.at, evaluate(f, st, base), name, base.at)
        case ir.Call():
            return _call(f, st, expr)
        case ir.Sub():
            return _subscript(f, st, expr)
        case ir.Slice(lower=lower, upper=upper, step=step):
            return Slice(*(NONE if part is None else evaluate(f, st, part) for part in (lower, upper, step)))
        case ir.Unary(op=op, operand=operand):
            if op == "not":
                return branches.negate(f, st, expr)
            return unary(f, st, expr.at, op, evaluate(f, st, operand))
        case ir.Binary(op=op, left=left, right=right):
            a, b = evaluate(f, st, left), evaluate(f, st, right)
            argtypes.operands(f, st, expr.at, a, b, left.at, right.at)
            return binary(f, st, expr.at, op, a, b, left.at, right.at)
        case ir.BoolOp():
            return branches.bool_op(f, st, expr)
        case ir.Compare(left=left, ops=ops, rights=rights):
            values = [evaluate(f, st, e) for e in (left, *rights)]
            if ops[0] not in ("is", "is not", "in", "not in"):
                argtypes.operands(f, st, expr.at, values[0], values[1], left.at, rights[0].at)
            return compare_chain(f, st, expr.at, ops, values, [left.at, *(r.at for r in rights)])
        case ir.IfExp():
            return branches.if_expression(f, st, expr)
        case ir.Lambda():
            return nested.define_lambda(f, st, expr)
        case ir.Display(kind=kind, items=items):
            return _display(f, st, expr.at, kind, items)
        case ir.DictDisplay(items=items):
            return _dict(f, st, expr.at, items)
        case ir.Star(value=value):
            return evaluate(f, st, value)
        case ir.Comp():
            return comprehensions.comprehension(f, st, expr)
        case ir.FString(parts=parts):
            return _fstring(f, st, expr.at, parts)
        case ir.Formatted(value=value):
            return string(f, st, expr.at, evaluate(f, st, value)) or Static("str", "formatted text")
        case ir.Walrus(target=target, value=value):
            got = evaluate(f, st, value)
            if isinstance(target, ir.Name):
                st.env[target.id] = got
            return got
        case ir.Yield(value=value, is_from=is_from):
            got = NONE if value is None else evaluate(f, st, value)
            if is_from and value is not None:
                yielded = iteration.elements(f, st, got, "yield-from", expr.at, value.at)
                f.yields.append(union(yielded) if isinstance(yielded, tuple) else yielded)
            else:
                f.yields.append(got)
            return NONE
        case ir.Await(value=value):
            return evaluate(f, st, value)
        case _:
            assert_never(expr)


def _call(f: Frame, st: State, expr: ir.Call) -> Value:
    function = evaluate(f, st, expr.func)
    positional: list[Value] = []
    keywords: list[tuple[str, Value]] = []
    rest: Value | None = None
    extra: Value | None = None
    for arg in expr.args:
        value = evaluate(f, st, arg.value)
        if isinstance(value, Bottom):
            return BOTTOM
        if arg.star == "*":
            items = iteration.elements(f, st, value, "star-call", arg.value.at, arg.value.at)
            if isinstance(items, tuple) and rest is None:
                positional.extend(items)
            else:
                rest = join(rest or BOTTOM, union(items) if isinstance(items, tuple) else items)
        elif arg.star == "**":
            entries, more = _double_star(f, st, value, arg.value.at)
            keywords = [*(k for k in keywords if k[0] not in dict(entries)), *entries]
            extra = more if extra is None else join(extra, more or BOTTOM)
        elif arg.keyword is not None:
            keywords.append((arg.keyword, value))
        elif rest is not None:
            rest = join(rest, value)
        else:
            positional.append(value)
    sites = tuple(a.value.at for a in expr.args)
    return calls.call(f, st, expr.at, function, Arguments(tuple(positional), tuple(keywords), rest, extra), expr.func.at, sites)


def _double_star(f: Frame, st: State, value: Value, at: ir.At) -> tuple[list[tuple[str, Value]], Value | None]:
    """The keyword arguments that ``**value`` gives: those with known names, and what others may be."""
    if isinstance(value, Proxy):
        f.emit(st, EventKind.PROXY_ITER, "double-star", at, value=value, subject=at)
        return [], Proxy(Facet.UNKNOWN, value.origin)
    entries: list[tuple[str, Value]] = []
    more: Value | None = None
    for one in alternatives(value):
        obj = load(f, st, one) if isinstance(one, Ref) else None
        if isinstance(obj, Mapping):
            entries.extend((str(k.value), v) for k, v in obj.entries)
            if not obj.complete:
                more = join(more or BOTTOM, obj.rest if not isinstance(obj.rest, Bottom) else Static("", "unknown keyword argument"))
        elif isinstance(one, (Unknown, Static)):
            more = join(more or BOTTOM, one)
    return entries, more


def _subscript(f: Frame, st: State, expr: ir.Sub) -> Value:
    base = evaluate(f, st, expr.base)
    if expr.is_tuple:
        parts: list[Value] = []
        for part in expr.index:
            value = evaluate(f, st, part)
            if isinstance(part, ir.Star):
                items = iteration.elements(f, st, value, "star-display", part.at, part.value.at)
                parts.extend(items if isinstance(items, tuple) else (items,))
            else:
                parts.append(value)
        index: Value = Tuple(tuple(parts))
    else:
        index = evaluate(f, st, expr.index[0])
    return subscripts.get_item(f, st, expr.at, base, index, expr.base.at, expr.index[0].at)


def _display(f: Frame, st: State, at: ir.At, kind: str, items: tuple[ir.Expr, ...]) -> Value:
    values: list[Value] = []
    unknown: Value | None = None
    for item in items:
        value = evaluate(f, st, item)
        if isinstance(value, Bottom):
            return BOTTOM
        if isinstance(item, ir.Star):
            inner = iteration.elements(f, st, value, "star-display", item.at, item.value.at)
            if isinstance(inner, tuple):
                values.extend(inner)
            else:
                unknown = join(unknown or BOTTOM, inner)
        else:
            values.append(value)
    if unknown is not None:
        return allocate(f, st, Sequence(kind, None, join(unknown, union(values))))
    if kind == "tuple":
        return Tuple(tuple(values))
    return allocate(f, st, Sequence(kind, tuple(values)))


def _dict(f: Frame, st: State, at: ir.At, items: tuple[tuple[ir.Expr | None, ir.Expr], ...]) -> Value:
    entries: dict[Const, Value] = {}
    rest: Value = BOTTOM
    complete = True
    for key_expr, value_expr in items:
        value = evaluate(f, st, value_expr)
        if key_expr is None:
            pairs, more = _double_star(f, st, value, value_expr.at)
            entries.update((Const(k), v) for k, v in pairs)
            if more is not None:
                rest, complete = join(rest, more), False
            continue
        key = evaluate(f, st, key_expr)
        if isinstance(key, Proxy):
            f.emit(st, EventKind.PROXY_KEY, "dict", at, value=key, subject=key_expr.at)
        reached(f, st, key_expr.at, key)
        if isinstance(key, Const):
            entries[key] = value
        else:
            rest, complete = join(rest, value), False
    return allocate(f, st, Mapping("dict", tuple(entries.items()), rest, complete))


def _fstring(f: Frame, st: State, at: ir.At, parts: tuple[ir.Expr, ...]) -> Value:
    text: list[str] = []
    known = True
    values: list[Value] = []
    for part in parts:
        match part:
            case ir.Const(value=str(literal)):
                text.append(literal)
            case ir.Formatted(value=inner, conversion=conversion, spec=spec):
                value = evaluate(f, st, inner)
                values.append(value)
                for piece in spec:
                    if isinstance(piece, ir.Formatted):
                        evaluate(f, st, piece.value)
                proxy = first_proxy(f, st, value)
                if proxy is not None:
                    known = False
                    if spec and isinstance(value, Proxy):
                        f.emit(st, EventKind.PROXY_NUMBER, "format-spec", at, value=proxy, subject=inner.at)
                if isinstance(value, Const) and not spec and conversion in (None, "s"):
                    text.append(str(value.value))
                else:
                    known = False
            case _:
                evaluate(f, st, part)
                known = False
    return Const("".join(text)) if known else string(f, st, at, *values) or Static("str", "formatted text")
