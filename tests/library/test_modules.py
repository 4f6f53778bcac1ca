"""The table of torch.nn classes against the installed torch: leaves, constructors, attributes, forwards that are traced through."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest
import torch
from torch import fx, nn

from fxlint.library.module_api import MODULE_API, Gives
from fxlint.library.modules import AttributeRule, Container, Follows, module_class
from tests.library import module_samples
from tests.library.module_tables import classes

CLASSES = classes()
BUILT = [dotted for dotted, cls in CLASSES.items() if module_samples.arguments(cls) is not None]


@pytest.mark.parametrize("dotted", CLASSES)
def test_leaf_is_what_the_tracer_says(dotted: str) -> None:
    row = module_class(dotted)
    assert row is not None
    keywords = module_samples.arguments(CLASSES[dotted])
    module = module_samples.build(CLASSES[dotted], keywords) if keywords is not None else None
    if module is not None:
        assert row.leaf == fx.Tracer().is_leaf_module(module, "m")
    assert [p.name for p in row.parameters] == [p.name for p in module_samples.parameters(CLASSES[dotted])]


def expected(rule: AttributeRule, given: dict[str, Any]) -> Any:
    """The value that a rule foretells; NotImplemented where it foretells none."""
    match rule.follows:
        case Follows.ARGUMENT:
            return given[rule.of[0]]
        case Follows.ARGUMENT_OR:
            return given[rule.of[1]] if given[rule.of[0]] is None else given[rule.of[0]]
        case Follows.TUPLE:
            return as_tuple(given[rule.of[0]], rule.count)
        case Follows.TUPLE_OR:
            return as_tuple(given[rule.of[1]] if given[rule.of[0]] is None else given[rule.of[0]], rule.count)
        case Follows.CONSTANT:
            return ast.literal_eval(rule.text)
        case _:
            return NotImplemented


def as_tuple(value: Any, count: int) -> Any:
    return value if isinstance(value, (tuple, str)) else (value,) * count


def variations(cls: type[nn.Module]) -> list[dict[str, Any]]:
    """Other arguments than the table was made from: numbers one higher, flags drawn at random."""
    base = module_samples.arguments(cls)
    assert base is not None
    draw = random.Random(cls.__name__)
    given = {p.name: p.default for p in module_samples.parameters(cls) if p.default is not p.empty} | base
    out = [base]
    for _ in range(6):
        changed = {k: draw.random() < 0.5 for k, v in given.items() if isinstance(v, bool)}
        changed |= {k: v + 2 for k, v in given.items() if type(v) is int and k not in base and draw.random() < 0.3}
        out.append(base | changed)
    return out


@pytest.mark.parametrize("dotted", BUILT)
def test_attributes_follow_their_rules(dotted: str) -> None:
    row = module_class(dotted)
    assert row is not None
    cls = CLASSES[dotted]
    defaults = {p.name: p.default for p in module_samples.parameters(cls) if p.default is not p.empty}
    for keywords in variations(cls):
        module = module_samples.build(cls, keywords)
        if module is None:
            continue
        given = defaults | keywords
        for rule in row.rules:
            real = getattr(module, rule.name)
            foretold = expected(rule, given)
            if foretold is not NotImplemented:
                assert real == foretold, (rule, keywords)
                assert type(real) is type(foretold), (rule, keywords)
            elif rule.follows is Follows.PARAMETER:
                assert isinstance(real, nn.Parameter) == all(given[k] for k in rule.of), (rule, keywords)
            elif rule.follows is Follows.BUFFER:
                assert isinstance(real, torch.Tensor) == all(given[k] for k in rule.of), (rule, keywords)
            elif rule.follows is Follows.MODULE:
                assert type(real).__name__ == rule.text.rpartition(".")[2]


@pytest.mark.parametrize("dotted", BUILT)
def test_forward_traced_through(dotted: str) -> None:
    row = module_class(dotted)
    assert row is not None
    cls = CLASSES[dotted]
    real = module_samples.through_error(cls, train=False) or module_samples.through_error(cls, train=True)
    assert row.through == real


@pytest.mark.parametrize(("name", "breaks"), [
    ("BatchNorm2d", True), ("MultiheadAttention", True), ("TransformerEncoderLayer", True), ("LSTM", True), ("Linear", False), ("Conv2d",
    False),
    ("GroupNorm", False), ("LayerNorm", False), ("Dropout", False), ("Embedding", False), ("TransformerDecoderLayer", False),
])
def test_which_forwards_break(name: str, breaks: bool) -> None:
    row = module_class(f"torch.nn.{name}")
    assert row is not None
    assert bool(row.through) == breaks


@pytest.mark.parametrize(("name", "inputs"), [
    ("LSTM", (torch.ones(2, 3, 6),)), ("GRU", (torch.ones(2, 3, 6),)), ("RNN", (torch.ones(2, 3, 6),)), ("LSTMCell", (torch.ones(2, 6),)),
    ("MultiheadAttention", (torch.ones(2, 3, 8),) * 3), ("Linear", (torch.ones(2, 6),)), ("GRUCell", (torch.ones(2, 6),)),
])
def test_outputs(name: str, inputs: tuple[torch.Tensor, ...]) -> None:
    row = module_class(f"torch.nn.{name}")
    cls = CLASSES[f"torch.nn.{name}"]
    module = module_samples.build(cls, module_samples.arguments(cls) or {})
    assert row is not None
    assert module is not None
    result = module(*inputs)
    assert row.outputs == (len(result) if isinstance(result, tuple) else 1)


def test_containers() -> None:
    found = {name: row.container for name in CLASSES if (row := module_class(name)) is not None and row.container is not Container.NONE}
    assert set(found) == {f"torch.nn.{n}" for n in ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")}
    assert module_class("torch.nn.NoSuchModule") is None
    assert module_class("") is None


def test_every_member_of_module_is_known() -> None:
    own = {n for n in dir(nn.Module) if not n.startswith("_")} - {"forward", "T_destination", "get_extra_state"}
    assert own <= set(MODULE_API), own - set(MODULE_API)


def test_what_members_give() -> None:
    module = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    for row in MODULE_API.values():
        assert hasattr(module, row.name), row
        if row.writes or row.gives in (Gives.MODULE, Gives.PARAMETER, Gives.BUFFER):
            continue
        value = getattr(module, row.name)() if row.call else getattr(module, row.name)
        items = list(value) if row.gives in ITEMS else []
        match row.gives:
            case Gives.BOOL:
                assert isinstance(value, bool)
            case Gives.PARAMETERS | Gives.BUFFERS | Gives.CHILDREN | Gives.MODULES:
                assert items
                assert all(isinstance(v, ITEMS[row.gives]) for v in items)
            case Gives.NAMED_PARAMETERS | Gives.NAMED_BUFFERS | Gives.NAMED_CHILDREN | Gives.NAMED_MODULES:
                assert items
                assert all(isinstance(k, str) and isinstance(v, ITEMS[row.gives]) for k, v in items)
            case Gives.STATE | Gives.PARAMETER_DICT | Gives.BUFFER_DICT | Gives.MODULE_DICT:
                assert isinstance(value, dict)
            case _:
                assert isinstance(value, str)


ITEMS: dict[Gives, type] = {
    Gives.PARAMETERS: nn.Parameter, Gives.BUFFERS: torch.Tensor, Gives.CHILDREN: nn.Module, Gives.MODULES: nn.Module,
    Gives.NAMED_PARAMETERS: nn.Parameter, Gives.NAMED_BUFFERS: torch.Tensor, Gives.NAMED_CHILDREN: nn.Module, Gives.NAMED_MODULES:
    nn.Module,
}
