"""TFX110 proxy-ordered: builtins that compare Proxies and ask for the answer.

## What it catches
`max(x.shape[0], 4)`, `min(h, w)`, `sorted([...])`, `any(...)`, `all(...)` and `filter(None, ...)` on Python sequences of Proxies,
or with a Proxy among the arguments.

## Why tracing fails
These builtins decide in C by the truth of `a < b` or of the item. For a Proxy torch raises `TraceError`: "symbolically traced
variables cannot be used as inputs to control flow". `torch.fx.wrap("max")` in the module works, since the builtin is then a
recorded call.

## Fix and its safety
* Sizes: `torch.sym_max(a, b)` and `torch.sym_min(a, b)` are recorded, and give the same integers.

* Tensors: `torch.maximum`, `torch.minimum`, `torch.stack(...).any()`.

* Otherwise a function at module level, marked with `torch.fx.wrap`.

## When to ignore
When the function is never traced. A sequence of one item is not compared, and traces.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"
HELP = {
    "min": "sizes: torch.sym_min(a, b); tensors: torch.minimum(a, b); or a module-level function marked with torch.fx.wrap",
    "max": "sizes: torch.sym_max(a, b); tensors: torch.maximum(a, b); or a module-level function marked with torch.fx.wrap",
    "sorted": "sort what configuration knows, or use torch.sort, or move it into a module-level function marked with torch.fx.wrap",
    "any": "torch.stack([...]).any() for tensors, or move the decision into a module-level function marked with torch.fx.wrap",
    "all": "torch.stack([...]).all() for tensors, or move the decision into a module-level function marked with torch.fx.wrap",
    "filter": "filter by configuration or by `is not None` on Python values, or inside a module-level function marked with torch.fx.wrap",
}

CHECK = Check(
    code="TFX110",
    name="proxy-ordered",
    summary="min, max, sorted, any, all or filter on traced values",
    events=(EventKind.PROXY_TRUTH,),
    constructs=(
        "min",
        "max",
        "sorted",
        "any",
        "all",
        "filter",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "the larger of a size and a constant",
            """
class M(nn.Module):
    def forward(self, x):
        return x * max(x.shape[0], 4)  # <- here
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * torch.sym_max(x.shape[0], 4)
""",
        ),
        Example(
            "any of some conditions",
            """
class M(nn.Module):
    def forward(self, x):
        return x * any(p.sum() > 0 for p in (x, -x))  # <- here
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * torch.stack([p.sum() > 0 for p in (x, -x)]).any()
""",
        ),
        Example(
            "the larger of two attributes",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = 2, 3

    def forward(self, x):
        return x * max(self.a, self.b)
""",
            Outcome.TRACES,
        ),
        Example(
            "sorted names",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({'b': nn.Linear(4, 4), 'a': nn.Linear(4, 2)})

    def forward(self, x):
        return [self.heads[k](x) for k in sorted(self.heads)]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: torch.maximum records the choice",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.maximum(x, -x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: one item is never compared",
            """
class M(nn.Module):
    def forward(self, x):
        return x * max([x.shape[0]])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the wrapped builtin is recorded",
            """
fx.wrap("max")

class M(nn.Module):
    def forward(self, x):
        return x * max(x.shape[0], 4)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a builtin that orders or tests its arguments."""
    message = f'`{event.construct}()` decides by the truth of a Proxy (`{event.subject}`): tracing raises TraceError "{CONTROL_FLOW}"'
    return Report(message, HELP[event.construct])


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The call becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
