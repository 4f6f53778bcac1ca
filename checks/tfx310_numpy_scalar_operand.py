"""TFX310 numpy-scalar-operand: `np.float64` in the code of a graph.

## What it catches
`x * np.sqrt(4)`, where numpy computes on constants and gives an `np.float64`, and numpy scalars kept in attributes, as operands or
arguments beside a Proxy.

## Why tracing fails
With numpy 2 an `np.float64` (which is a float, so tracing takes it) is written into the generated code as `np.float64(2.0)`, and
running it raises "NameError: name 'np' is not defined". Other numpy scalars raise `NotImplementedError`: "argument of type: <class
'numpy.float32'>"; on the left of an operator numpy itself fails: "invalid __array_struct__".

## Fix and its safety
`float(...)` or `int(...)` around it, or `math.sqrt` in place of `np.sqrt`. Safe: the same number.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX310",
    name="numpy-scalar-operand",
    summary="a numpy scalar is an operand of a recorded operation",
    events=(EventKind.NUMPY_OPERAND,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "the root of a constant",
            """
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return x * np.sqrt(4)  # <- here
""",
            Outcome.BREAKS,
            error="name 'np' is not defined",
            fixed="""
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return x * float(np.sqrt(4))
""",
        ),
        Example(
            "a numpy scalar in an attribute",
            """
import numpy as np

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = np.float32(2.0)

    def forward(self, x):
        return x * self.scale  # <- here
""",
            Outcome.BREAKS,
            error="argument of type: <class 'numpy.float32'>",
            fixed="""
import numpy as np

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = float(np.float32(2.0))

    def forward(self, x):
        return x * self.scale
""",
        ),
        Example(
            "converted to a Python number",
            """
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return x * float(np.sqrt(4))
""",
            Outcome.TRACES,
        ),
        Example(
            "math gives Python numbers",
            """
import math

class M(nn.Module):
    def forward(self, x):
        return x * math.sqrt(4)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a numpy integer in the constructor of a layer",
            """
import numpy as np

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, np.int64(4))

    def forward(self, x):
        return self.layer(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a numpy scalar beside a concrete tensor only",
            """
import numpy as np

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.ones(4))

    def forward(self, x):
        return x * (self.table * np.sqrt(4))
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a numpy scalar."""
    if event.construct == "left-operand":
        end = "whose operator makes an array of the Proxy: ValueError: invalid __array_struct__"
    elif event.detail == "numpy.float64":
        end = "which a graph's code cannot name: running it raises NameError: name 'np' is not defined"
    else:
        end = f"which no graph can hold: NotImplementedError: argument of type: <class '{event.detail}'>"
    return Report(f"`{event.subject}` is a numpy scalar, {end}", "convert it with float(...) or int(...), or use math in place of numpy")


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The expression becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
