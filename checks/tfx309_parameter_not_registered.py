"""TFX309 parameter-not-registered: an nn.Parameter kept in a plain list or dict, or made in forward.

## What it catches
`self.weights = [nn.Parameter(...)]` and `nn.Parameter(...)` in forward, once they meet a Proxy.

## Why tracing fails
A Parameter becomes a `get_attr` node, by its name in the root; this one has none: `NameError`: "parameter is not a member of this
module". An optimiser does not see such a parameter, either.

## Fix and its safety
* `nn.ParameterList` or `nn.ParameterDict` in place of a list or dict. Safe; the state dict gains their parameters.

* A Parameter made in forward: make it in `__init__`, or use a plain tensor.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX309",
    name="parameter-not-registered",
    summary="a Parameter that the root does not own is used",
    events=(EventKind.PARAMETER_UNREGISTERED,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "parameters in a plain list",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = [nn.Parameter(torch.ones(4))]

    def forward(self, x):
        return x * self.weights[0]  # <- here
""",
            Outcome.BREAKS,
            error="parameter is not a member of this module",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(4))])

    def forward(self, x):
        return x * self.weights[0]
""",
        ),
        Example(
            "parameters in a ParameterList",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(4))])

    def forward(self, x):
        return x * self.weights[0]
""",
            Outcome.TRACES,
        ),
        Example(
            "a Parameter as attribute",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x * self.weight
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: plain tensors in a list become constants",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = [torch.ones(4)]

    def forward(self, x):
        return x * self.weights[0]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a list of parameters that are also attributes",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.order = [self.weight]

    def forward(self, x):
        return x * self.order[0]
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a Parameter without a name in the root."""
    return Report(
        f'the Parameter `{event.subject}` has no name in the root: tracing raises NameError "parameter is not a member of this module"',
        "keep it in an nn.ParameterList or nn.ParameterDict, or make it an attribute of self in __init__",
    )
