"""Snapshots of what a call returned and left behind, and the first difference between two of them.

A snapshot holds no object of the user's: tensors (detached copies), plain values, and tuples that describe containers. So it can be
written to a file and read back with ``torch.load(weights_only=True)``, and later writes to a tensor do not reach it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import torch

Snapshot = tuple[Any, ...]

# Relative and absolute tolerance by dtype: a graph runs the same kernels in the same order, so these only absorb what a
# rewrite may reorder (x / 2 against x * 0.5); torch.testing's own defaults are the model.
_TOLERANCE = {
    torch.float16: (1e-2, 1e-3), torch.bfloat16: (2e-2, 1e-2), torch.float32: (1e-4, 1e-5), torch.float64: (1e-7, 1e-8),
    torch.complex64: (1e-4, 1e-5), torch.complex128: (1e-7, 1e-8),
}  # fmt: skip
_DEPTH = 12
# torch.fx hands out these in place of list and dict; a caller that only reads cannot tell.
_STANDS_FOR = {"immutable_list": "list", "immutable_dict": "dict"}


def snapshot(value: object, depth: int = _DEPTH) -> Snapshot:
    """What ``value`` is now, as a tree of tuples.

    ("tensor", dtype, shape, device, requires_grad, copy), ("value", class, it), ("mapping" or "sequence", class, items), ("object", class).
    """
    name = _STANDS_FOR.get(type(value).__name__, type(value).__qualname__)
    if depth == 0:
        return "deep", name
    if isinstance(value, torch.Tensor):
        return "tensor", str(value.dtype), tuple(value.shape), str(value.device), value.requires_grad, _copy(value)
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return "value", name, value if type(value) in (bool, int, float, str) or value is None else repr(value)
    if isinstance(value, Mapping):
        return "mapping", name, tuple((repr(key), snapshot(item, depth - 1)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return "sequence", name, tuple(snapshot(item, depth - 1) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        items = ((field.name, getattr(value, field.name, None)) for field in dataclasses.fields(value))
        return "mapping", name, tuple((key, snapshot(item, depth - 1)) for key, item in items)
    if isinstance(value, (torch.dtype, torch.device, bytes, slice, range)):
        return "value", name, repr(value)
    fields = getattr(value, "__dict__", None)
    if type(fields) is dict and not callable(value) and not isinstance(value, ModuleType):
        return "mapping", name, tuple((str(key), snapshot(item, depth - 1)) for key, item in fields.items())
    return "object", name


def _copy(tensor: torch.Tensor) -> torch.Tensor:
    plain = tensor.detach()
    if plain.is_quantized:
        plain = plain.dequantize()
    if plain.layout != torch.strided:
        plain = plain.to_dense()
    return plain.cpu().clone()


def difference(wanted: Snapshot, got: Snapshot, path: str) -> str:
    """The first difference, as "path: what is wanted, what is there", or "" when there is none."""
    if wanted[0] != got[0]:
        return f"{path}: {_kind(wanted)} in eager mode, {_kind(got)} in the graph"
    match wanted[0]:
        case "tensor":
            return _tensor_difference(wanted, got, path)
        case "value":
            return _value_difference(wanted, got, path)
        case "mapping":
            return _mapping_difference(wanted, got, path)
        case "sequence":
            if wanted[1] != got[1]:
                return f"{path}: class {wanted[1]} in eager mode, {got[1]} in the graph"
            if len(wanted[2]) != len(got[2]):
                return f"{path}: {len(wanted[2])} items in eager mode, {len(got[2])} in the graph"
            return _first(difference(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(wanted[2], got[2], strict=True)))
        case _:
            return "" if wanted[1] == got[1] else f"{path}: class {wanted[1]} in eager mode, {got[1]} in the graph"


def _first(texts: Any) -> str:
    return next((text for text in texts if text), "")


def _kind(snap: Snapshot) -> str:
    if snap[0] == "tensor":
        return f"a tensor of shape {snap[2]}"
    return f"{snap[2]!r}" if snap[0] == "value" else f"a {snap[1]}"


def _tensor_difference(wanted: Snapshot, got: Snapshot, path: str) -> str:
    for index, what in ((2, "shape"), (1, "dtype"), (3, "device"), (4, "requires_grad")):
        if wanted[index] != got[index]:
            return f"{path}: {what} {wanted[index]} in eager mode, {got[index]} in the graph"
    a, b = wanted[5], got[5]
    relative, absolute = _TOLERANCE.get(a.dtype, (0.0, 0.0))
    if a.is_floating_point() or a.is_complex():
        if torch.allclose(a, b, rtol=relative, atol=absolute, equal_nan=True):
            return ""
    elif torch.equal(a, b):
        return ""
    return f"{path}: values differ {_worst(a, b)}"


def _worst(a: torch.Tensor, b: torch.Tensor) -> str:
    if a.dtype == torch.bool:
        return f"in {int((a != b).sum())} of {a.numel()} elements"
    wide = torch.complex128 if a.is_complex() else torch.float64
    gap = (a.to(wide) - b.to(wide)).abs().nan_to_num(nan=math.inf)
    flat = int(gap.argmax())
    index = tuple(int(i) for i in torch.unravel_index(torch.tensor(flat), gap.shape))
    values = f"{a[index].item():.6g} in eager mode, {b[index].item():.6g} in the graph"
    return f"by up to {float(gap.reshape(-1)[flat]):.3g} (at {list(index)}: {values})"


def _value_difference(wanted: Snapshot, got: Snapshot, path: str) -> str:
    a, b = wanted[2], got[2]
    same = wanted[1] == got[1] and (a == b or (isinstance(a, float) and isinstance(b, float) and _close(a, b)))
    return "" if same else f"{path}: {a!r} ({wanted[1]}) in eager mode, {b!r} ({got[1]}) in the graph"


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6) or (math.isnan(a) and math.isnan(b))


def _mapping_difference(wanted: Snapshot, got: Snapshot, path: str) -> str:
    a, b = dict(wanted[2]), dict(got[2])
    if a.keys() != b.keys():
        return f"{path}: keys {', '.join(a)} in eager mode, {', '.join(b)} in the graph"
    if wanted[1] != got[1]:
        return f"{path}: class {wanted[1]} in eager mode, {got[1]} in the graph"
    return _first(difference(a[key], b[key], f"{path}[{key}]") for key in a)
