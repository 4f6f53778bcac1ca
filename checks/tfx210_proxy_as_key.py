"""TFX210 proxy-as-key: a Proxy used as key: it is hashed by identity, not by value.

## What it catches
`self.table[n]` where `table` is a Python dict or a ModuleDict and `n` a Proxy (a size, a string or number given to forward), and
dict or set displays with Proxies as keys.

## Why tracing fails
A Proxy is hashable, by its identity, so it is never equal to any key that is there: a look-up raises `KeyError: Proxy(...)`. A dict
with Proxy keys that reaches a recorded call or the output raises `RuntimeError`: "Keys for dictionaries used as an argument cannot
contain a Node".

## Fix and its safety
* A key that configuration knows: an attribute of `self`, or `symbolic_trace(m, concrete_args={"kind": "a"})` for a string argument.

* A table by size: a buffer indexed by the size, or a function at module level marked with `torch.fx.wrap`.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, FixKind, FixRequest, Outcome, Report, Severity

CHECK = Check(
    code="TFX210",
    name="proxy-as-key",
    summary="a traced value as key of a dict or ModuleDict",
    events=(EventKind.PROXY_KEY,),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a table by size",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = {4: 0.5}

    def forward(self, x):
        return x * self.table[x.shape[1]]  # <- here
""",
            Outcome.BREAKS,
            error="KeyError: Proxy(getitem)",
            fixed="""
TABLE = {4: 0.5}

@fx.wrap
def looked_up(size):
    return TABLE[size]

class M(nn.Module):
    def forward(self, x):
        return x * looked_up(x.shape[1])
""",
        ),
        Example(
            "a head named by an argument",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({'a': nn.Linear(4, 4)})

    def forward(self, x, kind):
        return self.heads[kind](x)  # <- here
""",
            Outcome.BREAKS,
            error="KeyError: Proxy(kind)",
            inputs="(torch.randn(2, 4), 'a')",
            fixed="""
def trace(m):
    return fx.symbolic_trace(m, concrete_args={"kind": "a"})

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({'a': nn.Linear(4, 4)})

    def forward(self, x, kind):
        return self.heads[kind](x)
""",
        ),
        Example(
            "sizes as keys of a result",
            """
class M(nn.Module):
    def forward(self, x):
        return {x.shape[0]: x}  # <- here
""",
            Outcome.BREAKS,
            error="Keys for dictionaries used as an argument cannot contain a Node",
        ),
        Example(
            "a table by configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.size = {4: 0.5}, 4

    def forward(self, x):
        return x * self.table[self.size]
""",
            Outcome.TRACES,
        ),
        Example(
            "a head named by configuration",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = 'a'
        self.heads = nn.ModuleDict({'a': nn.Linear(4, 4)})

    def forward(self, x):
        return self.heads[self.kind](x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: traced tensors as values",
            """
class M(nn.Module):
    def forward(self, x):
        outputs = {"x": x, "sum": x.sum()}
        return outputs["sum"]
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a buffer indexed by a size",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('table', torch.arange(9.0))

    def forward(self, x):
        return x * self.table[x.shape[1] - 1]
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a key; a set of Proxies does not raise by itself."""
    if event.construct == "set":
        return Report(
            f"`{event.subject}`, a Proxy, is put into a set: Proxies are hashed by identity, so equal values stay apart",
            "keep traced values in a list, or compare them inside a module-level function marked with torch.fx.wrap",
            Severity.WARNING,
        )
    return Report(
        f"`{event.subject}`, a Proxy, is used as a key: it is hashed by identity and equals no key (KeyError: Proxy(...))",
        "take the key from configuration or concrete_args, index a buffer, or look it up in a wrapped module-level function",
    )


def fix(event: Event) -> tuple[FixRequest, ...]:
    """The look-up becomes opaque."""
    return FixRequest(FixKind.WRAP), FixRequest(FixKind.HOIST), FixRequest(FixKind.LEAF)
