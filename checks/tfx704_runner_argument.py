"""TFX704 runner-argument: Transformer and Interpreter take a GraphModule.

## What it catches
`fx.Transformer(graph)`, `fx.Interpreter(graph)`, and either of a module that was not traced; also for subclasses.

## Why tracing fails
`symbolic_trace` gives a GraphModule, `Tracer().trace` a Graph. A Graph fails with `AttributeError`: "'Graph' object has no attribute
'named_modules'", a plain module with "no attribute 'graph'".

## Fix and its safety
`fx.Transformer(fx.symbolic_trace(m))`, or `fx.GraphModule(m, graph)` around the graph.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX704",
    name="runner-argument",
    summary="Transformer or Interpreter is given a Graph or an untraced module",
    events=(EventKind.TRANSFORMER_NODE_API,),
    constructs=("graph-argument", "module-argument"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a Transformer of a Graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    graph = fx.Tracer().trace(Net())
    return fx.Transformer(graph).transform(), Net(), (torch.ones(2),)  # <- here
""",
            Outcome.BREAKS,
            error="'Graph' object has no attribute 'named_modules'",
        ),
        Example(
            "an Interpreter of an untraced module",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    return fx.Interpreter(Net()).run, Net(), (torch.ones(2),)  # <- here
""",
            Outcome.BREAKS,
            error="object has no attribute 'graph'",
        ),
        Example(
            "a Transformer of a traced module",
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
            "an Interpreter of a traced module",
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
            "near miss: a GraphModule around the graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    graph = fx.Tracer().trace(model)
    return fx.Transformer(fx.GraphModule(model, graph)).transform(), Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an argument that is no GraphModule."""
    what = "a Graph" if event.construct == "graph-argument" else "a module that was not traced"
    message = f"`{event.subject}`: torch.fx.{event.callee} takes a GraphModule, and this is {what}: AttributeError: {event.detail}"
    return Report(message, "give it symbolic_trace(m), or GraphModule(m, graph)")
