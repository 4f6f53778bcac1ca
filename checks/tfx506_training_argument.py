"""TFX506 training-argument: `training=self.training` is a constant of the graph.

## What it catches
`F.dropout(x, 0.1, self.training)`, `F.batch_norm(..., training=self.training)` and the like.

## Why the graph differs
The flag is a plain bool, so its value at trace time is written into the graph as a constant: `eval()` of the traced module leaves dropout
on.

## Fix and its safety
Use the layer in place of the function: `self.drop = nn.Dropout(p)` is a leaf that asks its own flag.

## When to ignore
When the traced module is only used in the mode in which it was traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX506",
    name="training-argument",
    summary="self.training is passed to a function as a constant",
    events=(EventKind.TRAINING,),
    constructs=("argument",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "functional dropout",
            """
class M(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, self.training)  # <- here
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)
""",
        ),
        Example(
            "the flag by keyword",
            """
class M(nn.Module):
    def forward(self, x):
        return F.dropout(x, p=0.5, training=self.training)  # <- here
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)
""",
        ),
        Example(
            "the layer",
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
            "dropout that is always off",
            """
class M(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, False)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: another flag is passed",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.inplace = False

    def forward(self, x):
        return F.relu(x, self.inplace)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for the flag as an argument."""
    name = event.callee.rpartition(".")[2] or "the call"
    message = f"`self.training` is read once, while tracing: {name} keeps that value in the graph, and train() or eval() do not change it"
    return Report(message, "use the layer (nn.Dropout, nn.BatchNorm2d), a leaf that asks its own flag at every call")
