"""The call that a rewrite is about, found from the event's site."""

from __future__ import annotations

import libcst as cst

from fxlint.fixes.imports import is_defined
from fxlint.fixes.names import locals_of
from fxlint.fixes.outcome import Decline
from fxlint.fixes.target import Target


def builtin_call(target: Target, name: str) -> tuple[cst.Call, cst.BaseExpression] | Decline:
    """The call ``name(operand)`` at the site (or around the operand at the site), and its one operand."""
    node = target.node
    candidates = [node, *list(target.block.ancestors(node))[:2]]  # the operand's parent is an Arg, whose parent is the call
    for call in candidates:
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value == name:
            return _with_operand(target, call, name)
    return Decline(f"the construct is no call of `{name}`")


def hidden_names(target: Target, node: cst.CSTNode) -> frozenset[str]:
    """The names that the function around ``node`` binds itself, so that module-level names of the same spelling cannot be used there."""
    function = target.block.function(node)
    return frozenset() if function is None else locals_of(function)


def _with_operand(target: Target, call: cst.Call, name: str) -> tuple[cst.Call, cst.BaseExpression] | Decline:
    if is_defined(target.outline, name) or name in hidden_names(target, call):
        return Decline(f"`{name}` may be another function than the builtin: the file binds that name, or has a star import")
    if len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        return Decline(f"`{name}` is called with more than one plain argument")
    return call, call.args[0].value
