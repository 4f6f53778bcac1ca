"""``self.blocks = [nn.Linear(3, 3), ...]`` -> ``self.blocks = nn.ModuleList([...])`` in ``__init__``.

Facts: none. Unsafe: the modules are registered, so that their parameters are trained, moved and saved with the model, which is what was
meant, and changes its state_dict. Declines what is no list or list comprehension, several assignments, and attributes that other
methods change.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.finding import Safety
from fxlint.fixes.imports import spell
from fxlint.fixes.liveness import MUTATORS
from fxlint.fixes.names import bound_by, parameters, walk
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.rewrites.calls import hidden_names
from fxlint.fixes.target import Target

_KEPT = MUTATORS - {"append", "extend", "insert"}  # a ModuleList has these three


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:  # noqa: ARG001 - the safety of this rewrite is its own
    """Carry out ``list-to-module-list``."""
    attribute = _attribute(target)
    if attribute is None:
        return Decline("which attribute holds the modules is not known")
    class_ = target.block.enclosing(target.node, cst.ClassDef)
    if class_ is None:
        return Decline("the construct stands in no class")
    text = target.source(attribute)
    assigned = [
        node for node in walk(class_)
        if isinstance(node, cst.Assign) and any(_is_text(target, each.target, text) for each in node.targets)
    ]  # fmt: skip
    match assigned:
        case [cst.Assign(targets=[_], value=(cst.List() | cst.ListComp()) as value)]:
            pass
        case [_]:
            return Decline(f"`{text}` is set to no list display")
        case _:
            return Decline(f"`{text}` is set in {len(assigned)} places of the class")
    if any(isinstance(node, cst.Attribute) and node.attr.value in _KEPT and _is_text(target, node.value, text) for node in walk(class_)):
        return Decline(f"`{text}` is changed by methods that a ModuleList does not have")
    spelling = spell(target.path, target.outline, "torch.nn.ModuleList", hidden_names(target, value))
    edits = (*spelling.edits, target.edit_whole(value, f"{spelling.text}({target.source(value)})"))
    return Proposal(f"Register the modules of `{text}`: `{spelling.text}(...)` in place of the list", Safety.UNSAFE, edits)


def _attribute(target: Target) -> cst.Attribute | None:
    """``self.blocks`` of ``self.blocks[0](x)``, or of the loop ``for block in self.blocks`` around ``block(x)``."""
    call = target.block.enclosing(target.node, cst.Call)
    function = target.block.function(target.node)
    if call is None or function is None or not parameters(function):
        return None
    own = parameters(function)[0]
    match call.func:
        case cst.Subscript(value=cst.Attribute() as held):
            found: cst.BaseExpression | None = held
        case cst.Name(value=name):
            loops = [around for around in target.block.ancestors(call) if isinstance(around, cst.For) and name in bound_by(around.target)]
            found = _iterated(loops[0].iter) if loops else None
        case _:
            found = None
    if isinstance(found, cst.Attribute) and isinstance(found.value, cst.Name) and found.value.value == own:
        return found
    return None


def _iterated(node: cst.BaseExpression) -> cst.BaseExpression:
    match node:
        case cst.Call(func=cst.Name(value=("enumerate" | "reversed")), args=[cst.Arg(value=value), *_]):
            return value
        case _:
            return node


def _is_text(target: Target, node: cst.BaseExpression, text: str) -> bool:
    return isinstance(node, cst.Attribute) and target.source(node) == text
