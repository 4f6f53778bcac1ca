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


REGISTRY = """from collections.abc import MutableMapping
class Registry(MutableMapping):
    table = {"a": lambda x: len(x), "b": lambda x: x + 1}
    def __getitem__(self, key):
        return self.table[key]
    def __iter__(self):
        return iter(self.table)
REGISTRY = Registry()
"""


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("REGISTRY.get('a', None)(x)", True), ("REGISTRY.get('b', None)(x)", False), ("REGISTRY.get('c', lambda v: len(v))(x)", True),
        ("REGISTRY.get('c', lambda v: v)(x)", False), ("[g(x) for g in REGISTRY.values()][0]", True),
    ],
)
def test_methods_that_abstract_containers_derive(expression: str, found: bool) -> None:
    assert (("proxy-len", "len") in kinds(REGISTRY + forward(f"return {expression}"))) == found


PROPERTY = """class Config:
    def __init__(self, mode):
        self.mode = mode
    @property
    def mode(self):
        return self._mode
    @mode.setter
    def mode(self, value):
        self._mode = {stored}
"""


@pytest.mark.parametrize(("stored", "found"), [("value", False), ("value or 'loud'", True), ("'loud'", True)])
def test_assigning_a_property_runs_its_setter(stored: str, found: bool) -> None:
    program = PROPERTY.format(stored=stored) + forward(
        "return x * len(x) if self.config.mode == 'loud' else x", "self.config = Config(None)")
    assert kinds(program) == [("proxy-len", "len")] * found


@pytest.mark.parametrize(
    ("default", "found"),
    [("field(default=False)", False), ("field(default=True)", True), ("field(default_factory=lambda: [1])", True),
     ("field(default_factory=list)", False), ("(1,)", True), ("()", False)],
)
def test_defaults_of_dataclass_fields(default: str, found: bool) -> None:
    head = f"from dataclasses import dataclass, field\n@dataclass\nclass Config:\n    v: object = {default}\n"
    assert kinds(head + forward("return x * len(x) if self.config.v else x", "self.config = Config()")) == [("proxy-len", "len")] * found


def test_a_buffer_made_by_its_class_is_a_concrete_tensor() -> None:
    assert kinds(forward("return x + self.b[:, :x.shape[1]]", "self.b = nn.Buffer(torch.ones(1, 9))")) == [("tensor-argument", "slice")]
    assert kinds(forward("return x + self.b[:, :x.shape[1]]", "self.b = nn.Parameter(torch.ones(1, 9))")) == []


WRAPPER = """import functools, inspect
def decorate(fn):
    names = inspect.signature(fn).parameters
    @functools.wraps(fn)
    def wrapper(self, *args, **kwargs):
        {body}
        return fn(self, *args, **kwargs)
    return wrapper
class M(nn.Module):
    @decorate
    def forward(self, x=None, mask=None):
        return x * len(x) if mask is None else x
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("kwargs.setdefault('mask', None)", [("proxy-len", "len")]),
        ("if 'mask' in names: kwargs['mask'] = 1", []),
        ("if 'other' in names: kwargs['mask'] = 1", [("proxy-len", "len")]),
        ("if 'mask' in fn.__code__.co_varnames: kwargs['mask'] = 1", []),
    ],
)
def test_a_wrapper_around_forward_gets_what_callers_give(body: str, found: list[tuple[str, str]]) -> None:
    from .programs import events

    always = [(e.kind.value, e.construct) for e in events(WRAPPER.format(body=body)) if not e.assumptions]
    assert [k for k in always if k[0] == "proxy-len"] == found


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("isinstance(x, torch.Tensor)", True), ("torch.is_tensor(x)", True), ("isinstance(x, (list, tuple))", False),
        ("isinstance(x, torch.Tensor) and x.dim() > 2", True), ("isinstance(x.shape[0], int)", True), ("isinstance(x, int)", False),
    ],
)
def test_the_arm_that_eager_execution_takes_is_looked_at_too(test: str, found: bool) -> None:
    assert (("proxy-len", "len") in kinds(forward(f"if {test}:\n    return x * len(x)\nreturn x"))) == found
    assert (("proxy-len", "len") in kinds(forward(f"return x * len(x) if {test} else x"))) == found


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("replace(Config(), v=True).v", True), ("replace(Config(True), v=False).v", False), ("replace(Config(True)).v", True),
        ("asdict(Config(True))['v']", True), ("asdict(Config())['v']", False),
        ("'v' in [f.name for f in fields(Config)]", True), ("'w' in [f.name for f in fields(Config())]", False),
    ],
)
def test_functions_of_dataclasses(expression: str, found: bool) -> None:
    head = "from dataclasses import asdict, dataclass, fields, replace\n@dataclass\nclass Config:\n    v: bool = False\n"
    program = head + forward("return x * len(x) if self.v else x", f"self.v = {expression}")
    assert kinds(program) == [("proxy-len", "len")] * found
