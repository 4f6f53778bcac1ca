"""Calls of Interpreters and Transformers, and of what their methods are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.fxcode import fxnames, graphmake
from fxlint.fxcode.graphapi import HOOKS, RUN_KEYWORDS
from fxlint.fxcode.graphreading import Activation, Reading, emit, text
from fxlint.fxcode.graphsettle import escape
from fxlint.fxcode.graphvalues import NOTHING, UNKNOWN, FxProxy, GraphModule, HookValue, Object, Runner, State, SuperOf, Value
from fxlint.syntax import ir

Result = tuple[Value, State]
Keywords = Mapping[str, Value]


def runner_method(
    reading: Reading, act: Activation, state: State, expr: ir.Call, receiver: Runner, name: str, args: tuple[Value, ...], keywords: Keywords
) -> Result:
    """A method of an Interpreter or a Transformer."""
    match name:
        case "transform":
            if args or keywords:
                detail = f"Transformer.transform() takes 1 positional argument but {1 + len(args)} were given"
                subject = text(act, expr.at)
                emit(reading, act, EventKind.TRANSFORMER_NODE_API, "transform-arguments", expr.at, subject=subject, detail=detail)
            number = reading.number(act, expr.at)
            facts = state.facts(receiver.graph)
            graphmake.check_targets(reading, act, state, receiver)
            return GraphModule(number), state.put(number, replace(facts, traced=UNKNOWN, owned=True, edited=None, pending=(), plain=()))
        case "run":
            wrong = [k for k in keywords if k not in RUN_KEYWORDS]
            if wrong:
                detail = f"Interpreter.run() got an unexpected keyword argument '{wrong[0]}'"
                emit(reading, act, EventKind.TRANSFORMER_NODE_API, "run-keyword", expr.at, subject=text(act, expr.at), detail=detail)
            return UNKNOWN, state
        case _ if name in HOOKS and receiver.kind == "Transformer":
            return FxProxy(), state
        case _:
            return UNKNOWN, escape(state, args)


def super_method(
    reading: Reading, act: Activation, state: State, expr: ir.Call, receiver: SuperOf, name: str, args: tuple[Value, ...],
    keywords: Keywords,
) -> Result:
    """A method reached through ``super()``."""
    match receiver.receiver:
        case Runner() as runner if name in HOOKS:
            starred = [value for a, value in zip((a for a in expr.args if a.keyword is None), args, strict=True) if a.star]
            if any(isinstance(value, HookValue) for value in starred) or (not starred and len(args) + len(keywords) != 3):
                emit(
                    reading, act, EventKind.TRANSFORMER_NODE_API, "super-arguments", expr.at, subject=text(act, expr.at), callee=name,
                )
            return (FxProxy() if runner.kind == "Transformer" else UNKNOWN), state
        case Object() if name == "__init__" and fxnames.derives(reading.project, receiver.holder, "torch.fx.GraphModule"):
            return NOTHING, graphmake.graph_module(reading, act, state, expr, args, keywords)[1]
        case _:
            return UNKNOWN, escape(state, args)


def hook_method(reading: Reading, act: Activation, expr: ir.Call, receiver: HookValue, name: str) -> Value:
    """A method of what a hook is called with."""
    if receiver.name == "args" and name in ("append", "extend", "insert", "pop", "remove"):
        detail = f"'tuple' object has no attribute '{name}'"
        emit(reading, act, EventKind.GRAPH_EDIT, "immutable", expr.at, subject=text(act, expr.at), detail=detail)
    if receiver.name == "kwargs" and name in ("update", "pop", "setdefault", "clear", "popitem"):
        detail = "'immutable_dict' object does not support mutation"
        emit(reading, act, EventKind.GRAPH_EDIT, "immutable", expr.at, subject=text(act, expr.at), detail=detail)
    return UNKNOWN  # `kwargs.copy()` is a plain dict
