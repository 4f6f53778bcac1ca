"""TFX509 context-dropped: a `with` block around traced operations is not recorded.

## What it catches
`with torch.no_grad():`, `torch.autocast`, `torch.inference_mode`, `torch.profiler.record_function` and other context managers in forward.

## Why the graph differs
fx records calls, not contexts: the block is entered once, while tracing, and the operations stand in the graph without it. Gradients flow
where no_grad stood, autocast computes in float32.

## Fix and its safety
`x.detach()` in place of no_grad; `.to(dtype)` in place of autocast; or a function at module level with the block inside, marked with
`torch.fx.wrap`.

A block that only measures (`record_function`), and `enable_grad`, are reported as `info`.

## When to ignore
When nobody asks for gradients and the numbers may differ a little.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

# What these do changes no number and no gradient of a model that is called as models are: measuring, and what holds by default.
UNSEEN = ("enable_grad", "record_function", "profile", "emit_nvtx", "nvtx.range", "detect_anomaly", "set_detect_anomaly")

CHECK = Check(
    code="TFX509",
    name="context-dropped",
    summary="a context manager around traced operations is lost",
    events=(EventKind.CONTEXT_DROPPED,),
    constructs=("with",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a statistic under no_grad",
            """
class M(nn.Module):
    def forward(self, x):
        with torch.no_grad():  # <- here
            scale = x.mean()
        return x * scale
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * x.detach().mean()
""",
        ),
        Example(
            "no_grad inside a wrapped function",
            """
@fx.wrap
def frozen_mean(x):
    with torch.no_grad():
        return x.mean()

class M(nn.Module):
    def forward(self, x):
        return x * frozen_mean(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "detach",
            """
class M(nn.Module):
    def forward(self, x):
        return x * x.detach().mean()
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the block holds no traced operation",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2

    def forward(self, x):
        with torch.no_grad():
            scale = self.scale + 1
        return x * scale
""",
            Outcome.TRACES,
        ),
    ),
)


def _severity(event: Event) -> Severity:
    return Severity.INFO if event.callee.endswith(UNSEEN) else Severity.WARNING


def report(event: Event) -> Report | None:
    """Words for a context that is lost."""
    name = event.callee or "the context manager"
    message = f"`with {event.detail or name}` is entered once, while tracing: its operations stand in the graph without it"
    action = "use detach() or .to(dtype), or move the block into a module-level function marked with torch.fx.wrap"
    return Report(message, action, _severity(event))


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The repairs, the most transparent first."""
    del event
    return (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST),)
