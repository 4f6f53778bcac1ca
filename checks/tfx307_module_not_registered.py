"""TFX307 module-not-registered: a module built in forward, kept in a plain list, or cut from a Sequential.

## What it catches
`nn.ReLU()(x)` in forward, `self.layers = [nn.Linear(...)]`, a module in a global variable, and `self.body[:2](x)` where the slice
of a Sequential is called. A loop over the slice is fine.

## Why tracing fails
The graph names modules by their path from the root, and this one has none: `NameError`: "module is not installed as a submodule".
Parameters of a module built in forward are also new at every call.

## Fix and its safety
* Build the module in `__init__`. Safe for modules without parameters; with parameters their values change from new at each call to
  learned, which is most likely what was meant.

* `nn.ModuleList` or `nn.ModuleDict` in place of a list or dict. Safe; the state dict gains their parameters.

* `for layer in self.body[:2]: x = layer(x)`, or the function: `F.relu(x)`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX307",
    name="module-not-registered",
    summary="a module that the root does not own is called",
    events=(EventKind.MODULE_UNREGISTERED,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a module built in forward",
            """
class M(nn.Module):
    def forward(self, x):
        return nn.ReLU()(x)  # <- here
""",
            Outcome.BREAKS,
            error="module is not installed as a submodule",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(x)
""",
        ),
        Example(
            "modules in a plain list",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.ReLU(), nn.Tanh()]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)  # <- here
        return x
""",
            Outcome.BREAKS,
            error="module is not installed as a submodule",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
        ),
        Example(
            "a slice of a Sequential",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Tanh())

    def forward(self, x):
        return self.body[:1](x)  # <- here
""",
            Outcome.BREAKS,
            error="module is not installed as a submodule",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Tanh())

    def forward(self, x):
        for layer in self.body[:1]:
            x = layer(x)
        return x
""",
        ),
        Example(
            "modules in a ModuleList",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
            Outcome.TRACES,
        ),
        Example(
            "the function",
            """
class M(nn.Module):
    def forward(self, x):
        return F.relu(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a loop over a slice of a Sequential",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Tanh())

    def forward(self, x):
        for layer in self.body[:1]:
            x = layer(x)
        return x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a plain list of modules that are also attributes",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.order = [self.first, self.first]

    def forward(self, x):
        for layer in self.order:
            x = layer(x)
        return x
""",
            Outcome.TRACES,
        ),
    ),
)


WORDS = {
    "forward": ("is built in forward", "build it in __init__ and call it by its attribute"),
    "list": ("is kept in a plain list or dict", "keep it in an nn.ModuleList or nn.ModuleDict"),
    "global": ("is a global variable", "make it an attribute of the module"),
    "sequential-slice": ("is a new Sequential made by the slice", "loop over the slice: for layer in self.body[:n]: x = layer(x)"),
}
OTHERS = ("does not belong to the root", "register it: assign it to an attribute of self in __init__")


def report(event: Event) -> Report | None:
    """Words for each way in which a module stays unregistered."""
    why, help_ = WORDS.get(event.construct, OTHERS)
    return Report(f'the module `{event.subject}` {why}: tracing raises NameError "module is not installed as a submodule"', help_)


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A module built in forward moves to the constructor; a list becomes a ModuleList; the other repairs are the author's."""
    rule = {"forward": "module-to-init", "list": "list-to-module-list"}.get(event.construct)
    return () if rule is None else (FixRequest(FixKind.REWRITE, rule),)
