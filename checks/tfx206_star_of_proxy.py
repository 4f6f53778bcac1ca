"""TFX206 star-of-proxy: a star that spreads a Proxy.

## What it catches
`f(*x.shape)`, `[*x.shape]`, `first, *rest = x.split(1)`, and `f(**batch)` with a Proxy, most often a shape given on to `reshape` or
`expand`.

## Why tracing fails
The star iterates. torch allows that only for a plain unpacking into a fixed number of names: `TraceError`: "Proxy object cannot be
iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs function argument."

## Fix and its safety
* `x.reshape(*x.shape[:-1], 2, 2)`: `x.reshape(x.shape[:-1] + (2, 2))`; sizes add up like tuples, and methods that take sizes take
  them in one tuple.

* `x.view(*y.shape)`: `x.view(y.shape)`.

* A known rank: `x.shape[0], x.shape[1]`, or `n, c = x.shape`.

* `f(**batch)`: the keys spelled out, `f(ids=batch["ids"])`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

ITERATED = "Proxy object cannot be iterated"

CHECK = Check(
    code="TFX206",
    name="star-of-proxy",
    summary="`*x` or `**x` of a traced value",
    events=(EventKind.PROXY_ITER,),
    constructs=(
        "star-call",
        "star-display",
        "starred-target",
        "double-star",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a shape spread over arguments",
            """
class M(nn.Module):
    def forward(self, x):
        return x.reshape(*x.shape[:-1], 2, 2)  # <- here
""",
            Outcome.BREAKS,
            error=ITERATED,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[:-1] + (2, 2))
""",
        ),
        Example(
            "a starred target",
            """
class M(nn.Module):
    def forward(self, x):
        first, *rest = x.shape  # <- here
        return x * first
""",
            Outcome.BREAKS,
            error=ITERATED,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * x.shape[0]
""",
        ),
        Example(
            "a traced dictionary spread over keywords",
            """
class M(nn.Module):
    def forward(self, batch):
        return torch.add(**batch)  # <- here
""",
            Outcome.BREAKS,
            error=ITERATED,
            inputs="({'input': torch.randn(2, 4), 'other': torch.ones(4)},)",
            fixed="""
class M(nn.Module):
    def forward(self, batch):
        return torch.add(input=batch['input'], other=batch['other'])
""",
        ),
        Example(
            "a shape in configuration spread over arguments",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.shape = (4, -1)

    def forward(self, x):
        return x.reshape(*self.shape)
""",
            Outcome.TRACES,
        ),
        Example(
            "a Python list of traced tensors in a display",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2]
        return torch.cat([*parts, -x])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: unpacking into a fixed number of names",
            """
class M(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        return x.reshape(rows, 2, columns // 2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a shape that stays in one piece",
            """
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view(x.shape)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a starred target over a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        first, *rest = [x, x * 2, x * 3]
        return torch.cat(rest)
""",
            Outcome.TRACES,
        ),
    ),
)


SPELLED = {
    "star-call": "`*{}`",
    "star-display": "`*{}`",
    "starred-target": "the starred target in `{}`",
    "double-star": "`**{}`",
}
HELP = {
    "star-call": "pass the sizes in one tuple (x.shape[:-1] + (2, 2)), or spell them out (x.shape[0], x.shape[1])",
    "star-display": "spell the items out (x.shape[0], x.shape[1]), or keep the shape in one piece",
    "starred-target": "take items by their index (x.shape[0], x.shape[1:]), which is recorded",
    "double-star": 'spell the keys out: f(ids=batch["ids"])',
}


def report(event: Event) -> Report | None:
    """Words for a star; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    starred = SPELLED[event.construct].format(event.subject)
    return Report(f'{starred} iterates a Proxy: tracing raises TraceError "{ITERATED}"', HELP[event.construct])


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A shape of known rank can be spelled out; the rest becomes opaque, but the target of an assignment cannot by itself."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    if event.construct == "star-call" and event.facet is Facet.SIZE:
        return FixRequest(FixKind.REWRITE, "star-shape-to-items"), *opaque
    return (FixRequest(FixKind.WRAP), FixRequest(FixKind.LEAF)) if event.construct == "starred-target" else opaque
