"""TFX308 no-argument-type: "argument of type": what a node cannot hold.

## What it catches
Objects other than tensors, numbers, strings, None, dtypes, devices, enums, tuples, lists, dicts, slices, ranges, NamedTuples and
dataclasses, as an argument of a recorded call or as the result of forward: instances of plain classes, sets, generators,
coroutines, numpy arrays.

## Why tracing fails
The arguments of a node are data that can be written down as code. Anything else raises `NotImplementedError`: "argument of type:
<class 'X'>".

## Fix and its safety
* Return or pass a NamedTuple, a dataclass, a dict or a tuple instead.

* Pass the fields that are needed, not the object (`g(x, config.eps)`).

* A generator or a set: make a list of it.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX308",
    name="no-argument-type",
    summary="an object of a class that a graph cannot hold reaches a recorded call or the result",
    events=(EventKind.NO_ARGUMENT_TYPE,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a result of a plain class",
            """
class Result:
    def __init__(self, value):
        self.value = value

class M(nn.Module):
    def forward(self, x):
        return Result(x * 2)  # <- here
""",
            Outcome.BREAKS,
            error="argument of type: <class 'program.Result'>",
        ),
        Example(
            "a configuration object for a wrapped function",
            """
class Config:
    scale = 2.0

@fx.wrap
def scaled(x, config):
    return x * config.scale

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.config = Config()

    def forward(self, x):
        return scaled(x, self.config)  # <- here
""",
            Outcome.BREAKS,
            error="argument of type: <class 'program.Config'>",
            fixed="""
class Config:
    scale = 2.0

@fx.wrap
def scaled(x, scale):
    return x * scale

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.config = Config()

    def forward(self, x):
        return scaled(x, self.config.scale)
""",
        ),
        Example(
            "a numpy array as operand",
            """
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return x * np.ones(4, dtype=np.float32)  # <- here
""",
            Outcome.BREAKS,
            error="argument of type: <class 'numpy.ndarray'>",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * torch.ones(4)
""",
        ),
        Example(
            "a dictionary as result",
            """
class M(nn.Module):
    def forward(self, x):
        return {'value': x * 2}
""",
            Outcome.TRACES,
        ),
        Example(
            "a NamedTuple as result",
            """
from typing import NamedTuple

class Result(NamedTuple):
    value: torch.Tensor

class M(nn.Module):
    def forward(self, x):
        return Result(x * 2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a dataclass as result",
            """
from dataclasses import dataclass

@dataclass
class Result:
    value: torch.Tensor

class M(nn.Module):
    def forward(self, x):
        return Result(x * 2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a plain object that stays inside forward",
            """
class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right

class M(nn.Module):
    def forward(self, x):
        pair = Pair(x, x * 2)
        return pair.left + pair.right
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: numbers that numpy and torch name",
            """
import math
import numpy as np

class M(nn.Module):
    def forward(self, x):
        x = torch.where(x > 0, x, np.nan).clamp(max=np.inf)[np.newaxis]
        return torch.add(x, math.pi).masked_fill(x < 0, -torch.inf) * np.e
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: an enum as argument",
            """
import enum

class Mode(enum.Enum):
    DOUBLE = 2

@fx.wrap
def scaled(x, mode):
    return x * mode.value

class M(nn.Module):
    def forward(self, x):
        return scaled(x, Mode.DOUBLE)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an object that no node can hold: its class is the event's detail, the recorded call its callee (none for the result)."""
    where = f"an argument of `{event.callee}`" if event.callee else "the result"
    kind = event.detail or event.construct
    return Report(
        f"{where} is an object that a graph cannot hold: tracing raises NotImplementedError \"argument of type: <class '{kind}'>\"",
        "pass tensors, numbers, strings, tuples, lists, dicts, NamedTuples or dataclasses; of an object pass the fields that are needed",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """What is returned can be built by a wrapped function; a function around a recorded call would get the same object: then a leaf."""
    return (FixRequest(FixKind.LEAF),) if event.callee else (FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
