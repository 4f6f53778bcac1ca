"""Layers of torch.nn as objects: the attributes that a constructor sets, and constructors that ask a Proxy for its value."""

from __future__ import annotations

import json

from fxlint.base.event import EventKind
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.state import ModuleObject, State
from fxlint.interp.store import allocate
from fxlint.library import lookup as library
from fxlint.library.modules import AttributeRule, Follows
from fxlint.syntax import ir
from fxlint.values.fold import truth
from fxlint.values.join import Truth
from fxlint.values.values import NONE, Const, Proxy, Static, Tensor, Tuple, Value

LITERALS: dict[str, object] = {"None": None, "True": True, "False": False}


def fields(f: Frame, st: State, dotted: str, args: Arguments) -> dict[str, Value]:
    """The attributes that ``__init__`` of a torch.nn class sets, as far as its arguments tell them."""
    row = library.module_class(dotted)
    if row is None:
        return {}
    bound: dict[str, Value] = {}
    for i, param in enumerate(row.parameters):
        given = args.get(i, param.name) if param.kind == "positional_or_keyword" else args.keyword(param.name)
        if given is None and (args.rest is not None or args.extra is not None):
            given = Static("", "unknown argument")
        bound[param.name] = given if given is not None else _literal(param.default)
    return {rule.name: _attribute(f, st, dotted, rule, bound) for rule in row.rules}


def _attribute(f: Frame, st: State, dotted: str, rule: AttributeRule, bound: dict[str, Value]) -> Value:
    unknown = Static("", f"attribute of {dotted}")
    given = [bound.get(name, unknown) for name in rule.of]
    match rule.follows:
        case Follows.ARGUMENT:
            return given[0]
        case Follows.TUPLE:
            return _spread(given[0], rule.count)
        case Follows.ARGUMENT_OR:
            return given[1] if given[0] == NONE else given[0]
        case Follows.TUPLE_OR:
            return _spread(given[1] if given[0] == NONE else given[0], rule.count)
        case Follows.CONSTANT:
            return _literal(rule.text)
        case Follows.PARAMETER:
            return NONE if any(truth(v) is Truth.FALSE for v in given) else Tensor("parameter")
        case Follows.BUFFER:
            return NONE if any(truth(v) is Truth.FALSE for v in given) else Tensor("buffer")
        case Follows.MODULE:
            return allocate(f, st, ModuleObject(rule.text, Arguments(), fields(f, st, rule.text, Arguments()), registered=True))
        case Follows.VALUE:
            return unknown


def _spread(value: Value, count: int) -> Value:
    """A number for each dimension; a tuple or a string is taken as it is."""
    return Tuple((value,) * count) if isinstance(value, Const) and isinstance(value.value, int) else value


def _literal(text: str) -> Value:
    if text in ("", "..."):
        return Static("", "default of a library")
    try:
        value = LITERALS[text] if text in LITERALS else json.loads(text.replace("'", '"'))
    except ValueError:
        return Static("", "default of a library")
    return Const(value) if not isinstance(value, (list, dict)) else Static("", "default of a library")


def asked(f: Frame, st: State, at: ir.At, dotted: str, args: Arguments) -> None:
    """A layer made in forward whose constructor asks a Proxy for its value."""
    row = library.module_class(dotted)
    for i, param in enumerate(row.parameters if row is not None and f.tracing else ()):
        given = args.get(i, param.name)
        error = library.constructor_breaks(dotted, param.name) if isinstance(given, Proxy) else ""
        if error:
            f.emit(st, EventKind.FOREIGN_CALL, "c-function", at, value=given, callee=dotted, detail=error)
            return
