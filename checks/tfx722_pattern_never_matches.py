"""TFX722 pattern-never-matches: a pattern matches operations as they are spelt.

## What it catches
`replace_pattern` on a graph that is known (traced in the same code) in which the pattern does not occur: another spelling of the same
operation, other literals, other keywords.

## Why the graph differs
`torch.relu(x)`, `F.relu(x)`, `x.relu()` and `nn.ReLU()(x)` are four different nodes; arguments must be spelt alike (`dim=1` is not `1`)
and literals must have the same type (`0` is not `0.0`). Without a match nothing is replaced, and torch says nothing.

## Fix and its safety
Write the pattern as the graph spells it (`print(gm.graph)`), one pattern for each spelling, and look at the list of matches that comes
back.

## When to ignore
When the pattern is meant for other graphs, too.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX722",
    name="pattern-never-matches",
    summary="a pattern that does not occur in the graph, or misses other spellings",
    events=(EventKind.PATTERN,),
    constructs=("other-spelling", "some-spellings", "arguments", "never-matches"),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a method for a function",
            """
class Net(nn.Module):
    def forward(self, x):
        return x.relu() + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x: torch.relu(x), lambda x: torch.sigmoid(x))  # <- here
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "a literal of another type",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.clamp(x, 0, 6) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x: torch.clamp(x, 0.0, 6.0), lambda x: torch.sigmoid(x))  # <- here
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.SILENT,
        ),
        Example(
            "the same spelling",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x: torch.relu(x), lambda x: torch.sigmoid(x))
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "two operations",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x: torch.relu(x) + 1, lambda x: torch.sigmoid(x) + 1)
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a parameter matches a literal",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.clamp(x, 0, 6) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x, low: torch.clamp(x, low, 6), lambda x, low: torch.sigmoid(x))
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a graph that is not known",
            """
def make():
    return nn.ReLU() if torch.rand(1) > 2 else nn.Tanh()

def use():
    gm = fx.symbolic_trace(make())
    fx.replace_pattern(gm, lambda x: torch.relu(x), lambda x: torch.sigmoid(x))
    return gm, torch.tanh, (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a pattern that matches nothing."""
    match event.construct:
        case "other-spelling":
            message = f"the pattern never matches: it says `{event.subject}`, and the graph spells that operation {event.detail}"
        case "some-spellings":
            message = f"the pattern matches `{event.subject}` only: the graph also spells that operation {event.detail}"
        case "arguments":
            message = f"the pattern never matches: `{event.subject}` has other arguments, keywords or types of literals in the graph"
        case _:
            message = f"the pattern never matches: the graph has no `{event.subject}`"
    return Report(message, "write the pattern as the graph spells it, one for each spelling, and look at the matches that come back")
