"""TFX719 target-comparison: `node.target` is a callable for functions, a string for modules and methods.

## What it catches
`node.target == "relu"` for call_function nodes; `node.target == nn.ReLU`, `isinstance(node.target, nn.ReLU)` and `node.target is
torch.relu` for call_module and call_method nodes; `node.target == "shape"` for call_method nodes; `node.name == "hidden"` where `hidden`
is a variable of forward; `node.op == "call_func"`; the same with `target` in methods of a Transformer.

## Why the graph differs
The target of call_function is the function itself, that of call_module the path of the submodule, that of call_method the method's name:
the comparison is False for every node, and the pass does nothing, without a word. Names of nodes are made from the operations, not from
the variables that held the results.

## Fix and its safety
`node.target is torch.relu`; `isinstance(gm.get_submodule(node.target), nn.ReLU)`; `node.target == "relu"` for call_method.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX719",
    name="target-comparison",
    summary="a comparison with node.target or node.op that never holds",
    events=(EventKind.TARGET_COMPARISON,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a function by its name",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target == "relu":  # <- here
            node.target = torch.sigmoid
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "a module by its class",
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
        if node.op == "call_module" and node.target == nn.ReLU:  # <- here
            gm.act = nn.Sigmoid()
    return gm, torch.sigmoid, (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "a function by itself",
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
            "a module by the class of the submodule",
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
        if node.op == "call_module" and isinstance(gm.get_submodule(node.target), nn.ReLU):
            gm.act = nn.Sigmoid()
    return gm, torch.sigmoid, (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a method by its name",
            """
class Net(nn.Module):
    def forward(self, x):
        return x.relu() + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.op == "call_method" and node.target == "relu":
            node.target = "sigmoid"
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "an attribute among the methods",
            """
class Net(nn.Module):
    def forward(self, x):
        return x * x.shape[0]

def use():
    gm = fx.symbolic_trace(Net())
    found = [n for n in gm.graph.nodes if n.op == "call_method" and n.target == "shape"]  # <- here
    return (lambda x: len(found)), (lambda x: 1), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "a node by the name of a variable",
            """
class Net(nn.Module):
    def forward(self, x):
        hidden = torch.relu(x)
        return hidden + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.name == "hidden":  # <- here
            node.target = torch.sigmoid
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "near miss: a variable called as its operation",
            """
class Net(nn.Module):
    def forward(self, x):
        relu = torch.relu(x)
        return relu + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.name == "relu":
            node.target = torch.sigmoid
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: an attribute asked of getattr",
            """
class Net(nn.Module):
    def forward(self, x):
        return x * x.shape[0]

def use():
    gm = fx.symbolic_trace(Net())
    found = [n for n in gm.graph.nodes if n.op == "call_function" and n.target is getattr and n.args[1] == "shape"]
    return (lambda x: len(found)), (lambda x: 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a method among the methods",
            """
class Net(nn.Module):
    def forward(self, x):
        return x * x.size(0)

def use():
    gm = fx.symbolic_trace(Net())
    found = [n for n in gm.graph.nodes if n.op == "call_method" and n.target == "size"]
    return (lambda x: len(found)), (lambda x: 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the name of a node",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.name == "relu":
            node.target = torch.sigmoid
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "string": "the target of a call_function node is the function itself, never a string",
    "class": "the target is the path of the submodule (a string), never its class",
    "callable": "the target is a string, never a function",
    "variable": "nodes are named after their operations, and no operation here has the name of this variable",
    "absent": "no node of the graph has this target",
    "attribute": "reading an attribute is a call_function node whose target is getattr",
}
HELP = {
    "string": "compare with the function: node.target is torch.relu",
    "class": "write isinstance(gm.get_submodule(node.target), nn.ReLU)",
    "callable": 'compare with the name: node.target == "relu"',
    "variable": "ask for the operation: node.op and node.target",
    "absent": "compare with the target that is there; print(gm.graph) shows all",
    "attribute": 'write node.op == "call_function" and node.target is getattr, and look at node.args[1]',
}


def report(event: Event) -> Report | None:
    """Words for a comparison that never holds."""
    if event.construct == "op":
        message = f"`{event.subject}` never holds: {event.detail!r} is no op"
        return Report(message, "ops are placeholder, get_attr, call_function, call_method, call_module and output")
    there = f", which holds {event.detail}" if event.construct == "absent" else ""
    return Report(f"`{event.subject}` never holds: {WORDS[event.construct]}{there}", HELP[event.construct])
