"""TFX608 concrete-args: `concrete_args` names a parameter that does not exist, or cannot hold what it is given.

## What it catches
Keys of `concrete_args` that forward has no parameter for; tensors as values; calls of the traced module that pass a bound argument by its
keyword, with another value, or leave it out.

## Why tracing fails
A name that does not exist is ignored without a word, and the parameter stays traced. A tensor is baked in and what callers pass is
ignored. A bound parameter stays a parameter of the graph under another name (`flag_1`), and its value is checked: by keyword, the call
raises `TypeError`.

## Fix and its safety
Spell the name as forward does; bind numbers, strings, None and bools only; pass the bound value by position or leave it out where it has a
default.

## When to ignore
Never.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX608",
    name="concrete-args",
    summary="concrete_args is misspelt, ignored or contradicted",
    events=(EventKind.CONCRETE_ARGS,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a misspelt name",
            """
def trace(m):
    return fx.symbolic_trace(m, concrete_args={"masks": None})  # <- here

class M(nn.Module):
    def forward(self, x, mask=None):
        if mask is None:
            return x * 2
        return x * mask
""",
            Outcome.BREAKS,
            error="unsupported operand type(s) for *",
            fixed="""
def trace(m):
    return fx.symbolic_trace(m, concrete_args={"mask": None})

class M(nn.Module):
    def forward(self, x, mask=None):
        if mask is None:
            return x * 2
        return x * mask
""",
        ),
        Example(
            "a bound argument by keyword",
            """
class Net(nn.Module):
    def forward(self, x, flag=True):
        return x if flag else -x

def use():
    gm = fx.symbolic_trace(Net(), concrete_args={"flag": True})
    return (lambda x: gm(x, flag=True)), Net(), (torch.ones(2),)  # <- here
""",
            Outcome.BREAKS,
            error="unexpected keyword argument 'flag'",
        ),
        Example(
            "another value than the bound one",
            """
class Net(nn.Module):
    def forward(self, x, flag=True):
        return x if flag else -x

def use():
    gm = fx.symbolic_trace(Net(), concrete_args={"flag": True})
    return (lambda x: gm(x, False)), (lambda x: -x), (torch.ones(2),)  # <- here
""",
            Outcome.BREAKS,
            error="flag has been specialized to have value True but got another value",
        ),
        Example(
            "a bound flag",
            """
def trace(m):
    return fx.symbolic_trace(m, concrete_args={"flag": True})

class M(nn.Module):
    def forward(self, x, flag=True):
        return x * 2 if flag else x
""",
            Outcome.TRACES,
        ),
        Example(
            "nothing bound",
            """
def trace(m):
    return fx.symbolic_trace(m)

class M(nn.Module):
    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: placeholders inside a dict",
            """
def trace(m):
    return fx.symbolic_trace(m, concrete_args={"batch": {"a": fx.PH, "b": fx.PH}})

class M(nn.Module):
    def forward(self, batch):
        return batch["a"] + batch["b"]
""",
            Outcome.TRACES,
            inputs='({"a": torch.ones(2), "b": torch.ones(2)},)',
        ),
        Example(
            "near miss: the argument is passed by position",
            """
class Net(nn.Module):
    def forward(self, x, flag=True):
        return x if flag else -x

def use():
    gm = fx.symbolic_trace(Net(), concrete_args={"flag": True})
    return (lambda x: gm(x, True)), Net(), (torch.ones(2),)
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for an argument that is not bound as meant."""
    match event.construct:
        case "misspelt":
            message = f"concrete_args names `{event.subject}`, which forward has no parameter for: it is ignored without a word"
            return Report(message, f"spell it as forward does: {event.detail}")
        case "keyword":
            message = f"`{event.subject}` was bound by concrete_args and has another name in the traced module: TypeError: {event.detail}"
            return Report(message, "pass it by position, or leave it out where it has a default", Severity.ERROR)
        case "contradicted" | "omitted":
            message = f"`{event.subject}` was bound by concrete_args, and this call does not pass what it was bound to: {event.detail}"
            return Report(message, "pass the bound value by position", Severity.ERROR)
        case _:
            message = f"concrete_args binds `{event.subject}` to a tensor: it is baked into the graph, and what callers pass is ignored"
            return Report(message, "leave tensors to be traced; bind numbers, strings, bools and None only")
