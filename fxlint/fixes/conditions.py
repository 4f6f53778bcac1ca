"""Conditions that fx can record: what a test must be turned into so that no Proxy in it is asked for its truth."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from fxlint.base.finding import Safety
from fxlint.fixes.outcome import Decline, weaker
from fxlint.fixes.precedence import ATOM, BIT_AND, BIT_OR, COMPARISON, enclosed, level
from fxlint.fixes.target import Target

MOST_MEMBERS = 4  # `n in (1, 2, 3, 4)` is spelled out, longer ones read better as a function

_RECORDED: dict[type[cst.BaseCompOp], str] = {
    cst.Equal: "==", cst.NotEqual: "!=", cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">", cst.GreaterThanEqual: ">=",
}  # fmt: skip
_OPPOSITE = {"==": "!=", "!=": "=="}  # the others are no opposites where a NaN is compared


@dataclass(frozen=True, slots=True)
class Condition:
    """A test as text that fx records, how tightly it binds, and how far it may be trusted to mean the same."""

    text: str
    level: int
    safety: Safety


def traceable(target: Target, test: cst.BaseExpression) -> Condition | Decline:
    """The test ``test`` (part of the target's file) in a form that records the comparison, or why there is none.

    ``and``/``or`` become ``&``/``|``, which evaluate both sides: safe where the right side cannot raise. Chains and membership in a short
    display are spelled out. Whatever is no comparison is taken as it is, but only alone: ``a & b`` of numbers is no ``a and b``.
    """
    match test:
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            return _joined(target, left, right, "and" if isinstance(operator, cst.And) else "or")
        case cst.UnaryOperation(operator=cst.Not(), expression=operand):
            return _negated(target, operand)
        case cst.Comparison():
            return _comparison(target, test, is_negated=False)
        case cst.Name() | cst.Attribute() | cst.Call() | cst.Subscript() | cst.BinaryOperation():
            return Condition(target.source(test), level(test), Safety.SAFE)
        case _:
            return Decline(f"`{target.source(test)}` is no comparison, and its truth is asked for while tracing")


def is_total(node: cst.BaseExpression) -> bool:
    """Whether evaluating ``node`` surely neither raises nor does anything: names, literals, ranks, shapes and comparisons of them."""
    match node:
        case cst.Name() | cst.Integer() | cst.Float() | cst.SimpleString():
            return True
        case cst.Attribute(value=value):
            return is_total(value)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=("dim" | "numel" | "size")))) if not node.args:
            return is_total(value)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return all(isinstance(element, cst.Element) and is_total(element.value) for element in elements)
        case cst.UnaryOperation(operator=cst.Minus(), expression=operand):
            return is_total(operand)
        case cst.BinaryOperation(left=left, operator=cst.Add() | cst.Subtract() | cst.Multiply(), right=right):
            return is_total(left) and is_total(right)
        case cst.Comparison(left=left, comparisons=comparisons):
            return is_total(left) and all(is_total(part.comparator) for part in comparisons)
        case cst.BooleanOperation(left=left, right=right):
            return is_total(left) and is_total(right)
        case _:
            return False


def is_pure(node: cst.BaseExpression) -> bool:
    """Whether ``node`` may be evaluated twice, or not at all: it does nothing but read, compute and, at worst, raise."""
    match node:
        case cst.Subscript(value=value, slice=parts):
            return is_pure(value) and all(isinstance(part.slice, cst.Index) and is_pure(part.slice.value) for part in parts)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=("dim" | "numel" | "size"))), args=args):
            return is_pure(value) and all(is_pure(arg.value) for arg in args)
        case cst.BinaryOperation(left=left, right=right):
            return is_pure(left) and is_pure(right)
        case _:
            return is_total(node)


def _joined(target: Target, left: cst.BaseExpression, right: cst.BaseExpression, word: str) -> Condition | Decline:
    for side in (left, right):
        if not _is_bool(side):
            return Decline(f"`{target.source(side)}` may be no bool: `{'&' if word == 'and' else '|'}` of other values is no `{word}`")
    first, second = traceable(target, left), traceable(target, right)
    if isinstance(first, Decline):
        return first
    if isinstance(second, Decline):
        return second
    sign, own = ("&", BIT_AND) if word == "and" else ("|", BIT_OR)
    text = f"{enclosed(first.text, first.level, own)} {sign} {enclosed(second.text, second.level, own + 1)}"
    safety = weaker(weaker(first.safety, second.safety), Safety.SAFE if is_total(right) else Safety.UNSAFE)
    return Condition(text, own, safety)


def _is_bool(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Comparison():
            return True
        case cst.BooleanOperation(left=left, right=right):
            return _is_bool(left) and _is_bool(right)
        case cst.UnaryOperation(operator=cst.Not()):
            return True
        case _:
            return False


def _negated(target: Target, operand: cst.BaseExpression) -> Condition | Decline:
    if not isinstance(operand, cst.Comparison):
        return Decline(f"`not {target.source(operand)}` asks for the truth of a Proxy, and has no form that fx records")
    return _comparison(target, operand, is_negated=True)


def _comparison(target: Target, node: cst.Comparison, *, is_negated: bool) -> Condition | Decline:
    if len(node.comparisons) > 1:
        return Decline("the negation of a chain is no chain") if is_negated else _chain(target, node)
    part = node.comparisons[0]
    operator = part.operator
    if isinstance(operator, (cst.In, cst.NotIn)):
        return _membership(target, node.left, part.comparator, is_out=isinstance(operator, cst.NotIn) is not is_negated)
    sign = _RECORDED.get(type(operator))
    if sign is None:
        return Decline("`is` is answered while tracing and cannot be recorded")
    if _holds_values(node.left) or _holds_values(part.comparator):
        if is_negated:
            return Decline("the negation of a comparison of tuples is not spelled out")
        return _tuples(target, node.left, part, sign)
    if not is_negated:
        return Condition(target.source(node), COMPARISON, Safety.SAFE)
    if sign not in _OPPOSITE:
        return Decline(f"`not (a {sign} b)` differs from its opposite where a NaN is compared")
    return Condition(f"{_side(target, node.left)} {_OPPOSITE[sign]} {_side(target, part.comparator)}", COMPARISON, Safety.SAFE)


def _holds_values(node: cst.BaseExpression) -> bool:
    """Whether ``node`` is a tuple display of more than literals: a Proxy in it is asked for its truth. One of literals meets a Proxy."""
    if not isinstance(node, cst.Tuple):
        return False
    return not all(isinstance(element.value, (cst.Integer, cst.Float, cst.SimpleString)) for element in node.elements)


def _tuples(target: Target, left: cst.BaseExpression, part: cst.ComparisonTarget, sign: str) -> Condition | Decline:
    """``(h, w) == self.size`` item by item: a tuple that holds Proxies asks for the truth of each comparison.

    Unsafe where one side is no display: it is taken to have as many items as the other.
    """
    join, own = (" & ", BIT_AND) if sign == "==" else (" | ", BIT_OR)
    if sign not in _OPPOSITE:
        return Decline(f"`{sign}` of tuples compares up to the first difference, and has no form that fx records")
    sides = []
    counts = []
    for side in (left, part.comparator):
        match side:
            case cst.Tuple(elements=elements) if elements and all(isinstance(element, cst.Element) for element in elements):
                sides.append([_side(target, element.value) for element in elements])
                counts.append(len(elements))
            case _ if is_total(side) and not isinstance(side, cst.Tuple):
                sides.append([])
            case _:
                return Decline(f"`{target.source(side)}` would be evaluated once for each item")
    if len(set(counts)) != 1:
        return Decline("the tuples have different lengths")
    first, second = (
        items or [f"{_side(target, side)}[{index}]" for index in range(counts[0])]
        for items, side in zip(sides, (left, part.comparator), strict=True)
    )
    tests = [f"{a} {sign} {b}" for a, b in zip(first, second, strict=True)]
    safety = Safety.SAFE if len(counts) == 2 else Safety.UNSAFE
    return Condition(tests[0], COMPARISON, safety) if len(tests) == 1 else Condition(join.join(f"({test})" for test in tests), own, safety)


def _chain(target: Target, node: cst.Comparison) -> Condition | Decline:
    links = []
    left = node.left
    is_last_total = True
    for position, part in enumerate(node.comparisons):
        sign = _RECORDED.get(type(part.operator))
        if sign is None:
            return Decline("a chain with `in` or `is` is answered while tracing")
        if position and not is_pure(left):
            return Decline(f"`{target.source(left)}` would be evaluated twice")
        is_last_total = is_last_total and (position == 0 or is_total(part.comparator))
        links.append(f"({_side(target, left)} {sign} {_side(target, part.comparator)})")
        left = part.comparator
    return Condition(" & ".join(links), BIT_AND, Safety.SAFE if is_last_total else Safety.UNSAFE)


def _membership(target: Target, left: cst.BaseExpression, members: cst.BaseExpression, *, is_out: bool) -> Condition | Decline:
    if not isinstance(members, (cst.Tuple, cst.List, cst.Set)):
        return Decline(f"`in {target.source(members)}` asks for the truth of a Proxy, and its members are not spelled out")
    if not 0 < len(members.elements) <= MOST_MEMBERS:
        return Decline(f"membership in {len(members.elements)} values is too long to spell out")
    if not is_pure(left):
        return Decline(f"`{target.source(left)}` would be evaluated once for each member")
    if not all(isinstance(element, cst.Element) and is_total(element.value) for element in members.elements):
        return Decline(f"the members of `{target.source(members)}` are more than names and literals")
    sign, join, own = ("!=", " & ", BIT_AND) if is_out else ("==", " | ", BIT_OR)
    tests = [f"{_side(target, left)} {sign} {_side(target, element.value)}" for element in members.elements]
    if len(tests) == 1:
        return Condition(tests[0], COMPARISON, Safety.SAFE)
    return Condition(join.join(f"({test})" for test in tests), own, Safety.SAFE)


def _side(target: Target, node: cst.BaseExpression) -> str:
    own = ATOM if isinstance(node, cst.Tuple) and node.lpar else level(node)
    return f"({target.source(node)})" if isinstance(node, cst.Tuple) else enclosed(target.source(node), own, COMPARISON + 1)
