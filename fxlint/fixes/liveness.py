"""What flows into and out of one statement of a function: the names it needs from before, and those that later code reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from fxlint.fixes.names import bound_by, locals_of, names_of, parameters, walk
from fxlint.fixes.outcome import Decline
from fxlint.fixes.target import Target

MUTATORS = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "pop", "clear", "remove"})
"""Methods of lists, dicts and sets that change them."""


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
    written = [name for name in _written(statement) if name in own]
    results = tuple(dict.fromkeys([*written, *(name for name in later if name in names.binds and name in own)]))
    if not results and not names.binds and any(isinstance(node, cst.Raise) for node in walk(statement)):
        # A check that only raises hands back the first value that it looks at, so that later code needs its node.
        results = tuple(name for name in names.reads if name in before and name in later)[:1]
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


def tail_reads(statements: Sequence[cst.CSTNode], function: cst.FunctionDef) -> tuple[str, ...] | Decline:
    """The local names that the last ``statements`` of ``function`` need from before. Declines where one may have no value."""
    body = list(function.body.body)
    earlier = body[: len(body) - len(statements)]
    before = set(parameters(function)) | surely_bound(earlier)
    maybe = {name for other in earlier for name in names_of(other).binds}
    own = locals_of(function)
    reads = dict.fromkeys(name for statement in statements for name in names_of(statement).reads if name in own)
    for name in reads:
        if name in maybe and name not in before:
            return Decline(f"`{name}` has no value on every path before it")
    return tuple(name for name in reads if name in before)


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
    """The names bound in every arm that goes on behind the ``if``."""
    arms: list[set[str]] = []
    ladder: cst.If | cst.Else | None = statement
    while ladder is not None:
        body = ladder.body.body
        if not _ends(body):
            arms.append(surely_bound(body))
        if isinstance(ladder, cst.Else):
            break
        ladder = ladder.orelse
    else:
        arms.append(set())
    return set.intersection(*arms) if arms else set()


def _ends(body: Sequence[cst.CSTNode]) -> bool:
    last = body[-1] if body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Raise, cst.Return, cst.Break, cst.Continue))


def _written(statement: cst.CSTNode) -> list[str]:
    """The names whose value a statement changes in place: ``x[i] = v`` hands ``x`` back, ``rows.append(y)`` hands ``rows`` back."""
    found: list[str] = []
    for node in walk(statement):
        match node:
            case cst.AssignTarget(target=cst.Subscript(value=cst.Name(value=name))):
                found.append(name)
            case cst.AugAssign(target=cst.Subscript(value=cst.Name(value=name))):
                found.append(name)
            case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=method))) if method in MUTATORS:
                found.append(name)
            case _:
                pass
    return found
