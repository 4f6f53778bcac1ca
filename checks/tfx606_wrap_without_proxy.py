"""TFX606 wrap-without-proxy: a wrapped call without a traced argument runs while tracing.

## What it catches
Calls of a function under `torch.fx.wrap` none of whose arguments is or holds a Proxy, where the function draws random numbers, reads state
or has effects.

## Why the graph differs
The replacement looks for a Proxy among the arguments (in tuples, lists, dicts and slices); without one it calls the function. It runs
once, and what it gave is a constant of the graph.

## Fix and its safety
Pass a traced value: the tensor, or a size of it.

## When to ignore
When the result is meant to be a constant.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX606",
    name="wrap-without-proxy",
    summary="a wrapped, impure function is called with no traced argument",
    events=(EventKind.WRAP_NO_PROXY,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "noise of a fixed size",
            """
@fx.wrap
def noise(n):
    return torch.rand(n)

class M(nn.Module):
    def forward(self, x):
        return x + noise(4)  # <- here
""",
            Outcome.SILENT,
        ),
        Example(
            "noise of the size of the input",
            """
@fx.wrap
def noise(n):
    return torch.rand(n)

class M(nn.Module):
    def forward(self, x):
        return x + noise(x.shape[-1])
""",
            Outcome.TRACES,
        ),
        Example(
            "a function that is not wrapped makes a constant",
            """
def table(n):
    return torch.arange(n)

class M(nn.Module):
    def forward(self, x):
        return x + table(4)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a pure function",
            """
@fx.wrap
def table(n):
    return torch.ones(n, n).tril()[0]

class M(nn.Module):
    def forward(self, x):
        return x + table(4)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the Proxy is inside a list",
            """
@fx.wrap
def noise(xs):
    return torch.rand_like(xs[0])

class M(nn.Module):
    def forward(self, x):
        return x + noise([x])
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a wrapped call that is not recorded."""
    name = event.callee or event.subject
    message = f"`{name}` is wrapped, but no argument is a Proxy: it runs once, while tracing, and its result is a constant"
    return Report(message, "pass a traced value (the tensor, or a size of it)")
