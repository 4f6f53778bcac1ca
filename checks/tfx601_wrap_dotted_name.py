"""TFX601 wrap-dotted-name: `torch.fx.wrap` takes the name of a global, never a dotted one.

## What it catches
`torch.fx.wrap("math.log")`, `wrap("numpy.mean")`, `wrap("Ops.gate")`: names with a dot.

## Why tracing fails
wrap only notes the name. Each trace looks it up in the globals of the module that called wrap, finds nothing, and raises `KeyError`,
whether the model uses the name or not: *every* trace of the process fails.

## Fix and its safety
* `math` needs no wrap: every Tracer records its functions.
* Import the function by name, and wrap that name: `from pkg import helper`, then `torch.fx.wrap("helper")`.
* A static method: bind it to a global first, `gate = Ops.gate`, then `torch.fx.wrap("gate")`, and call `gate`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX601",
    name="wrap-dotted-name",
    summary="torch.fx.wrap is given a dotted name",
    events=(EventKind.WRAP_DOTTED,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a function of math",
            """
import math

fx.wrap("math.log")  # <- here

class M(nn.Module):
    def forward(self, x):
        return x * math.log(x.shape[0])
""",
            Outcome.BREAKS,
            error="KeyError: 'math.log'",
        ),
        Example(
            "a name that the model does not even use",
            """
fx.wrap("helpers.area")  # <- here

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.BREAKS,
            error="KeyError: 'helpers.area'",
        ),
        Example(
            "a builtin",
            """
fx.wrap("len")

class M(nn.Module):
    def forward(self, x):
        return x * len(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a function of the module",
            """
fx.wrap("halved")

def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a static method under a global name",
            """
class Ops:
    @staticmethod
    def gate(x):
        return x * 2 if x.sum() > 0 else x

gate = Ops.gate
fx.wrap("gate")

class M(nn.Module):
    def forward(self, x):
        return gate(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: another library's wrap",
            """
def wrap(name):
    return name

wrap("math.log")

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a dotted name."""
    name = event.subject
    message = f"wrap({name!r}) notes a name that no module has as a global: every trace of the process raises KeyError: {name!r}"
    if event.subject.startswith("math."):
        return Report(message, "drop the line: functions of math are recorded without it")
    return Report(message, "import the function by name and wrap that name, in each module that calls it")
