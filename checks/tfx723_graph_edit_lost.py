"""TFX723 graph-edit-lost: edits that a later step undoes or cannot carry.

## What it catches
One name for several nodes; a lambda as target of a graph that is pickled; a Dropout or BatchNorm in train mode added to an eval graph;
`load_state_dict` of the original into a graph with constants; `getattr(gm, node.target)` of a dotted path; `on_generate_code` given the
transformer itself.

## Why tracing fails
`Graph.lint` raises "Node redefined name"; pickle looks targets up by name; a new module starts in train mode, whatever the graph is in;
tensors that were made while tracing are buffers of the GraphModule, which strict loading misses; getattr does not follow dots;
on_generate_code takes a function that *makes* the transformer.

## Fix and its safety
Leave names to fx; use a function at module level; call `.eval()` on the new module; load with `strict=False` or before tracing;
`gm.get_submodule(node.target)`; `on_generate_code(lambda current: transform)`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX723",
    name="graph-edit-lost",
    summary="a name, target, module or key that a later step of fx cannot use",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("same-name", "lambda-pickled", "train-mode", "constants-in-state", "dotted-getattr", "code-generator"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "one name for all",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.op == "call_function":
            node.name = "same"  # <- here
    gm.graph.lint()
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="Node redefined name same",
        ),
        Example(
            "a dotted path",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.ReLU(), nn.Tanh())

    def forward(self, x):
        return self.body(x)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.op == "call_module":
            print(getattr(gm, node.target))  # <- here
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="has no attribute 'body.0'",
        ),
        Example(
            "the original's checkpoint",
            """
class Net(nn.Module):
    def forward(self, x):
        return x + torch.tensor([1.0, 2.0])

def use():
    gm = fx.symbolic_trace(Net())
    gm.load_state_dict(Net().state_dict())  # <- here
    return gm, Net(), (torch.randn(2),)
""",
            Outcome.BREAKS,
            error="Error(s) in loading state_dict",
        ),
        Example(
            "get_submodule",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.ReLU(), nn.Tanh())

    def forward(self, x):
        return self.body(x)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.op == "call_module":
            print(gm.get_submodule(node.target))
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "its own checkpoint",
            """
class Net(nn.Module):
    def forward(self, x):
        return x + torch.tensor([1.0, 2.0])

def use():
    gm = fx.symbolic_trace(Net())
    gm.load_state_dict(gm.state_dict())
    return gm, Net(), (torch.randn(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a path without dots",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.op == "call_module":
            print(getattr(gm, node.target))
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: each node its own name",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for number, node in enumerate(gm.graph.nodes):
        node.name = f"n{number}"
    gm.graph.lint()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "same-name": 'every node of the loop gets this name: Graph.lint raises "Node redefined name"',
    "lambda-pickled": "a node's target is a lambda, which pickle cannot find by name",
    "train-mode": "the new module starts in train mode, and the graph is in eval mode",
    "constants-in-state": "tensors made while tracing are buffers of the GraphModule, which this state dict lacks",
    "dotted-getattr": "getattr does not follow dots",
    "code-generator": "on_generate_code takes a function that makes the transformer, and this one makes code",
}
HELP = {
    "same-name": "leave names to fx",
    "lambda-pickled": "use a function at module level as target",
    "train-mode": "call .eval() on the new module, or gm.eval() afterwards",
    "constants-in-state": "load before tracing, or with strict=False",
    "dotted-getattr": "write gm.get_submodule(node.target)",
    "code-generator": "write on_generate_code(lambda current: transform)",
}


def report(event: Event) -> Report | None:
    """Words for an edit that does not last."""
    end = f" ({event.detail})" if event.construct == "dotted-getattr" else ""
    severity = Severity.WARNING if event.construct == "train-mode" else None
    return Report(f"`{event.subject}`: {WORDS[event.construct]}{end}", HELP[event.construct], severity)
