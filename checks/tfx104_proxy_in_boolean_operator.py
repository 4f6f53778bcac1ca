"""TFX104 proxy-in-boolean-operator: a boolean operator that asks a Proxy for its truth value.

## What it catches
`a and b` and `a or b` where `a` is a Proxy (the truth of the last operand is not asked for), `not a`, and `bool(a)`.

## Why tracing fails
Python decides `and`, `or` and `not` itself, by `bool()` of the operand; no operator of torch is called. For a Proxy torch raises
`TraceError`: "symbolically traced variables cannot be used as inputs to control flow".

## Fix and its safety
* For tensors of bools: `a & b`, `a | b`, `torch.logical_not(a)`. Unsafe where the right operand is costly or fails when the left
  one is false, because it now always runs; `and` also returns an operand, `&` a bool.

* A default such as `n or 1`: decide on configuration, or move it into a function marked with `torch.fx.wrap`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Safety, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX104",
    name="proxy-in-boolean-operator",
    summary="`and`, `or`, `not` or `bool()` on a traced value",
    events=(EventKind.PROXY_TRUTH,),
    constructs=(
        "and",
        "or",
        "not",
        "bool",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "and of two conditions on numbers",
            """
class M(nn.Module):
    def forward(self, x):
        inside = (x > -9).all() and (x < 9).all()  # <- here
        return x * inside
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        inside = (x > -9).all() & (x < 9).all()
        return x * inside
""",
        ),
        Example(
            "not of a flag",
            """
class M(nn.Module):
    def forward(self, x):
        return x * (not (x > 9).any())  # <- here
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * torch.logical_not((x > 9).any())
""",
        ),
        Example(
            "bool() of a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x * bool((x > 9).any())  # <- here
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * (x > 9).any()
""",
        ),
        Example(
            "and of two attributes",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.double, self.scale = True, 2.0

    def forward(self, x):
        return x if self.double and self.scale else -x
""",
            Outcome.TRACES,
        ),
        Example(
            "bool() of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        return x * bool(self.scale)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a bitwise operator",
            """
class M(nn.Module):
    def forward(self, x):
        return x * ((x > 0) & (x < 1))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: only the last operand is traced, and nobody asks for its truth",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = True

    def forward(self, x):
        return x * (self.double and x.sum())
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: not of a list that holds traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x]
        return x if not parts else parts[0] * 2
""",
            Outcome.TRACES,
        ),
    ),
)


HELP = {
    "and": "for bools of tensors write `&` (both sides always run), else decide on configuration or wrap the decision",
    "or": "for bools of tensors write `|` (both sides always run); a default for a size belongs in configuration or in a wrapped function",
    "not": "write torch.logical_not(...), or swap the arms of the decision",
    "bool": "drop bool(): a tensor of one bool multiplies, selects and compares as it is",
}


def report(event: Event) -> Report | None:
    """Words for an operator; the help is that operator's."""
    message = f'`{event.construct}` asks for the truth of `{event.subject}`, a Proxy: tracing raises TraceError "{CONTROL_FLOW}"'
    return Report(message, HELP[event.construct])


def fix(event: Event) -> tuple[FixRequest, ...]:
    """Operators on comparisons become `&`, `|` or the opposite comparison, and both sides always run: unsafe. The rest becomes opaque."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    if event.construct != "bool" and event.facet in {Facet.TENSOR, Facet.BOOL}:
        return FixRequest(FixKind.REWRITE, "bool-and-to-bitwise", Safety.UNSAFE), *opaque
    return opaque
