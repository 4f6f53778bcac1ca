"""``self.mean = value`` of a registered buffer -> ``mean = _update_mean(self.mean, x)``, a wrapped function that copies in place.

Facts: the event says that the attribute is a buffer. The value is computed inside too: what it makes of buffers alone would be a constant
of the graph. The graph then writes to the buffer on every call, as eager does. Unsafe: the value is kept without its history, in the
dtype of the buffer, and other holders of the old tensor see the new numbers. Declines augmented and several targets, assignments on some
paths only, and methods called later, which may read the attribute.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.finding import Edit, Safety
from fxlint.fixes.fitness import unfit
from fxlint.fixes.hoist import above_comments, definition, free_name
from fxlint.fixes.imports import spell
from fxlint.fixes.names import locals_of, names_of, parameters, walk
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.passing import fresh, inputs_of, rewritten
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:  # noqa: ARG001 - the safety of this rewrite is its own
    """Carry out ``buffer-to-copy``."""
    statement = target.block.enclosing(target.node, cst.Assign)
    match statement:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=own)) as attribute)], value=value):
            pass
        case _:
            return Decline("the construct is no plain assignment to one attribute")
    function = target.block.function(statement)
    if function is None or not parameters(function) or parameters(function)[0] != own or not isinstance(function.body, cst.IndentedBlock):
        return Decline("the buffer is not written in a method of its own module")
    line = target.parent(statement)
    if line not in function.body.body:
        return Decline("the buffer is written on some paths only")
    name = attribute.attr.value
    if name in locals_of(function):
        return Decline(f"`{name}` is a local name already")
    text = target.source(attribute)
    end = target.block.spans[statement].end
    later = [
        node for node in walk(function.body)
        if isinstance(node, cst.Attribute) and target.source(node) == text and target.block.spans[node].start >= end
    ]  # fmt: skip
    if any(isinstance(target.parent(node), cst.AssignTarget) for node in later):
        return Decline(f"`{text}` is set twice")
    if any(isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and target.source(node.func.value) == own
           and target.block.spans[node].start >= end and _is_method(target, node.func) for node in walk(function.body)):
        return Decline(f"a method that is called later may read `{text}`")
    local = tuple(name for name in names_of(value).reads if name in locals_of(function) - {own})
    inputs = inputs_of(target, (attribute, value), function, local)
    of_self = inputs_of(target, (attribute, value), function, (own,))
    if isinstance(inputs, Decline):
        return inputs
    if isinstance(of_self, Decline):
        return of_self
    given = (*of_self.given, *inputs.given)
    reason = unfit(target, value, function)
    if reason is not None:
        return Decline(reason)
    buffer = next(inner for inner, outer in given if outer == text)
    new_value = fresh("value", {*names_of(value).reads, *(inner for inner, _ in given)})
    body = (
        f"{new_value} = {rewritten(target, target.block.whole(value), of_self.within(target.block.whole(value)))}\n"
        f"{buffer}.copy_({new_value}.detach())\nreturn {new_value}"
    )
    spelling = spell(target.path, target.outline, "torch.fx.wrap")
    own_parameters = tuple(inner for inner, _ in given)
    helper, is_new = free_name(target, f"_update_{name}", own_parameters, body, spelling.text)
    start = target.block.start
    new: tuple[Edit, ...] = ()
    if is_new:
        function_text = f"{definition(helper, own_parameters, body, spelling.text)}\n\n\n"
        new = (*dict.fromkeys((*spelling.edits, *of_self.edits)), target.insert(above_comments(target, start), function_text))
    written = f"{helper}({', '.join(outer for _, outer in given)})"
    edits = (*new, target.edit(statement, f"{name} = {written}" if later else written), *(target.edit(node, name) for node in later))
    return Proposal(f"Write to the buffer `{text}` in place, by a wrapped function `{helper}`, on every call", Safety.UNSAFE, edits, 1)


def _is_method(target: Target, func: cst.Attribute) -> bool:
    class_ = target.block.enclosing(func, cst.ClassDef)
    return class_ is not None and any(isinstance(node, cst.FunctionDef) and node.name.value == func.attr.value for node in class_.body.body)
