"""``np.abs(x)`` -> ``torch.abs(x)`` on tensors, ``np.sqrt(n)`` -> ``math.sqrt(n)`` on sizes (fx wraps math by itself).

Facts: none; the event's ``callee`` names the numpy function, its facet the operand. Safe where ``numpy_table`` says that values and dtypes
are equal, else unsafe. Declines keywords (``axis=``, ``out=``), stars, and functions without a twin.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import Facet
from fxlint.base.finding import Safety
from fxlint.fixes.imports import spell
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.rewrites.calls import hidden_names
from fxlint.fixes.rewrites.numpy_table import EXACT_ON_SIZES, SIZE_TWINS, TENSOR_TWINS
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``numpy-to-torch``."""
    package, _, function = target.event.callee.partition(".")
    if package not in {"numpy", "np"} or not function:
        return Decline(f"`{target.event.callee}` is no numpy function")
    call = target.block.enclosing(target.node, cst.Call)
    if call is None:
        return Decline("the construct is no call")
    if any(arg.star or arg.keyword is not None for arg in call.args):
        return Decline(f"`{target.source(call)}` has keywords or stars, which torch spells otherwise")
    chosen = _twin(target, function, len(call.args))
    if isinstance(chosen, Decline):
        return chosen
    dotted, safety = chosen
    spelling = spell(target.path, target.outline, dotted, hidden_names(target, call))
    return Proposal(
        f"Replace `{target.source(call.func)}` by `{spelling.text}`",
        weaker(safety, request.safety),
        (*spelling.edits, target.edit(call.func, spelling.text)),
    )


def _twin(target: Target, function: str, count: int) -> tuple[str, Safety] | Decline:
    facet = target.event.facet
    if facet is Facet.TENSOR:
        twin = TENSOR_TWINS.get(function)
        if twin is None:
            return Decline(f"no torch function is known to do what numpy.{function} does")
        if count > twin.most_arguments:
            return Decline(f"numpy.{function} with {count} arguments has no twin in torch")
        return f"torch.{twin.name}", Safety.SAFE if twin.is_exact else Safety.UNSAFE
    if facet is Facet.SIZE_ITEM:
        name = SIZE_TWINS.get(function)
        if name is None or count != 1:
            return Decline(f"no function of math is known to do what numpy.{function} does to a size")
        return f"math.{name}", Safety.SAFE if function in EXACT_ON_SIZES else Safety.UNSAFE
    return Decline(f"the operand is not known to be a tensor or a size ({facet.value})")
