"""TFX211 text-of-proxy: `str()`, `repr()` or an f-string of a Proxy: the text says "Proxy(...)".

## What it catches
`str(n)`, `repr(n)`, `f"{n}"`, `"{}".format(n)` of a Proxy where the text is returned, used as a key, or compared. Texts of errors
and logs are left alone.

## Why the graph differs
The text is made once, while tracing, and it is the text of the Proxy, such as "getitem"; torch raises nothing. Whatever is decided
by the text is decided wrongly, and a text that is returned is a constant of the graph.

## Fix and its safety
Return the number and make the text outside; decide on numbers or on configuration, not on texts. There is no automatic fix.

## When to ignore
When the text only serves people who debug the trace.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX211",
    name="text-of-proxy",
    summary="the text of a traced value reaches a result, a key or a branch",
    events=(EventKind.PROXY_TEXT,),
    severity=Severity.WARNING,
    examples=(
        Example(
            "a label that is returned",
            """
class M(nn.Module):
    def forward(self, x):
        label = f"{x.dim()} dims"  # <- here
        return {"x": x, "label": label}
""",
            Outcome.SILENT,
            fixed="""
@fx.wrap
def dims(x):
    return f"{x.dim()} dims"

class M(nn.Module):
    def forward(self, x):
        return {'x': x, 'label': dims(x)}
""",
        ),
        Example(
            "a branch on a text",
            """
class M(nn.Module):
    def forward(self, x):
        if str(x.dtype) == "torch.float32":  # <- here
            return x * 2
        return x
""",
            Outcome.SILENT,
            fixed="""
@fx.wrap
def doubled(x):
    return x * 2 if str(x.dtype) == "torch.float32" else x

class M(nn.Module):
    def forward(self, x):
        return doubled(x)
""",
        ),
        Example(
            "the text of configuration is returned",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.size = 4

    def forward(self, x):
        return {'x': x, 'label': f'{self.size} features'}
""",
            Outcome.TRACES,
        ),
        Example(
            "the text of configuration is a key",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.number = 1
        self.heads = nn.ModuleDict({'1': nn.Linear(4, 4)})

    def forward(self, x):
        return self.heads[str(self.number)](x)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: nobody reads the text",
            """
class M(nn.Module):
    def forward(self, x):
        label = f"{x.dim()} dims"
        return x * 2
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the text of an error that is not raised",
            """
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.size = 4

    def forward(self, x):
        if self.size != 4:
            raise ValueError(f"expected four features, not {x.shape[1]}")
        return x * 2
""",
            Outcome.TRACES,
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a text; as the name of an attribute it is an error."""
    if event.construct == "attribute":
        return Report(
            f"the text of `{event.subject}` names an attribute, and is that of a Proxy: tracing raises AttributeError",
            "decide on configuration, or move the look-up into a function marked with torch.fx.wrap",
            Severity.ERROR,
        )
    return Report(
        f"the text of `{event.subject}` is made while tracing, and is that of a Proxy, not of its value",
        "return the number and make the text outside the traced code; decide on numbers or configuration, not on texts",
    )
