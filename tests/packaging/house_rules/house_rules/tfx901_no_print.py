"""TFX901 no-print: `print` in a model.

## What it catches
`print(...)` in forward and whatever it calls.

## Why the graph differs
The graph has no node for it: the traced model prints nothing. In this house models do not print at all.

## Fix and its safety
Drop the call.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX901",
    name="no-print",
    summary="a print in a model",
    events=(EventKind.EFFECT_ONCE,),
    constructs=("print",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a print of a text",
            """
class M(nn.Module):
    def forward(self, x):
        print("forward")  # <- here
        return x * 2
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "a print in the constructor",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        print("built")

    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a warning",
            """
import warnings

class M(nn.Module):
    def forward(self, x):
        warnings.warn("forward")
        return x * 2
""",
            Outcome.SILENT,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """One sentence for all of them."""
    return Report("models of this house do not print", "drop the call")
