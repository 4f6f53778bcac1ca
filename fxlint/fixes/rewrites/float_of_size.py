"""``float(n)`` -> ``n`` where a float comes out anyway (``n / m``, ``n ** -0.5``, ``math.sqrt(n)``), else ``n * 1.0``.

Facts: none. Exact for every size: ``float(n)`` and ``n * 1.0`` are the same number. Declines tensors and numbers read from data.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import Facet
from fxlint.base.finding import Safety
from fxlint.fixes.imports import imports_named
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.precedence import PRODUCT, enclosed, level, replacement
from fxlint.fixes.rewrites.calls import builtin_call
from fxlint.fixes.sizes import is_size
from fxlint.fixes.target import Target

_FLOAT_MATH = frozenset({"sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "pow", "sin", "cos", "tan", "tanh", "atan", "erf"})


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``float-of-size``."""
    found = builtin_call(target, "float")
    if isinstance(found, Decline):
        return found
    call, operand = found
    if target.event.facet is not Facet.SIZE_ITEM:
        return Decline(f"`{target.source(operand)}` is not known to be a size ({target.event.facet.value}): it may be a tensor")
    safety = Safety.SAFE if is_size(target, operand) or _is_quotient(operand) else Safety.UNSAFE
    own = target.source(operand)
    if _is_quotient(operand) or _becomes_float(target, call):
        text, text_level = own, level(operand)
    else:
        text, text_level = f"{enclosed(own, level(operand), PRODUCT)} * 1.0", PRODUCT
    content = replacement(call, target.parent(call), text, text_level)
    return Proposal(f"Replace `{target.source(call)}` by `{text}`", weaker(safety, request.safety), (target.edit(call, content),))


def _is_quotient(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Divide)


def _becomes_float(target: Target, call: cst.Call) -> bool:
    parent = target.parent(call)
    match parent:
        case cst.BinaryOperation(operator=cst.Divide()):
            return True
        case cst.BinaryOperation(left=left, operator=cst.Power(), right=right) if left is call:
            return isinstance(right, cst.Float) or (
                isinstance(right, cst.UnaryOperation) and isinstance(right.operator, cst.Minus) and isinstance(right.expression, cst.Float)
            )
        case cst.Arg():
            around = target.parent(parent)
            match around:
                case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=function))):
                    what = imports_named(target.outline, name)
                    return function in _FLOAT_MATH and what is not None and what.module == "math" and what.attr is None
                case _:
                    return False
        case _:
            return False
