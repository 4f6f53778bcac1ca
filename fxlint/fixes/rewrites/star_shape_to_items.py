"""``x.view(*x.shape[:-1], k)`` -> ``x.view(x.shape[:-1] + (k,))``; ``torch.zeros(*x.shape)`` -> ``torch.zeros(x.shape)``.

Facts: none. A Proxy cannot be starred, but a shape can be added to a tuple: the sum is recorded. Exact, since a torch.Size is a tuple.
Applies to calls that take one size in place of many arguments, and to tuple displays. Other calls would need the rank: declined.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import Facet
from fxlint.base.finding import Edit
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.precedence import LOOSE, SUM, enclosed, level, required
from fxlint.fixes.rewrites.factory_to_tuple_size import FACTORIES, METHODS
from fxlint.fixes.sizes import is_shape
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``star-shape-to-items``."""
    node = target.node
    if isinstance(node, (cst.Tuple, cst.List)) and any(isinstance(element, cst.StarredElement) for element in node.elements):
        return _in_display(target, request, node)
    holder = target.block.enclosing(target.node, cst.StarredElement, cst.Arg)
    if isinstance(holder, cst.StarredElement):
        display = target.parent(holder)
        if isinstance(display, (cst.Tuple, cst.List)):
            return _in_display(target, request, display)
        return Decline("a starred set has no order")
    call = target.block.enclosing(target.node, cst.Call)
    while call is not None and not any(arg.star == "*" for arg in call.args):
        parent = target.parent(call)
        call = None if parent is None else target.block.enclosing(parent, cst.Call)
    if call is None:
        return Decline("no starred argument stands here")
    return _in_call(target, request, call)


def _in_call(target: Target, request: FixRequest, call: cst.Call) -> Proposal | Decline:
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
    function = name or target.source(call.func)
    args = [arg for arg in call.args if arg.keyword is None and arg.star != "**"]
    if name == "reshape" and _is_torch_reshape(target, call):
        return Decline("torch.reshape takes one size, not many")
    if function not in FACTORIES | METHODS:
        return Decline(f"`{function}` takes no single size in place of its arguments: spelling them out needs the rank of the tensor")
    summed = _sum(target, [(arg.star == "*", arg.value) for arg in args])
    if isinstance(summed, Decline):
        return summed
    edit = Edit(target.path, target.block.spans[args[0]].start, target.block.spans[args[-1]].end, summed)
    return Proposal(f"Give the size of `{function}` as the sum `{summed}`", request.safety, (edit,))


def _is_torch_reshape(target: Target, call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and target.source(call.func.value) in {"torch", "th"}


def _in_display(target: Target, request: FixRequest, display: cst.Tuple | cst.List) -> Proposal | Decline:
    if isinstance(display, cst.List) and not _is_only_a_size(target, display):
        return Decline("the list may be changed later; a sum of shapes is a tuple")
    summed = _sum(target, [(isinstance(element, cst.StarredElement), element.value) for element in display.elements])
    if isinstance(summed, Decline):
        return summed
    content = enclosed(summed, SUM, required(display, target.parent(display)))
    return Proposal(f"Replace the starred display by `{summed}`", request.safety, (target.edit_whole(display, content),))


def _is_only_a_size(target: Target, display: cst.List) -> bool:
    argument = target.parent(display)
    if not isinstance(argument, cst.Arg):
        return False
    call = target.parent(argument)
    function = call.func if isinstance(call, cst.Call) else None
    return isinstance(function, cst.Attribute) and function.attr.value in FACTORIES | METHODS | {"full", "new_full"}


def _sum(target: Target, parts: list[tuple[bool, cst.BaseExpression]]) -> str | Decline:
    """``parts`` (is it starred, the value) as a sum of shapes and tuples."""
    terms: list[str] = []
    run: list[str] = []
    for is_starred, value in parts:
        if not is_starred:
            run.append(target.source(value) if level(value) > LOOSE or value.lpar else f"({target.source(value)})")
            continue
        if not _is_shape_here(target, value):
            return Decline(f"`{target.source(value)}` is not known to be a shape")
        if run:
            terms.append(_tuple(run))
            run = []
        terms.append(enclosed(target.source(value), level(value), SUM + 1))
    if run:
        terms.append(_tuple(run))
    return " + ".join(terms)


def _tuple(items: list[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _is_shape_here(target: Target, value: cst.BaseExpression) -> bool:
    if is_shape(value):
        return True
    return target.event.facet is Facet.SIZE and (value is target.node or target.at(target.event.subject_site) is value)
