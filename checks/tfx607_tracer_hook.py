"""TFX607 tracer-hook: a hook of a Tracer subclass is never called, or answers what is wrong for some input.

## What it catches
In subclasses of `torch.fx.Tracer`: private hooks that this torch does not call; hooks with other parameters, or without a result;
`__init__` without `super().__init__()`; `to_bool` with a constant answer; `iter` of a fixed length.

## Why tracing fails
fx calls the hooks with positional arguments and uses what they return: a wrong signature raises `TypeError`, a missing
`super().__init__()` an `AttributeError`. A constant truth or length is taken for every input, silently.

## Fix and its safety
Keep the signatures of `torch.fx.Tracer`, return what `super()` returns, and answer only where you know.

## When to ignore
When the answer holds for all inputs.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX607",
    name="tracer-hook",
    summary="a method of a Tracer subclass does not do what fx needs",
    events=(EventKind.TRACER_HOOK,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "is_leaf_module without the name",
            """
class OwnTracer(fx.Tracer):
    def is_leaf_module(self, m):  # <- here
        return True

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)
""",
            Outcome.BREAKS,
            error="takes 2 positional arguments but 3 were given",
            fixed="""
class OwnTracer(fx.Tracer):
    def is_leaf_module(self, m, name):
        return True

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)
""",
        ),
        Example(
            "a constructor without super",
            """
class OwnTracer(fx.Tracer):
    def __init__(self):  # <- here
        self.seen = []

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.BREAKS,
            error="object has no attribute",
            fixed="""
class OwnTracer(fx.Tracer):
    def __init__(self):
        super().__init__()
        self.seen = []

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
        ),
        Example(
            "every condition is true",
            """
class OwnTracer(fx.Tracer):
    def to_bool(self, obj):
        return True  # <- here

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else x
""",
            Outcome.SILENT,
            inputs="(-torch.ones(2, 4),)",
        ),
        Example(
            "a leaf rule",
            """
class Gate(nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 0 else x

class OwnTracer(fx.Tracer):
    def is_leaf_module(self, m, name):
        return isinstance(m, Gate) or super().is_leaf_module(m, name)

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate()

    def forward(self, x):
        return self.gate(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a constructor that calls super",
            """
class OwnTracer(fx.Tracer):
    def __init__(self, leaves=()):
        super().__init__()
        self.leaves = leaves

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: to_bool that raises",
            """
class OwnTracer(fx.Tracer):
    def to_bool(self, obj):
        raise ValueError(obj.node.name)

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: renamed parameters",
            """
class OwnTracer(fx.Tracer):
    def is_leaf_module(self, module, path, *extra):
        return True

def trace(m):
    return fx.GraphModule(m, OwnTracer().trace(m))

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "private-hook": "this version of torch never calls it",
    "signature": "fx calls it with other arguments",
    "missing-super": "it does not call super().__init__()",
    "wrong-return": "it gives nothing back, and fx uses what it gives",
    "fixed-truth": "it gives every condition the same truth, whatever the input",
    "fixed-length": "it gives every traced value the same length, whatever the input",
}
SILENT = frozenset({"private-hook", "fixed-truth", "fixed-length"})


def report(event: Event) -> Report | None:
    """Words for a hook that is wrong."""
    end = f": {event.detail}" if event.detail and event.construct != "private-hook" else ""
    message = f"`{event.subject}` of this Tracer: {WORDS[event.construct]}{end}"
    help_ = "keep the signature and the result of torch.fx.Tracer's own method"
    if event.construct == "private-hook":
        help_ = f"override `{event.detail}`" if event.detail else "override a public hook of torch.fx.Tracer"
    return Report(message, help_, Severity.WARNING if event.construct in SILENT else None)
