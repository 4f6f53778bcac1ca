"""``int(x.shape[0])`` -> ``x.shape[0]``: a size is a whole number already.

Facts: none. Applies where the operand surely is whole: a size by its form, whole arithmetic on sizes, ``math.ceil`` and ``math.floor``
(which fx wraps by itself). Declines a quotient, a tensor, and a number read from data.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import Facet
from fxlint.fixes.imports import imports_named
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.precedence import level, replacement
from fxlint.fixes.rewrites.calls import builtin_call
from fxlint.fixes.sizes import is_size
from fxlint.fixes.target import Target

_WHOLE = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``int-of-size``."""
    found = builtin_call(target, "int")
    if isinstance(found, Decline):
        return found
    call, operand = found
    if target.event.facet in {Facet.TENSOR, Facet.NUMBER, Facet.BOOL}:
        return Decline(f"`{target.source(operand)}` is no size ({target.event.facet.value}): dropping int would change its value or type")
    if not _is_whole(target, operand):
        return Decline(f"`{target.source(operand)}` is not known to be a whole number")
    text = target.source(operand)
    content = replacement(call, target.parent(call), text, level(operand))
    return Proposal(f"Replace `{target.source(call)}` by `{text}`", request.safety, (target.edit(call, content),))


def _is_whole(target: Target, node: cst.BaseExpression) -> bool:
    match node:
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            return isinstance(operator, _WHOLE) and _is_whole(target, left) and _is_whole(target, right)
        case cst.UnaryOperation(operator=cst.Minus(), expression=operand):
            return _is_whole(target, operand)
        case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=("ceil" | "floor")))):
            what = imports_named(target.outline, name)
            return what is not None and what.module == "math" and what.attr is None
        case _:
            return is_size(target, node)
