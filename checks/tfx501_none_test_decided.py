"""TFX501 none-test-decided: `x is None` on a traced value is decided while tracing.

## What it catches
`is None` and `is not None` on optional arguments of the traced module's own forward, on results of wrapped calls and on `.grad`.

## Why tracing fails
A Proxy is an object, so `mask is None` is False while tracing, whatever is passed later. torch says nothing: the arm for None is gone from
the graph, and a call that leaves the argument out fails or computes something else.

## Fix and its safety
Trace with the argument bound: `torch.fx.symbolic_trace(m, concrete_args={"mask": None})`, one trace for each case that you need; or take a
real default (a tensor of ones) in place of None. There is no automatic fix.

## When to ignore
When the argument is always passed.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX501",
    name="none-test-decided",
    summary="`is None` asks whether a Proxy is None: it never is",
    events=(EventKind.SPECIALISED_NONE,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "an optional mask of the root",
            """
class M(nn.Module):
    def forward(self, x, mask=None):
        if mask is None:  # <- here
            return x * 2
        return x * mask
""",
            Outcome.BREAKS,
            error="unsupported operand type(s) for *",
        ),
        Example(
            "an optional argument that the caller inside leaves out",
            """
class Attend(nn.Module):
    def forward(self, x, mask=None):
        return x * 2 if mask is None else x * mask

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = Attend()

    def forward(self, x):
        return self.attend(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a bias that the constructor left out",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = None

    def forward(self, x):
        return x * 2 if self.bias is None else x + self.bias
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the argument has a tensor's default value",
            """
class M(nn.Module):
    def forward(self, x, scale=2.0):
        return x * scale
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a Python list holds the traced tensor",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x]
        return x if parts is None else torch.cat(parts)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a test on None."""
    subject = event.subject or "this value"
    message = f"`{subject}` is a Proxy while tracing, so the test on None is decided once: the arm for None is not in the graph"
    if event.detail == "raises":
        action = "trace with concrete_args={'name': None}, or drop the guard"
        return Report(f"{message}, and the arm that is taken raises", action, Severity.ERROR)
    return Report(message, 'trace once with the argument bound, concrete_args={"name": None}, and once without, or default to a tensor')
