"""TFX718 attribute-lost: a GraphModule has only what its graph uses.

## What it catches
Methods and plain attributes of the traced class asked of the GraphModule; methods of submodules that were traced through; plain attributes
that were set on a GraphModule and are lost by `copy.deepcopy`.

## Why tracing fails
The GraphModule carries the submodules, parameters and buffers that the nodes name. Everything else of the original is gone, traced-through
submodules are plain `torch.nn.Module` objects, and a deep copy is built anew: `AttributeError`.

## Fix and its safety
Ask the original module, or copy what you need onto the GraphModule; put notes into `gm.meta`, which copies keep.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX718",
    name="attribute-lost",
    summary="a method or attribute of the original module is not on the traced one",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("lost-method", "lost-attribute", "deepcopy-attribute"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a method of the original",
            """
class Net(nn.Module):
    def twice(self, x):
        return x * 2

    def forward(self, x):
        return torch.relu(x)

def use():
    gm = fx.symbolic_trace(Net())
    return (lambda x: gm.twice(x)), (lambda x: x * 2), (torch.randn(4),)  # <- here
""",
            Outcome.BREAKS,
            error="object has no attribute 'twice'",
        ),
        Example(
            "an attribute and a deep copy",
            """
import copy

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.scheme = 2
    twin = copy.deepcopy(gm)  # <- here
    return (lambda x: twin(x) * twin.scheme), (lambda x: (torch.relu(x) + 1) * 2), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="has no attribute 'scheme'",
        ),
        Example(
            "a submodule that the graph calls",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)

def use():
    gm = fx.symbolic_trace(Net())
    print(gm.act)
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "methods of every module",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.eval()
    print(gm.training)
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the original is asked",
            """
class Net(nn.Module):
    def twice(self, x):
        return x * 2

    def forward(self, x):
        return torch.relu(x)

def use():
    model = Net()
    gm = fx.symbolic_trace(model)
    print(model.twice(torch.ones(1)))
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: metadata survives a deep copy",
            """
import copy

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.meta["scheme"] = 2
    twin = copy.deepcopy(gm)
    return (lambda x: twin(x) * twin.meta["scheme"]), (lambda x: (torch.relu(x) + 1) * 2), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for what a GraphModule does not carry."""
    if event.construct == "deepcopy-attribute":
        message = f"`{event.subject}`: a deep copy of a GraphModule is built anew, without the attributes set on it ({event.detail})"
        return Report(message, "keep notes in gm.meta, or set the attributes on the copy", Severity.WARNING)
    message = f"`{event.subject}`: the traced module does not carry {event.callee}, which its graph does not use: {event.detail}"
    return Report(message, "ask the original module, or set it on the GraphModule")
