"""TFX311 unrecorded-function: a function that neither takes a Proxy nor hands it on.

## What it catches
Functions that check the type of their arguments themselves, with a Proxy among them: `torch.Size((n, 2))`, `torch.finfo(x.dtype)`,
`torch.Tensor.add(x, 1)` (the unbound method), `torch.func.vmap(f)(x)`, `torch.func.functional_call(...)`, `torch.cond(...)`,
`torch._check(...)`, `torch.broadcast_shapes(...)`, `torch.from_numpy(x)`, `itertools.islice(items, n)`.

## Why tracing fails
Written in C: "torch.Size() takes an iterable of 'int' (item 0 is 'Proxy')", "torch.finfo() requires a floating point input type",
"descriptor 'add' for 'torch._C.TensorBase' objects doesn't apply to a 'Proxy' object". Written in Python: "Got in_dim=0 for an input
but the input is of type <class 'torch.fx.proxy.Proxy'>" (vmap), "Proxy(mul) is not an instance of torch.Tensor" (functional_call),
"cond must be a bool, but got <class 'torch.fx.proxy.Proxy'>" (torch._check).

`torch.iinfo(x.dtype)` is worse: it raises nothing, and describes another dtype.

## Fix and its safety
* `torch.Size((n, 2))`: the plain tuple `(n, 2)`; methods that take sizes take it. Safe.

* `torch.Tensor.add(x, 1)`: `torch.add(x, 1)` or `x.add(1)`. Safe.

* `torch.finfo(x.dtype).min`: of a dtype kept in configuration, or in a function at module level marked with `torch.fx.wrap`.

* vmap: the batched form of the operation. cond: `torch.where`. `torch._check(c)`: `torch._assert(c, "text")`.

* Anything else: a function at module level around the call, marked with `torch.fx.wrap`; same numbers, one opaque node.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX311",
    name="unrecorded-function",
    summary="a function of torch or Python that takes no traced value is given one",
    events=(EventKind.FOREIGN_CALL,),
    constructs=("c-function", "operator"),
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
            "a function mapped over the batch",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.func.vmap(lambda row: row / row.norm())(x)  # <- here
""",
            Outcome.BREAKS,
            error="Got in_dim=0 for an input but the input is of type <class 'torch.fx.proxy.Proxy'>",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x / x.norm(dim=1, keepdim=True)
""",
        ),
        Example(
            "a layer called with computed parameters",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4, bias=False)

    def forward(self, x):
        weight = self.layer.weight * x.mean()
        return torch.func.functional_call(self.layer, {"weight": weight}, (x,))  # <- here
""",
            Outcome.BREAKS,
            error="Proxy(mul) is not an instance of torch.Tensor",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4, bias=False)

    def forward(self, x):
        return F.linear(x, self.layer.weight * x.mean())
""",
        ),
        Example(
            "a check of a size",
            """
class M(nn.Module):
    def forward(self, x):
        torch._check(x.shape[1] == 4)  # <- here
        return x * 2
""",
            Outcome.BREAKS,
            error="cond must be a bool, but got <class 'torch.fx.proxy.Proxy'>",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        torch._assert(x.shape[1] == 4, "four features")
        return x * 2
""",
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
            "the batched form",
            """
class M(nn.Module):
    def forward(self, x):
        return x / x.norm(dim=1, keepdim=True)
""",
            Outcome.TRACES,
        ),
        Example(
            "vmap over a buffer",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.ones(1, 4))

    def forward(self, x):
        return x * torch.func.vmap(lambda row: row * 2)(self.table)
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
        Example(
            "near miss: torch.where takes Proxies",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x * 2, x * 3)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the operator inside a wrapped function",
            """
@fx.wrap
def normal(x):
    return torch.func.vmap(lambda row: row / row.norm())(x)

class M(nn.Module):
    def forward(self, x):
        return normal(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a call: the name of the function is the event's callee, what it raises the detail."""
    if event.callee == "torch.iinfo":
        return Report(
            "`torch.iinfo` is given a Proxy: nothing is raised, and it describes another dtype",
            "ask for the range of a dtype kept in configuration, or inside a module-level function marked with torch.fx.wrap",
        )
    return Report(
        f"`{event.callee}` does not take a Proxy: it raises {event.detail or 'an error that names Proxy'}",
        "use a tensor operation that is recorded, or move the call into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The call becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
