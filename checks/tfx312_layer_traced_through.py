"""TFX312 layer-traced-through: the forward of a torch.nn layer is entered instead of being one node.

## What it catches
`super().forward(x)` in a subclass of a torch.nn layer, and `self.norm.forward(x)` in place of `self.norm(x)`, for layers whose own
code cannot be traced: BatchNorm, MultiheadAttention, TransformerEncoderLayer and others. (Linear, GroupNorm and many more can.)

## Why tracing fails
Layers of torch.nn are leaves: a call of one is a node, and its code is not entered. A subclass in user code is not a leaf, and a
call of `.forward` goes past the check for leaves. Inside, a branch on the input raises `TraceError`: "symbolically traced variables
cannot be used as inputs to control flow".

## Fix and its safety
* `self.norm(x)` in place of `self.norm.forward(x)`. Safe but for hooks, which then run.

* A subclass: keep the layer as an attribute of a plain module and call it; or a Tracer whose `is_leaf_module` names the subclass.

## When to ignore
When a Tracer of yours makes the class a leaf.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX312",
    name="layer-traced-through",
    summary="a torch.nn layer that cannot be traced is traced through",
    events=(EventKind.FOREIGN_CALL,),
    constructs=("nn-function",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a subclass of BatchNorm1d",
            """
class Norm(nn.BatchNorm1d):
    def forward(self, x):
        return super().forward(x.float())  # <- here

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Norm(4)

    def forward(self, x):
        return self.norm(x)
""",
            Outcome.BREAKS,
            error="symbolically traced variables cannot be used as inputs to control flow",
            fixed="""
class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.BatchNorm1d(width)

    def forward(self, x):
        return self.layer(x.float())

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Norm(4)

    def forward(self, x):
        return self.norm(x)
""",
        ),
        Example(
            "the forward of a leaf is called",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm.forward(x)  # <- here
""",
            Outcome.BREAKS,
            error="symbolically traced variables cannot be used as inputs to control flow",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)
""",
        ),
        Example(
            "the layer is called, and is a leaf",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "the layer in a Sequential",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))

    def forward(self, x):
        return self.body(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a subclass of Linear can be traced through",
            """
class Doubled(nn.Linear):
    def forward(self, x):
        return super().forward(x) * 2

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Doubled(4, 4)

    def forward(self, x):
        return self.layer(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the forward of Linear is called",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer.forward(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a subclass that is a leaf",
            """
class Norm(nn.BatchNorm1d):
    def forward(self, x):
        return super().forward(x.float())

class LeafTracer(fx.Tracer):
    def is_leaf_module(self, m, module_qualified_name):
        return isinstance(m, Norm) or super().is_leaf_module(m, module_qualified_name)

def trace(m):
    return fx.GraphModule(m, LeafTracer().trace(m))

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Norm(4)

    def forward(self, x):
        return self.norm(x)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a layer: its class and `.forward` are the event's callee, what it raises inside the detail."""
    return Report(
        f"`{event.callee}` is traced through, and its code cannot be traced: it raises {event.detail or 'TraceError'}",
        "call the layer itself (self.norm(x)), which is a leaf, or make the subclass a leaf of a Tracer",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A Tracer that makes the class a leaf."""
    return (FixRequest(FixKind.LEAF),)
