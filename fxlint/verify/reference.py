"""What the user's own text computes in eager mode, kept in a file for the run of the repaired text.

A repair is proven against the original, not against itself: a rewrite that changes the numbers changes the repaired eager mode as well.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import torch
from torch import nn

from fxlint.verify.build import Root
from fxlint.verify.compare import Snapshot, difference
from fxlint.verify.protocol import Status, Step
from fxlint.verify.prove import Eager

_NAME = "repaired model, eager, same as the original"


def write(path: Path, eager: Eager) -> str:
    """Write the observations; answers a note where they cannot be written, else ""."""
    calls = [{"label": seen.call.label(), "error": seen.error, "output": seen.output, "state": seen.state} for seen in eager.seen]
    try:
        torch.save({"before": eager.before, "calls": calls, "steady": eager.steady}, path)
    except (OSError, RuntimeError, pickle.PicklingError) as problem:
        path.unlink(missing_ok=True)
        return f"the original's outputs could not be kept for comparison: {problem}"
    return ""


def read(path: Path) -> dict[str, Any] | None:
    """The observations that ``write`` left, or None where the original gave none (it did not run) or the file is not sound."""
    if not path.is_file():
        return None
    try:
        found = torch.load(path, weights_only=True)
    except (OSError, RuntimeError, ValueError, EOFError, pickle.UnpicklingError):
        return None
    return found if isinstance(found, dict) else None


def adopt_parameters(root: Root, reference: dict[str, Any]) -> None:
    """Give ``root`` the original's parameters and buffers, where name and shape agree: a repair may draw its numbers in another order."""
    if not isinstance(root, nn.Module):
        return
    before: dict[str, Snapshot] = reference["before"]
    with torch.no_grad():
        for name, tensor in (*root.named_parameters(), *root.named_buffers()):
            kept = before.get(name)
            if kept is not None and kept[0] == "tensor" and kept[2] == tuple(tensor.shape):
                tensor.copy_(kept[5])


def step(reference: dict[str, Any] | None, eager: Eager) -> Step:
    """The repaired model's eager calls against the original's."""
    if reference is None:
        return Step(_NAME, Status.SKIPPED, "the original gave no outputs to compare with")
    if reference["steady"] or eager.steady:
        return Step(_NAME, Status.SKIPPED, f"eager differs from itself with the same seed: {reference['steady'] or eager.steady}")
    wanted = {call["label"]: call for call in reference["calls"]}
    for seen in eager.seen:
        label = seen.call.label()
        original = wanted.get(label)
        if original is None:
            continue
        if original["error"] or seen.error:
            if original["error"].partition(":")[0] != seen.error.partition(":")[0]:
                detail = f"{label}: {original['error'] or 'no error'} in the original, {seen.error or 'no error'} in the repaired model"
                return Step(_NAME, Status.FAILED, detail)
            continue
        found = difference(original["output"], seen.output, "output")
        for name, value in original["state"].items():
            if not found and name in seen.state:
                found = difference(value, seen.state[name], name)
        if found:
            detail = found.replace(" in eager mode", " in the original").replace(" in the graph", " in the repaired model")
            return Step(_NAME, Status.FAILED, f"{label}: {detail}")
    return Step(_NAME, Status.PASSED)
