"""TFX511 handler-lost: `try` around traced operations: the handler is not in the graph.

## What it catches
`try` blocks with operations on traced values and a handler that would catch what they raise; `except AttributeError` around an attribute
that tensors do not have.

## Why the graph differs
Operations on a Proxy do not compute, so they do not raise while tracing, and a Proxy has an attribute of every name; the graph holds the
body of the `try` alone, and what raises later is caught by nobody.

## Fix and its safety
Test the condition instead of catching, or move the block into a function at module level marked with `torch.fx.wrap`.

## When to ignore
When the handler is for errors that end the program anyway.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX511",
    name="handler-lost",
    summary="an exception handler around traced operations is lost",
    events=(EventKind.HANDLER_LOST,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a fall-back for sizes that do not fit",
            """
class M(nn.Module):
    def forward(self, x):
        try:  # <- here
            return x.view(2, 4)
        except RuntimeError:
            return x.flatten()
""",
            Outcome.SILENT,
            fixed="""
@fx.wrap
def as_rows(x):
    try:
        return x.view(2, 4)
    except RuntimeError:
        return x.flatten()

class M(nn.Module):
    def forward(self, x):
        return as_rows(x)
""",
        ),
        Example(
            "try around an import",
            """
class M(nn.Module):
    def forward(self, x):
        try:
            import json
        except ImportError:
            json = None
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "a lookup in a plain dict",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = {"scale": 2}

    def forward(self, x):
        try:
            scale = self.table["scale"]
        except KeyError:
            scale = 3
        return x * scale
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: try with finally only",
            """
class M(nn.Module):
    def forward(self, x):
        try:
            y = x * 2
        finally:
            pass
        return y
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a handler that is lost."""
    del event
    message = "operations on Proxies do not raise while tracing: the graph holds the `try` body alone, without its handlers"
    return Report(message, "test the condition before, or move the block into a module-level function marked with torch.fx.wrap")


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The repairs, the most transparent first."""
    del event
    return (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST),)
