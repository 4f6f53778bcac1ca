"""The rows of constants, against the libraries themselves."""

from __future__ import annotations

import importlib
import math

import pytest

from fxlint.library.constants import CONSTANTS, FLOATS


def value(dotted: str) -> object:
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("dotted", sorted(CONSTANTS))
def test_a_constant_has_the_value_of_the_library(dotted: str) -> None:
    assert value(dotted) == CONSTANTS[dotted]
    assert type(value(dotted)) is type(CONSTANTS[dotted])


@pytest.mark.parametrize("dotted", sorted(FLOATS))
def test_what_is_kept_as_a_float_is_one_that_is_not_finite(dotted: str) -> None:
    found = value(dotted)
    assert isinstance(found, float)
    assert not math.isfinite(found)
