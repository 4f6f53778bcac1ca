"""TFX401 item-assignment: `x[i] = v` and `x[i] += v` where `x` is a Proxy.

## What it catches
Assignments to an item, a slice or a mask of a traced tensor, or of a traced dictionary or list, plain or augmented.

## Why tracing fails
A Proxy has no `__setitem__`: `TypeError`: "'Proxy' object does not support item assignment". Python lists and dicts that *hold*
Proxies can be assigned to.

## Fix and its safety
* A mask: `x = x.masked_fill(mask, v)` or `torch.where(mask, v, x)`.

* A slice: `x = torch.slice_scatter(x, v, dim, start, end)`, `torch.select_scatter(x, v, dim, index)`, or `torch.cat` of the parts.

* Indices: `x = x.index_put((i,), v)`.

All give a new tensor: the same numbers, but whoever shares memory with `x` (the caller, a view) does not see the change. Unsafe
where `x` is an input or an alias.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Safety, Severity

CHECK = Check(
    code="TFX401",
    name="item-assignment",
    summary="an item of a traced tensor is assigned",
    events=(EventKind.SET_ITEM,),
    constructs=(
        "setitem",
        "augmented",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a column is set to zero",
            """
class M(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[:, 0] = 0.0  # <- here
        return y
""",
            Outcome.BREAKS,
            error="'Proxy' object does not support item assignment",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        y = x.clone()
        return torch.select_scatter(y, torch.zeros_like(y[:, 0]), 1, 0)
""",
        ),
        Example(
            "a mask is set to zero",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        y[y < 0] = 0.0  # <- here
        return y
""",
            Outcome.BREAKS,
            error="'Proxy' object does not support item assignment",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        return y.masked_fill(y < 0, 0.0)
""",
        ),
        Example(
            "a row is added to",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        y[0] += 1.0  # <- here
        return y
""",
            Outcome.BREAKS,
            error="'Proxy' object does not support item assignment",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        return torch.select_scatter(y, y[0] + 1.0, 0, 0)
""",
        ),
        Example(
            "an item of a Python list of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2]
        parts[0] = -x
        return torch.cat(parts)
""",
            Outcome.TRACES,
        ),
        Example(
            "an item of a Python dictionary",
            """
class M(nn.Module):
    def forward(self, x):
        outputs = {}
        outputs["double"] = x * 2
        return outputs
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: masked_fill",
            """
class M(nn.Module):
    def forward(self, x):
        return x.masked_fill(x < 0, 0.0)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: reading an item",
            """
class M(nn.Module):
    def forward(self, x):
        first = x[:, 0]
        first = first + 1
        return first
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the assignment is inside a wrapped function",
            """
@fx.wrap
def cleared(x):
    y = x.clone()
    y[:, 0] = 0.0
    return y

class M(nn.Module):
    def forward(self, x):
        return cleared(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an assignment."""
    return Report(
        f"an item of `{event.subject}`, a Proxy, is assigned: tracing raises TypeError \"'Proxy' object does not support item assignment\"",
        "make a new tensor: masked_fill or torch.where for a mask, torch.slice_scatter for a slice, index_put for indices",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A new tensor in place of a written one: unsafe, for who shares memory with it does not see the change."""
    return FixRequest(FixKind.REWRITE, "setitem-to-functional", Safety.UNSAFE), FixRequest(FixKind.WRAP), FixRequest(FixKind.LEAF)
