"""TFX604 wrap-bypassed: a wrapped function is called through a name that wrap does not replace.

## What it catches
Calls of a function that another module wraps, through `from ops import f`; calls `ops.f(x)` where only the calling module wraps `f`;
wrapped functions that are kept elsewhere before the trace: as a default argument, in a dict or list, on `self` or on a class.

## Why tracing fails
A trace replaces one name in the globals of one module, the one that called wrap. A name that was imported from there before still holds
the plain function, and tracing goes into it: where the body cannot be traced, that is the error.

## Fix and its safety
Call `torch.fx.wrap("f")` in every module that imports `f` by name, or call it as `ops.f(x)` where ops wraps it.

## When to ignore
When the function traces well without a wrap.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX604",
    name="wrap-bypassed",
    summary="a call goes around the global that torch.fx.wrap replaces",
    events=(EventKind.WRAP_WRONG_MODULE,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "the plain function is the default of a parameter",
            """
@fx.wrap
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def run(self, x, function=halved):  # <- here
        return function(x)

    def forward(self, x):
        return self.run(x)
""",
            Outcome.BREAKS,
            error="symbolically traced variables cannot be used as inputs to control flow",
            fixed="""
@fx.wrap
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def run(self, x):
        return halved(x)

    def forward(self, x):
        return self.run(x)
""",
        ),
        Example(
            "the plain function is kept in a dict",
            """
@fx.wrap
def halved(x):
    return x / 2 if x.sum() > 0 else x

TABLE = {"halved": halved}  # <- here

class M(nn.Module):
    def forward(self, x):
        return TABLE["halved"](x)
""",
            Outcome.BREAKS,
            error="symbolically traced variables cannot be used as inputs to control flow",
            fixed="""
@fx.wrap
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
        ),
        Example(
            "called by the name that is wrapped",
            """
@fx.wrap
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a local name that is bound while the trace runs",
            """
@fx.wrap
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        function = halved
        return function(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a dict of functions that trace well",
            """
@fx.wrap
def doubled(x):
    return x * 2

TABLE = {"doubled": doubled}

class M(nn.Module):
    def forward(self, x):
        return TABLE["doubled"](x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the name is bound in a function while the trace runs",
            """
class M(nn.Module):
    def forward(self, x):
        from math import degrees

        return x * degrees(x.shape[0])
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a call that is not recorded as one node."""
    name = event.callee or event.subject
    if event.construct == "captured":
        message = f"`{event.subject}` is wrapped, but what is kept here is the plain function: tracing goes into calls through it"
        return Report(message, f"call `{event.subject}` by its name: a trace replaces that global, and nothing else")
    if event.construct == "attribute":
        message = f"`{event.subject}` reads the global of {event.detail}, which nothing wraps: the call is traced through, not recorded"
        return Report(message, f"call `{name}` by the name that this module wraps, or call torch.fx.wrap in {event.detail}")
    message = f"`{event.subject}` is wrapped in {event.detail} only: this module's name is not replaced, and tracing goes into the call"
    return Report(message, f'add torch.fx.wrap("{event.subject}") to this module')
