"""Walks over the IR: the parts of a node, in source order. Patterns bind names and hold no calls, so they are not walked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from fxlint.syntax import ir


def children(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The expressions directly inside ``expr``; the defaults of a lambda's parameters, and its body, count."""
    match expr:
        case ir.Name() | ir.Const():
            return ()
        case ir.Attr():
            return (expr.base,)
        case ir.Call():
            return (expr.func, *(a.value for a in expr.args))
        case ir.Sub():
            return (expr.base, *expr.index)
        case ir.Slice():
            return tuple(e for e in (expr.lower, expr.upper, expr.step) if e is not None)
        case ir.Unary():
            return (expr.operand,)
        case ir.Binary() | ir.BoolOp():
            return (expr.left, expr.right)
        case ir.Compare():
            return (expr.left, *expr.rights)
        case ir.IfExp():
            return (expr.test, expr.body, expr.orelse)
        case ir.Lambda():
            return (*(p.default for p in expr.params if p.default is not None), expr.body)
        case ir.Display():
            return expr.items
        case ir.DictDisplay():
            return tuple(e for pair in expr.items for e in pair if e is not None)
        case ir.Star() | ir.Await():
            return (expr.value,)
        case ir.Comp():
            return (*(e for g in expr.gens for e in (g.target, g.iter, *g.ifs)), *expr.elts)
        case ir.Formatted():
            return (expr.value, *expr.spec)
        case ir.FString():
            return expr.parts
        case ir.Walrus():
            return (expr.target, expr.value)
        case ir.Yield():
            return () if expr.value is None else (expr.value,)
        case _:
            assert_never(expr)


def own_exprs(stmt: ir.Stmt) -> tuple[ir.Expr, ...]:
    """The expressions of a statement's own line or header, not those of the blocks inside it."""
    match stmt:
        case ir.Assign():
            return (*stmt.targets, *(e for e in (stmt.value, stmt.annotation) if e is not None))
        case ir.AugAssign():
            return (stmt.target, stmt.value)
        case ir.ExprStmt():
            return (stmt.value,)
        case ir.Return():
            return () if stmt.value is None else (stmt.value,)
        case ir.If() | ir.While():
            return (stmt.test,)
        case ir.For():
            return (stmt.target, stmt.iter)
        case ir.With():
            return tuple(e for item in stmt.items for e in item if e is not None)
        case ir.Try():
            return tuple(h.type for h in stmt.handlers if h.type is not None)
        case ir.Raise():
            return tuple(e for e in (stmt.exc, stmt.cause) if e is not None)
        case ir.Assert():
            return tuple(e for e in (stmt.test, stmt.msg) if e is not None)
        case ir.Delete():
            return stmt.targets
        case ir.FuncDef():
            return (*stmt.decorators, *(e for p in stmt.params for e in (p.default, p.annotation) if e is not None))
        case ir.ClassDef():
            return (*stmt.decorators, *(a.value for a in stmt.bases))
        case ir.Match():
            return (stmt.subject, *(c.guard for c in stmt.cases if c.guard is not None))
        case ir.Import() | ir.ImportFrom() | ir.Jump() | ir.Scope():
            return ()
        case _:
            assert_never(stmt)


def blocks(stmt: ir.Stmt) -> tuple[tuple[ir.Stmt, ...], ...]:
    """The blocks inside a statement, in source order; a function's and a class's body count."""
    match stmt:
        case ir.If() | ir.While() | ir.For():
            return (stmt.body, stmt.orelse)
        case ir.With() | ir.FuncDef() | ir.ClassDef():
            return (stmt.body,)
        case ir.Try():
            return (stmt.body, *(h.body for h in stmt.handlers), stmt.orelse, stmt.final)
        case ir.Match():
            return tuple(c.body for c in stmt.cases)
        case (
            ir.Assign() | ir.AugAssign() | ir.ExprStmt() | ir.Return() | ir.Raise() | ir.Assert() | ir.Delete() | ir.Import()
            | ir.ImportFrom() | ir.Jump() | ir.Scope()
        ):
            return ()
        case _:
            assert_never(stmt)


def expressions(expr: ir.Expr) -> Iterator[ir.Expr]:
    """``expr`` and every expression inside it, outer ones first. Long chains are walked without recursion."""
    stack = [expr]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))


def statements(stmts: tuple[ir.Stmt, ...], *, nested: bool = True) -> Iterator[ir.Stmt]:
    """Every statement of a block, with those of inner blocks; ``nested`` tells whether bodies of functions and classes count."""
    stack = list(reversed(stmts))
    while stack:
        current = stack.pop()
        yield current
        if nested or not isinstance(current, ir.FuncDef | ir.ClassDef):
            for block in reversed(blocks(current)):
                stack.extend(reversed(block))


def all_exprs(stmts: tuple[ir.Stmt, ...], *, nested: bool = True) -> Iterator[ir.Expr]:
    """Every expression of a block and of the blocks inside it."""
    for stmt in statements(stmts, nested=nested):
        for expr in own_exprs(stmt):
            yield from expressions(expr)


def dotted(expr: ir.Expr) -> str | None:
    """The text of a plain dotted name (``a.b.c``), None for any other expression."""
    parts: list[str] = []
    while isinstance(expr, ir.Attr):
        parts.append(expr.name)
        expr = expr.base
    if not isinstance(expr, ir.Name):
        return None
    parts.append(expr.id)
    return ".".join(reversed(parts))


def ends(stmts: tuple[ir.Stmt, ...]) -> bool:
    """Whether control never reaches the end of the block: each path returns or raises."""
    return any(_ends(s) for s in stmts)


def _ends(stmt: ir.Stmt) -> bool:
    match stmt:
        case ir.Return() | ir.Raise():
            return True
        case ir.If():
            return bool(stmt.orelse) and ends(stmt.body) and ends(stmt.orelse)
        case ir.While():
            forever = isinstance(stmt.test, ir.Const) and bool(stmt.test.value)
            return forever and not any(isinstance(s, ir.Jump) and s.kind == "break" for s in statements(stmt.body, nested=False))
        case ir.With():
            return ends(stmt.body)
        case ir.Try():
            return ends(stmt.final) or ((ends(stmt.body) or ends(stmt.orelse)) and all(ends(h.body) for h in stmt.handlers))
        case ir.Match():
            total = any(c.guard is None and isinstance(c.pattern, ir.MatchAs) and c.pattern.pattern is None for c in stmt.cases)
            return total and all(ends(c.body) for c in stmt.cases)
        case (
            ir.For() | ir.Assign() | ir.AugAssign() | ir.ExprStmt() | ir.Assert() | ir.Delete() | ir.Import() | ir.ImportFrom()
            | ir.Jump() | ir.Scope() | ir.FuncDef() | ir.ClassDef()
        ):
            return False
        case _:
            assert_never(stmt)
