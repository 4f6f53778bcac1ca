"""The tables of what torch.fx offers, held against the installed torch."""

from __future__ import annotations

import inspect

import pytest
import torch
from torch import fx

from fxlint.fxcode import graphapi


def public(cls: type) -> set[str]:
    return {name for name in dir(cls) if not name.startswith("_")}


def traced() -> fx.GraphModule:
    return fx.symbolic_trace(torch.nn.Sequential(torch.nn.ReLU()))


def test_graph() -> None:
    assert public(fx.Graph) == graphapi.GRAPH
    assert graphapi.GRAPH_ONLY - public(fx.GraphModule) == graphapi.GRAPH_ONLY


def test_graph_module() -> None:
    assert public(fx.GraphModule) - public(torch.nn.Module) == graphapi.GRAPH_MODULE_ONLY
    assert public(torch.nn.Module) | {"training"} == graphapi.MODULE_METHODS


def test_node() -> None:
    assert public(fx.Node) == graphapi.NODE
    assert not set(graphapi.NODE_MISNOMERS) & public(fx.Node)
    assert {word.partition(".")[0] for word in graphapi.NODE_MISNOMERS.values()} <= graphapi.NODE


def test_ops() -> None:
    from torch.fx.node import _legal_ops

    assert frozenset(_legal_ops) == graphapi.OPS


def test_interpreter_and_transformer() -> None:
    interpreter, transformer = fx.Interpreter(traced()), fx.Transformer(traced())
    of_interpreter = public(fx.Interpreter) | set(vars(interpreter))
    assert of_interpreter == graphapi.RUNNER
    assert public(fx.Transformer) | set(vars(transformer)) == graphapi.RUNNER | graphapi.TRANSFORMER_ONLY
    for hook in graphapi.HOOKS:
        assert list(inspect.signature(getattr(fx.Interpreter, hook)).parameters) == ["self", "target", "args", "kwargs"]
    keywords = {n for n, p in inspect.signature(fx.Interpreter.run).parameters.items() if n != "self" and p.kind is not p.VAR_POSITIONAL}
    assert keywords == graphapi.RUN_KEYWORDS


@pytest.mark.parametrize("name", sorted(graphapi.CREATORS))
def test_where_the_methods_that_make_nodes_take_their_arguments(name: str) -> None:
    creator = graphapi.CREATORS[name]
    parameters = list(inspect.signature(getattr(fx.Graph, name)).parameters)[1:]
    if creator.args >= 0 and name != "output":
        assert parameters[creator.args] == "args"
    if creator.kwargs >= 0:
        assert parameters[creator.kwargs] == "kwargs"
    assert creator.op in {"", name}


def test_tracer() -> None:
    own = {n for n in dir(fx.Tracer) if not n.startswith("__")}
    assert own == graphapi.TRACER
    assert not set(graphapi.TRACER_FORMER) & own
    for hook, count in graphapi.TRACER_HOOK_PARAMETERS.items():
        parameters = [p for p in list(inspect.signature(getattr(fx.Tracer, hook)).parameters.values())[1:] if p.default is p.empty]
        assert len(parameters) == count, hook
    assert own >= graphapi.TRACER_MUST_RETURN
