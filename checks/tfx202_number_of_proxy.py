"""TFX202 number-of-proxy: a conversion of a Proxy to a Python number.

## What it catches
`int(x.shape[0] / 2)`, `float(x.shape[1])`, `complex(...)` of sizes, ranks or tensors. (Of `x.item()` and its like another check
speaks.)

## Why tracing fails
The conversions are C functions that want a real number. torch gives them a Proxy: `TypeError`: "int() argument must be a string, a
bytes-like object or a real number, not 'Proxy'", "float() argument must be a string or a real number, not 'Proxy'".

## Fix and its safety
* `int(a / b)` of sizes: `a // b`. Safe for sizes, which are never negative, as long as they stay below 2**53.

* `int(size)`: the size itself, which is an int already.

* `float(size)`: the size itself where it is only an operand of arithmetic with tensors.

* `math.floor`, `math.ceil` and `math.sqrt` are recorded without any wrap: `import math; math.floor(...)`.

* A tensor: `x.int()`, `x.float()`, `x.to(dtype)` keep it a tensor.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX202",
    name="number-of-proxy",
    summary="`int()`, `float()` or `complex()` of a traced value",
    events=(EventKind.PROXY_NUMBER,),
    constructs=(
        "int",
        "float",
        "complex",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "half of a size",
            """
class M(nn.Module):
    def forward(self, x):
        return x.narrow(0, 0, int(x.shape[0] / 2))  # <- here
""",
            Outcome.BREAKS,
            error="int() argument must be a string, a bytes-like object or a real number, not 'Proxy'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x.narrow(0, 0, x.shape[0] // 2)
""",
        ),
        Example(
            "a size as a float",
            """
class M(nn.Module):
    def forward(self, x):
        return x / float(x.shape[1])  # <- here
""",
            Outcome.BREAKS,
            error="float() argument must be a string or a real number, not 'Proxy'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x / x.shape[1]
""",
        ),
        Example(
            "a size as a complex number",
            """
class M(nn.Module):
    def forward(self, x):
        return x * complex(x.shape[1])  # <- here
""",
            Outcome.BREAKS,
            error="complex() first argument must be a string or a number, not 'Proxy'",
        ),
        Example(
            "int() of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.ratio = 0.5

    def forward(self, x):
        return x.narrow(0, 0, int(self.ratio * 2))
""",
            Outcome.TRACES,
        ),
        Example(
            "int() of a buffer, which is concrete",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('limit', torch.tensor(3))

    def forward(self, x):
        return x * int(self.limit)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: integer division",
            """
class M(nn.Module):
    def forward(self, x):
        return x.narrow(0, 0, x.shape[0] // 2)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the method of the tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x.int().float()
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: math.floor is recorded",
            """
import math

class M(nn.Module):
    def forward(self, x):
        return x.narrow(0, 0, math.floor(x.shape[0] / 2))
""",
            Outcome.TRACES,
        ),
    ),
)


TEXTS = {
    "int": "int() argument must be a string, a bytes-like object or a real number, not 'Proxy'",
    "float": "float() argument must be a string or a real number, not 'Proxy'",
    "complex": "complex() first argument must be a string or a number, not 'Proxy'",
}
HELP = {
    "int": "write `//` for a division of sizes, math.floor or math.ceil (recorded), x.int() for a tensor, or leave a size as it is",
    "float": "leave a size as it is in arithmetic with tensors, or write x.float() for a tensor",
    "complex": "write x.to(torch.complex64) for a tensor, or move the expression into a module-level function marked with torch.fx.wrap",
}


def report(event: Event) -> Report | None:
    """Words for a conversion; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    message = f'`{event.construct}({event.subject})` of a Proxy: tracing raises TypeError "{TEXTS[event.construct]}"'
    return Report(message, HELP[event.construct])


def fix(event: Event) -> tuple[FixRequest, ...]:
    """Arithmetic on sizes has exact forms without a conversion; the rest becomes opaque."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    if event.facet is not Facet.SIZE_ITEM:
        return opaque
    match event.construct:
        case "int":
            return FixRequest(FixKind.REWRITE, "int-of-division"), FixRequest(FixKind.REWRITE, "int-of-size"), *opaque
        case "float":
            return FixRequest(FixKind.REWRITE, "float-of-size"), *opaque
        case _:
            return opaque
