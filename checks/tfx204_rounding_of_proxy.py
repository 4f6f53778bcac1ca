"""TFX204 rounding-of-proxy: number builtins that a Proxy does not take part in.

## What it catches
`round(n)`, `divmod(n, k)`, `pow(n, k, m)` where an argument is a Proxy. `abs(n)`, `pow(n, k)` and the operators are recorded, and
are fine.

## Why tracing fails
A Proxy has the operators of Python's `operator` module, and no others: `TypeError`: "type Proxy doesn't define __round__ method",
"unsupported operand type(s) for divmod(): 'Proxy' and 'int'", "unsupported operand type(s) for ** or pow(): 'int', 'Proxy', 'int'".

`pow(n, k, m)` with a Proxy as *base* is worse: it is recorded as `n ** k`, and the modulus is lost without a word.

## Fix and its safety
* `divmod(n, k)`: `n // k, n % k`. Safe for sizes.

* `round(t)` of a tensor: `torch.round(t)`; of a size divided by a number: `math.floor(n / k + 0.5)`, which differs from `round` at
  exact halves.

* `pow(n, k, m)`: `n ** k % m`. Safe for sizes.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX204",
    name="rounding-of-proxy",
    summary="`round()`, `divmod()` or three-argument `pow()` of a traced value",
    events=(EventKind.PROXY_NUMBER,),
    constructs=(
        "round",
        "divmod",
        "pow",
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "quotient and remainder of a size",
            """
class M(nn.Module):
    def forward(self, x):
        rows, rest = divmod(x.shape[1], 3)  # <- here
        return x * rows + rest
""",
            Outcome.BREAKS,
            error="unsupported operand type(s) for divmod(): 'Proxy' and 'int'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        rows, rest = x.shape[1] // 3, x.shape[1] % 3
        return x * rows + rest
""",
        ),
        Example(
            "a rounded quotient",
            """
class M(nn.Module):
    def forward(self, x):
        return x * round(x.shape[1] / 3)  # <- here
""",
            Outcome.BREAKS,
            error="type Proxy doesn't define __round__ method",
        ),
        Example(
            "a power with a modulus",
            """
class M(nn.Module):
    def forward(self, x):
        return x * pow(2, x.shape[1], 5)  # <- here
""",
            Outcome.BREAKS,
            error="unsupported operand type(s) for ** or pow(): 'int', 'Proxy', 'int'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * (2 ** x.shape[1] % 5)
""",
        ),
        Example(
            "the modulus is lost where the base is traced",
            """
class M(nn.Module):
    def forward(self, x):
        return x * pow(x.shape[1], 2, 5)  # <- here
""",
            Outcome.SILENT,
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x * (x.shape[1] ** 2 % 5)
""",
        ),
        Example(
            "the absolute value of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = -2

    def forward(self, x):
        return x * abs(self.offset)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: torch.remainder of a power",
            """
class M(nn.Module):
    def forward(self, x):
        return torch.remainder(x ** 2, 5)
""",
            Outcome.TRACES,
        ),
        Example(
            "round() of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.ratio = 1.7

    def forward(self, x):
        return x * round(self.ratio)
""",
            Outcome.TRACES,
        ),
        Example(
            "divmod() of configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 7

    def forward(self, x):
        return x * divmod(self.width, 3)[1]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: pow() of two arguments is an operator",
            """
class M(nn.Module):
    def forward(self, x):
        return pow(x, 2) + abs(x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the method of the tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x.round()
""",
            Outcome.TRACES,
        ),
    ),
)


TEXTS = {
    "round": "type Proxy doesn't define __round__ method",
    "divmod": "unsupported operand type(s) for divmod()",
    "pow": "unsupported operand type(s) for ** or pow()",
}
HELP = {
    "round": "write torch.round(t) for a tensor, math.floor(n / k + 0.5) for a quotient of sizes (it differs from round at exact halves)",
    "divmod": "write n // k and n % k, which are recorded",
    "pow": "write n ** k % m, which is recorded",
}


def report(event: Event) -> Report | None:
    """Words for a builtin; numbers made from data have a check of their own."""
    if event.facet is Facet.NUMBER:
        return None
    message = f'`{event.construct}()` is given a Proxy (`{event.subject}`): tracing raises TypeError "{TEXTS[event.construct]}"'
    if event.construct == "pow":
        message += ", or drops the modulus where the base is the Proxy"
    return Report(message, HELP[event.construct])


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The call becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
