"""TFX402 item-deletion: `del batch[key]` where `batch` is a Proxy.

## What it catches
`del` of an item of a traced value, most often of a dictionary that is the argument of forward. `del name` and `del` of items of
Python containers are fine.

## Why tracing fails
A Proxy has no `__delitem__`: `TypeError`: "'Proxy' object does not support item deletion".

## Fix and its safety
Take what is needed out of the dictionary by its keys, and leave the rest. Safe where nobody looks at the caller's dictionary
afterwards: it is no longer changed.

## When to ignore
When the function is never traced.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="TFX402",
    name="item-deletion",
    summary="an item of a traced dictionary or list is deleted",
    events=(EventKind.SET_ITEM,),
    constructs=("delitem",),
    severity=Severity.ERROR,
    examples=(
        Example(
            "a key of a traced dictionary",
            """
class M(nn.Module):
    def forward(self, batch):
        mask = batch["mask"]
        del batch["mask"]  # <- here
        return batch["x"] * mask
""",
            Outcome.BREAKS,
            error="'Proxy' object does not support item deletion",
            inputs="({'x': torch.randn(2, 4), 'mask': torch.ones(4)},)",
            fixed="""
class M(nn.Module):
    def forward(self, batch):
        return batch['x'] * batch['mask']
""",
        ),
        Example(
            "a key of a Python dictionary of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        outputs = {"x": x, "y": x * 2}
        del outputs["y"]
        return outputs
""",
            Outcome.TRACES,
        ),
        Example(
            "an item of a Python list of traced tensors",
            """
class M(nn.Module):
    def forward(self, x):
        parts = [x, x * 2]
        del parts[0]
        return torch.cat(parts)
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: a name is deleted, not an item",
            """
class M(nn.Module):
    def forward(self, x):
        y = x * 2
        z = y + x
        del y
        return z
""",
            Outcome.TRACES,
        ),
        Example(
            "near miss: the keys that are needed are taken",
            """
class M(nn.Module):
    def forward(self, batch):
        return batch['x'] * batch['mask']
""",
            Outcome.TRACES,
            inputs="({'x': torch.randn(2, 4), 'mask': torch.ones(4)},)",
        ),
    ),
)


def report(event: Event) -> Report | None:
    """Words for a deletion."""
    return Report(
        f"an item of `{event.subject}`, a Proxy, is deleted: tracing raises TypeError \"'Proxy' object does not support item deletion\"",
        "take the items that are needed by their keys, and leave the rest where it is",
    )
