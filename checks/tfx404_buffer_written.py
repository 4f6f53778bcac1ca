"""TFX404 buffer-written: `self.running = ...`, `self.steps += 1` on a buffer.

## What it catches
Assignments to the name of a buffer (`self.running = 0.9 * self.running + x.mean(0)`), augmented ones (`self.steps += 1`),
`register_buffer` in forward, and in-place methods with no traced argument (`self.steps.add_(1)`).

## Why the graph differs
Buffers are concrete while tracing. With no Proxy in sight the operation runs once, for real, and is not recorded. With one, the
*name* is bound to a Proxy, which stays on the original model; the traced module goes on with the old value. (On torch 2.6 the
assignment of a Proxy raises.)

## Fix and its safety
An in-place method of the buffer with a traced tensor as argument is recorded, and updates the traced module's own buffer:
`self.running.lerp_(x.detach().mean(0), 0.1)`. A counter without a traced argument cannot be recorded; hide it in a function marked
with `torch.fx.wrap` that also gets a traced tensor. The repair wraps a function that copies the new value into the buffer: unsafe, since
the value is kept without its history and in the dtype of the buffer.

## When to ignore
In `torch.nn.BatchNorm*` and other leaf modules nothing is to be done: leaves are not traced into.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX404",
    name="buffer-written",
    summary="a buffer is assigned or changed in forward outside the graph",
    events=(EventKind.STATE_WRITE,),
    constructs=("buffer",),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a running mean is assigned",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('running', torch.zeros(4))

    def forward(self, x):
        self.running = self.running + 0.1 * (x.detach().mean(0) - self.running)  # <- here
        return x - self.running
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('running', torch.zeros(4))

    def forward(self, x):
        self.running.lerp_(x.detach().mean(0), 0.1)
        return x - self.running
""",
        ),
        Example(
            "steps are counted",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('steps', torch.zeros(()))

    def forward(self, x):
        self.steps += 1  # <- here
        return x * 2
""",
            Outcome.SILENT,
        ),
        Example(
            "a buffer is read",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('scale', torch.ones(4))

    def forward(self, x):
        return x * self.scale
""",
            Outcome.TRACES,
        ),
        Example(
            "a leaf module has buffers of its own",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: an in-place method with a traced argument is recorded",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('total', torch.zeros(4))

    def forward(self, x):
        self.total.add_(x.detach().sum(0))
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a copy of the buffer is changed",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('scale', torch.ones(4))

    def forward(self, x):
        scale = self.scale + x.mean(0)
        return x * scale
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a buffer; its name is the event's detail."""
    written = ".".join(part for part in (event.subject, event.detail) if part)
    if event.callee.startswith("TypeError"):
        return Report(
            f"the buffer `{written}` is given a Proxy, which torch before 2.13 refuses: {event.callee}",
            "update it by an in-place method with a traced argument, such as self.running.lerp_(x.detach().mean(0), 0.1)",
            Severity.ERROR,
        )
    return Report(
        f"the buffer `{written}` is written once, while tracing: the traced module keeps the old value at every call",
        "update it by an in-place method with a traced argument, such as self.running.lerp_(x.detach().mean(0), 0.1)",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """A wrapped function writes to the buffer in place; a leaf does all of it when the graph runs."""
    return FixRequest(FixKind.REWRITE, "buffer-to-copy"), FixRequest(FixKind.LEAF)
