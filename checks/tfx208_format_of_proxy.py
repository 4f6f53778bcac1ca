"""TFX208 format-of-proxy: `%d` and format specifications with a Proxy.

## What it catches
`"%d rows" % n`, `f"{n:>4}"`, `"{:.2f}".format(loss)` and `format(n, "d")` where the value is a Proxy.

## Why tracing fails
A Proxy has no number to format: `TypeError`: "%d format: a real number is required, not Proxy", "unsupported format string passed
to Proxy.__format__". Without a specification (`f"{n}"`, `"%s" % n`) the text of the Proxy itself is used, and tracing goes on.

## Fix and its safety
Drop the text, or build it where the graph is called; texts for logs and errors do not belong in a graph. For a check of a shape use
`torch._assert` with a fixed message.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX208",
    name="format-of-proxy",
    summary="a number format of a traced value",
    events=(EventKind.PROXY_NUMBER,),
    constructs=(
        "percent",
        "format-spec",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a percent format",
            """
class M(nn.Module):
    def forward(self, x):
        label = "%d rows" % x.shape[0]  # <- here
        return x * 2
""",
            Outcome.BREAKS,
            error="%d format: a real number is required, not Proxy",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "a format specification",
            """
class M(nn.Module):
    def forward(self, x):
        label = f"{x.shape[0]:>4} rows"  # <- here
        return x * 2
""",
            Outcome.BREAKS,
            error="unsupported format string passed to Proxy.__format__",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "a format of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.number = 1
        self.heads = nn.ModuleDict({'h01': nn.Linear(4, 4)})

    def forward(self, x):
        return self.heads[f'h{self.number:02d}'](x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a percent format of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.number = 1
        self.heads = nn.ModuleDict({'h1': nn.Linear(4, 4)})

    def forward(self, x):
        return self.heads['h%d' % self.number](x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: no specification, and nobody reads the text",
            """
class M(nn.Module):
    def forward(self, x):
        label = f"{x.shape[0]} rows"
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the length of a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, -x]
        label = "%d parts" % len(parts)
        return torch.cat(parts)
""",
            Outcome.TRACES,
        ),
    ),
)


TEXTS = {
    "percent": "%d format: a real number is required, not Proxy",
    "format-spec": "unsupported format string passed to Proxy.__format__",
}


def report(event: Event) -> Report | None:
    """Words for a format; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    return Report(
        f'a number format of `{event.subject}`, a Proxy: tracing raises TypeError "{TEXTS[event.construct]}"',
        "drop the text or build it outside the traced code; for a check of a shape use torch._assert with a fixed message",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The text becomes the result of an opaque function."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
