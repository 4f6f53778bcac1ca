"""TFX708 print-tabular: `print_tabular` belongs to Graph, and prints by itself.

## What it catches
`gm.print_tabular()` on a GraphModule; `print(graph.print_tabular())`.

## Why tracing fails
Only Graph has it: "object has no attribute 'print_tabular'". It prints the table (with the package `tabulate`) and returns None, so
printing its result prints None.

## Fix and its safety
`gm.graph.print_tabular()`, as a statement.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX708",
    name="print-tabular",
    summary="print_tabular on a GraphModule, or inside print",
    events=(EventKind.PRINT_TABULAR,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "on a GraphModule",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.print_tabular()  # <- here
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.BREAKS,
            error="object has no attribute 'print_tabular'",
        ),
        Example(
            "print_readable is a GraphModule's",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm.print_readable()
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "the graph's text",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    print(gm.graph)
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a method of another class",
            """
class Table:
    def print_tabular(self):
        return None

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    Table().print_tabular()
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a table that is not printed."""
    if event.construct == "printed":
        message = f"`{event.subject}` prints the table by itself and returns None: printing its result prints None"
        return Report(message, "call it as a statement of its own", Severity.WARNING)
    return Report(f"`{event.subject}` is a GraphModule: {event.detail}", "write gm.graph.print_tabular()")
