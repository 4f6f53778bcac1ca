"""TFX311 c-function: C functions that neither take a Proxy nor hand it on.

## What it catches
`torch.Size((n, 2))`, `torch.finfo(x.dtype)`, `torch.iinfo(x.dtype)`, `torch.Tensor.add(x, 1)` (the unbound method),
`itertools.islice(items, n)`, `copy.deepcopy(x)` and the like with a Proxy as argument.

## Why tracing fails
They check the type of their argument in C: "torch.Size() takes an iterable of 'int' (item 0 is 'Proxy')", "torch.finfo() requires a
floating point input type", "descriptor 'add' for 'torch._C.TensorBase' objects doesn't apply to a 'Proxy' object".

`torch.iinfo(x.dtype)` is worse: it raises nothing and describes another dtype.

## Fix and its safety
* `torch.Size((n, 2))`: the plain tuple `(n, 2)`; methods that take sizes take it. Safe.

* `torch.finfo(x.dtype).min`: of a dtype kept in configuration, or in a function at module level marked with `torch.fx.wrap`.

* `torch.Tensor.add(x, 1)`: `torch.add(x, 1)` or `x.add(1)`. Safe.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX311",
    name="c-function",
    summary="a function or class of torch or Python written in C is given a traced value",
    events=(EventKind.FOREIGN_CALL,),
    constructs=("c-function",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "the least number of a traced dtype",
            """
class M(nn.Module):
    def forward(self, x):
        return x.masked_fill(x > 0, torch.finfo(x.dtype).min)  # <- here
""",
            Outcome.BREAKS,
            error="torch.finfo() requires a floating point input type",
            fixed="""
@fx.wrap
def least(x):
    return torch.finfo(x.dtype).min

class M(nn.Module):
    def forward(self, x):
        return x.masked_fill(x > 0, least(x))
""",
        ),
        Example(
            "a torch.Size of sizes",
            """
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view(torch.Size((x.shape[0], 4)))  # <- here
""",
            Outcome.BREAKS,
            error="torch.Size() takes an iterable of 'int' (item 0 is 'Proxy')",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view((x.shape[0], 4))
""",
        ),
        Example(
            "an unbound method of Tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.Tensor.add(x, 1)  # <- here
""",
            Outcome.BREAKS,
            error="descriptor 'add' for 'torch._C.TensorBase' objects doesn't apply to a 'Proxy' object",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return torch.add(x, 1)
""",
        ),
        Example(
            "the range of a traced integer dtype is silently another's",
            """
class M(nn.Module):
    def forward(self, x):
        return x.masked_fill(x > 0, torch.iinfo(x.dtype).max)  # <- here
""",
            Outcome.SILENT,
            inputs="(torch.ones(2, 4, dtype=torch.int32),)",
        ),
        Example(
            "the least number of a constant dtype",
            """
class M(nn.Module):
    def forward(self, x):
        return x.masked_fill(x > 0, torch.finfo(torch.float32).min)
""",
            Outcome.TRACES,
        ),
        Example(
            "a torch.Size of constants",
            """
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view(torch.Size((-1, 4)))
""",
            Outcome.TRACES,
        ),
        Example(
            "the dtype of a Parameter's data",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.ones(4))

    def forward(self, x):
        return x * torch.finfo(self.table.dtype).eps
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a plain tuple of sizes",
            """
class M(nn.Module):
    def forward(self, x):
        return x.flatten().view((x.shape[0], 4))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the function of torch",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.add(x, 1)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a C function; the name is the event's callee."""
    if event.callee == "torch.iinfo":
        return Report(
            f"`torch.iinfo` gets `{event.subject}`, a Proxy: nothing is raised, and it describes another dtype",
            "ask for the range of a dtype kept in configuration, or inside a module-level function marked with torch.fx.wrap",
        )
    return Report(
        f"`{event.callee}` is written in C and gets `{event.subject}`, a Proxy: tracing raises TypeError",
        "use the method of the tensor or a plain tuple, or move the call into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The call becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
