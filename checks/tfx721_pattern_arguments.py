"""TFX721 pattern-arguments: what `replace_pattern` cannot take.

## What it catches
`replace_pattern(gm.graph, ...)` or an untraced module; a pattern and a replacement with different numbers of parameters; patterns that
branch on their inputs, return an input, call a module that is no part of them, or have a parameter that they do not use; the list of
matches, which it gives back, used as a module.

## Why tracing fails
It takes a GraphModule: "object has no attribute 'graph'". Pattern and replacement are traced, and matched by position: "Placeholder count
mismatch"; a branch raises `TraceError`; an unused parameter has no match: `KeyError`.

## Fix and its safety
Give the GraphModule, and the same parameters in the same order, each of them used by the pattern.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX721",
    name="pattern-arguments",
    summary="replace_pattern is given a Graph, or a pattern and a replacement that do not fit",
    events=(EventKind.PATTERN,),
    constructs=("not-graph-module", "arity", "branch", "identity", "unused-argument", "result", "module"),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a Graph",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm.graph, lambda x: torch.relu(x), lambda x: torch.sigmoid(x))  # <- here
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="'Graph' object has no attribute 'graph'",
        ),
        Example(
            "another number of parameters",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x: torch.relu(x), lambda x, y: torch.sigmoid(x))  # <- here
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="Placeholder count mismatch: 1 vs 2",
        ),
        Example(
            "a parameter that the pattern does not use",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x, y: torch.relu(x), lambda x, y: torch.sigmoid(x))  # <- here
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.BREAKS,
            error="KeyError: y",
        ),
        Example(
            "the list of matches taken for the module",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    gm = fx.replace_pattern(gm, lambda x: torch.relu(x), lambda x: torch.sigmoid(x))
    return (lambda x: gm(x)), (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)  # <- here
""",
            Outcome.BREAKS,
            error="'list' object is not callable",
        ),
        Example(
            "the module, and patterns that fit",
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
            "functions as patterns",
            """
def pattern(x):
    return torch.relu(x)

def replacement(x):
    return torch.sigmoid(x)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, pattern, replacement)
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a module as the pattern",
            """
class Pattern(nn.Module):
    def forward(self, x):
        return torch.relu(x)

class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, Pattern(), lambda x: torch.sigmoid(x))
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: other names for the parameters",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda a: torch.relu(a), lambda b: torch.sigmoid(b))
    return gm, (lambda x: torch.sigmoid(x) + 1), (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the replacement does not use a parameter",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.add(x, 1)

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda a, b: torch.add(a, b), lambda a, b: torch.sigmoid(a))
    return gm, torch.sigmoid, (torch.randn(4),)
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "not-graph-module": "replace_pattern takes a GraphModule",
    "arity": "pattern and replacement have different numbers of parameters",
    "branch": "the pattern asks for the truth of its input, and patterns are traced",
    "identity": "a pattern that returns its input matches no operation (\"The insert point can't be None\")",
    "unused-argument": "the pattern does not use one of its parameters",
    "result": "replace_pattern changes the module in place, and gives back a list of matches",
    "module": "the pattern calls a module that is no part of it",
}
HELP = {
    "result": "drop the assignment: the GraphModule is changed in place",
    "module": "write the pattern as a module that has the layer as a submodule",
}
FIT = "give a GraphModule, and pattern and replacement with the same parameters, all used"


def report(event: Event) -> Report | None:
    """Words for arguments that do not fit."""
    end = f": {event.detail}" if event.detail else ""
    return Report(f"`{event.subject}`: {WORDS[event.construct]}{end}", HELP.get(event.construct, FIT))
