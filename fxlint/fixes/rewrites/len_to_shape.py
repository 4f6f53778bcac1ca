"""``len(x)`` -> ``x.shape[0]``; ``len(x.shape)`` -> ``x.dim()``.

Facts: none. Applies to a tensor (the event's facet), and to a shape that is written out. ``len`` of a 0-d tensor raises TypeError, the
rewrite IndexError: both raise. The facet of an input is only what tracing makes of it, so a parameter whose default is no tensor
(``masks={}``) is not one: in eager mode the default has a len and no shape.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import Facet
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.precedence import POSTFIX, enclosed, level, replacement
from fxlint.fixes.rewrites.calls import builtin_call
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``len-to-shape``."""
    found = builtin_call(target, "len")
    if isinstance(found, Decline):
        return found
    call, operand = found
    match operand, target.event.facet:
        case cst.Attribute(value=tensor, attr=cst.Name(value="shape")), _:
            text = f"{enclosed(target.source(tensor), level(tensor), POSTFIX)}.dim()"
        case cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name(value="size")), args=[]), _:
            text = f"{enclosed(target.source(tensor), level(tensor), POSTFIX)}.dim()"
        case cst.Name(value=name), Facet.TENSOR if (default := _container_default(target, name)):
            return Decline(f"`{name}` is {default} where it is not given: only a tensor's len is its first size")
        case _, Facet.TENSOR:
            text = f"{enclosed(target.source(operand), level(operand), POSTFIX)}.shape[0]"
        case _, facet:
            return Decline(f"`{target.source(operand)}` is not known to be a tensor ({facet.value}): only a tensor's len is its first size")
    content = replacement(call, target.parent(call), text, POSTFIX)
    return Proposal(f"Replace `{target.source(call)}` by `{text}`", request.safety, (target.edit(call, content),))


def _container_default(target: Target, name: str) -> str:
    """The default of the parameter ``name`` of the enclosing function, "" for none, for None, and for what is no parameter."""
    function = target.block.function(target.node)
    if function is None:
        return ""
    groups = (function.params.posonly_params, function.params.params, function.params.kwonly_params)
    for param in (one for group in groups for one in group):
        if param.name.value == name and param.default is not None:
            text = target.source(param.default)
            return "" if text == "None" else f"`{text}`"
    return ""
