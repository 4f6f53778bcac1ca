"""What raises while tracing because of a concrete value: arguments, outputs, guards, foreign callables. Near misses beside each."""

from __future__ import annotations

import pytest

from fxlint.interp.guards import RAISES

from .programs import events, forward, seen

HEAD = """import enum
from dataclasses import dataclass
import numpy as np
class Plain:
    def __init__(self, v):
        self.v = v
@dataclass
class Data:
    v: torch.Tensor
class Color(enum.Enum):
    RED = 1
@fx.wrap
def wrapped(x, v):
    return x
"""


def kinds(body: str, init: str = "") -> list[tuple[str, str]]:
    return [e[:2] for e in seen(HEAD + forward(body, init))]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Plain(x)", [("no-argument-type", "instance")]),
        ("{'a': Plain(x)}", [("no-argument-type", "instance")]),
        ("{x}", [("no-argument-type", "instance")]),
        ("(i for i in [x])", [("no-argument-type", "generator")]),
        ("(x, lambda: 3)", [("no-argument-type", "function")]),
        ("Data(x)", []),
        ("[x, {'a': (x, None, 3, 'b')}]", []),
        ("(x, Color.RED, torch.float32, slice(0, 2))", []),
        ("None", []),
    ],
)
def test_what_the_output_may_hold(value: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(f"return {value}") == expected


@pytest.mark.parametrize(
    ("value", "init", "expected"),
    [
        ("torch.relu", "", [("no-argument-type", "function")]),
        ("lambda v: v", "", [("no-argument-type", "function")]),
        ("self", "", [("no-argument-type", "instance")]),
        ("np.ones(3)", "", [("no-argument-type", "instance")]),
        ("np.float64(2.0)", "", [("numpy-operand", "operand")]),
        ("self.lin", "self.lin = nn.Linear(3, 3)", []),
        ("Color.RED", "", []),
        ("torch.float32", "", []),
        ("float(np.float64(2.0))", "", []),
        ("[1, 2]", "", []),
    ],
)
def test_what_an_argument_of_a_recorded_call_may_be(value: str, init: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(f"return wrapped(x, {value})", init) == expected


@pytest.mark.parametrize(
    ("expression", "reported"),
    [
        ("x * np.sqrt(4)", True), ("x[:np.int64(2)]", True), ("x * np.prod([2, 3])", True),
        ("x * (1 - np.linspace(0, 1, 3)[1])", True), ("x * float(np.sqrt(4))", False), ("x * int(np.prod([2, 3]))", False),
        ("x * np.sqrt(4).item()", False), ("x * np.pi", False), ("x * torch.from_numpy(np.ones(3))", False),
    ],
)
def test_numpy_scalars_as_operands(expression: str, *, reported: bool) -> None:
    assert (("numpy-operand", "operand") in kinds(f"return {expression}")) is reported


def test_a_numpy_scalar_on_the_left_raises_otherwise() -> None:
    assert kinds("return np.float64(0.5) * x") == [("numpy-operand", "left-operand")]


@pytest.mark.parametrize(
    ("body", "init", "reported"),
    [
        ("return x * self.ps[0]", "self.ps = [nn.Parameter(torch.ones(3))]", True),
        ("return x + self.ps['a']", "self.ps = {'a': nn.Parameter(torch.ones(3))}", True),
        ("return x * nn.Parameter(torch.ones(3))", "", True),
        ("return x * self.ps[0]", "self.ps = nn.ParameterList([nn.Parameter(torch.ones(3))])", False),
        ("return x * self.w", "self.w = nn.Parameter(torch.ones(3))", False),
        ("return x * self.ps[0]", "w = nn.Parameter(torch.ones(3))\nself.w = w\nself.ps = [w]", False),
        ("return x * self.ps[0]", "self.ps = [torch.ones(3)]", False),
    ],
)
def test_parameters_that_no_module_owns(body: str, init: str, *, reported: bool) -> None:
    assert (("parameter-unregistered", "operand") in kinds(body, init)) is reported


@pytest.mark.parametrize(
    ("body", "fatal"),
    [
        ("if not isinstance(x, torch.Tensor):\n    raise TypeError('t')\nreturn x", True),
        ("if not torch.is_tensor(x):\n    raise TypeError('t')\nreturn x", True),
        ("assert isinstance(x, torch.Tensor)\nreturn x", True),
        ("if isinstance(x, list):\n    raise TypeError('t')\nreturn x", False),
        ("if not isinstance(x, torch.Tensor):\n    x = x * 2\nreturn x", False),
    ],
)
def test_a_guard_that_a_proxy_fails(body: str, *, fatal: bool) -> None:
    found = [e.detail for e in events(forward(body)) if e.kind.value == "specialised-type"]
    assert (found == [RAISES]) is fatal


def test_the_analysis_goes_on_behind_a_guard() -> None:
    body = "if not isinstance(x, torch.Tensor):\n    raise TypeError('t')\nif x.sum() > 0:\n    return x\nreturn x * 2"
    assert ("proxy-truth", "if", 7) in seen(forward(body))


@pytest.mark.parametrize(
    ("head", "body", "init", "expected"),
    [
        ("@torch.jit.script\ndef f(x):\n    return x\n", "return f(x)", "", ["scripted"]),
        ("@torch.compile(backend='eager')\ndef f(x):\n    return x\n", "return f(x)", "", ["compiled"]),
        ("", "return self.f(x)", "self.f = torch.compile(nn.ReLU())", ["compiled"]),
        ("", "return torch.func.vmap(lambda r: r * 2)(x)", "", ["c-function"]),
        ("", "return torch.Tensor.add(x, 1)", "", ["c-function"]),
        ("", "return nn.Linear(x.shape[-1], 3)", "", ["c-function"]),
        ("", "return type(x)([0.0])", "", ["c-function"]),
        ("from einops.layers.torch import Rearrange\n", "return self.r(x)", "self.r = Rearrange('a b -> b a')", ["einops"]),
        ("@torch.jit.script\ndef f(x):\n    return x\n", "return x * f(torch.ones(3))", "", []),
        ("@torch.jit.script_if_tracing\ndef f(x):\n    return x\n", "return f(x)", "", []),
        ("", "return self.f(x)", "self.f = torch.jit.script(nn.Linear(3, 3))", []),
        ("", "return torch.func.vmap(lambda r: r * 2)(torch.ones(3)) + x", "", []),
        ("", "return torch.Tensor.add(torch.ones(3), 1) + x", "", []),
    ],
)
def test_callables_that_tracing_does_not_go_into(head: str, body: str, init: str, expected: list[str]) -> None:
    assert [construct for kind, construct, _ in seen(head + forward(body, init)) if kind == "foreign-call"] == expected


@pytest.mark.parametrize("word", ["async def", "def"])
def test_an_async_forward_and_one_that_yields(word: str) -> None:
    statement = "return x" if word == "async def" else "yield x"
    assert seen(f"class M(nn.Module):\n    {word} forward(self, x):\n        {statement}\n") == [("no-argument-type", "generator", 2)]


def test_a_module_that_forward_assigns_has_no_path() -> None:
    assert ("module-unregistered", "forward", 6) in seen(forward("self.act = nn.ReLU()\nreturn self.act(x)"))
