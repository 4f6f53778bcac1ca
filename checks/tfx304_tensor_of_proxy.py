"""TFX304 tensor-of-proxy: a tensor made from a Proxy, as if it were a number.

## What it catches
`torch.tensor(n)`, `torch.tensor([n, m])`, `torch.as_tensor(x)`, `torch.from_numpy(...)` where the data are Proxies. A Proxy as
`device=` or `dtype=` is fine.

## Why tracing fails
These functions read their data in C. A Proxy is no number: `TypeError`, or for a list `RuntimeError`: "'len' is not supported in
symbolic tracing by default", or "expected np.ndarray (got Proxy)".

## Fix and its safety
* A size as operand: leave it as it is, `x / n`; torch takes numbers in arithmetic.

* A tensor of one number: `torch.full((), n)` (on torch 2.13), with a dtype.

* A tensor from a tensor: `x.to(dtype)`, `x.clone()`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

READ_DATA = frozenset({"torch.tensor", "torch.as_tensor", "torch.asarray"})

CHECK = Check(
    code="TFX304",
    name="tensor-of-proxy",
    summary="`torch.tensor()` or `torch.as_tensor()` of a traced value",
    events=(EventKind.FACTORY_SIZE,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a size as a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x / torch.tensor(x.shape[1])  # <- here
""",
            Outcome.BREAKS,
            error="TypeError",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x / x.shape[1]
""",
        ),
        Example(
            "a list of sizes as a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x.sum() * torch.tensor([x.shape[0], x.shape[1]])  # <- here
""",
            Outcome.BREAKS,
            error="'len' is not supported in symbolic tracing by default",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.sum() * torch.stack([torch.full((), n, dtype=torch.int64) for n in (x.shape[0], x.shape[1])])
""",
        ),
        Example(
            "a tensor of constants on the device of the input",
            """
class M(nn.Module):
    def forward(self, x):
        return x * torch.tensor([1.0, 2.0, 3.0, 4.0], device=x.device)
""",
            Outcome.TRACES,
        ),
        Example(
            "a tensor of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        return x * torch.tensor(self.scale)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: torch.full takes a Proxy",
            """
class M(nn.Module):
    def forward(self, x):
        return x / torch.full((1,), x.shape[1])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the method of the tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x.clone().to(torch.float64)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a constructor: its name is the event's callee, what torch says the detail. Factories of sizes have a check of their own."""
    if event.callee not in READ_DATA:
        return None
    return Report(
        f"`{event.callee}` reads a Proxy as if it were a number: it raises {event.detail or 'TypeError'}",
        "leave a size as it is in arithmetic, write torch.full((), n) for a tensor of one number, or x.to(dtype) for a tensor",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The constructor becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
