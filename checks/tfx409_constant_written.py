"""TFX409 constant-written: an accumulator made by `torch.zeros(4)` that is written at every call.

## What it catches
`acc = torch.zeros(4)` followed by `acc += x`, `acc[0] = x[0]`, `acc.add_(x)` or `out=acc`, where the factory has no traced
argument.

## Why the graph differs
The factory runs once, while tracing, and its tensor becomes a constant of the graph. The write *is* recorded: each call writes into
the one constant, so the second call starts with what the first left.

## Fix and its safety
* A factory that is recorded: `x.new_zeros(4)`, `torch.zeros_like(x)`, `torch.zeros(4, device=x.device)` (torch 2.13).

* Plain arithmetic: `acc = acc + x` makes a new tensor and leaves the constant alone. Safe.

## When to ignore
When the graph is run once only.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

KEPT = frozenset({"buffer", "plain", "parameter"})  # tensors that outlive forward in eager mode, too: their writes are recorded

CHECK = Check(
    code="TFX409",
    name="constant-written",
    summary="a tensor made while tracing is written with traced values",
    events=(EventKind.CONSTANT_WRITE,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "an accumulator",
            """
class M(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        total += x.sum(0)  # <- here
        return total * 2
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        total = x.new_zeros(4)
        total += x.sum(0)
        return total * 2
""",
        ),
        Example(
            "rows of a constant are set",
            """
class M(nn.Module):
    def forward(self, x):
        table = torch.zeros(2, 4)
        table[0] = x[0]  # <- here
        return table * 2
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return torch.stack([x[0], torch.zeros_like(x[0])]) * 2
""",
        ),
        Example(
            "a constant is only read",
            """
class M(nn.Module):
    def forward(self, x):
        weights = torch.ones(4)
        return x * weights
""",
            Outcome.TRACES,
        ),
        Example(
            "the factory has a traced argument, so it is recorded",
            """
class M(nn.Module):
    def forward(self, x):
        total = torch.zeros(4, device=x.device)
        total += x.sum(0)
        return total * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a new tensor in place of a written one",
            """
class M(nn.Module):
    def forward(self, x):
        total = torch.zeros(4)
        total = total + x.sum(0)
        return total * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the accumulator is made from the input",
            """
class M(nn.Module):
    def forward(self, x):
        total = torch.zeros_like(x)
        total += x
        return total * 2
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a constant that grows from call to call; what the module keeps (the event's detail) is meant to."""
    if event.construct == "stale":
        return Report(
            f"`{event.subject}` is computed once, while tracing, from a buffer that the graph writes at every call",
            "compute it from the traced value that is written",
        )
    if event.detail in KEPT:
        return None
    return Report(
        f"`{event.subject}` is made once, while tracing, and written at every call: the second call starts with what the first left",
        "make it from a traced tensor (x.new_zeros(4), torch.zeros_like(x)), or write total = total + x",
    )
