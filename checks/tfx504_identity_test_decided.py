"""TFX504 identity-test-decided: `is True`, `x.dtype is ...` and `in {...}` compare the Proxy object itself.

## What it catches
`flag is True`, `x.dtype is torch.float32`, `x.device is ...`, and membership in a set or among the keys of a dict.

## Why the graph differs
Identity and hashing use the Proxy object and not the value that it stands for: the answer is False while tracing, and torch says nothing.

## Fix and its safety
Compare with `==` where the result is used as a value; decide on configuration where it steers a branch; or move the test into a function
marked with `torch.fx.wrap`.

## When to ignore
When the arm for False is right for all inputs.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX504",
    name="identity-test-decided",
    summary="a traced value is compared by identity",
    events=(EventKind.SPECIALISED_TYPE,),
    constructs=("is", "is-true", "in-set", "dtype-is"),
    severity=Severity.WARNING,
    examples=(
        Example(
            "the dtype compared by identity",
            """
class M(nn.Module):
    def forward(self, x):
        if x.dtype is torch.float32:  # <- here
            return x * 2
        return x
""",
            Outcome.SILENT,
            fixed="""
@fx.wrap
def double_floats(x):
    return x * 2 if x.dtype is torch.float32 else x

class M(nn.Module):
    def forward(self, x):
        return double_floats(x)
""",
        ),
        Example(
            "membership in a set of numbers",
            """
class M(nn.Module):
    def forward(self, x):
        if x.shape[-1] in {4, 8}:  # <- here
            return x * 2
        return x
""",
            Outcome.SILENT,
            fixed="""
@fx.wrap
def double_known(x):
    return x * 2 if x.shape[-1] in {4, 8} else x

class M(nn.Module):
    def forward(self, x):
        return double_known(x)
""",
        ),
        Example(
            "configuration compared by identity",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.flag = True

    def forward(self, x):
        return x * 2 if self.flag is True else x
""",
            Outcome.TRACES,
        ),
        Example(
            "membership of a string of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = "double"

    def forward(self, x):
        return x * 2 if self.mode in {"double", "twice"} else x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the comparison is a value, nobody asks for its truth",
            """
class M(nn.Module):
    def forward(self, x):
        return x * (x == 2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the dtype of a buffer",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(1))

    def forward(self, x):
        return x * 2 if self.scale.dtype is torch.float32 else x
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a test by identity."""
    message = f"`{event.subject or 'this value'}` is a Proxy while tracing: it is compared by identity, which is decided once, and False"
    if event.detail == "raises":
        action = "drop the guard, or move it into a function marked with torch.fx.wrap"
        return Report(f"{message}; the arm that it takes raises", action, Severity.ERROR)
    return Report(message, "compare with == and use the result as a value, or move the test into a function marked with torch.fx.wrap")


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The repairs, the most transparent first."""
    del event
    return (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST),)
