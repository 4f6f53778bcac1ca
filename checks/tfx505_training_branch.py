"""TFX505 training-branch: a branch on `self.training` keeps the arm of the mode at trace time.

## What it catches
`if self.training`, `x if self.training else y` and the like, in forward and whatever it calls.

## Why the graph differs
`self.training` is a plain bool: the branch is taken once, and the graph holds one mode. `train()` and `eval()` of the traced module do not
bring the other arm back.

## Fix and its safety
Use a layer that asks its own flag (nn.Dropout, a leaf), or trace two modules, one in each mode. There is no automatic fix.

## When to ignore
When the traced module is only used in the mode in which it was traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX505",
    name="training-branch",
    summary="a branch on self.training is decided while tracing",
    events=(EventKind.TRAINING,),
    constructs=("branch",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "noise in train mode only",
            """
class M(nn.Module):
    def forward(self, x):
        if self.training:  # <- here
            return x * 2
        return x
""",
            Outcome.SILENT,
        ),
        Example(
            "a ternary on the flag",
            """
class M(nn.Module):
    def forward(self, x):
        return x * (2 if self.training else 3)  # <- here
""",
            Outcome.SILENT,
        ),
        Example(
            "a dropout layer that asks its own flag",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a batch norm in its leaf",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)
""",
            Outcome.TRACES,
            inputs="(torch.randn(3, 4),)",
        ),
        Example(
            "near miss: a flag of the module's own",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.is_training = True

    def forward(self, x):
        return x * 2 if self.is_training else x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: gradient mode",
            """
class M(nn.Module):
    def forward(self, x):
        if torch.is_grad_enabled():
            return x * 2
        return x * 2
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a branch on the mode."""
    del event
    message = "`self.training` is read once, while tracing: the graph keeps the arm of that mode, and train() or eval() do not change it"
    return Report(message, "put the part that depends on the mode into a leaf module (nn.Dropout), or trace one module for each mode")
