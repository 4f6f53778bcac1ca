"""TFX102 proxy-in-while: a `while` loop whose condition is a Proxy.

## What it catches
`while` conditions computed from an input of the traced module: `while x.shape[0] < 8`, `while (x.abs() > 1).any()`.

## Why tracing fails
Python calls `bool()` on the condition before each round, and the condition is a Proxy. torch raises `TraceError`: "symbolically
traced variables cannot be used as inputs to control flow". A graph of torch.fx has no loops: even an answer would fix the number of
rounds.

## Fix and its safety
* A number of rounds that configuration knows: `for _ in range(self.rounds)`; the loop is unrolled into the graph.

* Otherwise move the loop into a function at module level and mark it with `torch.fx.wrap`: same numbers, one opaque node.

## When to ignore
When the function that loops is never traced, or is hidden in a leaf module.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX102",
    name="proxy-in-while",
    summary="a `while` depends on a traced value",
    events=(EventKind.PROXY_TRUTH,),
    constructs=("while",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a loop until a size is reached",
            """
class M(nn.Module):
    def forward(self, x):
        while x.shape[0] < 8:  # <- here
            x = torch.cat([x, x])
        return x
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
@fx.wrap
def grown(x):
    while x.shape[0] < 8:
        x = torch.cat([x, x])
    return x

class M(nn.Module):
    def forward(self, x):
        return grown(x)
""",
        ),
        Example(
            "a loop until the numbers are small",
            """
class M(nn.Module):
    def forward(self, x):
        while (x.abs() > 1).any():  # <- here
            x = x / 2
        return x
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
        ),
        Example(
            "a loop over a Python counter",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rounds = 3

    def forward(self, x):
        left = self.rounds
        while left > 0:
            x = x * 2
            left -= 1
        return x
""",
            Outcome.TRACES,
        ),
        Example(
            "a fixed number of rounds",
            """
class M(nn.Module):
    def forward(self, x):
        for _ in range(3):
            x = torch.cat([x, x])
        return x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the loop watches a Python list of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x]
        while len(parts) < 3:
            parts.append(parts[-1] * 2)
        return torch.cat(parts)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the loop ends by a break on configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.once = True

    def forward(self, x):
        while True:
            x = x + 1
            if self.once:
                break
        return x
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a loop."""
    return Report(
        f'`while` asks for the truth of `{event.subject}`, a Proxy: tracing raises TraceError "{CONTROL_FLOW}"',
        "loop a number of times that configuration knows, or move the loop into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A loop on values has no rewrite: it becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
