"""Autowrap: what the tracer wraps by itself, and the names through which code finds it. Torch 2.13 breaks in the same programs."""

from __future__ import annotations

import pytest

from tests.interp.tracing import IF, events


@pytest.mark.parametrize(
    ("name", "made", "wanted"),
    [
        ("gate", "fx.Tracer(autowrap_functions=(gate,))", []),
        ("gate", "fx.Tracer((math,), (gate,))", []),
        ("gate", "fx.Tracer()", [IF]),
        ("_gate", "fx.Tracer(autowrap_functions=(_gate,))", [IF]),  # names with an underscore are skipped
        ("gate", "fx.Tracer(autowrap_functions=(other,))", [IF]),
    ],
)
def test_autowrapped_functions(name: str, made: str, wanted: list[str]) -> None:
    """A function that the Tracer wraps by itself is recorded where the code reads it from the globals of a traced file."""
    text = f"""
def {name}(x):
    return x * 2 if x.sum() > 0 else x

def other(x):
    return x

class M(nn.Module):
    def forward(self, x):
        return {name}(x)

def trace(m):
    return fx.GraphModule(m, {made}.trace(m))
"""
    assert events(text) == wanted


def test_autowrapped_modules_replace_math() -> None:
    """``autowrap_modules=(np,)`` records numpy and leaves math as it is."""
    text = """
import numpy as np

class M(nn.Module):
    def forward(self, x):
        return x / {call}

def trace(m):
    return fx.GraphModule(m, fx.Tracer(autowrap_modules={modules}).trace(m))
"""
    one = "math.sqrt(x.shape[-1])"
    assert events(text.format(call=one, modules="(np,)")) == ["foreign-call/c-function"]
    assert events(text.format(call=one, modules="(math, np)")) == []
    assert events(text.format(call="np.prod(x.shape)", modules="(math, np)")) == []


SCALE = """
from math import sqrt
import torch.nn as nn

def scale(n):
    return 1.0 / sqrt(n)

class Scale(nn.Module):
    def forward(self, x):
        return x / sqrt(x.shape[0])

    def other(self, x):
        return x / sqrt(x.shape[0])
"""
USER = """
from lib import Scale, scale
from math import sqrt

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = Scale()
        self.fn = math.sqrt

    def forward(self, x):
        return {}
"""


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("x * math.sqrt(x.shape[0])", []),
        ("x * sqrt(x.shape[0])", []),  # the file of the root is patched
        ("self.s(x)", []),  # and that of a module which is called
        ("self.s(x) * scale(x.shape[0])", []),  # from then on for all of its functions
        ("x * scale(x.shape[0])", ["foreign-call/c-function"]),
        ("self.s.other(x)", ["foreign-call/c-function"]),
        ("self.s.forward(x)", ["foreign-call/c-function"]),  # which calls no module
        ("x * self.fn(x.shape[0])", ["foreign-call/c-function"]),
        ("x * self.fn(4)", []),
        ("x * scale(4)", []),
    ],
)
def test_functions_of_math_by_name(expression: str, wanted: list[str]) -> None:
    """A function of math is wrapped as an attribute of math, and by name in the files that the tracer has patched so far."""
    assert events(USER.format(expression), lib=SCALE) == wanted


def test_an_import_while_tracing_finds_the_patched_function() -> None:
    """``from lib import gate`` inside forward reads the wrapped global (of a module that is loaded); at module level it was read before."""
    lib = "import torch.fx as fx\n\n@fx.wrap\ndef gate(x):\n    return x * 2 if x.sum() > 0 else x\n"
    inside = "class M(nn.Module):\n    def forward(self, x):\n        from lib import gate\n        return gate(x)\n"
    outside = "from lib import gate\n\nclass M(nn.Module):\n    def forward(self, x):\n        return gate(x)\n"
    assert events(inside, lib=lib) == []
    assert events(outside, lib=lib) == [IF]
