"""TFX517 parameter-baked: arithmetic on Parameters that tracing does not see is done once.

## What it catches
Operations on Parameters that were not fetched as attributes: from `self.parameters()`, `self._parameters`, `named_parameters()`.

## Why the graph differs
Only attribute access (`self.weight`) gives a Proxy. What these give are real tensors: arithmetic on them runs while tracing, and the
result stays as it was when the weights change.

## Fix and its safety
Fetch the Parameter as an attribute: `self.lin.weight`.

## When to ignore
When the weights are frozen.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX517",
    name="parameter-baked",
    summary="a value computed from real Parameters is a constant of the graph",
    events=(EventKind.PARAMETER_BAKED,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a penalty over all parameters",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        total = sum(p.sum() for p in self.parameters())  # <- here
        return self.lin(x) + total
""",
            Outcome.TRACES,
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(x) + (self.lin.weight.sum() + self.lin.bias.sum())
""",
        ),
        Example(
            "the weight as an attribute",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return x @ self.lin.weight.t() * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "the number of parameters",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return x * len(list(self.parameters()))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a sum over buffers, which are constants anyway",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("one", torch.ones(1))

    def forward(self, x):
        return x + sum(b.sum() for b in self.buffers())
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for arithmetic on real Parameters."""
    message = f"`{event.subject or 'this value'}` is a real Parameter, not a Proxy: what is computed from it is a constant of the graph"
    return Report(message, "fetch the Parameter as an attribute (self.layer.weight): only that is recorded")
