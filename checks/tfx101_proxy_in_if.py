"""TFX101 proxy-in-if: an `if` or `elif` that asks a Proxy for its truth value.

## What it catches
`if` and `elif` conditions that are computed from an input of the traced module: comparisons of tensors, of sizes (`x.shape[0] > 1`), of
ranks (`x.dim() == 4`), dtypes, devices, and flags such as `x.is_cuda` and `x.requires_grad`.

## Why tracing fails
While tracing, `x.shape[0] > 1` is a Proxy, not a bool, and Python calls `bool()` on it. torch raises `TraceError`: "symbolically traced
variables cannot be used as inputs to control flow".

## Fix and its safety
* Both arms cheap and pure, the condition a tensor: `torch.where(condition, a, b)`. Both arms run, so it is yours to judge.
* The condition guards an error: `torch._assert(condition, "text")`, or drop it.
* The condition depends on configuration only: read it from `self`, not from the tensor.
* Otherwise move the branch into a function at module level and mark it with `torch.fx.wrap`: same numbers, one opaque node.

## When to ignore
When the function is only ever called on the far side of a leaf module or of a wrapped function, or never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Safety, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX101",
    name="proxy-in-if",
    summary="an `if` or `elif` depends on a traced value",
    events=(EventKind.PROXY_TRUTH,),
    constructs=("if", "elif"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a branch on the numbers of a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # <- here
            return x * 2
        return -x
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x * 2, -x)
""",
        ),
        Example(
            "an elif on a rank, after a branch on configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.flat = False

    def forward(self, x):
        if self.flat:
            x = x.flatten()
        elif x.dim() == 2:  # <- here
            x = x.unsqueeze(0)
        return x
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
def three_dimensions(x):
    return x.unsqueeze(0) if x.dim() == 2 else x

fx.wrap("three_dimensions")

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.flat = False

    def forward(self, x):
        return x.flatten() if self.flat else three_dimensions(x)
""",
        ),
        Example(
            "a branch on an attribute of the module",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = True

    def forward(self, x):
        if self.double:
            return x * 2
        return -x
""",
            Outcome.TRACES,
        ),
        Example(
            "a branch on an optional argument that the caller left out",
            """
class Attend(nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x * mask
        return x.softmax(-1)

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
            "near miss: the comparison is a value, nobody asks for its truth",
            """
class M(nn.Module):
    def forward(self, x):
        positive = x.sum() > 0
        return x * positive
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a branch on the number of traced tensors in a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2]
        if len(parts) > 1:
            return torch.cat(parts)
        return parts[0]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a branch inside a wrapped function",
            """
@fx.wrap
def signed(x):
    if x.sum() > 0:
        return x
    return -x

class M(nn.Module):
    def forward(self, x):
        return signed(x)
""",
            Outcome.TRACES,
        ),
    ),
)

HELP = {
    Facet.TENSOR: "compute both arms and choose with torch.where(condition, a, b), or move the branch into a wrapped function",
    Facet.DTYPE: "decide on a dtype kept in configuration, or move the branch into a function marked with torch.fx.wrap",
    Facet.DEVICE: "drop the branch (the operations run on any device), or move it into a function marked with torch.fx.wrap",
}
OTHERS = "decide on configuration (an attribute of self), or move the branch into a module-level function marked with torch.fx.wrap"


def report(event: Event) -> Report | None:
    """Words for a branch; the help depends on what the Proxy stands for."""
    message = f'`{event.construct}` asks for the truth of `{event.subject}`, a Proxy: tracing raises TraceError "{CONTROL_FLOW}"'
    return Report(message, HELP.get(event.facet, OTHERS))


def fix(event: Event) -> tuple[FixRequest, ...]:
    """torch.where runs both arms, so it is unsafe, and for tensors only; else the branch becomes opaque, as little of it as possible."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    return (FixRequest(FixKind.REWRITE, "if-to-where", Safety.UNSAFE), *opaque) if event.facet is Facet.TENSOR else opaque
