"""Code that handles graphs. Each program says where it must be reported; the others must stay quiet."""

from __future__ import annotations

from functools import partial

import pytest

from fxlint.base.event import EventKind
from fxlint.fxcode.graphcode import graph_events, handles_graphs

from .reading import events, found, marked, programs

WRONG = programs("graphcode_wrong")
FINE = programs("graphcode_fine")


@pytest.mark.parametrize("text", [pytest.param(t, id=n) for n, t in WRONG.items()])
def test_what_cannot_work_is_found_where_it_stands(text: str) -> None:
    assert found(graph_events, text) == marked(text)


@pytest.mark.parametrize("text", [pytest.param(t, id=n) for n, t in FINE.items()])
def test_what_works_is_left_alone(text: str) -> None:
    assert found(graph_events, text) == []


def test_every_wrong_program_is_one_that_is_read() -> None:
    assert all(handles_graphs(text) for text in WRONG.values())


def test_an_annotation_that_is_wrong_is_doubted_once() -> None:
    text = "def f(graph: fx.GraphModule):\n    graph.lint()\n    graph.erase_node(1)\n"
    (event,) = events(graph_events, text)
    assert [a.text for a in event.assumptions] == ["the annotation of graph"]


def test_an_interpreter_that_forgets_one_path_may_be_right() -> None:
    text = """
class Run(fx.Interpreter):
    def call_function(self, target, args, kwargs):
        if target is not torch._assert:
            return super().call_function(target, args, kwargs)
        self.checks = args
"""
    (event,) = events(graph_events, text)
    assert event.kind is EventKind.TRANSFORMER_NO_RETURN
    assert event.assumptions


def test_erasing_a_node_of_a_graph_that_is_not_known_is_only_likely_wrong() -> None:
    text = "def f(make):\n    gm = fx.symbolic_trace(make())\n    for n in gm.graph.nodes:\n        gm.graph.erase_node(n)\n"
    (event,) = events(graph_events, text)
    assert event.kind is EventKind.ERASE_USED
    assert event.assumptions


def test_a_lost_effect_names_the_call_that_loses_it() -> None:
    (event,) = events(graph_events, WRONG["dead in-place call"])
    assert [step.text for step in event.steps] == ["gm.graph.eliminate_dead_code()"]


HARD = """
class Net(nn.Module):
    def forward(self, x):
        while x is None:
            x = x.tanh()
        return x.relu()

def use():
    gm = fx.symbolic_trace(Net())
    fx.replace_pattern(gm, lambda x: torch.relu(x), lambda x: torch.neg(x))
"""


def test_what_is_predicted_of_a_class_tells_whether_a_pattern_can_occur() -> None:
    def seen(*pairs: tuple[str, str]) -> list[str]:
        read = partial(graph_events, predicted=lambda name: pairs if name == "Net" else None)
        return [construct for _, construct in found(read, HARD)]

    assert found(graph_events, HARD) == []
    assert seen(("placeholder", "x"), ("call_method", "relu")) == ["other-spelling"]
    assert seen(("placeholder", "x"), ("call_function", "torch.relu")) == []
    assert seen(("placeholder", "x"), ("call_function", "torch.tanh")) == ["never-matches"]


def test_a_file_without_fx_is_not_read() -> None:
    assert not handles_graphs("def call_function(self, node):\n    return self.create_node(node)\n")
