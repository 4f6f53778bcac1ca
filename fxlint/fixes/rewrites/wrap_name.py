"""``fx.wrap(f)`` and ``fx.wrap("misspelt")`` -> ``fx.wrap("f")``, the name that this module binds.

Facts: none; the event's construct says what is wrong with the name. Safe where the call names the function itself; a misspelt name is
replaced by the one function or import of the module that is spelled nearly so, which is a guess: unsafe. Declines dotted names and
calls whose argument is no name.
"""

from __future__ import annotations

from difflib import get_close_matches

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.finding import Safety
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.target import Target
from fxlint.fixes.wrap import is_wrapped
from fxlint.syntax.outline import FunctionOutline, ImportOutline

_ALIKE = 0.8  # difflib's ratio; "scale_norm" and "scalenorm" have 0.95


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``wrap-name``."""
    call = target.block.enclosing(target.node, cst.Call)
    if call is None or len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        return Decline("the construct is no call of wrap with one plain argument")
    bound = {binding.name for binding in target.outline.bindings if isinstance(binding.what, (FunctionOutline, ImportOutline))}
    match call.args[0].value:
        case cst.Name(value=name) as given if name in bound:
            safety = Safety.SAFE
        case cst.SimpleString() as given if isinstance(given.evaluated_value, str):
            functions = [binding.name for binding in target.outline.bindings if isinstance(binding.what, FunctionOutline)]
            alike = get_close_matches(given.evaluated_value, functions, n=2, cutoff=_ALIKE)
            if len(alike) != 1:
                return Decline(f"{len(alike)} functions of the module have names like {target.source(given)}")
            name, safety = alike[0], Safety.UNSAFE
        case other:
            return Decline(f"`{target.source(other)}` is no name that this module binds")
    line = target.block.enclosing(call, cst.SimpleStatementLine)
    if is_wrapped(target.outline, name):
        return Decline(f"`{name}` is wrapped already: remove this call")
    if line is None or not (len(line.body) == 1 and isinstance(line.body[0], cst.Expr) and line.body[0].value is call):
        return Decline("the call of wrap is no statement of its own")
    edit = target.edit(given, f'"{name}"')
    message = f'Register the name that this module binds: `{target.source(call.func)}("{name}")`'
    return Proposal(message, weaker(safety, request.safety), (edit,))
