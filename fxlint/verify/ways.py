"""The ways in which a root can be traced: as it is, with parameters held, below a wrapper with an explicit forward, once in each mode.

The first that is proved decides; the further ones exist for what no edit of the model's text repairs.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch import fx, nn

from fxlint.verify.build import Arguments, Root
from fxlint.verify.graphs import trace

_INNER = "model"  # the wrapper's attribute
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
_MODES = {"train": "train_graph", "eval": "eval_graph"}


@dataclass(frozen=True, slots=True)
class Way:
    """How a root is traced. ``wrapper`` is the source of a module that takes the root, "" for none; ``held`` are concrete arguments."""

    held: dict[str, Any] = field(default_factory=dict)
    wrapper: str = ""
    both_modes: bool = False
    whole: str = ""  # the class of the root where it stays a leaf below its wrapper

    def root(self, model: Root) -> Root:
        """What is traced in place of ``model``."""
        if not self.wrapper:
            return model
        assert isinstance(model, nn.Module)
        scope: dict[str, Any] = {"__name__": "fxlint_wrapper"}
        exec(compile(self.wrapper, "<wrapper>", "exec"), scope)  # noqa: S102 - source of this module's own making
        made: nn.Module = next(value for value in scope.values() if isinstance(value, type))(model)
        return made.train(model.training)

    def own_name(self, name: str) -> str:
        """The name that the model itself has for a parameter, buffer or attribute of what was traced."""
        if self.both_modes:
            for attribute in _MODES.values():
                name = name.removeprefix(f"{attribute}.")
        return name.removeprefix(f"{_INNER}.") if self.wrapper else name


@dataclass(frozen=True, slots=True)
class Traced:
    """What tracing gave: the module to call, and the graphs in it, the one of the root's own mode first."""

    module: nn.Module
    graphs: tuple[fx.GraphModule, ...]


class ByMode(nn.Module):
    """Two graphs of one model, which share its parameters: a call runs the graph of the mode that it is in."""

    def __init__(self, graphs: dict[str, fx.GraphModule], is_training: bool) -> None:
        super().__init__()
        for mode, attribute in _MODES.items():
            setattr(self, attribute, graphs[mode])
        self.train(is_training)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the graph of the present mode."""
        return getattr(self, _MODES["train" if self.training else "eval"])(*args, **kwargs)


def trace_by(way: Way, root: Root, leaf_classes: tuple[str, ...]) -> Traced:
    """Trace ``root`` (which ``way.root`` made); raises what tracing raises."""
    leaves = (*leaf_classes, way.whole) if way.whole else leaf_classes
    if not (way.both_modes and isinstance(root, nn.Module)):
        module = trace(root, leaves, way.held)
        return Traced(module, (module,))
    is_training = root.training
    graphs = {}
    for mode in _MODES:
        root.train(mode == "train")
        graphs[mode] = trace(root, leaves, way.held)
    both = ByMode(graphs, is_training)
    root.train(is_training)
    own, other = ("train", "eval") if is_training else ("eval", "train")
    return Traced(both, (graphs[own], graphs[other]))


def wrapped_ways(root: Root, arguments: Arguments | None) -> tuple[Way, ...]:
    """The ways that go through a wrapper, where the root needs one.

    It does where torch would keep it whole, where it has hooks of its own, and where its forward takes what no placeholder stands for.
    """
    if arguments is None or not isinstance(root, nn.Module):
        return ()
    has_hooks = any(getattr(root, name, None) for name in _HOOKS)
    if not (has_hooks or type(root).__module__.startswith("torch.nn") or _is_open(type(root).forward)):
        return ()
    source = wrapper_source(root, arguments)
    if not source:
        return ()
    whole = f"{type(root).__module__}.{type(root).__qualname__}"
    return (Way(wrapper=source), *([Way(wrapper=source, whole=whole)] if has_hooks else []))


def _is_open(forward: Callable[..., Any]) -> bool:
    """Whether a forward takes ``*args`` or ``**kwargs``, or hides behind a decorator."""
    variadic = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    kinds = {parameter.kind for parameter in inspect.signature(forward).parameters.values()}
    return bool(kinds & variadic) or hasattr(forward, "__wrapped__")


def wrapper_source(root: nn.Module, arguments: Arguments) -> str:
    """The text of a module whose forward names each of ``arguments``; "" where they cannot be named."""
    args, kwargs = arguments
    names = [*_positional(root, len(args)), *kwargs]
    if len(set(names)) != len(names) or not all(name.isidentifier() and not keyword.iskeyword(name) for name in names):
        return ""
    given = ", ".join([*names[: len(args)], *(f"{name}={name}" for name in kwargs)])
    # DataParallel scatters to devices in C++; on one device it calls its module, and that is what can be traced.
    inner = f"self.{_INNER}.module" if isinstance(root, nn.DataParallel) else f"self.{_INNER}"
    kind = type(root).__name__
    return (
        "import torch\n\n\n"
        f"class Explicit{kind}(torch.nn.Module):\n"
        f'    """{kind} with each argument of a call spelled out, for torch.fx to make a placeholder of."""\n\n'
        f"    def __init__(self, {_INNER}):\n"
        "        super().__init__()\n"
        f"        self.{_INNER} = {_INNER}\n\n"
        f"    def forward({', '.join(['self', *names])}):\n"
        f"        return {inner}({given})\n"
    )


def _positional(root: nn.Module, count: int) -> list[str]:
    names: list[str] = []
    for parameter in inspect.signature(root.forward).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            return [*names, *(f"{parameter.name}_{index}" for index in range(count - len(names)))][:count]
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return names[:count]
