"""TFX203 index-of-proxy: a Proxy where Python itself wants an integer.

## What it catches
`range(x.shape[0])`, `items[n]` and `items[:n]` on Python lists, tuples and strings, `operator.index(n)`, where `n` is
a Proxy. Indexing a *traced tensor* by a Proxy is recorded, and is fine.

## Why tracing fails
Python asks for `__index__`, which a Proxy does not have: `TypeError`: "'Proxy' object cannot be interpreted as an integer", "list
indices must be integers or slices, not Proxy", "slice indices must be integers or None or have an __index__ method".

## Fix and its safety
* A loop over rows: an operation on the whole tensor (a sum, a matrix product), or a number of rounds from configuration.

* `range(n)` as numbers: `torch.arange(n, device=x.device)`.

* A table in a Python list: a buffer (`self.table[n - 1]`; an integer index of a concrete tensor is recorded, a slice is not).

* Otherwise a function at module level, marked with `torch.fx.wrap`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX203",
    name="index-of-proxy",
    summary="`range()`, an index or a slice of a Python sequence by a traced value",
    events=(EventKind.PROXY_NUMBER,),
    constructs=(
        "range",
        "index",
        "slice",
        "list-index",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a loop over the rows of a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        total = x.new_zeros(4)
        for i in range(x.shape[0]):  # <- here
            total = total + x[i]
        return total
""",
            Outcome.BREAKS,
            error="'Proxy' object cannot be interpreted as an integer",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.sum(0)
""",
        ),
        Example(
            "a table in a Python list",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = [1.0, 2.0, 3.0, 4.0]

    def forward(self, x):
        return x * self.scales[x.shape[0] - 1]  # <- here
""",
            Outcome.BREAKS,
            error="list indices must be integers or slices, not Proxy",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('scales', torch.tensor([1.0, 2.0, 3.0, 4.0]))

    def forward(self, x):
        return x * self.scales[x.shape[0] - 1]
""",
        ),
        Example(
            "a slice of a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2, x * 3]
        return torch.cat(parts[: x.shape[0]])  # <- here
""",
            Outcome.BREAKS,
            error="slice indices must be integers or None or have an __index__ method",
        ),
        Example(
            "a range from configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rounds = 2

    def forward(self, x):
        for _ in range(self.rounds):
            x = x * 2
        return x
""",
            Outcome.TRACES,
        ),
        Example(
            "a constant index into a Python list of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        return [x, x * 2][1]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: torch.arange takes a size",
            """
class M(nn.Module):
    def forward(self, x):
        return x * torch.arange(x.shape[1])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the repetition of a list is recorded",
            """
class M(nn.Module):
    def forward(self, x):
        return [x.sum()] * x.shape[0]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a traced tensor is sliced by a size",
            """
class M(nn.Module):
    def forward(self, x):
        return x[:, : x.shape[1] // 2]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a range over the length of a Python list",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2]
        return sum(parts[i] * i for i in range(len(parts)))
""",
            Outcome.TRACES,
        ),
    ),
)


TEXTS = {
    "range": "'Proxy' object cannot be interpreted as an integer",
    "index": "'Proxy' object cannot be interpreted as an integer",
    "list-index": "list indices must be integers or slices, not Proxy",
    "slice": "slice indices must be integers or None or have an __index__ method",
}
WORDS = {
    "range": "`range()` needs an integer",
    "index": "an integer is needed",
    "list-index": "the index of a Python sequence needs an integer",
    "slice": "the slice of a Python sequence needs integers",
}
OTHERS = "use configuration, a tensor operation, or a module-level function marked with torch.fx.wrap"
HELP = {
    "range": "loop a number of times that configuration knows, or use an operation on the whole tensor, or torch.arange(n)",
    "list-index": "keep the table in a buffer or use a module-level function marked with torch.fx.wrap",
}


def report(event: Event) -> Report | None:
    """Words for each place that wants an integer; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    message = f'{WORDS[event.construct]}, and `{event.subject}` is a Proxy: tracing raises TypeError "{TEXTS[event.construct]}"'
    return Report(message, HELP.get(event.construct, OTHERS))


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A Python integer cannot be had from a Proxy: the code around it becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
