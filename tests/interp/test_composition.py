"""How models are put together: imports by name, optional packages, options looked up in tables."""

from __future__ import annotations

import pytest

from .programs import forward, seen

OPTIONAL = """from importlib import import_module
def optional(module, name=""):
    try:
        found = import_module(module)
        if name:
            found = getattr(found, name)
    except ImportError:
        pass
    else:
        return found, True
    class Missing:
        def __call__(self, *args):
            raise ImportError(module)
    return Missing(), False
Rearrange, _ = optional("einops.layers.torch", name="Rearrange")
np, _ = optional("numpy")
"""


def kinds(program: str) -> list[tuple[str, str]]:
    return [e[:2] for e in seen(program)]


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [
        ("return self.r(x)", "self.r = Rearrange('a b -> b a')", [("foreign-call", "einops")]),
        ("return np.linalg.svd(x)", "", [("foreign-call", "numpy")]),
        ("return x + np.pi", "", []),
        ("return x", "self.r = Rearrange('a b -> b a')", []),
    ],
)
def test_optional_imports_are_followed(body: str, init: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(OPTIONAL + forward(body, init)) == expected


@pytest.mark.parametrize(
    ("value", "kind", "taken"),
    [
        ("'a'", "Hashable", True), ("'a'", "Sized", True), ("{}", "Mapping", True), ("[]", "Hashable", False), ("(1,)", "Sequence", True),
        ("3", "Iterable", False), ("None", "Hashable", True), ("{1}", "Collection", True), ("'a'", "Mapping", False),
    ],
)
def test_instances_of_pythons_abstract_classes(value: str, kind: str, taken: bool) -> None:
    program = f"from collections.abc import {kind}\n" + forward(f"return len(x) if isinstance(self.v, {kind}) else x", f"self.v = {value}")
    assert kinds(program) == [("proxy-len", "len")] * taken


@pytest.mark.parametrize(
    ("expression", "raises"),
    [
        ("next(a for a in args if torch.is_tensor(a))", True),
        ("next(a for a in args if isinstance(a, torch.Tensor))", True),
        ("next((a for a in args if torch.is_tensor(a)), args[0])", False),
        ("next(a for a in args)", False),
        ("next(a for a in args if a is not None)", False),
    ],
)
def test_next_of_what_a_test_on_proxies_emptied(expression: str, raises: bool) -> None:
    from .programs import events

    found = events(f"def first(*args):\n    return {expression}\n" + forward("return first(x) * 2"))
    assert any(e.detail == "raises" for e in found) == raises


def test_sizes_that_numpy_takes_are_numbers_afterwards() -> None:
    program = "import numpy as np\n" + forward("n = np.array(x.shape[2:])\nif (n > 3).any():\n    return x\nreturn -x")
    assert kinds(program) == [("foreign-call", "numpy")]
    program = "import numpy as np\n" + forward("n = np.array(x)\nif (n > 3).any():\n    return x\nreturn -x")
    assert kinds(program) == [("foreign-call", "numpy"), ("proxy-truth", "if")]
