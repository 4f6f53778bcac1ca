"""TFX609 trace-site: what is handed to the tracer cannot be traced.

## What it catches
`symbolic_trace(Net)` in place of `symbolic_trace(Net())`; a `functools.partial` or a bound method as root; a list as `concrete_args`;
example inputs; `Tracer.trace(m)` in place of `Tracer().trace(m)`.

## Why tracing fails
The tracer takes a module or a plain function: a class, a partial and a bound method raise `AssertionError`. The second argument is
`concrete_args`, a dict from names to values, and no example input: tracing needs none.

## Fix and its safety
Build the module; write a function around a partial or a method; give a dict.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX609",
    name="trace-site",
    summary="symbolic_trace is given a class, or concrete_args of the wrong type",
    events=(EventKind.TRACE_SITE,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "the class in place of an instance",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net)  # <- here
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.BREAKS,
            error="Expected FunctionType, got <class 'type'>",
        ),
        Example(
            "a partial",
            """
import functools

def scaled(x, s):
    return x * s

def use():
    part = functools.partial(scaled, s=2.0)
    gm = fx.symbolic_trace(part)  # <- here
    return gm, part, (torch.ones(2),)
""",
            Outcome.BREAKS,
            error="Expected FunctionType, got <class 'functools.partial'>",
        ),
        Example(
            "a list of names",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net(), ["x"])  # <- here
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.BREAKS,
            error="list indices must be integers or slices, not str",
        ),
        Example(
            "an example input",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net(), torch.ones(2))  # <- here
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.BREAKS,
            error="Tensor.__contains__ only supports Tensor or scalar",
        ),
        Example(
            "a Tracer",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.GraphModule(Net(), fx.Tracer().trace(Net()))
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "an instance",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(Net())
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a function",
            """
def doubled(x):
    return x * 2

def use():
    gm = fx.symbolic_trace(doubled)
    return gm, doubled, (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "a lambda around a partial",
            """
import functools

def scaled(x, s):
    return x * s

def use():
    part = functools.partial(scaled, s=2.0)
    gm = fx.symbolic_trace(lambda x: part(x))
    return gm, part, (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a traced module is traced again",
            """
class Net(nn.Module):
    def forward(self, x):
        return torch.relu(x) + 1

def use():
    gm = fx.symbolic_trace(fx.symbolic_trace(Net()))
    return gm, Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for something that cannot be traced."""
    if event.construct == "not-a-function":
        return Report(f"`{event.subject}` is no plain function: {event.detail}", "trace a module, or a function (or lambda) that calls it")
    if event.construct == "class":
        return Report(f"`{event.subject}` is a class: {event.detail}", "build the module first: symbolic_trace(Net())")
    if event.construct == "unbound":
        return Report(f"`{event.subject}`: {event.detail}", "make a Tracer first: Tracer().trace(m)")
    if event.construct == "example-input":
        message = f"`{event.subject}` is taken for concrete_args: {event.detail}"
        return Report(message, "tracing needs no example input: leave it out")
    return Report(f"concrete_args `{event.subject}` is no dict: {event.detail}", 'give a dict from names to values: {"mask": None}')
