"""Rewrites that register: names with wrap, modules of a list, new values with a buffer. Each really traced, each reason to decline."""

from __future__ import annotations

import pytest

from fxlint.base.event import EventKind
from fxlint.base.finding import Safety

WRAP, LIST, BUFFER = EventKind.WRAP_MISSING_NAME, EventKind.MODULE_UNREGISTERED, EventKind.STATE_WRITE
MODULE = """\
import torch
from torch import fx, nn


def halve_norm(x):
    return x / 2 if x.sum() > 0 else x


def other(x):
    return x


{wrap}


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = [nn.Linear(6, 6), nn.ReLU()]
        self.twice = [nn.ReLU()]
        self.twice = [nn.ReLU()]
        self.made = list(self.twice)
        self.shrinks = [nn.ReLU()]
        self.decay = 0.5
        self.register_buffer("mean", torch.zeros(6))

    def shrink(self):
        self.shrinks.clear()

    def read(self):
        return self.mean

    def forward(self, x):
        {body}
"""


def source(body: str = "return halve_norm(x)", wrap: str = 'fx.wrap("halve_norm")') -> str:
    return MODULE.replace("{wrap}", wrap).replace("{body}", body.replace("\n", "\n        "))


@pytest.mark.parametrize(
    ("wrap", "safety"),
    [("«fx.wrap(halve_norm)»", Safety.SAFE), ('«fx.wrap("halve_nrom")»', Safety.UNSAFE), ("«fx.wrap('halvenorm')»", Safety.UNSAFE)],
)
def test_the_name_that_the_module_binds_is_wrapped(wrap, safety, rewrite, load):
    import torch

    planned = rewrite(source(wrap=wrap), "wrap-name", kind=WRAP)
    assert planned.texts["/p/m.py"] == source()
    assert planned.choice.fix.safety is safety
    graph = torch.fx.symbolic_trace(load(planned.texts["/p/m.py"]).M())
    assert [node.target.__name__ for node in graph.graph.nodes if node.op == "call_function"] == ["halve_norm"]


@pytest.mark.parametrize(
    ("wrap", "reason"),
    [
        ('«fx.wrap("quite_another")»', "0 functions of the module have names like"),
        ("«fx.wrap(nn.Linear)»", "is no name that this module binds"),
        ("«fx.wrap(unbound)»", "is no name that this module binds"),
        ('fx.wrap("halve_norm")\n«fx.wrap("halve_nrom")»', "is wrapped already"),
        ('kept = «fx.wrap("halve_nrom")»', "is no statement of its own"),
        ('«fx.wrap("halve_nrom", 1)»', "no call of wrap with one plain argument"),
    ],
)
def test_a_name_that_is_not_clear_stays(wrap, reason, rewrite):
    planned = rewrite(source(wrap=wrap), "wrap-name", kind=WRAP)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]


@pytest.mark.parametrize(
    "body", ["for block in self.blocks:\n    x = «block(x)»\nreturn x", "for i, one in enumerate(self.blocks):\n    x = «one(x)»\nreturn x",
             "return «self.blocks[0](x)»"],
)  # fmt: skip
def test_modules_of_a_list_are_registered(body, rewrite, load):
    import torch

    planned = rewrite(source(body), "list-to-module-list", kind=LIST)
    text = planned.texts["/p/m.py"]
    assert "self.blocks = torch.nn.ModuleList([nn.Linear(6, 6), nn.ReLU()])\n" in text
    assert planned.choice.fix.safety is Safety.UNSAFE
    model, x = load(text).M(), torch.randn(2, 6)
    assert torch.equal(torch.fx.symbolic_trace(model)(x), model(x))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return «self.twice[0](x)»", "is set in 2 places"),
        ("return «self.made[0](x)»", "is set to no list display"),
        ("return «self.shrinks[0](x)»", "methods that a ModuleList does not have"),
        ("return «self.unset[0](x)»", "is set in 0 places"),
        ("blocks = self.blocks\nreturn «blocks[0](x)»", "which attribute holds the modules is not known"),
    ],
)
def test_a_list_that_is_more_than_a_list_of_modules_stays(body, reason, rewrite):
    planned = rewrite(source(body), "list-to-module-list", kind=LIST)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]


def test_a_buffer_is_written_when_the_graph_runs(rewrite, load):
    import torch

    body = "y = x.mean(0)\n«self.mean = self.decay * self.mean + y»\nreturn x - self.mean"
    planned = rewrite(source(body), "buffer-to-copy", kind=BUFFER)
    text = planned.texts["/p/m.py"]
    assert planned.choice.fix.safety is Safety.UNSAFE
    assert "        mean = _update_mean(self.mean, self.decay, y)\n        return x - mean\n" in text
    eager, graph = load(source(body).replace("«", "").replace("»", "")).M(), torch.fx.symbolic_trace(load(text).M())
    for _ in range(3):
        x = torch.randn(2, 6)
        assert torch.equal(graph(x), eager(x))
        assert torch.equal(graph.mean, eager.mean)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if self.decay:\n    «self.mean = x.mean(0)»\nreturn x", "on some paths only"),
        ("«self.mean += x.mean(0)»\nreturn x", "no plain assignment"),
        ("«self.mean = y = x.mean(0)»\nreturn x", "no plain assignment"),
        ("«self.mean = x.mean(0)»\nself.mean = x\nreturn x", "is set twice"),
        ("«self.mean = x.mean(0)»\nreturn x - self.read()", "a method that is called later"),
        ("mean = x\n«self.mean = x.mean(0)»\nreturn mean", "is a local name already"),
        ("f = x.mean\n«self.mean = f(0)»\nreturn x", "what is called cannot be passed"),
    ],
)
def test_a_buffer_that_more_is_done_with_stays(body, reason, rewrite):
    planned = rewrite(source(body), "buffer-to-copy", kind=BUFFER)
    assert planned.choice.fix is None
    assert reason in planned.reasons[0]
