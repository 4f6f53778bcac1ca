"""TFX709 graph-not-recompiled: an edited graph runs its old code until `recompile()`.

## What it catches
GraphModules whose graph was edited (targets, arguments, nodes made or erased, `on_generate_code`) and which are then returned, called,
saved or stored without `recompile()`.

## Why the graph differs
A GraphModule runs Python code that was generated from its graph. Edits change the graph alone: `Graph.lint` passes, and the old code keeps
running. torch says nothing.

## Fix and its safety
Call `gm.recompile()` after the last edit. `GraphModule(m, graph)`, `gm.graph = graph`, `replace_pattern`, a deep copy and
`Transformer(gm).transform()` generate code anew and need none.

## When to ignore
When the caller recompiles.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX709",
    name="graph-not-recompiled",
    summary="a graph is edited, and its module is used without recompile()",
    events=(EventKind.NOT_RECOMPILED,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a changed target",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid  # <- here
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "a node inserted",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    with gm.graph.inserting_before(output):
        new = gm.graph.call_function(torch.neg, (output.args[0],))
    output.args = (new,)  # <- here
    gm.graph.lint()
    return gm, (lambda x: -(torch.relu(x) + 1)), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "called in place",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid  # <- here

    def run(x):
        return gm(x)
    print(gm(torch.ones(1)))  # <- here
    return run, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "recompiled",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a new GraphModule of the edited graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    graph = fx.Tracer().trace(model)
    for node in graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
    return fx.GraphModule(model, graph), (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the caller recompiles",
            """
def swap(gm):
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid
    return gm

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    swap(gm)
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: only metadata is set",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        node.meta["seen"] = True
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an edit that is not compiled, and for a call that runs the code from before it."""
    help_ = "call gm.recompile() after the last edit (and gm.graph.lint() before it)"
    if event.construct == "called":
        return Report(f"`{event.subject}` runs the code from before its graph was edited: there is no recompile() in between", help_)
    message = "the graph is edited here, and its GraphModule is used without recompile(): the old code keeps running"
    return Report(message, help_)
