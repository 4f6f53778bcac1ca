"""TFX707 graph-module-arguments: `GraphModule(root, graph)`: the module first, then its graph.

## What it catches
`GraphModule(graph, model)`, `GraphModule(traced, model)`, a GraphModule in place of the graph, and a root that is not the module that was
traced; also in `super().__init__` of subclasses; `gm.graph = other_module`.

## Why tracing fails
The constructor copies from the root what the graph names. A graph as root raises `RuntimeError`: "Unsupported type"; a module as graph has
no nodes: `AttributeError`; another root lacks the submodules and constants: `AttributeError`.

## Fix and its safety
`GraphModule(model, graph)`; the graph of a GraphModule is `gm.graph`; constants of a traced function are on `tracer.root`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX707",
    name="graph-module-arguments",
    summary="GraphModule is given its arguments in the wrong order, or of the wrong kind",
    events=(EventKind.GRAPH_MODULE_ARGUMENTS,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "near miss: a subclass with a method of another name",
            """
class Doubled(fx.GraphModule):
    def doubled(self, x):
        return self(x) * 2

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    net = Net()
    graph = fx.symbolic_trace(net).graph
    return Doubled(net, graph), net, (torch.rand(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a module that holds the GraphModule has the forward",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

class Doubled(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) * 2

def use():
    net = Net()
    return Doubled(fx.symbolic_trace(net)), (lambda x: net(x) * 2), (torch.rand(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a subclass with a forward of its own",
            """
class Doubled(fx.GraphModule):
    def forward(self, x):  # <- here
        return super().forward(x) * 2

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    net = Net()
    graph = fx.symbolic_trace(net).graph
    return Doubled(net, graph), (lambda x: net(x) * 2), (torch.rand(2),)
""",
            Outcome.SILENT,
        ),
        Example(
            "swapped",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    graph = fx.Tracer().trace(model)
    return fx.GraphModule(graph, model), Net(), (torch.ones(2),)  # <- here
""",
            Outcome.BREAKS,
            error="Unsupported type",
        ),
        Example(
            "a GraphModule as graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    gm = fx.symbolic_trace(model)
    return fx.GraphModule(model, gm), Net(), (torch.ones(2),)  # <- here
""",
            Outcome.BREAKS,
            error="has no attribute 'nodes'",
        ),
        Example(
            "another root",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)

def use():
    tracer = fx.Tracer()
    graph = tracer.trace(Net())
    return fx.GraphModule(nn.Module(), graph), Net(), (torch.ones(2, 4),)  # <- here
""",
            Outcome.BREAKS,
            error="has no attribute 'act'",
        ),
        Example(
            "the module, then the graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    graph = fx.Tracer().trace(model)
    return fx.GraphModule(model, graph), Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "the graph of a GraphModule",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return fx.GraphModule(gm, gm.graph), Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: an empty root for a graph that names nothing",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    graph = fx.Tracer().trace(Net())
    return fx.GraphModule(nn.Module(), graph), Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a dict as root",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    graph = fx.Tracer().trace(Net())
    return fx.GraphModule({}, graph), Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "swapped": "the arguments are swapped",
    "module-as-graph": "a module is assigned where a Graph is wanted",
    "graph-for-module": "the second argument is a module, not its graph",
    "own-forward": "a GraphModule gets its forward from the graph, and this one is never called",
    "other-root": "this root is not the module that was traced, and lacks what the graph names",
}


def report(event: Event) -> Report | None:
    """Words for wrong arguments of GraphModule."""
    end = f": {event.detail}" if event.detail else ""
    if event.construct == "own-forward":
        action = "hold the GraphModule in an nn.Module, and call it there"
        return Report(f"`{event.subject}`: {WORDS[event.construct]}", action, Severity.WARNING)
    return Report(f"`{event.subject}`: {WORDS[event.construct]}{end}", "write GraphModule(model, graph), with the model that was traced")
