"""TFX701 transformer-create-node: a Transformer has no `create_node`.

## What it catches
`self.create_node(...)`, `self.create_proxy(...)` and other attributes that `torch.fx.Transformer` or `torch.fx.Interpreter` do not have,
in their subclasses.

## Why tracing fails
torch raises `AttributeError`: create_node is a method of Graph and of Tracer, not of Transformer.

## Fix and its safety
* `super().call_function(new_target, args, kwargs)` emits a call of another function (and goes into it while it does).
* `self.tracer.create_proxy("call_function", target, args, kwargs)` keeps one node.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX701",
    name="transformer-create-node",
    summary="a method or attribute that Transformer and Interpreter do not have",
    events=(EventKind.TRANSFORMER_NODE_API,),
    constructs=("create_node", "create_proxy", "attribute"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "create_node in call_function",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return self.create_node("call_function", torch.sigmoid, args, kwargs)  # <- here
        return super().call_function(target, args, kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), (lambda x: torch.sigmoid(x) + 1), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="object has no attribute 'create_node'",
        ),
        Example(
            "another target through super",
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
            "create_proxy of the tracer",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return self.tracer.create_proxy("call_function", torch.sigmoid, args, kwargs)
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
            "near miss: a method of the class's own",
            """
class Swap(fx.Transformer):
    def create_node(self, target, args, kwargs):
        if target is torch.relu:
            target = torch.sigmoid
        return super().call_function(target, args, kwargs)

    def call_function(self, target, args, kwargs):
        return self.create_node(target, args, kwargs)

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
            "near miss: an attribute that the constructor sets",
            """
class Swap(fx.Transformer):
    def __init__(self, module):
        super().__init__(module)
        self.count = 0

    def call_function(self, target, args, kwargs):
        self.count = self.count + 1
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
    ),
)


def report(event: Event) -> Report | None:
    """Words for an attribute that is not there."""
    message = f"`{event.subject}`: AttributeError: {event.detail}"
    if event.construct == "attribute":
        return Report(message, f"see torch.fx.{event.callee} for what it offers")
    return Report(message, "use super().call_function(new_target, args, kwargs), or self.tracer.create_proxy(...) to keep one node")
