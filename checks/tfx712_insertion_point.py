"""TFX712 insertion-point: a new node must stand before its users and after its arguments.

## What it catches
Nodes made without an insertion point in a graph that has an output; before the node that they take as argument; after the output;
`graph.inserting_before(n)` without `with`; a loop over `graph.nodes` that inserts, after the current node, one that passes the same test.

## Why tracing fails
New nodes go where the insertion point is: by default after the output. `Graph.lint` raises "was used before it has been defined"; the
generated code fails or leaves the node out. Without `with` the insertion point stays moved for good.

## Fix and its safety
`with graph.inserting_before(user):` or `with graph.inserting_after(argument):` around the calls that make nodes; loop over
`list(graph.nodes)`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX712",
    name="insertion-point",
    summary="a node is inserted where its arguments or its users are on the wrong side",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("no-insert-point", "after-output", "used-before-defined", "bare-insert-point", "endless"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "no insertion point",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    new = gm.graph.call_function(torch.neg, (output.args[0],))  # <- here
    output.args = (new,)
    gm.graph.lint()
    gm.recompile()
    return gm, (lambda x: -(torch.relu(x) + 1)), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="was used before it has been defined",
        ),
        Example(
            "before its own argument",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    relu = next(n for n in gm.graph.nodes if n.target is torch.relu)
    with gm.graph.inserting_before(relu):
        new = gm.graph.call_function(torch.neg, (relu,))  # <- here
    print(new)
    gm.graph.lint()
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="was used before it has been defined",
        ),
        Example(
            "before the output",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    with gm.graph.inserting_before(output):
        new = gm.graph.call_function(torch.neg, (output.args[0],))
    output.args = (new,)
    gm.recompile()
    return gm, (lambda x: -(torch.relu(x) + 1)), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a graph made from nothing needs no insertion point",
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
            "near miss: the output is erased first",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    output = next(n for n in gm.graph.nodes if n.op == "output")
    value = output.args[0]
    gm.graph.erase_node(output)
    new = gm.graph.call_function(torch.neg, (value,))
    gm.graph.output(new)
    gm.recompile()
    return gm, (lambda x: -(torch.relu(x) + 1)), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: before a node, with that node's arguments",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in list(gm.graph.nodes):
        if node.target is torch.relu:
            with gm.graph.inserting_before(node):
                new = gm.graph.call_function(torch.sigmoid, node.args)
            node.replace_all_uses_with(new)
            gm.graph.erase_node(node)
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "no-insert-point": "no insertion point is set: the node goes after the output",
    "after-output": "the node goes after the output",
    "used-before-defined": "the node goes before its own argument",
    "bare-insert-point": "the insertion point is moved for good, and a later node needs another one",
    "endless": "the loop visits the new node next, which passes the same test: it does not end",
}


def report(event: Event) -> Report | None:
    """Words for a node in the wrong place."""
    end = f": {event.detail}" if event.detail else ""
    help_ = "loop over list(graph.nodes)" if event.construct == "endless" else "make the node under `with graph.inserting_before(node):`"
    return Report(f"`{event.subject}`: {WORDS[event.construct]}{end}", help_)
