"""TFX714 node-target-type: each kind of node has its own kind of target.

## What it catches
`call_function` with a string or a module object; `call_method` and `call_module` with a function, a class or a module; `create_node` with
an op that is none.

## Why tracing fails
call_function wants a callable, call_method the name of a method, call_module the path of a submodule: `ValueError`, or `AttributeError`
when the code is generated. An unknown op raises "is not in _legal_ops".

## Fix and its safety
`graph.call_function(torch.relu, (x,))`, `graph.call_method("relu", (x,))`; `gm.add_submodule("act", nn.ReLU())`, then
`graph.call_module("act", (x,))`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX714",
    name="node-target-type",
    summary="a node is made with a target of the wrong type, or an op that does not exist",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("target-type", "unknown-op"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a string for a function",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    with gm.graph.inserting_before(output):
        new = gm.graph.call_function("torch.neg", (output.args[0],))  # <- here
    output.args = (new,)
    gm.recompile()
    return gm, (lambda x: -(torch.relu(x) + 1)), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="ValueError",
        ),
        Example(
            "an op that does not exist",
            """
def use():
    graph = fx.Graph()
    x = graph.placeholder("x")
    new = graph.create_node("function", torch.neg, (x,))  # <- here
    graph.output(new)
    return fx.GraphModule(nn.Module(), graph), torch.neg, (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="is not in _legal_ops",
        ),
        Example(
            "a function",
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
            "the name of a method",
            """
def use():
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_method("neg", (x,)))
    return fx.GraphModule(nn.Module(), graph), torch.neg, (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a lambda is a callable",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.target = lambda t: t.clamp(min=0)
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a target of the wrong type."""
    if event.construct == "unknown-op":
        return Report(f"create_node: {event.detail}", "ops are placeholder, get_attr, call_function, call_method, call_module and output")
    kinds = {"call_function": "a callable", "call_method": "the name of a method", "call_module": "the path of a submodule"}
    wanted = kinds.get(event.callee, "another kind of value")
    return Report(f"`{event.subject}`: {event.detail}", f"the target of {event.callee} is {wanted}")
