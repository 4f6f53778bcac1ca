"""``nn.ReLU()(x)`` in forward -> ``self.relu = nn.ReLU()`` in ``__init__`` and ``self.relu(x)``.

Facts: none. Safe for modules without parameters, buffers or a training mode, built from literals and ``self`` attributes that ``__init__``
sets; unsafe for others (a new Linear in each call has new weights). Declines classes without an ``__init__`` of their own,
arguments that are known in forward only, and calls outside of a method.
"""

from __future__ import annotations

import re

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.finding import Edit, Safety
from fxlint.fixes.names import bound_by, locals_of, names_of, parameters, walk
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.target import Target

STATELESS = frozenset({
    "ReLU", "ReLU6", "GELU", "SiLU", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "LeakyReLU", "ELU", "Hardswish", "Hardsigmoid", "Mish",
    "Softplus", "Identity", "Flatten", "Unflatten", "MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d",
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveMaxPool2d", "Upsample", "ZeroPad2d", "ReflectionPad2d", "ReplicationPad2d",
    "ConstantPad2d", "PixelShuffle", "MSELoss", "L1Loss", "CosineSimilarity",
})  # fmt: skip


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``module-to-init``."""
    built = _construction(target)
    if built is None:
        return Decline("the place where the module is built is not known")
    function = target.block.function(built)
    class_ = None if function is None else target.block.enclosing(function, cst.ClassDef)
    if function is None or class_ is None or target.block.function(function) is not None or not parameters(function):
        return Decline("the module is not built in a method")
    init = _init(class_)
    if init is None:
        return Decline(f"`{class_.name.value}` has no __init__ of its own")
    if not isinstance(init.body, cst.IndentedBlock) or any(isinstance(node, cst.Return) for node in walk(init.body)):
        return Decline("__init__ ends on several paths")
    self_name, init_self = parameters(function)[0], parameters(init)[0] if parameters(init) else ""
    if self_name != init_self:
        return Decline("self is named differently in __init__")
    reason = _unknown_in_init(target, built, function, init, self_name)
    if reason is not None:
        return Decline(reason)
    kind = target.source(built.func).rpartition(".")[2]
    name = _attribute(class_, kind)
    last = init.body.body[-1]
    edit = _append(target, last, f"{self_name}.{name} = {target.source(built)}")
    safety = Safety.SAFE if kind in STATELESS else Safety.UNSAFE
    message = f"Build `{target.source(built)}` once, in __init__, as `{self_name}.{name}`"
    return Proposal(message, weaker(safety, request.safety), (edit, target.edit(built, f"{self_name}.{name}")))


def _construction(target: Target) -> cst.Call | None:
    """The call that builds the module: ``nn.ReLU()`` of ``nn.ReLU()(x)``, or what the called name was assigned once."""
    call = target.block.enclosing(target.node, cst.Call)
    if call is None:
        return None
    if isinstance(call.func, cst.Call):
        return call.func
    parent = target.parent(call)
    if isinstance(parent, cst.Call) and parent.func is call:
        return call
    function = target.block.function(call)
    if not isinstance(call.func, cst.Name) or function is None:
        return None
    name = call.func.value
    assigned = [
        node for node in walk(function.body) if isinstance(node, cst.Assign) and any(name in bound_by(each.target) for each in node.targets)
    ]
    match assigned:
        case [cst.Assign(value=cst.Call() as built, targets=[cst.AssignTarget(target=cst.Name())])]:
            return built
        case _:
            return None


def _init(class_: cst.ClassDef) -> cst.FunctionDef | None:
    for statement in class_.body.body:
        if isinstance(statement, cst.FunctionDef) and statement.name.value == "__init__":
            return statement
    return None


def _unknown_in_init(target: Target, built: cst.Call, function: cst.FunctionDef, init: cst.FunctionDef, self_name: str) -> str | None:
    set_there = {
        node.target.attr.value
        for node in walk(init.body)
        if isinstance(node, cst.AssignTarget) and isinstance(node.target, cst.Attribute) and _is_name(node.target.value, self_name)
    }
    for name in names_of(built).reads:
        if name != self_name and name in locals_of(function) | locals_of(init):
            return f"`{target.source(built)}` needs `{name}`, which is known in forward only"
    for node in walk(built):
        if isinstance(node, cst.Attribute) and _is_name(node.value, self_name) and node.attr.value not in set_there:
            return f"`{self_name}.{node.attr.value}` is not set in __init__"
        if isinstance(node, cst.Arg) and _is_name(node.value, self_name):
            return f"`{target.source(built)}` is given `{self_name}` itself"
    return None


def _is_name(node: cst.BaseExpression, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _attribute(class_: cst.ClassDef, kind: str) -> str:
    base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    taken = {node.attr.value for node in walk(class_) if isinstance(node, cst.Attribute)} | {
        node.name.value for node in walk(class_) if isinstance(node, cst.FunctionDef)
    }
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name


def _append(target: Target, last: cst.CSTNode, line: str) -> Edit:
    """A line at the end of ``__init__``, with the margin of its last statement."""
    starts = target.outline.lines.starts
    place = target.block.spans[last]
    margin_row, column = target.outline.lines.place(place.start)
    margin = target.text[starts[margin_row - 1] : starts[margin_row - 1] + column - 1]
    if isinstance(last, cst.FunctionDef | cst.ClassDef) and last.decorators:
        margin = margin[: len(margin) - len(margin.lstrip())]
    row, _ = target.outline.lines.place(max(_content_end(target, last) - 1, place.start))
    offset = starts[row] if row < len(starts) else len(target.text)
    before = "" if offset and target.text[offset - 1] in "\r\n" else "\n"
    after = "\n" if not before else ""
    return target.insert(offset, f"{before}{margin}{line}{after}")


def _content_end(target: Target, node: cst.CSTNode) -> int:
    """The end of the last small statement in ``node``: compound statements own the empty lines and comments behind them."""
    ends = [target.block.spans[each].end for each in walk(node) if isinstance(each, (cst.BaseSmallStatement, cst.BaseExpression))]
    return max(ends, default=target.block.spans[node].end)
