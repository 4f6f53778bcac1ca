"""``x[mask] = 0.0`` -> ``x = x.masked_fill(mask, 0.0)``; ``x[:, 0] = v`` -> ``x = torch.select_scatter(x, v, 1, 0)``.

Facts: none. Unsafe: whoever else holds the tensor (an alias, a view, the caller) keeps the old values, and ``v`` must have the shape of
what it replaces, in the dtype of ``x``. Declines augmented assignments, several targets, steps, and indices whose meaning is not plain.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.finding import Edit, Safety
from fxlint.fixes.imports import spell
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.rewrites.calls import hidden_names
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:  # noqa: ARG001 - the safety of this rewrite is its own
    """Carry out ``setitem-to-functional``."""
    statement = target.block.enclosing(target.node, cst.Assign, cst.AugAssign, cst.Del)
    match statement:
        case cst.AugAssign():
            return Decline("an augmented item assignment reads the item too: write it out first")
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=tensor, slice=index))], value=value):
            pass
        case _:
            return Decline("the construct is no plain assignment to one item")
    if not isinstance(tensor, cst.Name):
        return Decline(f"`{target.source(tensor)}` is no plain name, so the new tensor has nowhere to go")
    written = _functional(target, tensor, index, value)
    if isinstance(written, Decline):
        return written
    text, edits = written
    content = f"{tensor.value} = {text}"
    message = f"Replace the item assignment by `{content}`: other names of the same tensor keep the old values"
    return Proposal(message, Safety.UNSAFE, (*edits, target.edit(statement, content)))


def _functional(
    target: Target, tensor: cst.Name, index: Sequence[cst.SubscriptElement], value: cst.BaseExpression
) -> tuple[str, tuple[Edit, ...]] | Decline:
    number = _number(target, value)
    match index:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Comparison(comparisons=[_]) as mask))]:
            if number is None:
                return Decline("only a literal number can fill a mask")
            return f"{tensor.value}.masked_fill({target.source(mask)}, {number})", ()
        case _:
            place = _place(index)
    if isinstance(place, Decline):
        return place
    dimension, written = place
    item = f"{tensor.value}[{', '.join([':'] * dimension + [_index_text(written)])}]"
    hidden = hidden_names(target, tensor)
    new = target.source(value)
    edits: tuple[Edit, ...] = ()
    if number is not None:
        full = spell(target.path, target.outline, "torch.full_like", hidden)
        new, edits = f"{full.text}({item}, {number})", full.edits
    match written:
        case cst.Index(value=position):
            function, ends = "select_scatter", target.source(position)
        case cst.Slice(lower=lower, upper=upper):
            function = "slice_scatter"
            ends = f"{'None' if lower is None else target.source(lower)}, {'None' if upper is None else target.source(upper)}"
        case _:
            return Decline("the index is neither a place nor a slice")
    scatter = spell(target.path, target.outline, f"torch.{function}", hidden)
    return f"{scatter.text}({tensor.value}, {new}, {dimension}, {ends})", (*edits, *scatter.edits)


def _place(index: Sequence[cst.SubscriptElement]) -> tuple[int, cst.BaseSlice] | Decline:
    """The one dimension that an index picks from, and what it picks; the others must be whole (``:``)."""
    picked: list[tuple[int, cst.BaseSlice]] = []
    for dimension, element in enumerate(index):
        match element.slice:
            case cst.Slice(lower=None, upper=None, step=None):
                continue
            case cst.Slice(step=None) as part:
                picked.append((dimension, part))
            case cst.Slice():
                return Decline("a slice with a step has no functional form here")
            case cst.Index(value=cst.Integer() | cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer())) as part:
                picked.append((dimension, part))
            case _:
                return Decline("the index may be a tensor, a mask or an ellipsis: its functional form depends on which")
    if len(picked) != 1:
        return Decline(f"the index picks from {len(picked)} dimensions, and from one only can be scattered")
    return picked[0]


def _index_text(part: cst.BaseSlice) -> str:
    return cst.Module([]).code_for_node(part)


def _number(target: Target, value: cst.BaseExpression) -> str | None:
    match value:
        case cst.Integer() | cst.Float():
            return target.source(value)
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() | cst.Float()):
            return target.source(value)
        case _:
            return None
