"""TFX406 global-written: `global` and `nonlocal` names bound while tracing.

## What it catches
Assignments to names declared `global`, or `nonlocal` in a closure that outlives forward: counters, flags, last results.

## Why the graph differs
Python runs the assignment once, while tracing; the graph has no node for it. What depends on the name is computed with the value of
that one time, at every call.

## Fix and its safety
Pass the value in and out: an argument and one more output. There is no automatic fix.

## When to ignore
When the name only counts traces.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX406",
    name="global-written",
    summary="a global or nonlocal name is written in forward",
    events=(EventKind.STATE_WRITE,),
    constructs=(
        "global",
        "nonlocal",
    ),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a global counter",
            """
STEP = 0

class M(nn.Module):
    def forward(self, x):
        global STEP
        STEP += 1  # <- here
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
            "a nonlocal counter in a closure that outlives forward",
            """
def counter():
    calls = 0

    def count():
        nonlocal calls
        calls += 1  # <- here
        return calls

    return count

count = counter()

class M(nn.Module):
    def forward(self, x):
        return x * count()
""",
            Outcome.SILENT,
        ),
        Example(
            "a global is read",
            """
SCALE = 2.0

class M(nn.Module):
    def forward(self, x):
        return x * SCALE
""",
            Outcome.TRACES,
        ),
        Example(
            "a global is shadowed by a local name",
            """
SCALE = 2.0

class M(nn.Module):
    def forward(self, x):
        SCALE = 3.0
        SCALE += 1
        return x * SCALE
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a nonlocal name of forward itself",
            """
class M(nn.Module):
    def forward(self, x):
        total = 0

        def add(value):
            nonlocal total
            total = total + value

        add(x)
        add(x * 2)
        return total
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a global that is declared and only read",
            """
SCALE = 2.0

class M(nn.Module):
    def forward(self, x):
        global SCALE
        return x * SCALE
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a name that outlives forward; the name is the event's detail."""
    return Report(
        f"the {event.construct} name `{event.detail}` is bound once, while tracing: the traced module never binds it again",
        "pass the value in as an argument and out as one more output",
    )
