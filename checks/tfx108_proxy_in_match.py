"""TFX108 proxy-in-match: a `match` statement that compares a Proxy with a literal or value pattern.

## What it catches
`match x.dim():` with cases that are literals or dotted names. A capture pattern (`case n:`) compares nothing and is fine.

## Why tracing fails
Each literal pattern is tried with `==`, and the answer asked for its truth: torch raises `TraceError`: "symbolically traced
variables cannot be used as inputs to control flow".

## Fix and its safety
Match on configuration; or move the statement into a function at module level and mark it with `torch.fx.wrap`: same numbers, one
opaque node.

## When to ignore
When the function is never traced. Class and sequence patterns on a Proxy do not raise: they are silently answered wrongly, and
another check reports them.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX108",
    name="proxy-in-match",
    summary="a `match` compares a traced value",
    events=(EventKind.PROXY_TRUTH,),
    constructs=("match",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a match on the rank",
            """
class M(nn.Module):
    def forward(self, x):
        match x.dim():
            case 2:  # <- here
                return x.unsqueeze(0)
            case _:
                return x
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
@fx.wrap
def three_dimensions(x):
    match x.dim():
        case 2:
            return x.unsqueeze(0)
        case _:
            return x

class M(nn.Module):
    def forward(self, x):
        return three_dimensions(x)
""",
        ),
        Example(
            "a match on configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = 'double'

    def forward(self, x):
        match self.mode:
            case "double":
                return x * 2
            case _:
                return x
""",
            Outcome.TRACES,
        ),
        Example(
            "a match on the length of a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, -x]
        match len(parts):
            case 2:
                return torch.cat(parts)
            case _:
                return x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a capture pattern compares nothing",
            """
class M(nn.Module):
    def forward(self, x):
        match x.dim():
            case rank:
                return x * rank
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a sequence pattern over a Python tuple of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        match (x, -x):
            case (a, b):
                return a * b
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a match statement."""
    return Report(
        f'`match` compares {f"`{event.subject}`, " if event.subject else ""}a Proxy: tracing raises TraceError "{CONTROL_FLOW}"',
        "match on configuration, or move the statement into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The statement becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
