"""``int(x.item())`` -> ``x.item()``, and the same for ``float``.

Facts: none. Unsafe: the number keeps the type that the tensor's dtype gives it. Declines operands other than ``.item()``.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.finding import Safety
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.precedence import POSTFIX, replacement
from fxlint.fixes.rewrites.calls import builtin_call
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:  # noqa: ARG001 - never better than unsafe
    """Carry out ``item-drop``."""
    found = builtin_call(target, "int")
    if isinstance(found, Decline):
        found = builtin_call(target, "float")
    if isinstance(found, Decline):
        return Decline("the construct is no call of int or float")
    call, operand = found
    match operand:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="item")), args=[]):
            text = target.source(operand)
        case _:
            return Decline(f"`{target.source(operand)}` is no `.item()`")
    content = replacement(call, target.parent(call), text, POSTFIX)
    message = f"Replace `{target.source(call)}` by `{text}`, whose type is the tensor's"
    return Proposal(message, Safety.UNSAFE, (target.edit(call, content),))
