"""TFX711 graph-or-graph-module: Graph and GraphModule offer different things.

## What it catches
`gm.nodes`, `gm.lint()`, `gm.eliminate_dead_code()`, `gm.transform()` on a GraphModule; `graph.recompile()`, `graph.code`,
`graph.parameters()`, `graph(x)` on a Graph; `graph.nodes[0]`; attributes that Node has not.

## Why tracing fails
`symbolic_trace` and `Transformer.transform` give a GraphModule, `Tracer().trace` and `gm.graph` a Graph: "object has no attribute",
"'Graph' object is not callable". `graph.nodes` is a linked list, to be iterated, not indexed.

## Fix and its safety
`gm.graph.nodes`, `gm.graph.lint()`, `gm.recompile()`; `list(graph.nodes)[0]`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX711",
    name="graph-or-graph-module",
    summary="an attribute of Graph is asked of a GraphModule, or the reverse",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("graph-attribute", "graph-module-attribute", "graph-called", "node-attribute", "nodes-indexed", "overwritten"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "near miss: what recompile gives back has a name of its own",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    code = gm.recompile()
    assert code.src
    return gm, Net(), (torch.rand(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: eval gives back the module",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm = gm.eval()
    return gm, Net(), (torch.rand(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "the module replaced by what recompile gives back",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm = gm.recompile()  # <- here
    return gm, Net(), (torch.rand(2),)
""",
            Outcome.BREAKS,
            error="object is not callable",
        ),
        Example(
            "recompile of a Graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.graph.recompile()  # <- here
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="'Graph' object has no attribute 'recompile'",
        ),
        Example(
            "lint of a GraphModule",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.lint()  # <- here
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="object has no attribute 'lint'",
        ),
        Example(
            "nodes indexed",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    first = gm.graph.nodes[0]  # <- here
    print(first)
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="'_node_list' object is not subscriptable",
        ),
        Example(
            "lint of the graph, recompile of the module",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.graph.lint()
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a list of the nodes indexed",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    print(list(gm.graph.nodes)[0].name)
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: methods of the module",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    print(len(list(gm.parameters())), gm.code)
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a submodule named nodes",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.nodes = nn.ReLU()

    def forward(self, x):
        return self.nodes(x)

def use():
    gm = fx.symbolic_trace(Net())
    print(gm.nodes)
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


HELP = {
    "graph-attribute": "that is a GraphModule's: keep the module that symbolic_trace gives, and its gm.graph",
    "graph-module-attribute": "that is a Graph's: write gm.graph",
    "graph-called": "build GraphModule(model, graph) and call that",
    "node-attribute": "see torch.fx.Node: args, kwargs, users, all_input_nodes, meta ...",
    "overwritten": "call it as a statement of its own",
    "nodes-indexed": "write list(graph.nodes)[i], or next(iter(graph.nodes))",
}


def report(event: Event) -> Report | None:
    """Words for an attribute of the other class."""
    return Report(f"`{event.subject}`: {event.detail}", HELP[event.construct])
