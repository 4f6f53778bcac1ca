"""Scopes: which names a function binds and which it reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

from fxlint.interp.machine import FuncInfo
from fxlint.syntax import ir
from fxlint.syntax.body import Body


@cache
def _child_fields(cls: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls) if f.name not in ("at", "id", "name", "op", "ops", "kind"))


def children(node: object) -> Iterator[object]:
    """The IR nodes directly inside a node, in source order."""
    cls: type = type(node)
    for name in _child_fields(cls):
        value = getattr(node, name)
        if isinstance(value, tuple):
            yield from _flatten(value)
        elif is_dataclass(value):
            yield value


def _flatten(items: tuple[object, ...]) -> Iterator[object]:
    for item in items:
        if isinstance(item, tuple):
            yield from _flatten(item)
        elif is_dataclass(item):
            yield item


def walk(node: object) -> Iterator[object]:
    """A node and all nodes inside it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(children(current))


def describe(body: Body, func: ir.FuncDef) -> FuncInfo:
    """The names that a function binds and reads (nested functions included in what it reads)."""
    bound = {p.name for p in func.params}
    reads: set[str] = set()
    global_names: set[str] = set()
    nonlocal_names: set[str] = set()
    for stmt in func.body:
        _scan(stmt, bound, reads, global_names, nonlocal_names)
    return FuncInfo(
        body, func, frozenset(bound - global_names - nonlocal_names), frozenset(reads), frozenset(global_names), frozenset(nonlocal_names))


def _scan(node: object, bound: set[str], reads: set[str], global_names: set[str], nonlocal_names: set[str]) -> None:
    stack = [node]
    while stack:
        inner = stack.pop()
        if isinstance(inner, (ir.FuncDef, ir.Lambda)):
            # What a nested function binds is its own; what it reads beyond that, and what it declares nonlocal, is of this one.
            bound.update((inner.name,) if isinstance(inner, ir.FuncDef) else ())
            reads.update(_free_names(inner))
            outside = inner.decorators if isinstance(inner, ir.FuncDef) else ()
            stack.extend((*outside, *(p.default for p in inner.params if p.default is not None)))
            continue
        stack.extend(children(inner))
        match inner:
            case ir.Name(id=name):
                reads.add(name)
            case ir.Scope(kind=kind, names=names):
                (global_names if kind == "global" else nonlocal_names).update(names)
            case ir.Assign(targets=targets):
                for target in targets:
                    bound.update(target_names(target))
            case ir.AugAssign(target=target) | ir.For(target=target) | ir.Walrus(target=target):
                bound.update(target_names(target))
            case ir.With(items=items):
                for _, taken in items:
                    if taken is not None:
                        bound.update(target_names(taken))
            case ir.ClassDef(name=name):
                bound.add(name)
            case ir.Import(names=names):
                bound.update(alias or name.split(".", 1)[0] for name, alias in names)
            case ir.ImportFrom(names=names):
                bound.update(alias or name for name, alias in names)
            case _:
                continue


def _free_names(func: ir.FuncDef | ir.Lambda) -> set[str]:
    bound = {p.name for p in func.params}
    reads: set[str] = set()
    global_names: set[str] = set()
    nonlocal_names: set[str] = set()
    for part in func.body if isinstance(func, ir.FuncDef) else (func.body,):
        _scan(part, bound, reads, global_names, nonlocal_names)
    return (reads - bound - global_names) | nonlocal_names


def target_names(target: ir.Expr) -> Iterator[str]:
    """The plain names that an assignment target binds."""
    match target:
        case ir.Name(id=name):
            yield name
        case ir.Display(items=items):
            for item in items:
                yield from target_names(item)
        case ir.Star(value=value):
            yield from target_names(value)
        case _:
            return
