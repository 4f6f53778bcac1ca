"""TFX512 effect-once: `print`, warnings and logs happen once, while tracing.

## What it catches
`print(...)`, `warnings.warn(...)`, `logger.info(...)` in forward and whatever it calls.

## Why the graph differs
They are plain Python calls, made once while tracing; the graph has no node for them. torch says nothing.

## Fix and its safety
Drop the call, or mark the function that makes it with `torch.fx.wrap` and hand it the tensor. (`fx.wrap("print")` records the call, but
dead-code elimination drops it again.)

## When to ignore
When the message is only meant for the time of tracing.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX512",
    name="effect-once",
    summary="a print, warning or log call is not in the graph",
    events=(EventKind.EFFECT_ONCE,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a print of a shape",
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
            "a log record",
            """
import logging

LOG = logging.getLogger("model")

class M(nn.Module):
    def forward(self, x):
        LOG.warning("slow path")  # <- here
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
            "a message of an error",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, x):
        if self.size < 0:
            raise ValueError("size")
        return x * 2
""",
            Outcome.TRACES,
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
            "near miss: a print in a method that forward does not call",
            """
class M(nn.Module):
    def show(self):
        print("M")

    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a function of the project named warn",
            """
def warn(x):
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return warn(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an effect."""
    severity = Severity.INFO if event.callee.endswith(".debug") else Severity.WARNING  # off unless somebody is looking for a fault
    message = f"{event.callee or 'this call'} runs once, while tracing: the graph has no node for it"
    help_ = "drop it, or call it from a module-level function marked with torch.fx.wrap that takes the tensor"
    return Report(message, help_, severity)
