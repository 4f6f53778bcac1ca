"""Running a model, or its graph, through the same calls, and noting everything that can be observed of each.

One call is noted as its output or exception, its arguments after the call, and the state of the model after it (parameters,
buffers, plain attributes). The calls are: two in a row for each shape, in each mode, each with a seed of its own.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.utils._pytree import tree_leaves, tree_map

from fxlint.verify.build import Arguments, Root, seed_all
from fxlint.verify.compare import Snapshot, snapshot

State = dict[str, Snapshot]
Copies = dict[int, tuple[torch.Tensor, Snapshot]]  # by id of a tensor (kept alive here): it, and what was copied of it last


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the plan. ``mode`` is "" for a function, which has none."""

    mode: str
    shape: str  # "first" or "second"
    number: int  # 1 or 2: the second one meets what the first one left behind
    seed: int

    def label(self) -> str:
        """The call in words."""
        return f"{'second' if self.number == 2 else 'first'} call, {self.shape} shape" + (f", {self.mode} mode" if self.mode else "")


@dataclass(frozen=True, slots=True)
class Seen:
    """What was observed of one call; ``error`` is "Class: first line" where it raised, and then ``output`` is empty."""

    call: Call
    error: str
    output: Snapshot
    arguments: Snapshot
    state: State


def plan(modes: tuple[str, ...], shapes: tuple[str, ...], seed: int) -> tuple[Call, ...]:
    """All calls, in order."""
    order = [(mode, shape, number) for mode in modes for shape in shapes for number in (1, 2)]
    return tuple(Call(mode, shape, number, seed + index + 1) for index, (mode, shape, number) in enumerate(order))


def first_line(error: BaseException) -> str:
    """The class and the first line of the message, as in "ValueError: too long"."""
    text = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def run(
    target: Callable[..., Any], calls: tuple[Call, ...], arguments: dict[str, Arguments], state: Callable[[], State]
) -> tuple[Seen, ...]:
    """Carry out ``calls`` on ``target``, with copies of ``arguments`` (by shape); stops after a call that raises."""
    seen = []
    for call in calls:
        if isinstance(target, nn.Module) and call.mode:
            target.train(call.mode == "train")
        args, kwargs = copied(arguments[call.shape])
        seed_all(call.seed)
        error, output = "", ("nothing", "")
        try:
            output = snapshot(target(*args, **kwargs))
        except Exception as problem:  # noqa: BLE001 (the user's code may raise anything)
            error = first_line(problem)
        seen.append(Seen(call, error, output, snapshot((args, kwargs)), state()))
        if error:
            break
    return tuple(seen)


def copied(arguments: Arguments) -> Arguments:
    """A deep copy; tensors that are no leaves of autograd are detached first, for they cannot be copied."""

    def loose(value: Any) -> Any:
        return value.detach() if isinstance(value, torch.Tensor) and value.grad_fn is not None else value

    args, kwargs = tree_map(loose, arguments)
    return copy.deepcopy((args, kwargs))


def module_state(module: Root, copies: Copies | None = None) -> State:
    """Parameters, buffers and plain attributes (numbers, text, tensors, containers of these) by qualified name.

    ``copies`` carries what an earlier call for the same module copied: a tensor that was not written since is not copied again.
    """
    if not isinstance(module, nn.Module):
        return {}
    copies = {} if copies is None else copies
    state = {name: _copied_once(tensor, copies) for name, tensor in (*module.named_parameters(), *module.named_buffers())}
    for path, inner in module.named_modules():
        for name, value in vars(inner).items():
            if name.startswith("_") or name == "training" or isinstance(value, nn.Module):
                continue
            if value is None or isinstance(value, (bool, int, float, str, list, tuple, dict, torch.Tensor)):
                state[f"{path}.{name}" if path else name] = snapshot(value, 4)
    return state


def _copied_once(tensor: torch.Tensor, copies: Copies) -> Snapshot:
    # Not by autograd's counter of writes: batch_norm updates running_mean without touching it.
    known = copies.get(id(tensor))
    if known is not None and known[1][0] == "tensor":
        form = "tensor", str(tensor.dtype), tuple(tensor.shape), str(tensor.device), tensor.requires_grad
        if known[1][:5] == form and torch.equal(known[1][5], tensor.detach().cpu()):
            return known[1]
    copies[id(tensor)] = (tensor, snapshot(tensor))
    return copies[id(tensor)][1]


def traced_state(graph_module: nn.Module, traced: Root, copies: Copies) -> State:
    """The state as the graph leaves it: what the GraphModule took over is read there, all else in the module that was traced."""
    taken_over = module_state(graph_module, copies)
    taken_over.pop("graph", None)
    return {**module_state(traced, copies), **taken_over}


def other_shape(arguments: Arguments) -> Arguments | None:
    """``arguments`` with one more row in every tensor whose first dimension is that of the first tensor; None where there is none."""
    sizes = [leaf.size(0) for leaf in tree_leaves(arguments) if isinstance(leaf, torch.Tensor) and leaf.dim() > 0]
    if not sizes or sizes[0] == 0:
        return None

    def longer(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.dim() > 0 and value.size(0) == sizes[0]:
            return torch.cat([value, value[:1]]).detach()
        return value

    args, kwargs = tree_map(longer, arguments)
    return args, kwargs


def gradients(target: Root, arguments: Arguments, seed: int, by_inputs: bool) -> dict[str, Snapshot] | str:
    """Gradients of a weighted sum of all outputs by the parameters (and the inputs), by name; one line where the backward pass raises."""
    args, kwargs = copied(arguments)
    wanted: dict[str, torch.Tensor] = {}
    for index, leaf in enumerate(tree_leaves((args, kwargs))):
        if by_inputs and isinstance(leaf, torch.Tensor) and leaf.is_floating_point():
            wanted[f"input {index}"] = leaf.requires_grad_(True)
    if isinstance(target, nn.Module):
        wanted.update({name: parameter for name, parameter in target.named_parameters() if parameter.requires_grad})
    seed_all(seed)
    try:
        with torch.enable_grad():
            output = target(*args, **kwargs)
            tensors = [leaf for leaf in tree_leaves(output) if isinstance(leaf, torch.Tensor)]
            leaves = [tensor for tensor in tensors if tensor.requires_grad and tensor.is_floating_point()]
            if not leaves:
                return {}
            # Weights that differ from element to element: a plain sum has zero gradient through a softmax or a normalisation.
            total = torch.stack([(leaf.double() * _weights(leaf)).sum() for leaf in leaves]).sum()
        found = torch.autograd.grad(total, list(wanted.values()), allow_unused=True)
    except Exception as problem:  # noqa: BLE001 (the user's backward may raise anything)
        return first_line(problem)
    return {name: snapshot(value) for name, value in zip(wanted, found, strict=True)}


def _weights(leaf: torch.Tensor) -> torch.Tensor:
    count = max(1, leaf.numel())
    return (torch.arange(count, dtype=torch.float64, device=leaf.device)[: leaf.numel()] / math.sqrt(count) + 1).view(leaf.shape)
