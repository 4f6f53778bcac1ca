"""TFX109 proxy-in-comprehension-if: `[... for ... if condition]` with a Proxy as condition.

## What it catches
The filter of a list, set or dict comprehension or of a generator expression, computed from traced tensors.

## Why tracing fails
The condition decides whether an item exists; Python calls `bool()` on it. For a Proxy torch raises `TraceError`: "symbolically
traced variables cannot be used as inputs to control flow".

## Fix and its safety
Keep every item and weigh it (`torch.where`, a mask), or filter by configuration; otherwise move the comprehension into a function
at module level and mark it with `torch.fx.wrap`: same numbers, one opaque node.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX109",
    name="proxy-in-comprehension-if",
    summary="the `if` of a comprehension depends on a traced value",
    events=(EventKind.PROXY_TRUTH,),
    constructs=("comprehension",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "keep the parts of more than one row",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [p for p in (x, x * 2) if p.shape[0] > 1]  # <- here
        return torch.cat(parts)
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
@fx.wrap
def long_parts(*parts):
    return torch.cat([p for p in parts if p.shape[0] > 1])

class M(nn.Module):
    def forward(self, x):
        return long_parts(x, x * 2)
""",
        ),
        Example(
            "keep every second part",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.cat([p for i, p in enumerate((x, -x, x * 2)) if i % 2 == 0])
""",
            Outcome.TRACES,
        ),
        Example(
            "keep what configuration names",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.wanted = ['b']

    def forward(self, x):
        outputs = {"a": x, "b": -x}
        return [v for k, v in outputs.items() if k in self.wanted]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a filter by identity with None over a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.cat([p for p in (x, None) if p is not None])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the condition is the item, not a filter",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.stack([p > 0 for p in (x, -x)])
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for the filter of a comprehension."""
    return Report(
        f'the `if` of a comprehension asks for the truth of `{event.subject}`, a Proxy: tracing raises TraceError "{CONTROL_FLOW}"',
        "filter by configuration, or keep every item and mask it, or move it into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The comprehension becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
