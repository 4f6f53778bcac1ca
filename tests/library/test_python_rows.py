"""Every row of the tables of Python, numpy and einops functions, called with a real Proxy."""

from __future__ import annotations

import importlib
import logging
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import fx, nn

from fxlint.library.functions import function
from fxlint.library.numpy_rows import EINOPS_ROWS, numpy_row
from fxlint.library.python_rows import PYTHON_ROWS
from fxlint.library.rows import Behaviour, Row
from tests.library.calling import error_of, proxy

# How to call what one Proxy, or two, are not enough for; "x" is the Proxy.
CALLS: dict[str, str] = {
    "operator.contains": "f(x, 1)", "operator.setitem": "f(x, 0, 1)", "operator.is_": "f(x, None)",
    "operator.is_not": "f(x, None)", "builtins.pow": "f(x, 2)", "builtins.divmod": "f(x, 2)", "functools.reduce": "f(max, x)",
    "typing.cast": "f(int, x)", "random.sample": "f(x, 2)", "random.randint": "f(0, x)", "random.uniform": "f(0, x)",
    "random.gauss": "f(x, 1)",
    "random.normalvariate": "f(x, 1)", "random.triangular": "f(0, 1, 0.5)", "random.betavariate": "f(1, 1)", "random.expovariate": "f(1)",
    "random.random": "f()", "time.localtime": "f()", "time.gmtime": "f()", "time.strftime": "f('%Y')", "gc.collect": "f()",
    "uuid.uuid4": "f()", "warnings.warn": "f('text')", "secrets.token_hex": "f(4)",
}


def target(dotted: str) -> Callable[..., Any]:
    module, _, rest = dotted.partition(".")
    found: Any = importlib.import_module(module)
    for name in rest.split("."):
        found = getattr(found, name)
    assert callable(found)
    return found


def tried(dotted: str) -> tuple[str, bool]:
    """Error and whether a Proxy came out, for the row's own call, or for one or two Proxies."""
    called = target(dotted)
    if dotted.startswith("logging.Logger."):
        called = getattr(logging.getLogger("a logger of the project"), called.__name__)
    texts = [CALLS[dotted]] if dotted in CALLS else ["f(x)", "f(x, 2)", "f(x, 1, 2)", "f()"]
    outcome = "", False
    for text in texts:
        outcome = error_of(lambda text=text: eval(text, {"f": called, "x": proxy()}))
        if not any(word in outcome[0] for word in ("missing", "expected 2 arg", "expected at least", "takes exactly", "takes no",
            "takes 0")):
            break
    return outcome


@pytest.mark.parametrize("row", [r for r in PYTHON_ROWS.values() if r.on_proxy is not Behaviour.RECORDS], ids=lambda r: r.name)
def test_python_row(row: Row, capsys: pytest.CaptureFixture[str]) -> None:
    error, is_proxy = tried(row.name)
    match row.on_proxy:
        case Behaviour.BREAKS:
            assert error.startswith(row.error)
        case Behaviour.PROTOCOL:
            assert not error
            assert is_proxy or row.random  # without a Proxy among its arguments it is a number
        case Behaviour.THROUGH:
            assert error.startswith(row.error) if row.error else is_proxy
        case _:
            assert error.startswith(row.error) if row.error else not error
            assert not is_proxy


@pytest.mark.parametrize("row", [r for r in PYTHON_ROWS.values() if r.on_proxy is Behaviour.RECORDS], ids=lambda r: r.name)
def test_math_is_recorded_by_the_tracer(row: Row) -> None:
    name = row.name.removeprefix("math.")
    if not hasattr(math, name):
        pytest.skip("not in this Python")

    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            return getattr(math, name)(x, 2) if name in TWO else getattr(math, name)(x)

    nodes = list(fx.symbolic_trace(Net()).graph.nodes)
    assert [n.op for n in nodes] == ["placeholder", "call_function", "output"]
    assert nodes[1].target is getattr(math, name)


TWO = {"atan2", "comb", "copysign", "dist", "fmod", "isclose", "ldexp", "nextafter", "pow", "remainder", "sumprod", "gcd", "lcm", "perm"}


def test_all_of_math_has_a_row() -> None:
    assert [n for n in dir(math) if callable(getattr(math, n)) and not n.startswith("_") and function(f"math.{n}") is None] == []


NUMPY = sorted(n for n in (
    "sqrt exp log sin maximum minimum add power matmul dot abs clip where concatenate stack hstack vstack mean sum std var prod max min "
    "amax argmax "
    "reshape transpose squeeze expand_dims array asarray zeros ones full eye arange linspace tile repeat round floor ceil sign isnan "
    "isfinite sort "
    "argsort cumsum unique outer einsum linalg.norm random.rand random.randn random.randint random.normal pad roll diag tril triu "
    "float32 int64 array_equal isscalar ndim shape size real nonzero take median percentile histogram meshgrid ones_like zeros_like "
    "logical_and logical_not dtype finfo all any cumprod swapaxes ravel").split())
NUMPY_CALLS = {
    "reshape": "f(x, (2,))", "expand_dims": "f(x, 0)", "full": "f(x, 1.0)", "linspace": "f(0, x)", "where": "f(x, 1, 2)", "tile": "f(x, 2)",
    "repeat": "f(x, 2)", "take": "f(x, 0)", "einsum": "f('ij->i', x)", "roll": "f(x, 1)", "pad": "f(x, 1)", "clip": "f(x, 0, 1)",
    "percentile": "f(x, 50)", "swapaxes": "f(x, 0, 1)", "array_equal": "f(x, x)", "power": "f(x, 2)", "add": "f(x, 2)",
    "maximum": "f(x, 2)",
    "minimum": "f(x, 2)", "matmul": "f(x, x)", "dot": "f(x, x)", "outer": "f(x, x)", "logical_and": "f(x, x)", "random.normal": "f(x, 1.0)",
}


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_row(name: str) -> None:
    row = numpy_row(name)
    found: Any = np
    for part in name.split("."):
        found = getattr(found, part)
    error, is_proxy = error_of(lambda: eval(NUMPY_CALLS.get(name, "f(x)"), {"f": found, "x": proxy()}))
    match row.on_proxy:
        case Behaviour.BREAKS:
            assert error.startswith(row.error)
        case Behaviour.PROTOCOL:
            assert is_proxy
        case _:
            assert not error
            assert not is_proxy


@pytest.mark.parametrize("name", [n for n in NUMPY if numpy_row(n).instead])
def test_what_numpy_rows_name_instead_exists(name: str) -> None:
    found: Any = torch
    for part in numpy_row(name).instead.split(".")[1:]:
        found = getattr(found, part)
    assert callable(found)


@pytest.mark.parametrize("row", EINOPS_ROWS.values(), ids=lambda r: r.name)
def test_einops_row(row: Row) -> None:
    pytest.importorskip("einops", reason="einops is not a dependency")
    calls = {"rearrange": "f(x, 'a b -> b a')", "reduce": "f(x, 'a b -> a', 'sum')", "repeat": "f(x, 'a -> a c', c=2)",
        "einsum": "f(x, 'a b -> b')",
             "pack": "f([x, x], 'a *')", "unpack": "f(x, [(1,), (2,)], 'a *')", "asnumpy": "f(x)"}
    error, _ = error_of(lambda: eval(calls[row.name.partition(".")[2]], {"f": target(row.name), "x": proxy()}))
    assert error.startswith(row.error)


def test_what_the_tables_do_not_know() -> None:
    assert function("torch.no_such_function") is None
    assert function("scipy.linalg.norm") is None
    assert function("builtins.len") is None  # the interpreter's own
    assert function("abs") == function("builtins.abs")
