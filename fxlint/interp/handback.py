"""Functions that hand back the very function or class that they are given: decorators that register it, or write its docstring.

What they do besides has no part in a trace, and can be long, so a decorator of this kind is not executed.
"""

from __future__ import annotations

from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import FuncInfo, Machine
from fxlint.interp.names import func_info, global_value
from fxlint.interp.scopes import target_names
from fxlint.syntax import ir, irwalk
from fxlint.values.values import Class, Function, Value

_POSITIONAL = ("pos", "posonly")


def given_back(m: Machine, function: Function, args: Arguments) -> Value | None:
    """The argument that a call hands back, where it is a function or class of the project; None where the call must be executed."""
    position = handed_back(m, function)
    if position is None or position >= len(args.positional):
        return None
    value = args.positional[position]
    return value if isinstance(value, (Function, Class)) else None


def handed_back(m: Machine, function: Function) -> int | None:
    """The position (from 0) of the parameter that every ``return`` of a function gives back, None where there is no such parameter.

    A function that returns what another such function makes of its own parameter counts as well.
    """
    code = function.code
    if code not in m.handed_back:
        m.handed_back[code] = None  # one that returns what it returns itself
        info = func_info(m, code)
        m.handed_back[code] = None if info is None else _of_returns(m, function, info)
    return m.handed_back[code]


def _of_returns(m: Machine, function: Function, info: FuncInfo) -> int | None:
    names = [p.name for p in info.func.params if p.kind in _POSITIONAL]
    stmts = list(irwalk.statements(info.func.body, nested=False))
    returned = [s.value for s in stmts if isinstance(s, ir.Return)]
    if not returned or info.func.is_generator or info.func.is_async:
        return None
    rebound = {name for s in stmts for name in _binds(s)} | info.nonlocals
    first, *rest = (_parameter(m, function, info, value) for value in returned)
    if first is None or first not in names or first in rebound or any(other != first for other in rest):
        return None
    return names.index(first)


def _parameter(m: Machine, function: Function, info: FuncInfo, value: ir.Expr | None) -> str | None:
    """The name that a returned expression hands on, unchanged or through a function that hands it back."""
    match value:
        case ir.Name(id=name):
            return name
        case ir.Call(func=ir.Name(id=called), args=args):
            position = _callee_position(m, function, info, called)
            if position is None or position >= len(args) or any(a.star or a.keyword for a in args[:position + 1]):
                return None
            handed = args[position].value
            return handed.id if isinstance(handed, ir.Name) else None
        case _:
            return None


def _callee_position(m: Machine, function: Function, info: FuncInfo, name: str) -> int | None:
    callee = dict(function.captured).get(name)
    if callee is None and name not in info.bound:
        callee = global_value(m, function.code.source, name)
    return handed_back(m, callee) if isinstance(callee, Function) else None


def _binds(stmt: ir.Stmt) -> set[str]:
    match stmt:
        case ir.Assign(targets=targets):
            return {n for t in targets for n in target_names(t)}
        case ir.AugAssign(target=target) | ir.For(target=target):
            return set(target_names(target))
        case ir.With(items=items):
            return {n for _, t in items if t is not None for n in target_names(t)}
        case ir.FuncDef(name=name) | ir.ClassDef(name=name):
            return {name}
        case _:
            return set()
