"""``torch.zeros(n, m, ...)`` -> ``torch.zeros((n, m), ...)``; ``b.expand(n, 3)`` -> ``b.expand((n, 3))``.

Facts: none. torch's argument parser finds a Proxy in a tuple (from torch 2.13 on), and not as the first of several positional sizes.
Exact: both forms mean the same size. A lone ``*x.shape`` loses its star. Declines a star among other sizes and functions whose
positional arguments are no sizes.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.finding import Edit
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.sizes import is_shape
from fxlint.fixes.target import Target

FACTORIES = frozenset({"zeros", "ones", "empty", "rand", "randn"})
METHODS = frozenset({"new_zeros", "new_ones", "new_empty", "expand", "view", "reshape", "repeat", "tile", "permute"})


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``factory-to-tuple-size``."""
    call = target.block.enclosing(target.node, cst.Call)
    if call is None:
        return Decline("the construct is no call")
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else call.func.value if isinstance(call.func, cst.Name) else ""
    known = target.event.callee.rpartition(".")[2] or name
    if known not in FACTORIES | METHODS:
        return Decline(f"the positional arguments of `{known}` are not all sizes")
    sizes = [arg for arg in call.args if arg.keyword is None and arg.star != "**"]
    match sizes:
        case []:
            return Decline("no size is given by position")
        case [cst.Arg(star="*", value=value)] if is_shape(value):
            content = target.source(value)
        case [cst.Arg(star="*")]:
            return Decline("the starred argument is not known to be a shape")
        case [cst.Arg(value=cst.Tuple() | cst.List())]:
            return Decline("the size is a tuple already")
        case [cst.Arg(value=value)] if is_shape(value):
            return Decline("the size is a shape already")
        case _ if any(arg.star for arg in sizes):
            return Decline("a starred argument stands among other sizes")
        case _:
            inner = target.text[target.block.spans[sizes[0]].start : target.block.spans[sizes[-1]].end]
            content = f"({inner},)" if len(sizes) == 1 else f"({inner})"
    edit = _over(target, sizes, content)
    return Proposal(f"Give the size of `{known}` as one tuple", request.safety, (edit,))


def _over(target: Target, sizes: list[cst.Arg], content: str) -> Edit:
    return Edit(target.path, target.block.spans[sizes[0]].start, target.block.spans[sizes[-1]].end, content)
