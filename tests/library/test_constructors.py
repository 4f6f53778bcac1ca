"""Constructors of layers that ask a Proxy for its value, and numpy on plain numbers: each row is tried."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from fxlint.library.constructor_rows import constructor_breaks
from fxlint.library.lookup import module_class, numpy_result
from tests.library.calling import error_of, proxy

LAYERS = (
    "Linear", "Conv2d", "LayerNorm", "GroupNorm", "InstanceNorm1d", "Dropout", "MultiheadAttention", "Softmax", "BatchNorm2d", "MaxPool2d",
    "Flatten", "AvgPool2d",
)


def given(layer: str) -> list[str]:
    """The parameters of a layer that take numbers."""
    row = module_class(f"torch.nn.{layer}")
    assert row is not None
    return [p.name for p in row.parameters if p.name not in ("device", "dtype", "inplace", "batch_first", "padding_mode")]


@pytest.mark.parametrize(("layer", "name"), [(layer, name) for layer in LAYERS for name in given(layer)])
def test_a_constructor_asks_for_the_value_where_the_table_says_so(layer: str, name: str) -> None:
    row = module_class(f"torch.nn.{layer}")
    assert row is not None
    arguments = {p.name: 4 for p in row.parameters if not p.default}
    arguments[name] = proxy()
    error, _ = error_of(lambda: getattr(torch.nn, layer)(**arguments))
    expected = constructor_breaks(f"torch.nn.{layer}", name)
    assert error.startswith(expected) if expected else not error


@pytest.mark.parametrize(
    ("name", "arguments", "types"),
    [
        ("sqrt", (4,), ("int",)), ("exp", (0.5,), ("float",)), ("prod", ([2, 3],), ("int",)), ("sum", ([2.0, 3.0],), ("float",)),
        ("mean", ([1, 2],), ("int",)), ("int64", (3,), ("int",)), ("float32", (3,), ("int",)), ("floor", (2.5,), ("float",)),
    ],
)
def test_the_scalar_that_numpy_gives(name: str, arguments: tuple[object, ...], types: tuple[str, ...]) -> None:
    assert numpy_result(name, types) == f"numpy.{type(getattr(np, name)(*arguments)).__name__}"


@pytest.mark.parametrize(("name", "arguments"), [("linspace", (0, 1, 3)), ("arange", (3,))])
def test_the_items_of_a_vector(name: str, arguments: tuple[int, ...]) -> None:
    vector = getattr(np, name)(*arguments)
    assert numpy_result(name, ("int",) * len(arguments)) == f"numpy.ndarray:{type(vector[0]).__name__}"
