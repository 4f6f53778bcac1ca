"""When two values count as the same: the comparison of eager with traced runs."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.fx import Proxy


def difference(wanted: Any, got: Any, where: str = "result", *, types: bool = True) -> str:
    """The first difference in words, "" when there is none. ``types`` also compares the classes of containers and requires_grad."""
    if isinstance(wanted, torch.Tensor) or isinstance(got, torch.Tensor):
        return _tensors(wanted, got, where, types=types)
    if isinstance(wanted, dict) and isinstance(got, dict):
        if list(wanted) != list(got):
            return f"{where}: keys {list(wanted)} against {list(got)}"
        return _first(difference(wanted[k], got[k], f"{where}[{k!r}]", types=types) for k in wanted) or _classes(wanted, got, where, types)
    if isinstance(wanted, list | tuple) and isinstance(got, list | tuple):
        if len(wanted) != len(got):
            return f"{where}: {len(wanted)} items against {len(got)}"
        pairs = enumerate(zip(wanted, got, strict=True))
        return _first(difference(a, b, f"{where}[{i}]", types=types) for i, (a, b) in pairs) or _classes(wanted, got, where, types)
    if isinstance(wanted, float) and isinstance(got, float):
        same = wanted == got or abs(wanted - got) <= 1e-5 * max(1.0, abs(wanted)) or (wanted != wanted and got != got)
        return "" if same else f"{where}: {wanted!r} against {got!r}"
    if isinstance(wanted, nn.Module) and type(wanted) is type(got):  # their state is compared where they are registered
        return ""
    # The fixed text has classes of its own.
    if type(wanted) is not type(got) and (types or type(wanted).__qualname__ != type(got).__qualname__):
        return f"{where}: {type(wanted).__name__} against {type(got).__name__}"
    if hasattr(wanted, "__dataclass_fields__") or (type(wanted).__eq__ is object.__eq__ and hasattr(wanted, "__dict__")):
        return difference(vars(wanted), vars(got), where, types=types)
    return "" if bool(wanted == got) else f"{where}: {wanted!r} against {got!r}"


def _first(differences: Any) -> str:
    return next((d for d in differences if d), "")


def _classes(wanted: Any, got: Any, where: str, types: bool) -> str:
    # fx keeps list and dict arguments in immutable subclasses of its own: their users see no difference
    if types and type(wanted) is not type(got) and not type(got).__name__.startswith("immutable_"):
        return f"{where}: {type(wanted).__name__} against {type(got).__name__}"
    return ""


def _tensors(wanted: Any, got: Any, where: str, *, types: bool) -> str:
    if not isinstance(wanted, torch.Tensor) or not isinstance(got, torch.Tensor):
        return f"{where}: {type(wanted).__name__} against {type(got).__name__}"
    if wanted.shape != got.shape or wanted.dtype != got.dtype:
        return f"{where}: {tuple(wanted.shape)} {wanted.dtype} against {tuple(got.shape)} {got.dtype}"
    if types and wanted.requires_grad != got.requires_grad:
        return f"{where}: requires_grad {wanted.requires_grad} against {got.requires_grad}"
    wanted, got = wanted.detach(), got.detach()
    if wanted.is_floating_point() or wanted.is_complex():
        return "" if torch.allclose(wanted, got, rtol=1e-4, atol=1e-5, equal_nan=True) else f"{where}: other numbers"
    return "" if torch.equal(wanted, got) else f"{where}: other values"


def proxies_in(value: Any, where: str, depth: int = 4, seen: set[int] | None = None) -> list[str]:
    """Where a Proxy was left behind, in the attributes of a module or in a container."""
    seen = set() if seen is None else seen
    if id(value) in seen or depth < 0:
        return []
    seen.add(id(value))
    if isinstance(value, Proxy):
        return [where]
    if isinstance(value, nn.Module):
        return [p for k, v in list(vars(value).items()) for p in proxies_in(v, f"{where}.{k}", depth - 1, seen)]
    if isinstance(value, dict):
        inside = [p for k in list(value) for p in proxies_in(k, f"key of {where}", depth - 1, seen)]
        return inside + [p for k, v in list(value.items()) for p in proxies_in(v, f"{where}[{k!r}]", depth - 1, seen)]
    if isinstance(value, list | tuple | set):
        return [p for i, v in enumerate(list(value)) for p in proxies_in(v, f"{where}[{i}]", depth - 1, seen)]
    return []
