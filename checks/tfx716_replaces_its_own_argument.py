"""TFX716 replaces-its-own-argument: `replace_all_uses_with` also rewires the new node.

## What it catches
`n.replace_all_uses_with(new)` where `new` takes `n` as an argument.

## Why tracing fails
All users of `n` get `new`, and `new` is one of them: it becomes its own argument. `Graph.lint` raises "was used before it has been
defined".

## Fix and its safety
`n.replace_all_uses_with(new, delete_user_cb=lambda user: user is not new)`, or set `new.args = (n,)` again afterwards.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX716",
    name="replaces-its-own-argument",
    summary="a node becomes its own argument",
    events=(EventKind.GRAPH_EDIT,),
    constructs=("self-use",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a node put behind another",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    relu = next(n for n in gm.graph.nodes if n.target is torch.relu)
    with gm.graph.inserting_after(relu):
        new = gm.graph.call_function(torch.neg, (relu,))
    relu.replace_all_uses_with(new)  # <- here
    gm.graph.lint()
    gm.recompile()
    return gm, (lambda x: -torch.relu(x) + 1), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="was used before it has been defined",
        ),
        Example(
            "all users but the new node",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    relu = next(n for n in gm.graph.nodes if n.target is torch.relu)
    with gm.graph.inserting_after(relu):
        new = gm.graph.call_function(torch.neg, (relu,))
    relu.replace_all_uses_with(new, delete_user_cb=lambda user: user is not new)
    gm.recompile()
    return gm, (lambda x: -torch.relu(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "the new node takes the old arguments",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    relu = next(n for n in gm.graph.nodes if n.target is torch.relu)
    with gm.graph.inserting_after(relu):
        new = gm.graph.call_function(torch.sigmoid, relu.args)
    relu.replace_all_uses_with(new)
    gm.recompile()
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the argument is set again",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    relu = next(n for n in gm.graph.nodes if n.target is torch.relu)
    with gm.graph.inserting_after(relu):
        new = gm.graph.call_function(torch.neg, (relu,))
    relu.replace_all_uses_with(new)
    new.args = (relu,)
    gm.recompile()
    return gm, (lambda x: -torch.relu(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a node that uses itself."""
    message = f'`{event.subject}`: the new node takes the old one, so it becomes its own argument ("used before it has been defined")'
    return Report(message, "add delete_user_cb=lambda user: user is not new, or set the new node's args again afterwards")
