"""TFX520 hook-skipped: hooks of the root, and of modules that are traced through, are not in the graph.

## What it catches
`register_forward_hook`, `register_forward_pre_hook` and what uses them (`spectral_norm`, `weight_norm` of the old kind) on the traced root
or on submodules that are no leaves.

## Why the graph differs
Tracing calls the forward of the root and not the module, so the root's hooks never run; hooks of inner modules run once, while tracing,
and the traced module has no such hooks.

## Fix and its safety
Do in forward what the hook does; put the hook on a leaf; or register it again on the traced module.

## When to ignore
When the hook only measures.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX520",
    name="hook-skipped",
    summary="a forward hook is not recorded",
    events=(EventKind.HOOK_SKIPPED,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a pre-hook on the root",
            """
def doubled(module, args):
    return (args[0] * 2,)

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_pre_hook(doubled)  # <- here

    def forward(self, x):
        return x * 2
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * 2 * 2
""",
        ),
        Example(
            "a hook on a leaf",
            """
def doubled(module, args, out):
    return out * 2

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.lin.register_forward_hook(doubled)

    def forward(self, x):
        return self.lin(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a state-dict hook",
            """
def nothing(*args):
    return None

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_state_dict_post_hook(nothing)

    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a function named like the method",
            """
def register_forward_hook(module):
    return None

class M(nn.Module):
    def __init__(self):
        super().__init__()
        register_forward_hook(self)

    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a hook, and for a forward that an instance holds."""
    if event.construct == "forward-override":
        return Report(
            "`forward` is set on the instance, and tracing calls the forward of the class of the root: the traced module computes that one",
            "define the other forward in a subclass",
        )
    message = "hooks of the traced root, and of modules that are traced through, are not recorded: the traced module never runs this hook"
    return Report(message, "do in forward what the hook does, or register it on the traced module")
