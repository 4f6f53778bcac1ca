"""TFX209 item-as-number: `x.item()`, `x.tolist()` or `x.numpy()` used where Python wants a real number or list.

## What it catches
`int(x.item())`, `range(lengths.max().item())`, `for v in x.tolist()`, `len(x.tolist())`, `items[x.argmax().item()]`: the value of
`.item()`, `.tolist()` or `.numpy()` where Python itself needs it. Plain arithmetic with `.item()` is recorded, and is fine; a
branch on it is reported as a branch.

## Why tracing fails
`.item()` on a Proxy gives another Proxy, not a number: conversions and `range()` raise `TypeError` ("int() argument must be a
string, a bytes-like object or a real number, not 'Proxy'"), loops raise `TraceError` ("Proxy object cannot be iterated"), `len()`
raises `RuntimeError`.

## Fix and its safety
* Arithmetic: drop the conversion. `x / float(x.max().item())` is `x / x.max()`; a tensor of one element takes part in arithmetic.
  Unsafe: the numbers may be rounded in the dtype of the tensor, and gradients flow through it.

* Sizes that depend on data have no static shape: move the code into a function at module level, marked with `torch.fx.wrap`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Facet, FixKind, FixRequest, Outcome, Report, Safety, Severity

WANTED = {
    "percent": "a number format",
    "format-spec": "a number format",
    "list-index": "the index of a Python sequence",
    "slice": "the slice of a Python sequence",
    "index": "Python",
    **{name: f"`{name}()`" for name in ("int", "float", "complex", "range", "round", "divmod", "pow")},
}

CHECK = Check(
    code="TFX209",
    name="item-as-number",
    summary="a number read from a tensor, used as a Python number",
    events=(
        EventKind.PROXY_NUMBER,
        EventKind.PROXY_ITER,
        EventKind.PROXY_LEN,
    ),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a maximum as a float",
            """
class M(nn.Module):
    def forward(self, x):
        return x / float(x.abs().max().item())  # <- here
""",
            Outcome.BREAKS,
            error="float() argument must be a string or a real number, not 'Proxy'",
            fixed="""
class M(nn.Module):
    def forward(self, x):
        return x / x.abs().max().detach()
""",
        ),
        Example(
            "a loop over a list of lengths",
            """
class M(nn.Module):
    def forward(self, x, lengths):
        return torch.stack([x[:n].sum() for n in lengths.tolist()])  # <- here
""",
            Outcome.BREAKS,
            error="Proxy object cannot be iterated",
            inputs="(torch.randn(4, 4), torch.tensor([1, 3]))",
            fixed="""
@fx.wrap
def prefix_sums(x, lengths):
    return torch.stack([x[:n].sum() for n in lengths.tolist()])

class M(nn.Module):
    def forward(self, x, lengths):
        return prefix_sums(x, lengths)
""",
        ),
        Example(
            "a range over the longest length",
            """
class M(nn.Module):
    def forward(self, x, lengths):
        total = 0
        for i in range(lengths.max().item()):  # <- here
            total = total + x[i]
        return total
""",
            Outcome.BREAKS,
            error="'Proxy' object cannot be interpreted as an integer",
            inputs="(torch.randn(4, 4), torch.tensor([1, 3]))",
        ),
        Example(
            "arithmetic with item() is recorded",
            """
class M(nn.Module):
    def forward(self, x):
        return x.detach() * x.max().item()
""",
            Outcome.TRACES,
        ),
        Example(
            "a traced tensor sliced by item()",
            """
class M(nn.Module):
    def forward(self, x, lengths):
        return x[: lengths.max().item()]
""",
            Outcome.TRACES,
            inputs="(torch.randn(4, 4), torch.tensor([1, 3]))",
        ),
        Example(
            "near miss: item() of a buffer is a number",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('rounds', torch.tensor(2))

    def forward(self, x):
        for _ in range(self.rounds.item()):
            x = x * 2
        return x
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: tolist() of a constant",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('weights', torch.tensor([1.0, 2.0]))

    def forward(self, x):
        return sum(x * v for v in self.weights.tolist())
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the maximum stays a tensor",
            """
class M(nn.Module):
    def forward(self, x):
        return x / x.abs().max()
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a number made from data; sizes and tensors have a check for each construct, and so has membership."""
    if event.facet is not Facet.NUMBER or event.construct == "in":
        return None
    return Report(
        f"`{event.subject}` is a Proxy while tracing, not a number, and {_wanted(event)}: tracing raises {_raised(event)}",
        "keep it a tensor (drop .item() and the conversion), or move the code into a module-level function marked with torch.fx.wrap",
    )


def _wanted(event: Event) -> str:
    match event.kind:
        case EventKind.PROXY_ITER:
            return "it is iterated"
        case EventKind.PROXY_LEN:
            return "its length is asked for"
        case _:
            return f"{WANTED.get(event.construct, event.construct)} needs a real one"


def _raised(event: Event) -> str:
    match event.kind:
        case EventKind.PROXY_ITER:
            return 'TraceError "Proxy object cannot be iterated"'
        case EventKind.PROXY_LEN:
            return "RuntimeError \"'len' is not supported in symbolic tracing by default\""
        case _:
            return "TypeError"


def fix(event: Event) -> tuple[FixRequest, ...]:
    """In arithmetic a tensor of one element does as well, but rounds in its own dtype: unsafe. The rest becomes opaque."""
    opaque = (FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF))
    if event.facet is Facet.NUMBER and event.kind is EventKind.PROXY_NUMBER and event.construct in {"int", "float"}:
        return FixRequest(FixKind.REWRITE, "item-drop", Safety.UNSAFE), *opaque
    return opaque
