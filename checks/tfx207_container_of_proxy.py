"""TFX207 container-of-proxy: a builtin that iterates a Proxy.

## What it catches
`list(x.shape)`, `tuple(...)`, `set(...)`, `zip(a, b)`, `enumerate(x)`, `map(f, x)`, `sum(x)`, `sorted(x)`, `max(x.shape)`,
`"".join(...)` with a Proxy to iterate.

## Why tracing fails
The builtin iterates in C. torch raises `TraceError`: "Proxy object cannot be iterated. This can be attempted when the Proxy is used
in a loop or as a *args or **kwargs function argument." Python lists and tuples that *hold* Proxies are fine.

## Fix and its safety
* A shape can stay in one piece: `x.view(y.shape)`, `y.shape + (2,)`, `y.shape[:-1]` are all recorded.

* `sum(x)` of a tensor: `x.sum(0)`; `math.prod(x.shape)`: `x.numel()`; `max(x)`: `x.max()`.

* A fixed number of items: unpack it into names first.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

ITERATED = "Proxy object cannot be iterated"

CHECK = Check(
    code="TFX207",
    name="container-of-proxy",
    summary="`list()`, `zip()`, `sum()` and the like over a traced value",
    events=(EventKind.PROXY_ITER,),
    constructs=(
        "list",
        "tuple",
        "set",
        "frozenset",
        "dict",
        "iter",
        "zip",
        "enumerate",
        "map",
        "filter",
        "sum",
        "prod",
        "join",
        "sorted",
        "min",
        "max",
        "any",
        "all",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a shape as a list",
            """
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view(list(x.shape))  # <- here
""",
            Outcome.BREAKS,
            error=ITERATED,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view(x.shape)
""",
        ),
        Example(
            "the sum of a tensor's rows",
            """
class M(nn.Module):
    def forward(self, x):
        return sum(x)  # <- here
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
            "rows and weights side by side",
            """
class M(nn.Module):
    def forward(self, x, w):
        return torch.stack([a * b for a, b in zip(x, w)])  # <- here
""",
            Outcome.BREAKS,
            error=ITERATED,
            inputs="(torch.randn(2, 4), torch.randn(2))",
            fixed="""
class M(nn.Module):
    def forward(self, x, w):
        return x * w[:, None]
""",
        ),
        Example(
            "a Python list of traced tensors as a tuple",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.cat(tuple([x, x * 2]))
""",
            Outcome.TRACES,
        ),
        Example(
            "layers and traced tensors side by side",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        return sum(layer(part) for layer, part in zip(self.layers, [x, -x]))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the sum of a Python list of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        return sum([x, x * 2, -x])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a shape that stays in one piece",
            """
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view(x.shape[:-1] + (2, 2))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a tuple of the names that were unpacked",
            """
class M(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        return x.flatten().view(list((rows, columns)))
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a builtin; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    return Report(
        f'`{event.construct}()` iterates `{event.subject}`, a Proxy: tracing raises TraceError "{ITERATED}"',
        "keep a shape in one piece (x.view(y.shape)), use an operation on the whole tensor, or unpack a fixed number of items first",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The call becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
