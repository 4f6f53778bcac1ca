"""TFX705 transformer-no-return: an override that returns nothing puts None into the graph.

## What it catches
Overridden `call_function`, `call_method`, `call_module`, `get_attr`, `placeholder`, `output` and `run_node` in which some path ends
without `return`, or returns None.

## Why tracing fails
None is a legal value for fx: the transform goes through, `Graph.lint` passes, and every user of the node gets None in its place. It fails
when the graph runs, or gives another result.

## Fix and its safety
Return what `super()` returns on every path.

## When to ignore
When the value has no user.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX705",
    name="transformer-no-return",
    summary="a method of a Transformer or Interpreter has a path without a result",
    events=(EventKind.TRANSFORMER_NO_RETURN,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a log that forgets the result",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        super().call_function(target, args, kwargs)  # <- here

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="unsupported operand type(s) for +: 'NoneType' and 'int'",
        ),
        Example(
            "one path without a result",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            super().call_function(target, args, kwargs)  # <- here
        else:
            return super().call_function(target, args, kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="unsupported operand type(s) for +: 'NoneType' and 'int'",
        ),
        Example(
            "every path returns",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return super().call_function(torch.sigmoid, args, kwargs)
        return super().call_function(target, args, kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), (lambda x: torch.sigmoid(x) + 1), (torch.randn(2, 4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "the result is kept for later",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        result = super().call_function(target, args, kwargs)
        print(target)
        return result

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the other path raises",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is not torch.neg:
            return super().call_function(target, args, kwargs)
        raise ValueError(target)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a method that fx does not call",
            """
class Swap(fx.Transformer):
    def note(self, target):
        print(target)

    def call_function(self, target, args, kwargs):
        return super().call_function(target, args, kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a path that gives None."""
    message = f"`{event.subject}` of this {event.callee} gives None on this path: None takes the place of the value in the graph"
    return Report(message, f"return what super().{event.subject}(...) returns")
