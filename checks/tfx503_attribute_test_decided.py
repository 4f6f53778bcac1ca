"""TFX503 attribute-test-decided: `hasattr`, `getattr` with a default and `callable` are always answered the same for a Proxy.

## What it catches
`hasattr(x, name)`, `getattr(x, name, default)` and `callable(x)` where x is computed from an input.

## Why tracing fails
A Proxy gives another Proxy for *any* attribute name, so `hasattr` and `callable` are always True and the default of `getattr` is never
used. torch says nothing while tracing; the graph may fail when it runs.

## Fix and its safety
Drop the test, or move it into a function at module level marked with `torch.fx.wrap`.

## When to ignore
When the attribute is there at every call.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX503",
    name="attribute-test-decided",
    summary="hasattr, getattr with a default or callable on a traced value",
    events=(EventKind.SPECIALISED_TYPE,),
    constructs=("hasattr", "getattr", "callable"),
    severity=Severity.WARNING,
    examples=(
        Example(
            "hasattr for duck typing",
            """
class M(nn.Module):
    def forward(self, x):
        if hasattr(x, "tensors"):  # <- here
            return x.tensors
        return x * 2
""",
            Outcome.BREAKS,
            error="has no attribute 'tensors'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "getattr with a default",
            """
class M(nn.Module):
    def forward(self, x):
        scale = getattr(x, "scale", 2.0)  # <- here
        return x * scale
""",
            Outcome.BREAKS,
            error="has no attribute 'scale'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2.0
""",
        ),
        Example(
            "hasattr on the module",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = True

    def forward(self, x):
        return x * 2 if hasattr(self, "double") else x
""",
            Outcome.TRACES,
        ),
        Example(
            "getattr with a literal name that every tensor has",
            """
class M(nn.Module):
    def forward(self, x):
        return x.reshape(getattr(x, "shape")[0], -1)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: getattr with a default on the module",
            """
class M(nn.Module):
    def forward(self, x):
        return x * getattr(self, "scale", 2.0)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: hasattr of a list that holds Proxies",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x]
        return torch.cat(parts) if hasattr(parts, "append") else x
""",
            Outcome.TRACES,
        ),
    ),
)


ANSWERS = {
    "hasattr": "hasattr is always True",
    "callable": "callable is always True",
    "getattr": "the default of getattr is never used",
}


def report(event: Event) -> Report | None:
    """Words for hasattr, getattr and callable."""
    message = f"`{event.subject}` is a Proxy while tracing, and a Proxy has every attribute: {ANSWERS[event.construct]}"
    if event.detail == "raises":
        action = "drop the guard, or move it into a function marked with torch.fx.wrap"
        return Report(f"{message}; the arm that it takes raises", action, Severity.ERROR)
    return Report(message, "drop the test, or move it into a module-level function marked with torch.fx.wrap")


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The repairs, the most transparent first."""
    del event
    return (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST),)
