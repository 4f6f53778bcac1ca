"""``a if cond else b`` -> ``torch.where(cond, a, b)``, also for an ``if`` whose two arms assign one name, or return.

Facts: none. Unsafe: both arms are computed, their dtypes are promoted, gradients flow through both, and a condition of several dimensions
chooses element by element. The condition must be a tensor (the event's facet); the arms must be cheap and do nothing: names, literals,
arithmetic, attributes and items.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import Facet
from fxlint.base.finding import Safety
from fxlint.fixes.conditions import traceable
from fxlint.fixes.imports import spell
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.precedence import ATOM, replacement
from fxlint.fixes.rewrites.calls import hidden_names
from fxlint.fixes.target import Target

CHEAP_METHODS = frozenset({"abs", "clamp", "detach", "exp", "neg", "relu", "sigmoid", "sqrt", "t", "tanh", "to", "float", "double", "half"})
_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:  # noqa: ARG001 - never better than unsafe
    """Carry out ``if-to-where``."""
    if target.event.facet is not Facet.TENSOR:
        return Decline(f"the condition is not known to be a tensor ({target.event.facet.value}): torch.where takes no Python bool")
    chooser: cst.CSTNode | None = target.block.enclosing(target.node, cst.IfExp, cst.If)
    if isinstance(chooser, cst.IfExp):
        where = _where(target, chooser.test, chooser.body, chooser.orelse)
        if isinstance(where, Decline):
            return where
        content = replacement(chooser, target.parent(chooser), where.message, ATOM)
        return Proposal(_worded(where.message), Safety.UNSAFE, (*where.edits, target.edit(chooser, content)))
    if not isinstance(chooser, cst.If):
        return Decline("the construct chooses between no two values")
    return _statement(target, chooser)


def _statement(target: Target, chooser: cst.If) -> Proposal | Decline:
    if not isinstance(chooser.orelse, cst.Else):
        return Decline("the if has no else arm, or an elif")
    if target.text[target.block.spans[chooser].start :].startswith("elif"):
        return Decline("the construct is an elif of a longer ladder")
    arms = _only(chooser.body), _only(chooser.orelse.body)
    match arms:
        case (cst.Return(value=cst.BaseExpression() as first), cst.Return(value=cst.BaseExpression() as second)):
            head = "return "
        case (
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=first),
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=other))], value=second),
        ) if name == other:
            head = f"{name} = "
        case _:
            return Decline("the arms do more than assign one and the same name, or return a value")
    if _has_comment(target, chooser, (chooser.test, first, second)):
        return Decline("comments in the arms would be lost")
    where = _where(target, chooser.test, first, second)
    if isinstance(where, Decline):
        return where
    start = target.block.spans[chooser].start
    end = target.block.spans[arms[1]].end
    edit = target.edit(chooser, f"{head}{where.message}")
    return Proposal(_worded(where.message), Safety.UNSAFE, (*where.edits, type(edit)(edit.path, start, end, edit.content)))


def _worded(where: str) -> str:
    return f"Choose by `{where}`, which computes both arms"


def _only(suite: cst.BaseSuite) -> cst.BaseSmallStatement | None:
    match suite:
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[statement])]):
            return statement
        case cst.SimpleStatementSuite(body=[statement]):
            return statement
        case _:
            return None


def _has_comment(target: Target, chooser: cst.If, kept: tuple[cst.BaseExpression, ...]) -> bool:
    span = target.block.spans[chooser]
    text = target.text[span.start : span.end]
    return text.count("#") > sum(target.source(node).count("#") for node in kept)


def _where(target: Target, test: cst.BaseExpression, first: cst.BaseExpression, second: cst.BaseExpression) -> Proposal | Decline:
    """The call of torch.where as ``message``, and the edits that its import needs."""
    condition = traceable(target, test)
    if isinstance(condition, Decline):
        return condition
    for arm in (first, second):
        if not _is_cheap(arm):
            return Decline(f"`{target.source(arm)}` is not surely cheap and without effect")
    spelling = spell(target.path, target.outline, "torch.where", hidden_names(target, test))
    arms = ", ".join(target.source(arm) if not isinstance(arm, cst.Tuple) else f"({target.source(arm)})" for arm in (first, second))
    return Proposal(f"{spelling.text}({condition.text}, {arms})", Safety.UNSAFE, spelling.edits)


def _is_cheap(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Name(value="None" | "True" | "False"):
            return False
        case cst.Name() | cst.Integer() | cst.Float():
            return True
        case cst.Attribute(value=value):
            return _is_cheap(value)
        case cst.UnaryOperation(operator=cst.Minus(), expression=operand):
            return _is_cheap(operand)
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            return isinstance(operator, _ARITHMETIC) and _is_cheap(left) and _is_cheap(right)
        case cst.Subscript(value=value):
            return _is_cheap(value)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=method)), args=args):
            return method in CHEAP_METHODS and _is_cheap(value) and all(_is_cheap(arg.value) for arg in args)
        case _:
            return False
