"""TFX507 tensor-random-baked: a random tensor made without a Proxy is drawn once.

## What it catches
`torch.rand(3)`, `torch.randn(4)`, `torch.randperm(8)` and random methods of concrete tensors, none of whose arguments is computed from an
input.

## Why the graph differs
fx records a call only where an argument is a Proxy. This one runs while tracing, and its result becomes a constant of the graph: every
call adds the same noise.

## Fix and its safety
Make the call depend on the input: `torch.rand_like(x)`, `x.new_empty(3).uniform_()`, or give it a size that comes from the input.

## When to ignore
When the numbers are meant to be fixed (a generator with a seed).
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX507",
    name="tensor-random-baked",
    summary="a random tensor without traced arguments is drawn while tracing",
    events=(EventKind.RANDOM,),
    constructs=("torch",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "noise of a fixed size",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.rand(4)  # <- here
""",
            Outcome.SILENT,
        ),
        Example(
            "a permutation",
            """
class M(nn.Module):
    def forward(self, x):
        return x[:, torch.randperm(4)]  # <- here
""",
            Outcome.SILENT,
        ),
        Example(
            "noise like the input",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.rand_like(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a fixed tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.ones(4)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the size comes from the input",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.rand((x.shape[0], 4))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: drawn once, in the constructor",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("noise", torch.rand(4))

    def forward(self, x):
        return x + self.noise
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a random tensor."""
    name = event.callee or "this call"
    message = f"{name} has no Proxy among its arguments: it runs once, while tracing, and its result is a constant of the graph"
    return Report(message, "draw from the input: torch.rand_like(x), or a size that is computed from the input")
