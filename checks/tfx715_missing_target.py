"""TFX715 missing-target: a node names a submodule or attribute that the module does not have.

## What it catches
`graph.call_module(name)`, `graph.get_attr(name)` and, in a Transformer, `super().call_module(name, ...)` where the traced module has no
such member and nothing adds it.

## Why tracing fails
`call_module` of a graph that belongs to a module looks the name up at once: `AttributeError`. `get_attr` is noticed by `Graph.lint`
("references nonexistent attribute") or when the graph runs. A Transformer raises "Node referenced nonexistent target".

## Fix and its safety
Add it first: `gm.add_submodule(name, module)`, `gm.register_buffer(name, tensor)`, or `gm.name = module`.

## When to ignore
When other code adds the member.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX715",
    name="missing-target",
    summary="call_module or get_attr of a name that nobody added",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("missing-module", "missing-attribute"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a submodule that nobody added",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    with gm.graph.inserting_before(output):
        new = gm.graph.call_module("act", (output.args[0],))  # <- here
    output.args = (new,)
    gm.recompile()
    return gm, (lambda x: torch.relu(x) + 1), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="has no attribute `act`",
        ),
        Example(
            "in a Transformer",
            """
class Swap(fx.Transformer):
    def call_module(self, target, args, kwargs):
        return super().call_module("other", args, kwargs)  # <- here

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="nonexistent target other",
        ),
        Example(
            "the submodule is added first",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.add_submodule("act", nn.ReLU())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    with gm.graph.inserting_before(output):
        new = gm.graph.call_module("act", (output.args[0],))
    output.args = (new,)
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a submodule of the traced module",
            """
class Swap(fx.Transformer):
    def call_module(self, target, args, kwargs):
        return super().call_module("act", args, kwargs)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the buffer is registered after the node is made",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    with gm.graph.inserting_before(output):
        scale = gm.graph.get_attr("scale")
        new = gm.graph.call_function(torch.mul, (output.args[0], scale))
    output.args = (new,)
    gm.register_buffer("scale", torch.ones(1))
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a name that is not there."""
    what = "submodule" if event.construct == "missing-module" else "attribute"
    end = f": {event.detail}" if event.detail else ': Graph.lint raises "references nonexistent attribute"'
    message = f"the module has no {what} `{event.subject}`, and nothing adds it{end}"
    return Report(message, f'add it first: gm.add_submodule("{event.subject}", ...) or gm.register_buffer("{event.subject}", ...)')
