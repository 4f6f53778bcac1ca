"""TFX514 checkpoint-dropped: activation checkpointing disappears from the graph.

## What it catches
`torch.utils.checkpoint.checkpoint(f, x)` and `checkpoint_sequential` with a traced argument.

## Why the graph differs
checkpoint runs `f` on the Proxy, so the operations of f are recorded and the checkpoint is not: the numbers are right, memory is not
saved. Random operations are no longer replayed.

## Fix and its safety
Trace without checkpointing and apply it to the traced module; or mark a function that makes the call with `torch.fx.wrap`.

## When to ignore
When the traced module is not trained.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX514",
    name="checkpoint-dropped",
    summary="torch.utils.checkpoint is traced through",
    events=(EventKind.AUTOGRAD_FUNCTION,),
    constructs=("checkpoint",),
    severity=Severity.INFO,
    examples=(
        Example(
            "a checkpointed layer",
            """
from torch.utils.checkpoint import checkpoint

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return checkpoint(self.lin, x, use_reentrant=False)  # <- here
""",
            Outcome.TRACES,
        ),
        Example(
            "the layer itself",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "checkpointing that is switched off",
            """
from torch.utils.checkpoint import checkpoint

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.save = False

    def forward(self, x):
        return checkpoint(self.lin, x, use_reentrant=False) if self.save else self.lin(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a function of the project named checkpoint",
            """
def checkpoint(f, x):
    return f(x)

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return checkpoint(self.lin, x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a checkpoint that disappears."""
    del event
    message = "checkpoint is traced through: its operations are in the graph, the checkpoint is not, and activations are kept"
    return Report(message, "apply checkpointing to the traced module, or call it from a function marked with torch.fx.wrap")
