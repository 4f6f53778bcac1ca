"""TFX205 loop-over-proxy: `for` over a Proxy, in a loop or a comprehension.

## What it catches
`for row in x`, `for part in x.split(2)`, `for n in x.shape`, comprehensions and generator expressions over such values, and `yield
from`. `*args` and `**kwargs` of the traced forward are one Proxy each, so loops over them count, too.

## Why tracing fails
How often the loop runs is not known while tracing. torch raises `TraceError`: "Proxy object cannot be iterated. This can be
attempted when the Proxy is used in a loop or as a *args or **kwargs function argument."

Unpacking into a fixed number of names (`a, b = x.split(2)`) is recognised by torch, and traces.

## Fix and its safety
* An operation on the whole tensor (a sum, `torch.stack`, a batched product) in place of the loop.

* A fixed number of items: `for i in range(self.parts): part = pieces[i]`; the number comes from configuration.

* A function with named arguments in place of `*args`.

* Otherwise a function at module level, marked with `torch.fx.wrap`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

ITERATED = "Proxy object cannot be iterated"

CHECK = Check(
    code="TFX205",
    name="loop-over-proxy",
    summary="a `for` loop over a traced value",
    events=(EventKind.PROXY_ITER,),
    constructs=(
        "for",
        "comprehension",
        "yield-from",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a loop over the rows of a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        total = 0
        for row in x:  # <- here
            total = total + row
        return total
""",
            Outcome.BREAKS,
            error=ITERATED,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.sum(0)
""",
        ),
        Example(
            "a comprehension over the parts of a split",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.cat([part * 2 for part in x.split(1)])  # <- here
""",
            Outcome.BREAKS,
            error=ITERATED,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "a loop over *args of the traced forward",
            """
class M(nn.Module):
    def forward(self, *xs):
        total = 0
        for x in xs:  # <- here
            total = total + x
        return total
""",
            Outcome.BREAKS,
            error=ITERATED,
            inputs="(torch.randn(2, 4), torch.randn(2, 4))",
            fixed="""
class M(nn.Module):
    def forward(self, a, b):
        total = 0
        for x in (a, b):
            total = total + x
        return total
""",
        ),
        Example(
            "a loop over a ModuleList",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
            Outcome.TRACES,
        ),
        Example(
            "a comprehension over a Python tuple of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.cat([part * 2 for part in (x, -x)])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: unpacking into a fixed number of names",
            """
class M(nn.Module):
    def forward(self, x):
        left, right = x.split(2, dim=1)
        return left * right
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a fixed number of items, each by its index",
            """
class M(nn.Module):
    def forward(self, x):
        parts = x.split(2, dim=1)
        return sum(parts[i] for i in range(2))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a loop over *args of a helper, which are a Python tuple",
            """
def total(*parts):
    result = 0
    for part in parts:
        result = result + part
    return result

class M(nn.Module):
    def forward(self, x):
        return total(x, -x, x * 2)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a loop; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    return Report(
        f'a loop iterates `{event.subject}`, a Proxy: tracing raises TraceError "{ITERATED}"',
        "use an operation on the whole tensor, unpack into a fixed number of names, or take a fixed number of items by their index",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """How often the loop runs is unknown: it becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
