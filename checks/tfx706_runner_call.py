"""TFX706 runner-call: calls of Transformer and Interpreter that cannot work.

## What it catches
`Interpreter(gm).transform()`; `Transformer(gm)(x)`; `transform(x)`; `Interpreter.run(x, name=...)`; `super().call_function(target, *args,
**kwargs)`; an `__init__` without `super().__init__(module)`; `self.call_function` with the same target.

## Why tracing fails
An Interpreter runs and has no `transform`; a Transformer is not callable; `run` takes positional inputs only; args and kwargs are passed
on as a tuple and a dict: `TypeError` or `AttributeError`. Calling `self.call_function` with the very target that led there recurses for
ever: `RecursionError` (through `super()` it does not).

## Fix and its safety
`Transformer(gm).transform()` gives a GraphModule; `Interpreter(gm).run(x)` gives the result; pass on `(target, args, kwargs)` as they are.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX706",
    name="runner-call",
    summary="a Transformer or Interpreter is called, constructed or continued in a way that fails",
    events=(EventKind.TRANSFORMER_NODE_API,),
    constructs=("transform", "called", "transform-arguments", "run-keyword", "super-arguments", "missing-super", "recursion"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "transform of an Interpreter",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return fx.Interpreter(gm).transform(), Net(), (torch.ones(2),)  # <- here
""",
            Outcome.BREAKS,
            error="object has no attribute 'transform'",
        ),
        Example(
            "arguments spread",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        return super().call_function(target, *args, **kwargs)  # <- here

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="Transformer.call_function() missing 1 required positional argument",
        ),
        Example(
            "the same target again through self",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return self.call_function(torch.relu, args, kwargs)  # <- here
        return super().call_function(target, args, kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="maximum recursion depth exceeded",
        ),
        Example(
            "transform of a Transformer",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return fx.Transformer(gm).transform(), Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "the same function twice, through super",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            y = super().call_function(torch.relu, args, kwargs)
            return super().call_function(torch.relu, (y,), {})
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
        Example(
            "run with positional inputs",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return fx.Interpreter(gm).run, Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: another target through self",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return self.call_function(torch.sigmoid, args, kwargs)
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
    ),
)


HELP = {
    "transform": "an Interpreter runs: use run(), or derive from torch.fx.Transformer",
    "called": "use transform() (a Transformer) or run(x) (an Interpreter)",
    "transform-arguments": "transform() takes no arguments: it gives a GraphModule, which you call",
    "run-keyword": "pass inputs by position",
    "super-arguments": "pass (target, args, kwargs) on as they are: three arguments",
    "missing-super": "call super().__init__(module)",
    "recursion": "call super() in place of self for the same target",
}


def report(event: Event) -> Report | None:
    """Words for a call that fails."""
    end = f": {event.detail}" if event.detail else ""
    return Report(f"`{event.subject}` fails{end}" if end else f"`{event.subject}` fails with TypeError", HELP[event.construct])
