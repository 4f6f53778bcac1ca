"""TFX602 wrap-not-at-top-level: `torch.fx.wrap` works at module level only.

## What it catches
Calls of `torch.fx.wrap` in functions, methods, lambdas and class bodies, and `@torch.fx.wrap` on methods and nested functions.

## Why tracing fails
wrap looks at the frame that calls it and raises `NotImplementedError`: "wrap must be called at the top level of a module". `if`, `for`,
`try` and `with` at module level are fine.

## Fix and its safety
Move the call to module level, and the function with it: methods become functions that take what they need.

## When to ignore
When the function that holds the call is never called.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX602",
    name="wrap-not-at-top-level",
    summary="torch.fx.wrap is called inside a function, class or comprehension",
    events=(EventKind.WRAP_NOT_TOP_LEVEL,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "in the body of a class",
            """
class M(nn.Module):
    fx.wrap("len")  # <- here

    def forward(self, x):
        return x * len(x)
""",
            Outcome.BREAKS,
            error="wrap must be called at the top level of a module",
        ),
        Example(
            "on a method",
            """
class M(nn.Module):
    @fx.wrap  # <- here
    def halved(self, x):
        return x / 2 if x.sum() > 0 else x

    def forward(self, x):
        return self.halved(x)
""",
            Outcome.BREAKS,
            error="wrap must be called at the top level of a module",
        ),
        Example(
            "in a function",
            """
def halved(x):
    return x / 2 if x.sum() > 0 else x

def register():
    fx.wrap("halved")  # <- here

register()

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.BREAKS,
            error="wrap must be called at the top level of a module",
        ),
        Example(
            "a decorator at module level",
            """
@fx.wrap
def halved(x):
    return x / 2 if x.sum() > 0 else x

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a call at module level",
            """
def halved(x):
    return x / 2 if x.sum() > 0 else x

fx.wrap("halved")

class M(nn.Module):
    def forward(self, x):
        return halved(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: in an if at module level",
            """
if torch.__version__:
    fx.wrap("len")

class M(nn.Module):
    def forward(self, x):
        return x * len(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: in a loop at module level",
            """
for name in ("len", "int"):
    fx.wrap(name)

class M(nn.Module):
    def forward(self, x):
        return x * len(x)
""",
            Outcome.TRACES,
        ),
    ),
)


PLACES = {
    "function": "in a function",
    "method": "on a method",
    "class": "in the body of a class",
    "comprehension": "in a comprehension",
}


def report(event: Event) -> Report | None:
    """Words for a wrap that is not at module level."""
    where = PLACES[event.construct]
    message = f'torch.fx.wrap {where} raises NotImplementedError "wrap must be called at the top level of a module"'
    return Report(message, "move the call, and the function that it names, to module level")
