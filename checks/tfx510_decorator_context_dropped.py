"""TFX510 decorator-context-dropped: a decorator such as `@torch.no_grad()` is not recorded.

## What it catches
Methods and functions under `@torch.no_grad()`, `@torch.inference_mode()`, `@torch.autocast(...)` that tracing goes through.

## Why the graph differs
The decorator enters its context once, while tracing. The operations are recorded without it, so gradients flow where eager execution has
none.

## Fix and its safety
Use `x.detach()`, or wrap the function: `@torch.fx.wrap` above the decorator keeps it whole.

## When to ignore
When gradients are never asked for.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

# What these do changes no number and no gradient of a model that is called as models are: measuring, and what holds by default.
UNSEEN = ("enable_grad", "record_function", "profile", "emit_nvtx", "nvtx.range", "detect_anomaly", "set_detect_anomaly")

CHECK = Check(
    code="TFX510",
    name="decorator-context-dropped",
    summary="a decorated function is traced without its decorator",
    events=(EventKind.CONTEXT_DROPPED,),
    constructs=("decorator",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a helper under no_grad",
            """
class M(nn.Module):
    @torch.no_grad()
    def scale(self, x):
        return x.mean()

    def forward(self, x):
        return x * self.scale(x)  # <- here
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * x.detach().mean()
""",
        ),
        Example(
            "the decorated function is wrapped",
            """
@fx.wrap
@torch.no_grad()
def scale(x):
    return x.mean()

class M(nn.Module):
    def forward(self, x):
        return x * scale(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "a decorator that changes nothing",
            """
class M(nn.Module):
    @torch.jit.unused
    def scale(self, x):
        return x.mean()

    def forward(self, x):
        return x * self.scale(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a decorated method that forward never calls",
            """
class M(nn.Module):
    @torch.no_grad()
    def reset(self):
        self.count = 0

    def forward(self, x):
        return x * 2
""",
            Outcome.TRACES,
        ),
    ),
)


def _severity(event: Event) -> Severity:
    return Severity.INFO if event.callee.endswith(UNSEEN) else Severity.WARNING


def report(event: Event) -> Report | None:
    """Words for a decorator that is lost."""
    message = f"the decorator `{event.detail or event.callee}` acts once, while tracing: its operations stand in the graph without it"
    return Report(message, "use detach(), or mark the decorated function with torch.fx.wrap (wrap outermost)", _severity(event))


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The repairs, the most transparent first."""
    del event
    return (FixRequest(FixKind.WRAP),)
