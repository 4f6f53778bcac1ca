"""TFX408 proxy-attribute-set: `y.requires_grad = True`, `y.data = ...` on a Proxy.

## What it catches
Assignments to an attribute of a traced tensor: `requires_grad`, `data`, `grad`, or one of the user's own.

## Why the graph differs
Setting an attribute of a Proxy sets it on the Proxy, and records nothing. The graph computes as if the line were not there.

## Fix and its safety
* `y.requires_grad = True`: `y.requires_grad_(True)`, which is recorded. Safe.

* `y.data = v`: `y.copy_(v)` inside `torch.no_grad()` or better a new tensor, `y = v`.

* An attribute of the user's own: a local name.

## When to ignore
When nobody reads the attribute from the result.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX408",
    name="proxy-attribute-set",
    summary="an attribute of a traced tensor is assigned",
    events=(EventKind.PROXY_ATTRIBUTE,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a tensor is told to require gradients",
            """
class M(nn.Module):
    def forward(self, x):
        y = x.detach()
        y.requires_grad = True  # <- here
        return y
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.detach().requires_grad_(True)
""",
        ),
        Example(
            "the data are replaced",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        y.data = y.data * 3  # <- here
        return y.detach()
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.detach() * 2 * 3
""",
        ),
        Example(
            "the method is recorded",
            """
class M(nn.Module):
    def forward(self, x):
        return x.detach().requires_grad_(True)
""",
            Outcome.TRACES,
        ),
        Example(
            "an attribute of an object made in forward",
            """
from types import SimpleNamespace

class M(nn.Module):
    def forward(self, x):
        state = SimpleNamespace()
        state.y = x * 2
        return state.y
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: an attribute of a traced tensor is read",
            """
class M(nn.Module):
    def forward(self, x):
        return x.data * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the in-place method",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        y.zero_()
        return y
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an attribute; which one is the event's detail."""
    name = event.detail or "an attribute"
    return Report(
        f"`{name}` of `{event.subject}` is set on the Proxy only: nothing is recorded, and the graph knows nothing of it",
        "use the method (y.requires_grad_(True)), make a new tensor in place of writing y.data, or keep the value in a local name",
    )
