"""TFX508 python-random-baked: Python's and numpy's random numbers and the clock are read once.

## What it catches
`random.random()`, `np.random.rand()`, `time.time()` and the like in forward and whatever it calls.

## Why the graph differs
They are plain Python: they run once, while tracing, and what they gave is a constant of the graph. A branch on it keeps the arm of that
time.

## Fix and its safety
Draw with torch from the input (`torch.rand_like(x)`), or move the code into a function marked with `torch.fx.wrap` that takes the input.

## When to ignore
When the number does not change the result (a log, a progress bar).
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX508",
    name="python-random-baked",
    summary="random, numpy.random or time is asked while tracing",
    events=(EventKind.RANDOM,),
    constructs=("python", "numpy", "time"),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a random factor",
            """
import random

class M(nn.Module):
    def forward(self, x):
        return x * random.random()  # <- here
""",
            Outcome.SILENT,
        ),
        Example(
            "stochastic depth",
            """
import random

class M(nn.Module):
    def forward(self, x):
        if random.random() < 0.5:  # <- here
            return x
        return x * 2
""",
            Outcome.SILENT,
        ),
        Example(
            "a number drawn in the constructor",
            """
import random

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = random.Random(0).random()

    def forward(self, x):
        return x * self.scale
""",
            Outcome.TRACES,
        ),
        Example(
            "arithmetic of Python numbers",
            """
import math

class M(nn.Module):
    def forward(self, x):
        return x * math.sqrt(2.0)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: drawn inside a function that is wrapped and takes the input",
            """
import random

@fx.wrap
def zero_or_one(x):
    return random.randint(0, 1)

class M(nn.Module):
    def forward(self, x):
        return x + zero_or_one(x) * 0
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: another object's method named random",
            """
class Table:
    def random(self):
        return 4

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = Table()

    def forward(self, x):
        return x * self.table.random()
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for numbers of Python's own."""
    message = f"{event.callee or 'this call'} runs once, while tracing: its result is a constant of the graph, the same at every call"
    return Report(message, "draw with torch from the input (torch.rand_like), or in a torch.fx.wrap'd function that takes the input")
