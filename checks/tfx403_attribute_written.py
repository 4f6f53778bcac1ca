"""TFX403 attribute-written: `self.last = ...` or `self.calls += 1` while tracing.

## What it catches
Assignments in forward (or in what it calls) to plain attributes of a module: a Proxy that is kept for later (`self.attn =
weights`), a counter, a cache, a flag that changes.

## Why the graph differs
Python runs the assignment once, while tracing. The graph has no node for it: running the traced module never writes the attribute.
A Proxy that is kept stays on the *original* model, where later code meets it instead of a tensor; a counter is one too high after
tracing, and never counts again.

## Fix and its safety
* Return the value as one more output.

* A counter or running statistic: a buffer written in place by an operation with a traced tensor, which is recorded.

* Values for inspection: `torch.fx.Interpreter` or a forward hook on a leaf see them without a write.

There is no automatic fix: what the attribute is for, only the author knows.

## When to ignore
When the attribute is for people who debug eager runs, and tracing on a copy of the model is acceptable.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX403",
    name="attribute-written",
    summary="an attribute of a module is written in forward",
    events=(EventKind.STATE_WRITE,),
    constructs=(
        "attribute",
        "class-attribute",
        "counter",
    ),
    severity=Severity.WARNING,
    examples=(
        Example(
            "an intermediate result is kept",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = None

    def forward(self, x):
        self.hidden = x * 2  # <- here
        return self.hidden + 1
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        hidden = x * 2
        return hidden + 1
""",
        ),
        Example(
            "calls are counted",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # <- here
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
            "an attribute is read",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        return x * self.scale
""",
            Outcome.TRACES,
        ),
        Example(
            "an attribute of an object made in forward",
            """
class Pair:
    left = None

class M(nn.Module):
    def forward(self, x):
        pair = Pair()
        pair.left = x * 2
        return pair.left + x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a local name",
            """
class M(nn.Module):
    def forward(self, x):
        hidden = x * 2
        return hidden + 1
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: an attribute of the class is read through self",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2

    def forward(self, x):
        scale = self.scale
        scale += 1
        return x * scale
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a kept value and for a counter; the name of the attribute is the event's detail."""
    written = event.detail if event.construct == "class-attribute" else f"{event.subject}.{event.detail}"
    if event.construct == "counter":
        return Report(
            f"`{written}` is changed once, while tracing: the traced module never changes it, the original keeps the new value",
            "keep the count outside, or in a buffer that an in-place operation with a traced tensor updates",
        )
    return Report(
        f"`{written}` is written once, while tracing: the traced module never writes it, and a Proxy may stay on the original model",
        "return the value as one more output, or keep it in a local name",
    )
