"""TFX703 transformer-returns-node: a Transformer's methods return Proxies, not Nodes.

## What it catches
`return self.tracer.create_node(...)`, `return self.new_graph.call_function(...)` and `return super().call_function(...).node` in methods
of a `torch.fx.Transformer`.

## Why tracing fails
What a method returns is the argument of the next call, and a Transformer traces that call: a Node is no argument type, and torch raises
`NotImplementedError`: "argument of type: <class 'torch.fx.node.Node'>".

## Fix and its safety
Return what `super()` returns, or `self.tracer.create_proxy(...)`, or `torch.fx.Proxy(node, self.tracer)`.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX703",
    name="transformer-returns-node",
    summary="an override of Transformer returns a Node",
    events=(EventKind.TRANSFORMER_NODE_API,),
    constructs=("node-return",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "create_node of the tracer",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return self.tracer.create_node("call_function", torch.sigmoid, args, kwargs)  # <- here
        return super().call_function(target, args, kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), (lambda x: torch.sigmoid(x) + 1), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="argument of type: <class 'torch.fx.node.Node'>",
        ),
        Example(
            "the node behind the Proxy",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        return super().call_function(target, args, kwargs).node  # <- here

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="argument of type: <class 'torch.fx.node.Node'>",
        ),
        Example(
            "what super returns",
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
            "a plain number",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return 0.0
        return super().call_function(target, args, kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), (lambda x: 1.0), (torch.randn(2, 4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a Proxy around a new node",
            """
class Swap(fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            node = self.new_graph.call_function(torch.sigmoid, tuple(a.node for a in args), kwargs)
            return fx.Proxy(node, self.tracer)
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
    """Words for a Node in place of a Proxy."""
    message = f"`{event.subject}` is a Node, and what a Transformer's method returns must be a Proxy or a plain value: {event.detail}"
    return Report(message, "return what super() returns, or self.tracer.create_proxy(...), or torch.fx.Proxy(node, self.tracer)")
