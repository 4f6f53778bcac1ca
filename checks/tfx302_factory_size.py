"""TFX302 factory-size: `torch.zeros(n, m)` with a Proxy as the first of several sizes.

## What it catches
`torch.zeros`, `ones`, `empty`, `rand`, `randn` and the like with a Proxy in an argument where torch's argument parser does not look
for one. On torch 2.13 that is the first of several sizes given one by one: `torch.zeros(n, m)`. On torch 2.6 it is every argument
of a factory, even `device=x.device`.

## Why tracing fails
The parser of a C function looks for Proxies in a few places only. Elsewhere it wants an int: `TypeError`: "zeros() takes 1
positional argument but 2 were given", "rand() received an invalid combination of arguments - got (Proxy, int), but expected one
of".

## Fix and its safety
* `torch.zeros((n, m))`: the sizes in one tuple. Safe on torch 2.13, and the same call.

* `x.new_zeros(n, m)`, `torch.zeros_like(x)`: a method of a traced tensor takes Proxies everywhere, on every version. Dtype and
  device are then those of `x`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

READ_DATA = frozenset({"torch.tensor", "torch.as_tensor", "torch.asarray"})

CHECK = Check(
    code="TFX302",
    name="factory-size",
    summary="a tensor factory is given a traced size where it cannot take one",
    events=(EventKind.FACTORY_SIZE,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "sizes one by one",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.zeros(x.shape[0], x.shape[1])  # <- here
""",
            Outcome.BREAKS,
            error="zeros() takes 1 positional argument but 2 were given",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x + torch.zeros((x.shape[0], x.shape[1]))
""",
        ),
        Example(
            "random numbers, on the device of the input",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.rand(x.shape[0], 4, device=x.device)  # <- here
""",
            Outcome.BREAKS,
            error="rand() received an invalid combination of arguments - got (Proxy, int",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x + torch.rand((x.shape[0], 4), device=x.device)
""",
        ),
        Example(
            "sizes in a tuple",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.zeros((x.shape[0], x.shape[1]))
""",
            Outcome.TRACES,
        ),
        Example(
            "a method of the traced tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x + x.new_zeros(x.shape[0], x.shape[1])
""",
            Outcome.TRACES,
        ),
        Example(
            "sizes from configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = 1

    def forward(self, x):
        return x + torch.zeros(self.rows, 4)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: one size",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.zeros(x.shape[1])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the first size is a constant",
            """
class M(nn.Module):
    def forward(self, x):
        return x + torch.zeros(1, x.shape[1])
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a factory: its name is the event's callee, what torch says the detail. What reads data has a check of its own."""
    if event.callee in READ_DATA:
        return None
    name = event.callee.rpartition(".")[2]
    return Report(
        f"`{event.callee}` is given a Proxy where its argument parser takes none: it raises {event.detail or 'TypeError'}",
        f"give the sizes in one tuple, torch.{name}((n, m)), or use a method of a traced tensor such as x.new_zeros(n, m)",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The same call with its sizes in one tuple; the rest becomes opaque."""
    return (
        FixRequest(FixKind.REWRITE, "factory-to-tuple-size"),
        FixRequest(FixKind.WRAP),
        FixRequest(FixKind.HOIST),
        FixRequest(FixKind.LEAF),
    )
