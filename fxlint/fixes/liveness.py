"""What flows into and out of one statement of a function: the names it needs from before, and those that later code reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from fxlint.fixes.names import bound_by, locals_of, names_of, parameters
from fxlint.fixes.outcome import Decline
from fxlint.fixes.target import Target


@dataclass(frozen=True, slots=True)
class Flow:
    """``reads``: local names that hold a value before the statement and are read in it. ``results``: names to be handed back."""

    reads: tuple[str, ...]
    results: tuple[str, ...]


def flow_of(target: Target, statement: cst.CSTNode, function: cst.FunctionDef) -> Flow | Decline:
    """The flow of ``statement``. Declines where a name may or may not have a value, and where nothing comes out."""
    own = locals_of(function)
    names = names_of(statement)
    before = set(parameters(function))
    maybe: set[str] = set()
    later: list[str] = []
    inner = statement
    for around in target.block.ancestors(statement):
        if isinstance(around, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            position = list(around.body).index(inner)
            before |= surely_bound(around.body[:position])
            maybe |= {name for other in around.body[:position] for name in names_of(other).binds}
            later += [name for other in around.body[position + 1 :] for name in names_of(other).reads]
        if isinstance(around, (cst.For, cst.While)):
            later += names_of(around.body).reads  # the next turn of the loop
            maybe |= names_of(around.body).binds
            if isinstance(around, cst.For):
                before |= bound_by(around.target)
            else:
                later += names_of(around.test).reads
        if isinstance(around, cst.With):
            before |= {name for item in around.items if item.asname is not None for name in bound_by(item.asname.name)}
        if isinstance(around, cst.Try):
            return Decline("it stands in a try statement, which a wrapped function leaves")
        if around is function:
            break
        inner = around
    written = _written(statement)
    results = tuple(dict.fromkeys([*written, *(name for name in later if name in names.binds and name in own)]))
    if not results:
        return Decline("nothing that it computes is read later")
    sure = surely_bound([statement])
    for name in results:
        if name not in before and name not in sure:
            return Decline(f"`{name}` has no value on every path")
    needed = [name for name in names.reads if name in own and (name in before or name in maybe)]
    for name in needed:
        if name not in before:
            return Decline(f"`{name}` has no value on every path before it")
    carried = [name for name in results if name in before and name not in needed and name not in sure]
    return Flow((*needed, *carried), results)


def surely_bound(statements: Sequence[cst.CSTNode]) -> set[str]:
    """The names that have a value behind ``statements``, whatever path is taken through them."""
    bound: set[str] = set()
    for statement in statements:
        match statement:
            case cst.SimpleStatementLine(body=body):
                bound |= surely_bound(body)
            case cst.If():
                bound |= _by_if(statement)
            case cst.With(body=body, items=items):
                bound |= {name for item in items if item.asname is not None for name in bound_by(item.asname.name)}
                bound |= surely_bound(body.body)
            case cst.BaseSmallStatement() | cst.FunctionDef() | cst.ClassDef():
                bound |= names_of(statement).binds
            case _:
                pass  # a loop may run no turn, a try may stop anywhere
    return bound


def _by_if(statement: cst.If) -> set[str]:
    match statement.orelse:
        case None:
            return set()
        case cst.Else(body=body):
            other = surely_bound(body.body)
        case cst.If() as ladder:
            other = _by_if(ladder)
    return surely_bound(statement.body.body) & other


def _written(statement: cst.CSTNode) -> list[str]:
    """The names whose items a plain item assignment changes: ``x[i] = v`` hands ``x`` back."""
    match statement:
        case cst.Assign(targets=targets):
            places = [each.target for each in targets]
        case cst.AugAssign(target=place):
            places = [place]
        case _:
            return []
    return [place.value.value for place in places if isinstance(place, cst.Subscript) and isinstance(place.value, cst.Name)]
