"""TFX305 scripted-function: a function of `torch.jit.script` or `torch.compile` called with a Proxy.

## What it catches
Functions decorated with `torch.jit.script` (or made by it) that get a Proxy, and functions or modules made by `torch.compile`.
Scripted *modules* are leaves, and fine.

## Why tracing fails
A scripted function checks its arguments in C++: `RuntimeError`: "fused() Expected a value of type 'Tensor' for argument 'x' but
instead found type 'Proxy'". A compiled one: "Detected that you are using FX to symbolically trace a dynamo-optimized function. This
is not supported at the moment."

`torch.fx.wrap` on the scripted function itself does not help: it fails with `KeyError: 'ScriptFunction'` or when the code of the
graph is made.

## Fix and its safety
Call it from a plain function at module level and mark that with `torch.fx.wrap`. Safe: the same call, one opaque node. Or trace
first and script or compile the traced module.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX305",
    name="scripted-function",
    summary="a scripted or compiled function is given a traced value",
    events=(EventKind.FOREIGN_CALL,),
    constructs=(
        "scripted",
        "compiled",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a scripted function",
            """
@torch.jit.script
def fused(x: torch.Tensor) -> torch.Tensor:
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return fused(x)  # <- here
""",
            Outcome.BREAKS,
            error="fused() Expected a value of type 'Tensor' for argument 'x' but instead found type 'Proxy'",
            fixed="""
@torch.jit.script
def fused(x: torch.Tensor) -> torch.Tensor:
    return x * 2

@fx.wrap
def fused_node(x):
    return fused(x)

class M(nn.Module):
    def forward(self, x):
        return fused_node(x)
""",
        ),
        Example(
            "a compiled function",
            """
@torch.compile(backend="eager")
def doubled(x):
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return doubled(x)  # <- here
""",
            Outcome.BREAKS,
            error="Detected that you are using FX to symbolically trace a dynamo-optimized function",
        ),
        Example(
            "a scripted function of a constant",
            """
@torch.jit.script
def fused(x: torch.Tensor) -> torch.Tensor:
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return x * fused(torch.ones(4))
""",
            Outcome.TRACES,
        ),
        Example(
            "a scripted module is a leaf",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.jit.script(nn.Linear(4, 4))

    def forward(self, x):
        return self.layer(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: script_if_tracing calls the plain function",
            """
@torch.jit.script_if_tracing
def fused(x: torch.Tensor) -> torch.Tensor:
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return fused(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a plain function with the same annotations",
            """
def fused(x: torch.Tensor) -> torch.Tensor:
    return x * 2

class M(nn.Module):
    def forward(self, x):
        return fused(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a function that runs outside Python."""
    raised = "Detected that you are using FX to symbolically trace a dynamo-optimized function"
    if event.construct == "scripted":
        raised = "Expected a value of type 'Tensor' ... but instead found type 'Proxy'"
    return Report(
        f'`{event.callee}` is {event.construct} and is given a Proxy: tracing raises RuntimeError "{raised}"',
        "call it from a plain module-level function marked with torch.fx.wrap (a wrap of the function itself fails)",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A plain function around the call becomes the opaque node; the scripted function itself cannot be wrapped."""
    return FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
