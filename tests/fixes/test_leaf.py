"""Leaf rules: the source of a Tracer that runs without fxlint, and when a leaf can help at all."""

from __future__ import annotations

import pytest

from fxlint.api import FixKind, FixRequest
from fxlint.base.event import EventKind
from fxlint.base.finding import Safety
from fxlint.fixes.leaf import MARK, LeafRules, tracer_source

MODEL = """\
import torch
from torch import nn


def pick(x):
    return x if x.sum() > 0 else -x


class Gate(nn.Module):
    def forward(self, x):
        return x if x.mean() > 0 else x * 2


class Wide(Gate):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate()
        self.wide = Wide()
        self.tail = nn.Sequential(Gate(), nn.Linear(4, 4))

    def forward(self, x):
        return pick(self.tail(self.wide(self.gate(x))))
"""


def test_the_tracer_leaves_alone_what_it_names(load):
    import torch

    model = load(MODEL)
    rules = LeafRules(classes=(("Gate", "m.py:11"),), functions=((model.__name__, "pick", "m.py:6"),))
    text = tracer_source("NetTracer", rules, "m.py:Net")
    assert text.startswith(MARK)
    assert "fxlint" not in text.split("\n", 1)[1]
    net = model.Net()
    traced = load(text).trace(net)
    traced.graph.lint()
    assert [str(node.target) for node in traced.graph.nodes if node.op == "call_module"] == ["gate", "wide", "tail.0", "tail.1"]
    for x in (torch.randn(2, 4), -torch.ones(2, 4)):
        assert torch.equal(traced(x), net(x))


def test_paths_and_default_leaves_hold_as_well(load):
    import torch

    model = load(MODEL.replace("pick(self.tail(self.wide(self.gate(x))))", "self.tail(self.gate(x))"))
    text = tracer_source("T", LeafRules(paths=(("gate", "m.py:11"), ("tail.0", "m.py:11"))), "m.py")
    traced = load(text).trace(model.Net())
    assert [str(node.target) for node in traced.graph.nodes if node.op == "call_module"] == ["gate", "tail.0", "tail.1"]
    assert torch.is_tensor(traced(torch.randn(2, 4)))


def test_a_tracer_without_rules_is_the_ordinary_one(load):
    import torch

    text = tracer_source("T", LeafRules(), "m.py")
    with pytest.raises(torch.fx.proxy.TraceError):
        load(text).trace(load(MODEL).Net())


def test_the_same_rules_give_the_same_text():
    rules = LeafRules(classes=(("B", "2"), ("A", "3"), ("A", "1")))
    assert tracer_source("T", rules, "m.py") == tracer_source("T", rules, "m.py")
    assert '"A",  # 1; 3\n' in tracer_source("T", rules, "m.py")


def test_a_leaf_is_shown_and_never_applied(plan, framed):
    source = MODEL.replace("x if x.mean() > 0 else x * 2", "x if «x.mean() > 0» else x * 2")
    text = source.replace("«", "").replace("»", "")
    frame = framed(text, "self.gate(x)", callee="Gate.forward", callee_class="Gate")
    planned = plan(source, FixRequest(FixKind.LEAF), kind=EventKind.PROXY_TRUTH, stack=(frame,))
    assert planned.choice.fix.safety is Safety.DISPLAY
    assert planned.choice.fix.edits == ()
    assert "Make `Gate` a leaf" in planned.choice.fix.message


def test_the_root_is_no_leaf(plan):
    source = MODEL.replace("return pick(", "return «pick»(")
    assert "cannot be a leaf" in plan(source, FixRequest(FixKind.LEAF), kind=EventKind.PROXY_TRUTH).reasons[0]


def test_a_function_is_no_leaf(plan, framed):
    source = MODEL.replace("x.sum() > 0", "«x.sum() > 0»")
    text = source.replace("«", "").replace("»", "")
    start = text.rindex("pick(")
    frame = framed(text, "pick(self.tail(self.wide(self.gate(x))))", callee="pick")
    assert frame.site.start == start
    assert "cannot be a leaf" in plan(source, FixRequest(FixKind.LEAF), kind=EventKind.PROXY_TRUTH, stack=(frame,)).reasons[0]
