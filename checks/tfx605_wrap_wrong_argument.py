"""TFX605 wrap-wrong-argument: what is given to `torch.fx.wrap` cannot be wrapped.

## What it catches
Modules, numbers and lists; lambdas; `functools.partial` objects and instances of nn.Module (they have no `__name__`); scripted functions;
classes derived from nn.Module; no argument or two.

## Why tracing fails
wrap takes a function or a string: other objects raise at once. A lambda is noted as `<lambda>`, a script as `ScriptFunction`: every trace
then raises `KeyError`. What has no `__name__` fails when the call is recorded, a script when the graph runs. Wrapping a module class
records nothing: its instances are called, not the class.

## Fix and its safety
Write a `def` at module level around it and wrap that. For a module class use a Tracer whose `is_leaf_module` knows it.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX605",
    name="wrap-wrong-argument",
    summary="torch.fx.wrap of a lambda, module, partial, script or module class",
    events=(EventKind.WRAP_ARGUMENT,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a module",
            """
import math

fx.wrap(math)  # <- here

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.BREAKS,
            error="Unsupported type for global function",
        ),
        Example(
            "a lambda",
            """
halved = fx.wrap(lambda x: x / 2)  # <- here

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.BREAKS,
            error="KeyError: '<lambda>'",
        ),
        Example(
            "a script",
            """
@fx.wrap  # <- here
@torch.jit.script
def fused(x: torch.Tensor) -> torch.Tensor:
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return fused(x)
""",
            Outcome.BREAKS,
            error="KeyError: 'ScriptFunction'",
        ),
        Example(
            "a partial",
            """
import functools

def scaled(x, by):
    return x * by if x.sum() > 0 else x

double = functools.partial(scaled, by=2.0)
fx.wrap("double")  # <- here

class M(nn.Module):
    def forward(self, x):
        return double(x)
""",
            Outcome.BREAKS,
            error="has no attribute '__name__'",
        ),
        Example(
            "a function",
            """
def halved(x):
    return x / 2 if x.sum() > 0 else x

fx.wrap(halved)

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a builtin function",
            """
fx.wrap(len)

class M(nn.Module):
    def forward(self, x):
        return x * len(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a class that is no module",
            """
@fx.wrap
class Box:
    def __init__(self, value):
        self.value = value * 2 if value.sum() > 0 else value

class M(nn.Module):
    def forward(self, x):
        return Box(x).value
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a lambda under a global name",
            """
halved = lambda x: x / 2 if x.sum() > 0 else x
fx.wrap("halved")

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a decorated function that keeps its name",
            """
@fx.wrap
@torch.no_grad()
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "lambda": "a lambda is noted as '<lambda>', which is no global",
    "module": "a module is no function",
    "number": "it is neither a function nor a string",
    "partial": "a functools.partial has no __name__",
    "instance": "an instance of a module has no __name__",
    "scripted": "a ScriptFunction cannot be recorded",
    "constant": "the name holds no function, and each trace puts one in its place",
    "module-class": "wrapping a module class records nothing, for its instances are called and not the class",
    "arity": "wrap takes one argument",
    "autograd-function": "the recorded call cannot find `apply` of a Function by its name",
}


def report(event: Event) -> Report | None:
    """Words for an argument that cannot be wrapped."""
    end = f": {event.detail}" if event.detail else ""
    severity = Severity.WARNING if event.construct == "module-class" else None
    message = f"torch.fx.wrap of `{event.subject}`: {WORDS[event.construct]}{end}"
    return Report(message, "wrap a `def` at module level that calls it; for a module class use a Tracer's is_leaf_module", severity)
