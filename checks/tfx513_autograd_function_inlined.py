"""TFX513 autograd-function-inlined: `Function.apply` is traced through, and its backward is lost.

## What it catches
Calls of `apply` of a `torch.autograd.Function` subclass with a traced argument.

## Why the graph differs
`apply` given a Proxy runs the Python of `forward`, whose operations are recorded one by one. The custom `backward` is not in the graph:
gradients are those of the operations.

## Fix and its safety
Call it from a function at module level that is marked with `torch.fx.wrap`: one node, gradient kept.

## When to ignore
When gradients are never asked for, or the backward is the one that autograd would derive.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX513",
    name="autograd-function-inlined",
    summary="a custom autograd.Function loses its backward",
    events=(EventKind.AUTOGRAD_FUNCTION,),
    constructs=("apply",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a straight-through estimator",
            """
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad

class M(nn.Module):
    def forward(self, x):
        return Round.apply(x) * x  # <- here
""",
            Outcome.SILENT,
            fixed="""
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad

@fx.wrap
def rounded(x):
    return Round.apply(x)

class M(nn.Module):
    def forward(self, x):
        return rounded(x) * x
""",
        ),
        Example(
            "apply inside a wrapped function",
            """
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad

@fx.wrap
def rounded(x):
    return Round.apply(x)

class M(nn.Module):
    def forward(self, x):
        return rounded(x) * x
""",
            Outcome.TRACES,
        ),
        Example(
            "the operation itself",
            """
class M(nn.Module):
    def forward(self, x):
        return x.round() * x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: apply of a module",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.apply(lambda m: None)

    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a method named apply of another class",
            """
class Doubler:
    @staticmethod
    def apply(x):
        return x * 2

class M(nn.Module):
    def forward(self, x):
        return Doubler.apply(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a Function that is traced through."""
    name = event.callee or "the Function"
    message = f"{name}.apply is traced through: the graph holds the operations of its forward, and its own backward is lost"
    return Report(message, "call it from a module-level function marked with torch.fx.wrap: one node that keeps the gradient")


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The repairs, the most transparent first."""
    del event
    return (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST),)
