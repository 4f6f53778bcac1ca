"""TFX306 foreign-library: einops and other libraries that look at the type of their argument.

## What it catches
`einops.rearrange`, `reduce`, `repeat`, `einsum` and the layers of `einops.layers.torch`, and functions of other libraries that are
known not to take Proxies, where a Proxy is among the arguments.

## Why tracing fails
einops looks for the backend of its argument by type: `RuntimeError`: "Tensor type unknown to einops <class
'torch.fx.proxy.Proxy'>". Its layers are modules outside torch.nn, so tracing goes into them: `KeyError: Proxy(getattr_1)`.

## Fix and its safety
* `torch.fx.wrap("rearrange")` at the top level of every module that calls the function by that imported name. Safe: the same call,
  one opaque node. A call spelled `einops.rearrange(...)` is not reached by a wrap: import the name.

* A layer of einops: a Tracer whose `is_leaf_module` names it.

* Plain torch: `x.reshape(...)`, `x.permute(...)`, all of it transparent.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX306",
    name="foreign-library",
    summary="a function of another library is given a traced value",
    events=(EventKind.FOREIGN_CALL,),
    constructs=(
        "einops",
        "library",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "rearrange of the input",
            """
from einops import rearrange

class M(nn.Module):
    def forward(self, x):
        return rearrange(x, 'b (h w) -> b h w', h=2)  # <- here
""",
            Outcome.BREAKS,
            error="Tensor type unknown to einops <class 'torch.fx.proxy.Proxy'>",
            fixed="""
from einops import rearrange

fx.wrap("rearrange")

class M(nn.Module):
    def forward(self, x):
        return rearrange(x, 'b (h w) -> b h w', h=2)
""",
        ),
        Example(
            "a layer of einops",
            """
from einops.layers.torch import Rearrange

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = Rearrange('b (h w) -> b h w', h=2)

    def forward(self, x):
        return self.heads(x)  # <- here
""",
            Outcome.BREAKS,
            error="KeyError: Proxy(getattr_1)",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.reshape(-1, 2, x.shape[1] // 2)
""",
        ),
        Example(
            "rearrange of a buffer",
            """
from einops import rearrange

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.randn(4))

    def forward(self, x):
        return x * rearrange(self.table, '(a b) -> a b', a=1)
""",
            Outcome.TRACES,
        ),
        Example(
            "plain torch",
            """
class M(nn.Module):
    def forward(self, x):
        return x.reshape(-1, 2, 2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the wrapped name is recorded",
            """
from einops import rearrange

fx.wrap("rearrange")

class M(nn.Module):
    def forward(self, x):
        return rearrange(x, 'b (h w) -> b h w', h=2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: torch has an einsum of its own",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.einsum('bi,bj->ij', x, x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a function of another library: its name is the event's callee, what it says the detail."""
    name = event.callee.rpartition(".")[2]
    return Report(
        f"`{event.callee}` is given a Proxy: it raises {event.detail or 'an error, for it looks at the type of its arguments'}",
        f'call torch.fx.wrap("{name}") at the top level of this module (and call it by that imported name), or write it with torch',
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The call itself becomes the opaque node."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
