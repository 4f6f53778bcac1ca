"""TFX407 alias-lost: `x += y` where the caller's tensor, an alias or a view survives.

## What it catches
`x += y`, `x *= y` and the other augmented assignments on a Proxy, where the tensor is also seen by others: the caller's input,
another name, a view, an item of a list.

## Why the graph differs
In eager mode `x += y` writes into the tensor in place. A Proxy has no `__iadd__`, so Python computes `x + y` and binds the name:
the graph makes a new tensor, and everybody else keeps the old numbers.

## Fix and its safety
* `x = x + y` where the change was never meant for others: eager and traced now agree, and eager no longer changes the other's
  tensor.

* `x.add_(y)` where it was: the in-place method is recorded, and the graph writes, too.

Which of the two is right only the author knows; there is no automatic fix.

## When to ignore
When nobody looks at the other name again.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX407",
    name="alias-lost",
    summary="an augmented assignment to a traced tensor that others can see",
    events=(EventKind.ALIAS_LOST,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "the caller's tensor",
            """
class M(nn.Module):
    def forward(self, x):
        x += 1.0  # <- here
        return x * 2
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        x.add_(1.0)
        return x * 2
""",
        ),
        Example(
            "another name for the same tensor",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        kept = y
        y += 1.0  # <- here
        return y * kept
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        kept = y
        y.add_(1.0)
        return y * kept
""",
        ),
        Example(
            "a view of the tensor",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        row = y[0]
        row += 1.0  # <- here
        return y
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        row = y[0]
        row.add_(1.0)
        return y
""",
        ),
        Example(
            "a tensor that nobody else sees",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        y += 1.0
        return y
""",
            Outcome.TRACES,
        ),
        Example(
            "a Python number",
            """
class M(nn.Module):
    def forward(self, x):
        n = 1
        m = n
        n += 1
        return x * n * m
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a plain sum",
            """
class M(nn.Module):
    def forward(self, x):
        x = x + 1.0
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the in-place method is recorded",
            """
class M(nn.Module):
    def forward(self, x):
        x.add_(1.0)
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a Python list is extended, and its other name sees it",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x]
        kept = parts
        parts += [x * 2]
        return torch.cat(kept)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an augmented assignment."""
    return Report(
        f"an augmented assignment to `{event.subject}`, a Proxy, makes a new tensor in the graph: other holders keep the old numbers",
        "write x = x + y if the change is for this name only, or the in-place method x.add_(y), which is recorded",
    )
