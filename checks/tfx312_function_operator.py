"""TFX312 function-operator: operators that run functions on tensors and do not take Proxies.

## What it catches
`torch.func.vmap(f)(x)`, `torch.func.grad`, `torch.cond(...)`, `torch.func.functional_call(...)`, `torch._check(...)`,
`torch.broadcast_shapes(...)` and other Python functions of torch that check types themselves, with a Proxy among the arguments.

## Why tracing fails
They look at their arguments in Python: `ValueError` of vmap: "Got in_dim=0 for an input but the input is of type <class
'torch.fx.proxy.Proxy'>", `RuntimeError` of cond: "Expected pred to be bool or tensor, but got Proxy(gt)", `TypeError` of
functional_call: "Proxy(mul) is not an instance of torch.Tensor".

## Fix and its safety
* vmap: the batched form of the operation.

* cond: `torch.where`, or a function at module level with a plain `if`, marked with `torch.fx.wrap`.

* `torch._check(c)`: `torch._assert(c, "text")`. Safe.

* Anything else: a function at module level around the call, marked with `torch.fx.wrap`; same numbers, one opaque node.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX312",
    name="function-operator",
    summary="`vmap`, `torch.cond`, `functional_call` and other operators are given traced values",
    events=(EventKind.FOREIGN_CALL,),
    constructs=(
        "operator",
        "nn-function",
    ),
    severity=Severity.ERROR,
    examples=(
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
    """Words for an operator; the name is the event's callee."""
    return Report(
        f"`{event.callee}` checks the type of its arguments and gets `{event.subject}`, a Proxy: tracing raises an error that names Proxy",
        "use the batched form, torch.where or torch._assert, or put the call into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The call becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
