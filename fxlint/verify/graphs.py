"""Tracing as users do it, and what can be said of a graph without running it. Runs in the child."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from torch import fx, nn

from fxlint.verify.build import Root
from fxlint.verify.protocol import GraphFacts, Opaque

_DEPTH = 4  # containers inside containers that are searched for a Proxy


class LeafTracer(fx.Tracer):
    """torch's own Tracer, with further leaf classes, named as "Class" or "module.Class"."""

    def __init__(self, leaf_classes: Iterable[str] = ()) -> None:
        super().__init__()
        self._leaf_classes = frozenset(leaf_classes)

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        """A module is a leaf by torch's rule, or when a class it inherits from is named."""
        return is_named(m, self._leaf_classes) or super().is_leaf_module(m, module_qualified_name)


def is_named(module: nn.Module, names: frozenset[str]) -> bool:
    """Whether the class of ``module``, or one it inherits from, is among ``names``."""
    return any(cls.__qualname__ in names or f"{cls.__module__}.{cls.__qualname__}" in names for cls in type(module).__mro__)


def trace(root: Root, leaf_classes: tuple[str, ...], held: dict[str, Any]) -> fx.GraphModule:
    """What ``fx.symbolic_trace(root, concrete_args=held)`` gives, with the leaf rule; raises what tracing raises."""
    tracer = LeafTracer(leaf_classes)
    graph = tracer.trace(root, concrete_args=held or None)
    name = type(root).__name__ if isinstance(root, nn.Module) else getattr(root, "__name__", "traced")
    return fx.GraphModule(tracer.root, graph, class_name=name)


def operations(graph: fx.Graph) -> tuple[str, ...]:
    """Each node as text, in order: equal for two graphs that do the same things with the same names.

    The numbers of ``_tensor_constant0`` and the like are left out: each trace of a module counts on.
    """
    return tuple(f"{node.op} {_target_name(node.target)}" for node in graph.nodes)


def _target_name(target: Any) -> str:
    return re.sub(r"(_constant)_?\d+$", r"\1", target) if isinstance(target, str) else _function_name(target)


def facts(module: fx.GraphModule) -> GraphFacts:
    """Node counts, and which calls are opaque: leaf modules that are not torch's, and the user's functions that are wrapped."""
    calls = [node for node in module.graph.nodes if node.op.startswith("call_")]
    hidden: Counter[tuple[str, str]] = Counter()
    for node in calls:
        if node.op == "call_module":
            cls = type(module.get_submodule(str(node.target)))
            if not _is_torch(cls.__module__):
                hidden[f"{cls.__module__}.{cls.__qualname__}", "leaf module"] += 1
        elif node.op == "call_function" and node.meta.get("is_wrapped") and not _is_library(node.target):
            hidden[_function_name(node.target), "wrapped function"] += 1
    opaque = tuple(Opaque(target, kind, count) for (target, kind), count in sorted(hidden.items()))
    return GraphFacts(len(module.graph.nodes), len(calls), opaque)


def _function_name(function: Any) -> str:
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", type(function).__name__)
    return f"{module}.{name}" if module else str(name)


def _is_torch(module: str) -> bool:
    return module.partition(".")[0] == "torch"


def _is_library(function: Any) -> bool:
    return (getattr(function, "__module__", None) or "builtins").partition(".")[0] in {"torch", "builtins", "math", "operator", "_operator"}


def proxies_left(root: Root, modules: Iterable[ModuleType]) -> str:
    """Where tracing left a Proxy behind, as "Class.attribute" or "module.name", or "" when it did not."""
    if isinstance(root, nn.Module):
        for path, module in root.named_modules():
            for name, value in vars(module).items():
                if name not in {"_parameters", "_buffers", "_modules"} and _holds_proxy(value, _DEPTH):
                    return f"{type(module).__qualname__}.{name} (module {path or 'root'})"
                if name == "_buffers" and _holds_proxy(value, _DEPTH):
                    return f"a buffer of {type(module).__qualname__} (module {path or 'root'})"
    for scope in modules:
        for name, value in list(vars(scope).items()):
            if not name.startswith("__") and _holds_proxy(value, _DEPTH):
                return f"{scope.__name__}.{name}"
    return ""


def _holds_proxy(value: object, depth: int) -> bool:
    kind = type(value)
    if issubclass(kind, fx.Proxy):  # not isinstance: objects of the user's may claim any class
        return True
    if depth == 0:
        return False
    if kind is dict:
        return any(_holds_proxy(item, depth - 1) for item in list(value.values()))  # type: ignore[attr-defined]  # kind is dict
    if kind in (list, tuple, set):
        return any(_holds_proxy(item, depth - 1) for item in list(value))  # type: ignore[call-overload]  # kind is a sequence or a set
    return False


def check(module: fx.GraphModule) -> None:
    """``Graph.lint`` and ``recompile``; raises what they raise."""
    module.graph.lint()
    module.recompile()


