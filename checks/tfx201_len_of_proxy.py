"""TFX201 len-of-proxy: `len(x)` where `x` is a Proxy.

## What it catches
`len()` of a tensor, of its shape, or of a tuple of outputs that one node returned, and `reversed()`, which asks for the length.

## Why tracing fails
torch raises `RuntimeError`: "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please
call torch.fx.wrap('len') at module scope". A Python list that *holds* traced tensors has a length of its own, and is fine.

## Fix and its safety
* A tensor: `x.shape[0]`, which is recorded. Safe: `len(tensor)` is the size of its first dimension.

* A shape: `len(x.shape)` is `x.dim()`. Safe.

* A tuple of outputs: the number of outputs is not in the graph; keep it in configuration, or unpack a fixed number.

* `torch.fx.wrap("len")` at the top level of the module records the call, in that module only.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX201",
    name="len-of-proxy",
    summary="`len()` or `reversed()` of a traced value",
    events=(EventKind.PROXY_LEN,),
    constructs=(
        "len",
        "reversed",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "the length of a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x * len(x)  # <- here
""",
            Outcome.BREAKS,
            error="'len' is not supported in symbolic tracing by default",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * x.shape[0]
""",
        ),
        Example(
            "the length of a shape",
            """
class M(nn.Module):
    def forward(self, x):
        return x * len(x.shape)  # <- here
""",
            Outcome.BREAKS,
            error="torch.fx.wrap('len')",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * x.dim()
""",
        ),
        Example(
            "reversed outputs",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.cat(list(reversed(x.split(1))))  # <- here
""",
            Outcome.BREAKS,
            error="'len' is not supported",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.flip(0)
""",
        ),
        Example(
            "the length of a list of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2]
        return x * len(parts)
""",
            Outcome.TRACES,
        ),
        Example(
            "the length of a ModuleList",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4)])

    def forward(self, x):
        return self.layers[0](x) * len(self.layers)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the size of the first dimension",
            """
class M(nn.Module):
    def forward(self, x):
        return x * x.shape[0]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the wrapped builtin is recorded",
            """
fx.wrap("len")

class M(nn.Module):
    def forward(self, x):
        return x * len(x)
""",
            Outcome.TRACES,
        ),
    ),
)


NOT_SUPPORTED = "'len' is not supported in symbolic tracing by default"
HELP = {
    Facet.TENSOR: "write x.shape[0], which is recorded",
    Facet.SIZE: "write x.dim(), which is recorded",
    Facet.TUPLE: "unpack a fixed number of outputs, or keep their number in configuration",
}
OTHERS = 'write x.shape[0] for a tensor or x.dim() for a shape, or call torch.fx.wrap("len") at the top level of this module'


def report(event: Event) -> Report | None:
    """Words for a length; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    message = f'`{event.construct}({event.subject})` of a Proxy: tracing raises RuntimeError "{NOT_SUPPORTED}"'
    return Report(message, HELP.get(event.facet, OTHERS))


def fix(event: Event) -> tuple[FixRequest, ...]:
    """Tensors and shapes know their length by another name; the rest becomes opaque."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    if event.construct == "len" and event.facet in {Facet.TENSOR, Facet.SIZE}:
        return FixRequest(FixKind.REWRITE, "len-to-shape"), *opaque
    return opaque
