"""TFX717 graph-output: a graph has exactly one output node.

## What it catches
`GraphModule(m, graph)` of a graph made by `Graph()` in which no `graph.output(...)` was called (`graph_copy` adds none), and second calls
of `output`.

## Why the graph differs
Without an output node the module returns None; of two, the first ends the generated function. `Graph.lint` says nothing.

## Fix and its safety
`graph.output(value)` once, at the end. `graph_copy` returns the value: `new.output(new.graph_copy(old, {}))`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX717",
    name="graph-output",
    summary="a graph is built without an output, or with two",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("no-output", "second-output"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "graph_copy adds no output",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    old, new = fx.Tracer().trace(model), fx.Graph()
    new.graph_copy(old, {})
    return fx.GraphModule(model, new), Net(), (torch.randn(4),)  # <- here
""",
            Outcome.SILENT,
        ),
        Example(
            "two outputs",
            """
def use():
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.output(x)
    graph.output(graph.call_function(torch.neg, (x,)))  # <- here
    return fx.GraphModule(nn.Module(), graph), torch.neg, (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "one output",
            """
def use():
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.neg, (x,)))
    return fx.GraphModule(nn.Module(), graph), torch.neg, (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "the value of graph_copy is the output",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    old, new = fx.Tracer().trace(model), fx.Graph()
    new.output(new.graph_copy(old, {}))
    return fx.GraphModule(model, new), Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the output is erased and made again",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    value = output.args[0]
    gm.graph.erase_node(output)
    gm.graph.output(value)
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a missing or second output."""
    if event.construct == "no-output":
        where = f"`{event.subject}`: " if event.subject else ""
        return Report(f"{where}the graph has no output node, so the module returns None", "call graph.output(value) first")
    return Report(f"`{event.subject}`: the graph has an output already, which ends the generated function", "call output once, at the end")
