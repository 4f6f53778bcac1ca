"""Whether an object of a real trace is among those that a revealed text denotes."""

from __future__ import annotations

import functools
import types
from typing import Any

import torch
from torch import fx, nn


def fits(text: str, thing: Any) -> bool:
    """Whether ``thing`` is denoted by ``text``, the texts of several contexts being joined by " / "."""
    return any(_fits(one, thing) for one in text.split(" / "))


def split(text: str) -> list[str]:
    """The parts between commas that no bracket and no quote holds."""
    parts, depth, quote, last = [], 0, "", 0
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "[({":
            depth += 1
        elif char in "])}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[last:i].strip())
            last = i + 1
    return [p for p in (*parts, text[last:].strip()) if p]


def _fits(text: str, thing: Any) -> bool:
    head, bracket, rest = text.partition("(" if text.startswith(("Const(", "Unknown(")) else "[")
    inside = rest[:-1] if bracket else ""
    match head:
        case "Const":
            return repr(thing) == inside
        case "Unknown":
            return True
        case "Never":
            return False
        case "Static":
            return not isinstance(thing, fx.Proxy) and (not inside or type(thing).__name__ == inside)
        case "Proxy":
            return isinstance(thing, fx.Proxy)
        case "Tensor":
            return isinstance(thing, torch.Tensor)
        case "Union":
            return any(_fits(part, thing) for part in split(inside))
        case "Module":
            return isinstance(thing, nn.Module) and _named(type(thing), inside)
        case "Instance":
            return not isinstance(thing, fx.Proxy) and _named(type(thing), inside)
        case "Function" | "Class":
            return callable(thing) and _named(thing, inside)
        case "Partial":
            return isinstance(thing, functools.partial)
        case "Bound":
            return isinstance(thing, types.MethodType)
        case "File":
            return isinstance(thing, types.ModuleType) and thing.__name__ == inside
        case "Method":
            return isinstance(thing, fx.proxy.Attribute) or (callable(thing) and not isinstance(thing, fx.Proxy))
        case "Lib" | "Wrapped" | "Super" | "slice":
            return not isinstance(thing, fx.Proxy)
        case "dict" | "ModuleDict":
            return isinstance(thing, dict if head == "dict" else nn.ModuleDict) and _entries(split(inside), thing)
        case "iterator" | "generator":
            return hasattr(thing, "__next__")
        case _:
            return type(thing).__name__.startswith(head) and _items(split(inside), list(thing))


def _named(thing: Any, wanted: str) -> bool:
    return f"{thing.__module__}.{thing.__qualname__}".replace("<locals>.", "").endswith(wanted.rpartition(".")[2])


def _items(texts: list[str], items: list[Any]) -> bool:
    if texts[-1:] == ["..."]:
        return all(_fits(texts[0], item) for item in items)
    return len(texts) == len(items) and all(_fits(text, item) for text, item in zip(texts, items, strict=True))


def _entries(texts: list[str], thing: Any) -> bool:
    known = {key: value for key, _, value in (text.partition(": ") for text in texts)}
    rest = known.pop("...", None)
    named = all(_fits(known[repr(key)], value) for key, value in thing.items() if repr(key) in known)
    others = [value for key, value in thing.items() if repr(key) not in known]
    return named and (rest is not None or "..." in texts or not others) and (not rest or all(_fits(rest, value) for value in others))
