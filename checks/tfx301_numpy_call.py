"""TFX301 numpy-call: numpy called with a Proxy.

## What it catches
`np.sqrt(x.shape[1])`, `np.array(x)`, `np.exp(x.numpy())`, `np.prod(x.shape)`: any function of numpy with a Proxy among its
arguments.

## Why tracing fails
numpy tries to make an array of the Proxy and asks it for attributes, all of which a Proxy seems to have: `ValueError`: "invalid
__array_struct__", or `TypeError`: "`__cuda_array_interface__` must be a dict".

Some functions (`np.prod`, `np.mean`, `np.clip`) call a method of that name on the Proxy: that is recorded, and fails when the graph
runs: "AttributeError: 'torch.Size' object has no attribute 'prod'".

## Fix and its safety
* Numbers: `math.sqrt(n)`; the functions of `math` are recorded without a wrap. Safe for sizes.

* Tensors: the function of torch with that name, `torch.exp(x)`. Safe where dtype and the meaning of arguments agree; numpy computes
  in float64 where torch keeps float32.

* Shapes: `x.numel()` for `np.prod(x.shape)`.

* Otherwise a function at module level, marked with `torch.fx.wrap`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX301",
    name="numpy-call",
    summary="a numpy function is given a traced value",
    events=(EventKind.FOREIGN_CALL,),
    constructs=("numpy",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "the root of a size",
            """
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return x / np.sqrt(x.shape[1])  # <- here
""",
            Outcome.BREAKS,
            error="invalid __array_struct__",
            fixed="""
import math

class M(nn.Module):
    def forward(self, x):
        return x / math.sqrt(x.shape[1])
""",
        ),
        Example(
            "a tensor through numpy and back",
            """
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.exp(x.numpy()))  # <- here
""",
            Outcome.BREAKS,
            error="invalid __array_struct__",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return torch.exp(x)
""",
        ),
        Example(
            "the product of a shape is recorded, and fails when it runs",
            """
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return x.reshape(np.prod(x.shape))  # <- here
""",
            Outcome.BREAKS,
            error="'torch.Size' object has no attribute 'prod'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.reshape(x.numel())
""",
        ),
        Example(
            "numpy on configuration, converted to a Python number",
            """
import numpy as np

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 4

    def forward(self, x):
        return x / float(np.sqrt(self.width))
""",
            Outcome.TRACES,
        ),
        Example(
            "numpy in the constructor",
            """
import numpy as np

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, int(np.prod((2, 2))))

    def forward(self, x):
        return self.layer(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: math.sqrt is recorded",
            """
import math

class M(nn.Module):
    def forward(self, x):
        return x / math.sqrt(x.shape[1])
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: numpy inside a wrapped function",
            """
import numpy as np

@fx.wrap
def root(n):
    return float(np.sqrt(n))

class M(nn.Module):
    def forward(self, x):
        return x / root(x.shape[1])
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a call of numpy: the name of the function is the event's callee, what numpy says its detail."""
    raised = event.detail or "ValueError: invalid __array_struct__, or an AttributeError when the graph runs"
    return Report(
        f"`{event.callee}` is given a Proxy: it raises {raised}",
        "use math for numbers (recorded as it is) or torch for tensors, or move the call into a function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """Most functions have a twin in torch or math; the rewrite declines where numbers may differ."""
    return FixRequest(FixKind.REWRITE, "numpy-to-torch"), FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
