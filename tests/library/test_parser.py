"""The model of torch's argument parser against the parser of the installed torch: each overload, each parameter, really called."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from fxlint.library.dispatch import concrete_tensor_breaks, factory, factory_breaks
from fxlint.library.parser import Param, Signature, signature
from fxlint.library.rows import ArgShape
from fxlint.library.tables import measured_on, table
from fxlint.library.tensors import method_signatures
from tests.library.calling import PLAIN, error_of, proxy, value_for

INSTALLED = tuple(int(part) for part in torch.__version__.split(".")[:2])
VERSION = (INSTALLED[0], INSTALLED[1])
LISTS = {"SymIntArrayRef", "IntArrayRef", "TensorList", "ArrayRef<double>", "ScalarList"}
# Not called: they leave the process or read what is no tensor's.
NOT_CALLED = {"torch.from_file", "record_stream"}


def functions() -> list[str]:
    return [name for name, entry in table("functions").items() if name and "signatures" in entry and name not in NOT_CALLED]


def methods() -> list[str]:
    return [name for name, entry in table("methods").items() if name and "signatures" in entry and name not in NOT_CALLED]


def _shape(param: Param) -> ArgShape:
    return ArgShape.NUMBER if isinstance(PLAIN[param.type], (int, float)) else ArgShape.PLAIN


def calls(sig: Signature) -> Iterator[tuple[tuple[ArgShape, ...], dict[str, ArgShape], list[Param]]]:
    """Every call of this overload with one Proxy: alone or in a list, by position or by keyword, the other arguments plain."""
    positional = [p for p in sig.params if not p.keyword_only]
    required = [p for p in sig.params if p.keyword_only and p.required]
    for index, param in enumerate(positional):
        given = positional[: max(index + 1, sum(p.required for p in positional))]
        for shape in (ArgShape.PROXY, *([ArgShape.HOLDS_PROXY] if param.type in LISTS else [])):
            shapes = tuple(shape if i == index else _shape(p) for i, p in enumerate(given))
            yield shapes, {p.name: _shape(p) for p in required}, given
    needed = [p for p in positional if p.required]
    for param in sig.params:
        if param.keyword_only:
            keywords = {p.name: _shape(p) for p in required} | {param.name: ArgShape.PROXY}
            yield tuple(_shape(p) for p in needed), keywords, needed


def _differences(name: str, function: Callable[..., Any], predict: Callable[..., str], signatures: tuple[Signature, ...]) -> list[str]:
    wrong = []
    for sig in signatures:
        by_name = {p.name: p for p in sig.params}
        for shapes, keywords, given in calls(sig):
            if any(p.type not in PLAIN or PLAIN[p.type] is None for p in (*given, *(by_name[k] for k in keywords))):
                continue
            x = proxy()
            values = [value_for(p, s, x) for p, s in zip(given, shapes, strict=True)]
            named = {k: value_for(by_name[k], s, x) for k, s in keywords.items()}
            said = predict(shapes, keywords)
            real, recorded = error_of(lambda values=values, named=named: function(*values, **named))
            same = real.startswith(said.partition(" - got")[0]) if said else not real
            if not same or recorded != (not real):
                wrong.append(f"{name}{shapes} {keywords}: said {said!r}, torch says {real!r}, recorded {recorded}")
    return wrong


def test_the_tables_are_of_the_installed_torch() -> None:
    assert measured_on("functions") == measured_on("methods") == measured_on("modules") == torch.__version__.partition("+")[0]


def test_every_function() -> None:
    wrong = []
    for dotted in functions():
        module, _, name = dotted.rpartition(".")
        rule = factory(dotted, VERSION)
        assert rule is not None
        function = getattr(importlib.import_module(module), name)
        wrong += _differences(dotted, function, lambda s, k, rule=rule: factory_breaks(rule, s, k), rule.signatures)
    assert not wrong, "\n".join(wrong[:60]) + f"\n{len(wrong)}"


def test_every_method_of_a_concrete_tensor() -> None:
    wrong = []
    for name in methods():
        def call(*args: Any, name: str = name, **keywords: Any) -> Any:
            return getattr(torch.ones(2, 2), name)(*args, **keywords)

        wrong += _differences(
            name, call, lambda s, k, name=name: concrete_tensor_breaks(name, s, k, VERSION), method_signatures(name))
    assert not wrong, "\n".join(wrong[:60]) + f"\n{len(wrong)}"


@pytest.mark.parametrize("shapes", [
    (ArgShape.PROXY, ArgShape.PROXY), (ArgShape.PROXY, ArgShape.NUMBER), (ArgShape.NUMBER, ArgShape.PROXY), (ArgShape.PROXY,),
    (ArgShape.NUMBER, ArgShape.NUMBER, ArgShape.PROXY), (ArgShape.PROXY, ArgShape.NUMBER, ArgShape.PROXY),
])
@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "rand", "randn", "expand", "new_zeros", "new_ones", "view", "reshape",
    "repeat", "permute", "tile"])
def test_sizes_that_are_spelled_out(name: str, shapes: tuple[ArgShape, ...]) -> None:
    x = proxy()
    values = [x if s is ArgShape.PROXY else 2 for s in shapes]
    if hasattr(torch.Tensor, name):
        said = concrete_tensor_breaks(name, shapes, {}, VERSION)
        real, recorded = error_of(lambda: getattr(torch.ones(2, 2), name)(*values))
    else:
        rule = factory(f"torch.{name}", VERSION)
        assert rule is not None
        said = factory_breaks(rule, shapes, {})
        real, recorded = error_of(lambda: getattr(torch, name)(*values))
    assert bool(said) == bool(real)
    assert recorded == (not real)
    assert real.startswith(said.partition(" - got")[0])


def test_a_signature_is_read() -> None:
    sig = signature("arange(Scalar start, Scalar end=1, *, Tensor out=None, IntArrayRef[2] pair=0) -> 2")
    assert sig == Signature("arange", (
        Param("start", "Scalar", True, False), Param("end", "Scalar", False, False), Param("out", "Tensor", False, True),
        Param("pair", "IntArrayRef", False, True, 2)), "2")
    assert sig.max_positional() == 2
    assert not sig.spelled_out()
