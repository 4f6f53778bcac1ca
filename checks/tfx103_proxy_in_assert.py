"""TFX103 proxy-in-assert: an `assert` whose condition is a Proxy.

## What it catches
`assert` statements about shapes, ranks, dtypes or numbers of traced tensors.

## Why tracing fails
`assert` calls `bool()` on its condition, a Proxy while tracing. torch raises `TraceError`: "symbolically traced variables cannot be
used as inputs to control flow".

The Tracer attribute `trace_asserts = True` does not help on Python 3.11: the example below breaks with it, too.

## Fix and its safety
`torch._assert(condition, "text")` is recorded as a node, and checks at every run of the graph. Safe: same check, same message; the
exception is an AssertionError in both. It needs a message that is a string. Statements before it keep their order.

## When to ignore
When the function is never traced. `python -O` drops asserts at compile time, and then this one does no harm.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CONTROL_FLOW = "symbolically traced variables cannot be used as inputs to control flow"

CHECK = Check(
    code="TFX103",
    name="proxy-in-assert",
    summary="an `assert` checks a traced value",
    events=(EventKind.PROXY_TRUTH,),
    constructs=("assert",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "an assertion about a shape",
            """
class M(nn.Module):
    def forward(self, x):
        assert x.shape[1] == 4, "four features"  # <- here
        return x * 2
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        torch._assert(x.shape[1] == 4, "four features")
        return x * 2
""",
        ),
        Example(
            "trace_asserts does not help",
            """
class Asserting(fx.Tracer):
    trace_asserts = True

def trace(m):
    return fx.GraphModule(m, Asserting().trace(m))

class M(nn.Module):
    def forward(self, x):
        assert x.dim() == 2, "a matrix"  # <- here
        return x * 2
""",
            Outcome.BREAKS,
            error=CONTROL_FLOW,
        ),
        Example(
            "an assertion about configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = 2

    def forward(self, x):
        assert self.heads == 2, "two heads"
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "an assertion about a constant size of a parameter's list",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4)])

    def forward(self, x):
        assert len(self.layers) == 1
        return self.layers[0](x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: torch._assert records the check",
            """
class M(nn.Module):
    def forward(self, x):
        torch._assert(x.dim() == 2, "a matrix")
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the assertion holds an omitted optional argument",
            """
class Block(nn.Module):
    def forward(self, x, mask=None):
        assert mask is None, "no mask"
        return x * 2

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an assertion."""
    return Report(
        f'`assert` asks for the truth of `{event.subject}`, a Proxy: tracing raises TraceError "{CONTROL_FLOW}"',
        'write torch._assert(condition, "text"): it becomes a node of the graph and still checks every run',
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The same check, as a call that torch.fx records."""
    return FixRequest(FixKind.REWRITE, "assert-to-torch-assert"), FixRequest(FixKind.WRAP), FixRequest(FixKind.LEAF)
