"""TFX710 erase-used-node: a node that still has users cannot be erased.

## What it catches
`graph.erase_node(n)` where the users of `n` were not given another node before.

## Why tracing fails
torch raises `RuntimeError`: "Tried to erase Node ... but it still had 1 users in the graph".

## Fix and its safety
Call `n.replace_all_uses_with(other)` first; or look at `n.users`.

## When to ignore
When the node is known to have no users.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX710",
    name="erase-used-node",
    summary="erase_node of a node that others use",
    events=(EventKind.ERASE_USED,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a node in the middle",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            gm.graph.erase_node(node)  # <- here
    gm.recompile()
    return gm, (lambda x: x + 1), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="Tried to erase Node relu but it still had 1 users",
        ),
        Example(
            "users first",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.relu:
            node.replace_all_uses_with(node.args[0])
            gm.graph.erase_node(node)
    gm.recompile()
    return gm, (lambda x: x + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a node without users",
            """
class Net(nn.Module):
    def forward(self, x):
        torch.neg(x)
        return torch.relu(x)

def use():
    gm = fx.symbolic_trace(Net())
    for node in gm.graph.nodes:
        if node.target is torch.neg:
            gm.graph.erase_node(node)
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the users are looked at",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    for node in list(gm.graph.nodes):
        if node.op == "call_function" and not node.users:
            gm.graph.erase_node(node)
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a node that is still used."""
    message = f'`{event.subject}` still has users: RuntimeError "Tried to erase Node ... but it still had users in the graph"'
    return Report(message, "call replace_all_uses_with(other) on it first")
