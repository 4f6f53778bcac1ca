"""``int(h / 2)`` -> ``h // 2``, ``int(h * 0.5)`` -> ``h // 2``.

Facts: none. Exact, hence safe, where ``h`` surely is a size (``int`` cuts towards zero, ``//`` down: they agree from 0 on) and the divisor
is a positive whole number, or the factor the reciprocal of a power of two. Elsewhere unsafe, or declined.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import Facet
from fxlint.base.finding import Safety
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.precedence import PRODUCT, enclosed, level, replacement
from fxlint.fixes.rewrites.calls import builtin_call
from fxlint.fixes.sizes import is_size
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``int-of-division``."""
    found = builtin_call(target, "int")
    if isinstance(found, Decline):
        return found
    call, operand = found
    if target.event.facet not in {Facet.SIZE_ITEM, Facet.UNKNOWN}:
        return Decline(f"`{target.source(operand)}` is no size ({target.event.facet.value}): `//` would keep it a tensor or a float")
    match operand:
        case cst.BinaryOperation(left=left, operator=cst.Divide(), right=right):
            divided, divisor = left, _divisor(target, right)
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=cst.Float() as factor):
            divided, divisor = left, _reciprocal(factor)
        case cst.BinaryOperation(left=cst.Float() as factor, operator=cst.Multiply(), right=right):
            divided, divisor = right, _reciprocal(factor)
        case _:
            return Decline(f"`{target.source(operand)}` is no quotient")
    if isinstance(divisor, Decline):
        return divisor
    written, safety = divisor
    if not is_size(target, divided):
        if not is_known_size(target):
            return Decline(f"`{target.source(divided)}` is not known to be a size: `//` of a float is a float")
        safety = Safety.UNSAFE  # it may be negative
    text = f"{enclosed(target.source(divided), level(divided), PRODUCT)} // {written}"
    content = replacement(call, target.parent(call), text, PRODUCT)
    return Proposal(f"Replace `{target.source(call)}` by `{text}`", weaker(safety, request.safety), (target.edit(call, content),))


def is_known_size(target: Target) -> bool:
    """Whether the event itself says that its subject is made of sizes."""
    return target.event.facet is Facet.SIZE_ITEM


def _divisor(target: Target, node: cst.BaseExpression) -> tuple[str, Safety] | Decline:
    match node:
        case cst.Integer() if node.evaluated_value > 0:
            return target.source(node), Safety.SAFE
        case cst.Integer():
            return Decline("the divisor is zero")
        case cst.Float() if float(node.evaluated_value).is_integer() and node.evaluated_value > 0:
            return str(int(node.evaluated_value)), Safety.SAFE
        case cst.Float():
            return Decline("`//` by a fraction gives a float")
        case cst.Name() | cst.Attribute():
            return target.source(node), Safety.SAFE if is_size(target, node) else Safety.UNSAFE
        case _ if is_size(target, node):
            return enclosed(target.source(node), level(node), PRODUCT + 1), Safety.SAFE
        case _:
            return Decline(f"the divisor `{target.source(node)}` is not known to be a whole number above zero")


def _reciprocal(factor: cst.Float) -> tuple[str, Safety] | Decline:
    numerator, denominator = float(factor.evaluated_value).as_integer_ratio()
    if numerator == 1 and denominator > 1:  # a float's denominator is a power of two: the product is exact
        return str(denominator), Safety.SAFE
    return Decline(f"`* {factor.value}` rounds, and no whole division rounds the same")
