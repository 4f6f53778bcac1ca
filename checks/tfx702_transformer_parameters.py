"""TFX702 transformer-parameters: methods of a Transformer get `(target, args, kwargs)`, not a node.

## What it catches
`call_function`, `call_method`, `call_module`, `get_attr`, `placeholder` and `output` that do not take `(self, target, args, kwargs)`;
`run_node` that does not take `(self, n)`.

## Why tracing fails
fx calls them with three positional arguments and raises `TypeError`: "takes 2 positional arguments but 4 were given". There is no node in
sight: targets, args and kwargs hold values, in a Transformer Proxies.

## Fix and its safety
Take `(self, target, args, kwargs)`; override `run_node(self, n)` where the node itself is wanted.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX702",
    name="transformer-parameters",
    summary="an override of Transformer or Interpreter has other parameters than fx passes",
    events=(EventKind.TRANSFORMER_NODE_API,),
    constructs=("node-parameter",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "call_function that takes a node",
            """
class Swap(fx.Transformer):
    def call_function(self, node):  # <- here
        return super().call_function(node.target, node.args, node.kwargs)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return Swap(gm).transform(), Net(), (torch.randn(2, 4),)
""",
            Outcome.BREAKS,
            error="takes 2 positional arguments but 4 were given",
        ),
        Example(
            "the three parameters",
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
            "run_node takes the node",
            """
class Swap(fx.Transformer):
    def run_node(self, n):
        return super().run_node(n)

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
            "near miss: other names",
            """
class Swap(fx.Transformer):
    def call_function(self, function, positional, keywords):
        return super().call_function(function, positional, keywords)

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
            "near miss: variable arguments",
            """
class Swap(fx.Transformer):
    def call_function(self, *everything):
        return super().call_function(*everything)

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
    """Words for parameters that do not fit."""
    wanted = "(self, n)" if event.subject == "run_node" else "(self, target, args, kwargs)"
    message = f"fx calls `{event.subject}` of a {event.callee} as {wanted}: TypeError: {event.detail}"
    return Report(message, f"take {wanted}; override run_node(self, n) where the node itself is wanted")
