"""TFX105 proxy-in-ternary: `a if condition else b` with a Proxy as condition.

## What it catches
Conditional expressions whose condition is computed from a traced tensor.

## Why tracing fails
Python picks the arm by `bool(condition)`. For a Proxy torch raises `TraceError`: "symbolically traced variables cannot be used as
inputs to control flow".

## Fix and its safety
* `torch.where(condition, a, b)` where both arms are cheap and pure tensors of one shape. Both run, and gradients flow through both.

* Otherwise move the expression into a function at module level and mark it with `torch.fx.wrap`: same numbers, one opaque node.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Safety, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX105",
    name="proxy-in-ternary",
    summary="a conditional expression depends on a traced value",
    events=(EventKind.PROXY_TRUTH,),
    constructs=("ternary",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a choice by the sign of a sum",
            """
class M(nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else -x  # <- here
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x * 2, -x)
""",
        ),
        Example(
            "a choice by a size",
            """
class M(nn.Module):
    def forward(self, x):
        step = 2 if x.shape[0] > 4 else 1  # <- here
        return x[::step]
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
        ),
        Example(
            "a choice by configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = True

    def forward(self, x):
        return x * 2 if self.double else -x
""",
            Outcome.TRACES,
        ),
        Example(
            "a choice between two functions by a string",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.name = 'relu'

    def forward(self, x):
        return (F.relu if self.name == 'relu' else F.gelu)(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: torch.where records the choice",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x * 2, -x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the arms are traced, the condition is not",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, -x]
        return x.sum() if len(parts) > 2 else x.mean()
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a conditional expression."""
    return Report(
        f'a conditional expression asks for the truth of `{event.subject}`, a Proxy: tracing raises TraceError "{CONTROL_FLOW}"',
        "choose with torch.where(condition, a, b), or move the expression into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """torch.where runs both arms, so it is unsafe, and for tensors only; else the expression becomes opaque."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    return (FixRequest(FixKind.REWRITE, "if-to-where", Safety.UNSAFE), *opaque) if event.facet is Facet.TENSOR else opaque
