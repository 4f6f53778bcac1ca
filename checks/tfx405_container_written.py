"""TFX405 container-written: `self.features.append(x)` and `cache[key] = x`.

## What it catches
`append`, `update`, item assignment and the like on lists, dicts and sets that belong to the module, to a global name or to a
caller: caches, lists of intermediate features, logs of losses.

## Why the graph differs
Python runs the write once, while tracing; the graph has no node for it. The container is left with a Proxy in it, and the traced
module never writes to it again.

## Fix and its safety
Collect in a list made inside forward, and return it. What is collected for inspection can be had from `torch.fx.Interpreter`.

## When to ignore
When the container is only read by people who debug eager runs, and tracing on a copy of the model is acceptable.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX405",
    name="container-written",
    summary="a list or dict that outlives forward is written in forward",
    events=(EventKind.STATE_WRITE,),
    constructs=("container",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "features are appended to an attribute",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = []

    def forward(self, x):
        self.features.append(x * 2)  # <- here
        return x + 1
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x + 1
""",
        ),
        Example(
            "a cache in a global dictionary",
            """
CACHE = {}

class M(nn.Module):
    def forward(self, x):
        CACHE["last"] = x * 2  # <- here
        return x + 1
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x + 1
""",
        ),
        Example(
            "features in a list made inside forward",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        features = []
        for layer in self.layers:
            x = layer(x)
            features.append(x)
        return features
""",
            Outcome.TRACES,
        ),
        Example(
            "a list of the module is read",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = [2.0, 3.0]

    def forward(self, x):
        return x * self.scales[0]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a copy of the attribute's list is appended to",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = [2.0, 3.0]

    def forward(self, x):
        scales = list(self.scales)
        scales.append(4.0)
        return x * scales[-1]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a list that a caller inside forward passes on",
            """
def extend(parts):
    parts.append(parts[0] * 2)

class M(nn.Module):
    def forward(self, x):
        parts = [x]
        extend(parts)
        return torch.cat(parts)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a container."""
    return Report(
        f"`{event.subject}` outlives forward and is written once, while tracing; the traced module never writes to it",
        "collect in a list made inside forward and return it",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A leaf writes when the graph runs."""
    return (FixRequest(FixKind.LEAF),)
