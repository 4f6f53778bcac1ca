"""TFX720 dead-code-with-effect: dead-code elimination removes calls that write in place.

## What it catches
In-place methods, `out=` and `inplace=True` calls, wrapped calls and BatchNorm calls whose result nobody uses, in a module that is traced
and then cleaned by `eliminate_dead_code`; the call on a Graph without a module.

## Why tracing fails
A node without users is dead for fx, unless it is a placeholder, an output, an assert, a random operation or marked as impure: in-place
methods are not. On a bare Graph with call_module nodes it raises `AssertionError`: "self.graph.owning_module not set for purity check".

## Fix and its safety
Use the result (`x = x.mul_(a)`), or the functional form (`x = x * a`); build the GraphModule first; or pass `is_impure_node`.

## When to ignore
When the effect is not wanted.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX720",
    name="dead-code-with-effect",
    summary="eliminate_dead_code removes a call that has an effect, or has no module to ask",
    events=(EventKind.DEAD_CODE,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "an in-place method as a statement",
            """
class Net(nn.Module):
    def forward(self, x):
        y = x * 1
        y.add_(1)  # <- here
        return y

def use():
    gm = fx.symbolic_trace(Net())
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "a graph without a module",
            """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)

def use():
    model = Net()
    graph = fx.Tracer().trace(model)
    graph.eliminate_dead_code()  # <- here
    return fx.GraphModule(model, graph), Net(), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="owning_module not set for purity check",
        ),
        Example(
            "the result of the in-place method is used",
            """
class Net(nn.Module):
    def forward(self, x):
        y = x * 1
        y = y.add_(1)
        return y

def use():
    gm = fx.symbolic_trace(Net())
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "an assert stays",
            """
class Net(nn.Module):
    def forward(self, x):
        torch._assert(x.sum() != 3, "sum")
        return x * 2

def use():
    gm = fx.symbolic_trace(Net())
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the unused call has no effect",
            """
class Net(nn.Module):
    def forward(self, x):
        torch.neg(x)
        return x * 2

def use():
    gm = fx.symbolic_trace(Net())
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return gm, Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a graph without submodules",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    model = Net()
    graph = fx.Tracer().trace(model)
    graph.eliminate_dead_code()
    return fx.GraphModule(model, graph), Net(), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an effect that is removed."""
    if event.construct == "no-owner":
        message = f"`{event.subject}`: the graph belongs to no module: {event.detail}"
        return Report(message, "build GraphModule(model, graph) first, and call it on that module's graph", Severity.ERROR)
    message = f"{event.callee.removeprefix('wrapped:')} {event.detail}, but nobody uses its result: eliminate_dead_code removes it"
    return Report(message, "use the result, or write the functional form")
