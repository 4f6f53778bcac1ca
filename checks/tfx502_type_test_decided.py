"""TFX502 type-test-decided: `isinstance` and `type` see a Proxy, not a tensor.

## What it catches
`isinstance(x, torch.Tensor)`, `type(x) is ...`, `issubclass(type(x), ...)`, `torch.is_tensor(x)`, and class patterns of `match`.

## Why the graph differs
The object in hand is a `torch.fx.Proxy`, which is no Tensor: the test is False, with no word from torch, and the arm that eager execution
takes is not in the graph.

## Fix and its safety
Drop the test where the type is known, or move it into a function at module level marked with `torch.fx.wrap`: its body runs on real
values.

## When to ignore
When both arms compute the same for a tensor.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX502",
    name="type-test-decided",
    summary="a test on the type of a traced value sees torch.fx.Proxy",
    events=(EventKind.SPECIALISED_TYPE,),
    constructs=("isinstance", "type", "issubclass", "is-tensor", "match-class"),
    severity=Severity.WARNING,
    examples=(
        Example(
            "isinstance with torch.Tensor",
            """
class M(nn.Module):
    def forward(self, x):
        if isinstance(x, torch.Tensor):  # <- here
            return x * 2
        return x
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "torch.is_tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x * 2 if torch.is_tensor(x) else x  # <- here
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "isinstance of a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x]
        return torch.cat(parts) if isinstance(parts, list) else x
""",
            Outcome.TRACES,
        ),
        Example(
            "isinstance of a submodule",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x) * 2 if isinstance(self.act, nn.ReLU) else x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the same test inside a wrapped function",
            """
@fx.wrap
def halved(x):
    return x / 2 if isinstance(x, torch.Tensor) else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the type of an attribute of self",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2

    def forward(self, x):
        return x * 2 if type(self.scale) is int else x
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a test on a type."""
    subject = event.subject or "this value"
    message = f"`{subject}` is a torch.fx.Proxy while tracing: the test on its type is decided once, for the Proxy and not for the value"
    if event.detail == "raises":
        action = "drop the guard, or move it into a function marked with torch.fx.wrap"
        return Report(f"{message}; the arm that it takes raises", action, Severity.ERROR)
    return Report(message, "drop the test, or move it into a module-level function marked with torch.fx.wrap")


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The repairs, the most transparent first."""
    del event
    return (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST),)
