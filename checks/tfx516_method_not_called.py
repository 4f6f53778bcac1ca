"""TFX516 method-not-called: a Tensor method without its parentheses is just another Proxy.

## What it catches
`x.relu`, `x.sum` and the like used as a value: the parentheses are missing.

## Why the graph differs
A Proxy answers every attribute with another Proxy, so tracing does not complain; eager execution fails at once, and so does the graph when
it runs.

## Fix and its safety
Add the parentheses.

## When to ignore
When the attribute is a property of a class of your own.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX516",
    name="method-not-called",
    summary="a tensor method is named but never called",
    events=(EventKind.METHOD_UNCALLED,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a forgotten call",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.broken = False

    def forward(self, x):
        y = x.relu  # <- here
        return y if self.broken else x
""",
            Outcome.TRACES,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x
""",
        ),
        Example(
            "the call",
            """
class M(nn.Module):
    def forward(self, x):
        return x.relu() + 1
""",
            Outcome.TRACES,
        ),
        Example(
            "a property",
            """
class M(nn.Module):
    def forward(self, x):
        return x.T.T * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the bound method is called later",
            """
class M(nn.Module):
    def forward(self, x):
        act = x.relu
        return act() + 1
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a method handed to a Python function",
            """
def apply(f):
    return f(0.5)

class M(nn.Module):
    def forward(self, x):
        return apply(x.clamp_min)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a method without parentheses."""
    message = f"`{event.subject or 'this'}` is a Tensor method that is not called: tracing takes it for an attribute, and the graph fails"
    return Report(message, "add the parentheses")
