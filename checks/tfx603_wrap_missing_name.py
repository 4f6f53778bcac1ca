"""TFX603 wrap-missing-name: the name that `torch.fx.wrap` registers must be a global of its module.

## What it catches
A misspelt name; the name of a method or of a nested function; a function imported under another name (`wrap` goes by `__name__`); a
function whose decorator hides its name; a name that is deleted later; a name imported from a function of torch as if that were a module.

## Why tracing fails
wrap notes the name (of a function: its `__name__`). Each trace looks it up in the module's globals and raises `KeyError` where it is not
there: *every* trace of the process fails.

## Fix and its safety
Give the name as this module binds it, as a string: `torch.fx.wrap("name")`; safe for a name, unsafe where a misspelt one is guessed.
Decorators should use `functools.wraps`.

## When to ignore
When the name is put into the globals in a way that is not seen (`globals()[...] = ...`).
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX603",
    name="wrap-missing-name",
    summary="torch.fx.wrap names no global of the module",
    events=(EventKind.WRAP_MISSING_NAME,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a misspelt name",
            """
def halved(x):
    return x / 2 if x.sum() > 0 else x

fx.wrap("halve")  # <- here

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.BREAKS,
            error="KeyError: 'halve'",
        ),
        Example(
            "the name of a method",
            """
fx.wrap("gate")  # <- here

class M(nn.Module):
    def gate(self, x):
        return x * 2

    def forward(self, x):
        return self.gate(x)
""",
            Outcome.BREAKS,
            error="KeyError: 'gate'",
        ),
        Example(
            "a decorator that hides the name",
            """
def timed(function):
    def inner(*args):
        return function(*args)
    return inner

@fx.wrap  # <- here
@timed
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.BREAKS,
            error="KeyError: 'inner'",
        ),
        Example(
            "the name is bound below",
            """
fx.wrap("halved")

def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "an imported name",
            """
from math import degrees

fx.wrap("degrees")

class M(nn.Module):
    def forward(self, x):
        return x * degrees(x.shape[0])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a decorator that keeps the name",
            """
import functools

def timed(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)
    return inner

@fx.wrap
@timed
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a name that a function declares global and binds",
            """
fx.wrap("late")

def define():
    global late

    def late(x):
        return x * 2 if x.sum() > 0 else x

define()

class M(nn.Module):
    def forward(self, x):
        return late(x)
""",
            Outcome.TRACES,
        ),
    ),
)


REASONS = {
    "alias": "wrap goes by __name__, and this module binds the function under another name",
    "attribute": "wrap goes by __name__, and this module has no global of that name",
    "method": "it is a method, not a global",
    "decorated": "the decorator below returns a function of another name (it lacks functools.wraps)",
    "deleted": "the module deletes it",
    "missing": "this module has no global of that name",
}


def report(event: Event) -> Report | None:
    """Words for a name that is not there."""
    key = event.detail.partition(";")[0]
    if event.construct == "import":
        message = f"torch.fx.wrap of `{event.subject}`: its import raises {key}, so the name is never bound"
        return Report(message, "import the function from the package that has it, as in `from torch._dynamo import explain`")
    message = f"torch.fx.wrap of `{event.subject}`: {REASONS.get(event.construct, REASONS['missing'])}, so every trace raises {key}"
    return Report(message, 'register the name that this module binds, as a string: torch.fx.wrap("name")')


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The name that the module binds takes the place of the one given; no other name helps where the import raises."""
    return () if event.construct == "import" else (FixRequest(FixKind.REWRITE, "wrap-name"),)
