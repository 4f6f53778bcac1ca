"""Layers of a class as calls of torch.nn.functional: what a wrapped function, which cannot be given a module, can be given instead.

A row says which attributes of the layer follow its input, in the order of the function's parameters. Layers with a training mode or
running statistics have no row: the mode would be an argument that is fixed while tracing.
"""

from __future__ import annotations

import libcst as cst

from fxlint.fixes.names import walk
from fxlint.fixes.outcome import Decline
from fxlint.fixes.target import Target

_CONVOLUTION = ("weight", "bias", "stride", "padding", "dilation", "groups")

FUNCTIONAL: dict[str, tuple[str, tuple[str, ...]]] = {
    "Linear": ("linear", ("weight", "bias")),
    "LayerNorm": ("layer_norm", ("normalized_shape", "weight", "bias", "eps")),
    "GroupNorm": ("group_norm", ("num_groups", "weight", "bias", "eps")),
    "Embedding": ("embedding", ("weight", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse")),
    "Conv1d": ("conv1d", _CONVOLUTION),
    "Conv2d": ("conv2d", _CONVOLUTION),
    "Conv3d": ("conv3d", _CONVOLUTION),
    "ReLU": ("relu", ("inplace",)),
    "GELU": ("gelu", ()),
    "SiLU": ("silu", ()),
    "Sigmoid": ("sigmoid", ()),
    "Tanh": ("tanh", ()),
}
"""Class of torch.nn -> (function of torch.nn.functional, attributes that follow the input)."""

_CHANGES_MEANING = frozenset({"padding_mode", "approximate"})
"""Constructor arguments that the function does not take: a layer built with one has no functional form here."""


def functional_form(target: Target, layer: cst.Attribute) -> tuple[str, tuple[str, ...]] | Decline:
    """The function that ``self.layer(x)`` is, and the attributes to pass, where ``__init__`` of the class builds the layer once."""
    class_ = target.block.enclosing(layer, cst.ClassDef)
    name, text = layer.attr.value, target.source(layer)
    assigned = [] if class_ is None else [node for node in walk(class_) if isinstance(node, cst.Assign) and _sets(target, node, text)]
    match assigned:
        case [cst.Assign(value=cst.Call() as built, targets=[_])]:
            pass
        case _:
            return Decline(f"it calls `{text}`: a module or method cannot be passed to a wrapped function")
    kind = target.source(built.func).rpartition(".")
    row = FUNCTIONAL.get(kind[2])
    if row is None or (kind[1] and kind[0].rpartition(".")[2] != "nn"):
        return Decline(f"it calls `{text}`: a `{kind[2]}` cannot be passed to a wrapped function, and has no functional form here")
    if any(arg.star or (arg.keyword is not None and arg.keyword.value in _CHANGES_MEANING) for arg in built.args):
        return Decline(f"it calls `{text}`, which is built with arguments that its functional form does not take ({name})")
    return row


def _sets(target: Target, node: cst.Assign, text: str) -> bool:
    return any(isinstance(each.target, cst.Attribute) and target.source(each.target) == text for each in node.targets)
