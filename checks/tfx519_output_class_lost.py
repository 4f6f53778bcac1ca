"""TFX519 output-class-lost: an output class that is a dict or a list becomes a plain one.

## What it catches
Results of forward that are instances of subclasses of dict, OrderedDict or list (model-output classes).

## Why the graph differs
fx writes the output as a display of its contents: the traced module returns a plain dict or list, without the attributes and methods of
the class.

## Fix and its safety
A wrapped function around the constructor builds the object when the graph runs: safe, one opaque node. More open: return a tuple, a
NamedTuple or a plain dict, and build the class outside of the traced module.

## When to ignore
When callers only use keys or indices.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX519",
    name="output-class-lost",
    summary="the class of the output is lost in the graph",
    events=(EventKind.OUTPUT_CLASS,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a dict with attribute access",
            """
class Output(dict):
    @property
    def logits(self):
        return self["logits"]

class M(nn.Module):
    def forward(self, x):
        return Output(logits=x * 2)  # <- here
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return {"logits": x * 2}
""",
        ),
        Example(
            "a plain dict",
            """
class M(nn.Module):
    def forward(self, x):
        return {"logits": x * 2}
""",
            Outcome.TRACES,
        ),
        Example(
            "a named tuple",
            """
from typing import NamedTuple

class Output(NamedTuple):
    logits: torch.Tensor
    hidden: torch.Tensor

class M(nn.Module):
    def forward(self, x):
        return Output(x * 2, x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the class is used inside, and not returned",
            """
class Output(dict):
    @property
    def logits(self):
        return self["logits"]

class M(nn.Module):
    def forward(self, x):
        out = Output(logits=x * 2)
        return out["logits"]
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a class that becomes a plain container."""
    name = event.detail or event.callee or event.subject
    message = f"the output class {name} is not recorded: the traced module returns a plain dict or list"
    return Report(message, "return a tuple, a NamedTuple or a plain dict, and build the class outside of the traced module")


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A wrapped function builds the object when the graph runs."""
    return (FixRequest(FixKind.HOIST),)
