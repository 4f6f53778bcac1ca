"""``a == 1 and b == 2`` -> ``(a == 1) & (b == 2)``, ``not (a == b)`` -> ``a != b``, where the value is used, not its truth.

Facts: none. Both sides must be comparisons: of one-element tensors and of numbers `&` is `and`. The right side is evaluated always:
safe where it cannot raise. In an ``if``, a ``while`` or a ternary the truth is asked for all the same, so these are declined.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.fixes.conditions import traceable
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.precedence import replacement
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``bool-and-to-bitwise``."""
    node = _outermost(target)
    if node is None:
        return Decline("the construct is no `and`, `or`, `not`, chain or membership")
    if _asks_for_truth(target, node):
        return Decline("the truth of the whole is asked for, which no bitwise operator avoids")
    condition = traceable(target, node)
    if isinstance(condition, Decline):
        return condition
    if condition.text == target.source(node):
        return Decline("it is recorded as it stands")
    content = replacement(node, target.parent(node), condition.text, condition.level)
    return Proposal(
        f"Replace `{target.source(node)}` by `{condition.text}`", weaker(condition.safety, request.safety), (target.edit(node, content),)
    )


def _is_logic(node: cst.CSTNode | None) -> bool:
    match node:
        case cst.BooleanOperation() | cst.UnaryOperation(operator=cst.Not()):
            return True
        case cst.Comparison(comparisons=comparisons):
            return len(comparisons) > 1 or isinstance(comparisons[0].operator, (cst.In, cst.NotIn))
        case _:
            return False


def _outermost(target: Target) -> cst.BaseExpression | None:
    found = None
    for node in (target.node, *target.block.ancestors(target.node)):
        if isinstance(node, (cst.BaseExpression, cst.ComparisonTarget)):
            if isinstance(node, cst.BaseExpression) and _is_logic(node):
                found = node
            elif found is not None:
                break
        else:
            break
    return found


def _asks_for_truth(target: Target, node: cst.BaseExpression) -> bool:
    parent = target.parent(node)
    match parent:
        case cst.If() | cst.While() | cst.Assert() | cst.CompIf():
            return True
        case cst.IfExp(test=test):
            return test is node
        case _:
            return False
