"""What is called no module is there in the installed torch, and cannot be imported from."""

from __future__ import annotations

import importlib
import importlib.util
import types

import pytest

from fxlint.library.not_modules import NOT_MODULES, is_no_module
from fxlint.library.tables import table


@pytest.mark.parametrize("dotted", sorted(NOT_MODULES))
def test_a_row_names_an_object_that_is_no_module(dotted: str) -> None:
    module, _, name = dotted.rpartition(".")
    found = getattr(importlib.import_module(module), name)
    assert callable(found)
    assert not isinstance(found, types.ModuleType)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(dotted)


def test_no_function_with_a_row_is_a_module_as_well() -> None:
    functions = [dotted for dotted in table("functions") if is_no_module(dotted)]
    assert len(functions) > 500
    for dotted in functions:
        parent = importlib.import_module(dotted.rpartition(".")[0])
        assert not hasattr(parent, "__path__") or importlib.util.find_spec(dotted) is None


@pytest.mark.parametrize("dotted", ["torch", "torch.fx", "torch.fx.proxy", "torch.fx.passes.split_module", "torch._dynamo.eval_frame",
                                    "torch.nn.functional", "torch.nosuch", "numpy.mean", ""])
def test_modules_and_names_without_a_row_are_left_alone(dotted: str) -> None:
    assert not is_no_module(dotted)
