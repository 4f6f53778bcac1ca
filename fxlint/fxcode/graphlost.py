"""What a traced module no longer has: methods, attributes and classes of the module that was traced.

A GraphModule carries the submodules, parameters and buffers that its graph uses, and nothing else of the original; submodules that
were traced through are plain ``torch.nn.Module`` objects. Source: GraphModule.__init__ of torch 2.13 copies what the nodes name.
"""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import FunctionCode
from fxlint.fxcode.graphapi import GRAPH_MODULE_ONLY, MODULE_METHODS
from fxlint.fxcode.graphnames import is_module_class, members
from fxlint.fxcode.graphreading import Activation, Reading, emit, text
from fxlint.fxcode.graphvalues import UNKNOWN, Const, GraphModule, Items, Object, Part, Root, State, Unknown, Value
from fxlint.syntax import ir


def original(reading: Reading, state: State, value: Value) -> Value:
    """What the value stands for in the module that was traced: an Object of its class, or Unknown."""
    match value:
        case GraphModule(graph):
            traced = state.facts(graph).traced
            return reading.root if isinstance(traced, Root) and reading.root is not None else traced
        case Part(owner, name):
            outer = original(reading, state, owner)
            return members(reading.project, outer.code).modules.get(name, UNKNOWN) if isinstance(outer, Object) else UNKNOWN
        case _:
            return UNKNOWN


def lost_attribute(reading: Reading, act: Activation, state: State, part: Part, expr: ir.Attr, *, first: bool = False) -> Value:
    """``gm.name`` or ``gm.sub.name``: the part, or Unknown after saying that the traced module has no such attribute."""
    if not first:
        part = Part(part, expr.name)
    owner = original(reading, state, part.owner)
    name = expr.name
    if not isinstance(owner, Object) or not is_module_class(reading.project, owner.code) or name.startswith("_"):
        return part
    if name in MODULE_METHODS or (first and name in GRAPH_MODULE_ONLY):
        return part
    found = members(reading.project, owner.code)
    if name in found.modules or name in found.tensors:
        return part
    what = ""
    if isinstance(fxnames.method(reading.project, owner.code, name), FunctionCode):
        what = "method"
    elif isinstance(found.plain.get(name, UNKNOWN), Const | Items) and not isinstance(found.plain.get(name), Unknown):
        what = "attribute"
    if not what:
        return part
    cls = owner.code.name.rpartition(".")[2]
    holder = cls if first else "Module"
    detail = f"'{holder}' object has no attribute '{name}'"
    emit(
        reading, act, EventKind.GRAPH_EDIT, f"lost-{what}", expr.at, subject=text(act, expr.at), detail=detail, callee=f"{cls}.{name}",
    )
    return UNKNOWN
