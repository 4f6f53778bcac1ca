"""TFX518 buffer-branch: a branch on a buffer that forward writes is decided once.

## What it catches
`if self.initialised:` where the buffer `initialised` is written in forward, or where the branch depends on the numbers of such a buffer.

## Why the graph differs
Buffers are real tensors while tracing, so the branch is taken once, by their values at that time; later writes do not matter to the graph.

## Fix and its safety
Trace with a Tracer whose `proxy_buffer_attributes` is True to get an error in place of a silent choice; compute both arms with
`torch.where`; or put the state into a leaf module.

## When to ignore
When the buffer never changes after tracing.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX518",
    name="buffer-branch",
    summary="a branch on a buffer is decided while tracing",
    events=(EventKind.BUFFER_BRANCH,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "first-call initialisation",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("started", torch.zeros(()))

    def forward(self, x):
        if self.started > 0:  # <- here
            x = x * 2
        self.started.add_(1)
        return x
""",
            Outcome.SILENT,
        ),
        Example(
            "a branch on a plain attribute",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = True

    def forward(self, x):
        return x * 2 if self.ready else x
""",
            Outcome.TRACES,
        ),
        Example(
            "a buffer in arithmetic",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(1))

    def forward(self, x):
        return x * self.scale
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a branch on a buffer that nothing writes",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("flag", torch.ones(()))

    def forward(self, x):
        if self.flag > 0:
            x = x * 2
        return x
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a branch on a buffer."""
    message = f"`{event.subject or 'the buffer'}` is a real tensor while tracing: the branch is taken once, though forward writes it"
    return Report(message, "compute both arms with torch.where, or keep this state in a leaf module")
