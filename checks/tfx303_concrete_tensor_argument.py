"""TFX303 concrete-tensor-argument: a method or slice of a tensor that is no Proxy, with a Proxy as size.

## What it catches
`self.table[:, :n]` where `table` is a buffer or a tensor made at trace time and `n` a Proxy; `self.table.expand(n, -1)`,
`.new_zeros(n, 2)`, `.split(n)`, `.type(x.dtype)`.

## Why tracing fails
Buffers are concrete while tracing (Parameters are not). Slicing one needs real integers: `TypeError`: "slice indices must be
integers or None or have an __index__ method". A method looks for Proxies only in some arguments: "expand() takes 1 positional
argument but 2 were given". On torch 2.6 every method of a concrete tensor fails with a Proxy size.

## Fix and its safety
* `self.table[:n]`: `self.table.narrow(0, 0, n)`, which is recorded on torch 2.13 and gives the same view. On torch 2.6 use a
  wrapped function.

* `self.table.expand(n, -1)`: `self.table.expand((n, -1))`, the sizes in one tuple. Safe.

* A Tracer with `proxy_buffer_attributes = True` makes buffers Proxies, too.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

SLICE = "slice indices must be integers or None or have an __index__ method"

CHECK = Check(
    code="TFX303",
    name="concrete-tensor-argument",
    summary="a buffer or constant tensor is sliced or shaped by a traced size",
    events=(EventKind.TENSOR_ARGUMENT,),
    constructs=(
        "slice",
        "method",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a buffer sliced by a size",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.randn(8, 4))

    def forward(self, x):
        return x + self.table[: x.shape[0]]  # <- here
""",
            Outcome.BREAKS,
            error="slice indices must be integers or None or have an __index__ method",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.randn(8, 4))

    def forward(self, x):
        return x + self.table.narrow(0, 0, x.shape[0])
""",
        ),
        Example(
            "a buffer expanded to a size",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('row', torch.randn(1, 4))

    def forward(self, x):
        return x + self.row.expand(x.shape[0], -1)  # <- here
""",
            Outcome.BREAKS,
            error="expand() takes 1 positional argument but 2 were given",
            fixed="""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('row', torch.randn(1, 4))

    def forward(self, x):
        return x + self.row.expand((x.shape[0], -1))
""",
        ),
        Example(
            "a buffer sliced by configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = 1
        self.register_buffer('table', torch.randn(8, 4))

    def forward(self, x):
        return x + self.table[: self.rows]
""",
            Outcome.TRACES,
        ),
        Example(
            "the sizes in one tuple",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('row', torch.randn(1, 4))

    def forward(self, x):
        return x + self.row.expand((x.shape[0], -1))
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a Parameter is a Proxy, and its slice is recorded",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(8, 4))

    def forward(self, x):
        return x + self.table[: x.shape[0]]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: an integer index is recorded",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.randn(8, 4))

    def forward(self, x):
        return x + self.table[x.shape[0] - 1]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the other size is the Proxy",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('column', torch.randn(2, 1))

    def forward(self, x):
        return x + self.column.expand(2, x.shape[1])[:1]
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a slice and for a method; what torch says of a method is the event's detail."""
    if event.construct == "slice":
        return Report(
            f'a concrete tensor is sliced by `{event.subject}`, a Proxy: tracing raises TypeError "{SLICE}"',
            "write tensor.narrow(dim, start, length), or make the table a Parameter, or slice in a function marked with torch.fx.wrap",
        )
    name = event.callee.rpartition(".")[2]
    return Report(
        f"`{name}` of a concrete tensor is given a Proxy where its argument parser takes none: it raises {event.detail or 'TypeError'}",
        "give the sizes in one tuple, or move the call into a module-level function marked with torch.fx.wrap",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """Sizes of a method fit in one tuple; else the table and its use become opaque."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    return (FixRequest(FixKind.REWRITE, "factory-to-tuple-size"), *opaque) if event.construct == "method" else opaque
