"""TFX713 node-arguments: arguments of a node are Nodes and constants, in tuples that cannot be changed.

## What it catches
`node.args[1] = v`, `node.kwargs[k] = v`, `node.args[0].append(v)`; args that are no tuple; Proxies, names of nodes (strings) and nodes of
another graph as arguments; `node_copy` without `arg_transform`.

## Why tracing fails
`args` is a tuple, `kwargs` and inner containers are immutable: `TypeError`. A string is a constant for `Graph.lint`, and the call fails; a
Proxy is written into the code by name; a node of another graph "does not belong to this Graph".

## Fix and its safety
Assign as a whole: `node.args = (a, v)`, or `node.update_arg(1, v)`, `node.update_kwarg(k, v)`. Give Nodes of the same graph;
`new.node_copy(n, lambda old: env[old])`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX713",
    name="node-arguments",
    summary="a node is given arguments that fx cannot use, or its arguments are changed in place",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("args-not-tuple", "immutable", "proxy-argument", "string-argument", "other-graph", "node-copy"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "an entry of args",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.add(x, 1)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.add:
            node.args[1] = 5  # <- here
    gm.recompile()
    return gm, (lambda x: x + 5), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="'tuple' object does not support item assignment",
        ),
        Example(
            "the name of a node",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    relu = next(n for n in gm.graph.nodes if n.target is torch.relu)
    output = next(n for n in gm.graph.nodes if n.op == "output")
    with gm.graph.inserting_before(output):
        new = gm.graph.call_function(torch.neg, (relu.name,))  # <- here
    output.args = (new,)
    gm.recompile()
    return gm, (lambda x: -torch.relu(x)), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="must be Tensor, not str",
        ),
        Example(
            "a node of another graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    first, second = fx.symbolic_trace(Net()), fx.symbolic_trace(Net())
    relu = next(n for n in first.graph.nodes if n.target is torch.relu)
    output = next(n for n in second.graph.nodes if n.op == "output")
    with second.graph.inserting_before(output):
        new = second.graph.call_function(torch.neg, (relu,))  # <- here
    output.args = (new,)
    second.graph.lint()
    second.recompile()
    return second, (lambda x: -torch.relu(x)), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="does not belong to this Graph",
        ),
        Example(
            "args as a whole",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.add(x, 1)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.add:
            node.args = (node.args[0], 5)
    gm.recompile()
    return gm, (lambda x: x + 5), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "update_arg",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.add(x, 1)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.add:
            node.update_arg(1, 5)
    gm.recompile()
    return gm, (lambda x: x + 5), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a copy of kwargs is changed",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.add(x, 1, alpha=2)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.add:
            options = dict(node.kwargs)
            options["alpha"] = 3
            node.kwargs = options
    gm.recompile()
    return gm, (lambda x: x + 3), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: node_copy with arg_transform",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    old, new, copies = fx.Tracer().trace(model), fx.Graph(), {}
    for node in old.nodes:
        copies[node] = new.node_copy(node, lambda n: copies[n])
    return fx.GraphModule(model, new), Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "args-not-tuple": "args must be a tuple",
    "immutable": "arguments of nodes cannot be changed in place",
    "proxy-argument": "a Proxy is no argument of a node",
    "string-argument": "the name of a node is a plain string for fx",
    "other-graph": "the argument is a node of another graph",
    "node-copy": "without arg_transform the copy takes nodes of the old graph",
}
HELP = {
    "args-not-tuple": "give a tuple: (node,)",
    "immutable": "assign node.args or node.kwargs as a whole, or call update_arg and update_kwarg",
    "proxy-argument": "give the node: proxy.node",
    "string-argument": "give the Node itself, not its name",
    "other-graph": "find the node in the graph that you edit, or copy it with node_copy",
    "node-copy": "write new.node_copy(n, lambda old: copies[old])",
}


def report(event: Event) -> Report | None:
    """Words for arguments that do not work."""
    end = f": {event.detail}" if event.detail else ""
    return Report(f"`{event.subject}`: {WORDS[event.construct]}{end}", HELP[event.construct])
