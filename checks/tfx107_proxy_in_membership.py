"""TFX107 proxy-in-membership: `in` or `not in` with a Proxy on either side.

## What it catches
`n in (1, 2)` where `n` is a Proxy or the tuple or list holds Proxies (its items are compared with `==`, and the answers are asked
for their truth), and `key in batch` where `batch` is a Proxy (it is iterated).

## Why tracing fails
For a tuple or list Python compares item by item and calls `bool()` on each answer: torch raises `TraceError`: "symbolically traced
variables cannot be used as inputs to control flow". For a Proxy container Python iterates: "Proxy object cannot be iterated. This
can be attempted when the Proxy is used in a loop or as a *args or **kwargs function argument."

An item that *is* the value (the same object) ends the search before anything is compared: `x in [x, y]` traces.

## Fix and its safety
* Decide on configuration, not on the tensor.

* Pass what may be missing as an argument of its own, with a default, instead of asking a traced dictionary for a key.

* Otherwise move the decision into a function at module level and mark it with `torch.fx.wrap`: same numbers, one opaque node.

## When to ignore
When the function is never traced. Membership in a set or in the keys of a dict goes by hash and does not raise: it is silently
false, and another check reports it.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"
ITERATED = "Proxy object cannot be iterated"

CHECK = Check(
    code="TFX107",
    name="proxy-in-membership",
    summary="`in` with a traced value",
    events=(
        EventKind.PROXY_TRUTH,
        EventKind.PROXY_ITER,
    ),
    constructs=("in",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a size looked for in a tuple",
            """
class M(nn.Module):
    def forward(self, x):
        return x * (x.shape[0] in (1, 2))  # <- here
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
@fx.wrap
def small(x):
    return x.shape[0] in (1, 2)

class M(nn.Module):
    def forward(self, x):
        return x * small(x)
""",
        ),
        Example(
            "a key looked for in a traced dictionary",
            """
class M(nn.Module):
    def forward(self, batch):
        y = batch["x"]
        if "scale" in batch:  # <- here
            y = y * batch["scale"]
        return y
""",
            Outcome.BREAKS,
            error="Proxy object cannot be iterated",
            inputs="({'x': torch.randn(2, 4), 'scale': torch.ones(4)},)",
        ),
        Example(
            "a string looked for in a tuple",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = 'a'

    def forward(self, x):
        return x * (self.mode in ('a', 'b'))
""",
            Outcome.TRACES,
        ),
        Example(
            "a key looked for in a ModuleDict",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({'a': nn.Linear(4, 4)})

    def forward(self, x):
        return self.heads['a'](x) if 'a' in self.heads else x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the value is itself an item",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2]
        return x * (x in parts)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a key looked for in a Python dictionary of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        outputs = {"x": x}
        return outputs["x"] if "x" in outputs else -x
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for the two ways in which `in` fails."""
    if event.kind is EventKind.PROXY_ITER:
        return Report(
            f'`in` iterates `{event.subject}`, a Proxy: tracing raises TraceError "{ITERATED}"',
            "pass what may be missing as an argument of its own, or move the look-up into a function marked with torch.fx.wrap",
        )
    return Report(
        f'`in` compares `{event.subject}`, a Proxy, and asks for the truth of the answer: tracing raises TraceError "{CONTROL_FLOW}"',
        "decide on configuration (an attribute of self), or move the decision into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """In an assert it is recorded; elsewhere it becomes opaque."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    return FixRequest(FixKind.REWRITE, "assert-to-torch-assert"), *opaque
