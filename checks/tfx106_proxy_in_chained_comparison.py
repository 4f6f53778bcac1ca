"""TFX106 proxy-in-chained-comparison: `a < b < c` where the truth of the first comparison is a Proxy's.

## What it catches
Chained comparisons such as `0 < x.sum() < 10` or `h == w == 7`, in which any comparison but the last gives a Proxy.

## Why tracing fails
`a < b < c` means `a < b and b < c`: Python asks for the truth of `a < b`. If that is a Proxy torch raises `TraceError`:
"symbolically traced variables cannot be used as inputs to control flow". The truth of the last comparison is not asked for.

## Fix and its safety
`(a < b) & (b < c)`: same numbers for tensors of bools, and both comparisons run. The result is a tensor in both cases, but it still
cannot be the condition of an `if`. Unsafe where `b` has effects, because it is then evaluated twice.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX106",
    name="proxy-in-chained-comparison",
    summary="a chained comparison of traced values",
    events=(EventKind.PROXY_TRUTH,),
    constructs=("chain",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a range check of a sum",
            """
class M(nn.Module):
    def forward(self, x):
        return x * (-99 < x.sum() < 99)  # <- here
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        total = x.sum()
        return x * ((-99 < total) & (total < 99))
""",
        ),
        Example(
            "a range check of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 0.5

    def forward(self, x):
        return x * self.rate if 0 < self.rate < 1 else x
""",
            Outcome.TRACES,
        ),
        Example(
            "one comparison is a value",
            """
class M(nn.Module):
    def forward(self, x):
        return x * (x.sum() < 99)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: only the last comparison is traced",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 0.5

    def forward(self, x):
        return x * (0 < self.rate < x.sum())
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: two comparisons joined by &",
            """
class M(nn.Module):
    def forward(self, x):
        return x * ((x > 0) & (x < 1))
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a chain."""
    return Report(
        f'a chained comparison asks for the truth of `{event.subject}`, a Proxy: tracing raises TraceError "{CONTROL_FLOW}"',
        "write (a < b) & (b < c), or move the comparison into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The chain becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
