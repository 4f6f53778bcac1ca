"""TFX521 forward-signature: a decorator hides the parameters of forward.

## What it catches
A forward of the traced root under a decorator whose own function takes `*args` or `**kwargs`, while the real forward has such parameters
itself.

## Why tracing fails
The tracer reads the signature behind `__wrapped__`, so `*args` becomes one Proxy; the decorator's function spreads it again, and torch
raises `TraceError`: "Proxy object cannot be iterated".

## Fix and its safety
Take the decorator off forward and apply what it does inside, or give forward plain parameters.

## When to ignore
When the decorated module is never the root.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX521",
    name="forward-signature",
    summary="the tracer cannot bind the parameters of a decorated forward",
    events=(EventKind.SIGNATURE,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a decorated forward with variable arguments",
            """
import functools

def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner

class M(nn.Module):
    @timed  # <- here
    def forward(self, *args):
        return args[0] * 2
""",
            Outcome.BREAKS,
            error="Proxy object cannot be iterated",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "plain parameters under a decorator",
            """
import functools

def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner

class M(nn.Module):
    @timed
    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "no decorator",
            """
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the decorator is on another method",
            """
import functools

def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner

class M(nn.Module):
    @timed
    def double(self, x):
        return x * 2

    def forward(self, x):
        return self.double(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a forward that cannot be bound."""
    name = event.detail or event.subject
    message = f"the decorator `{name}` spreads the one Proxy that stands for forward's variable parameters: tracing raises TraceError"
    return Report(message, "take the decorator off forward, or give forward plain parameters")
