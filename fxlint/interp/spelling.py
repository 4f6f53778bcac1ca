"""Expressions as short text, from the IR alone: for conditions and callees that messages name.

The exact source text of a node costs a second parse of its function; this spelling costs nothing and reads the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from fxlint.interp.scopes import walk
from fxlint.syntax import ir
from fxlint.syntax.body import Body


@lru_cache(maxsize=4096)
def _nodes(body: Body) -> dict[ir.At, ir.Expr]:
    expressions = (
        ir.Name, ir.Const, ir.Attr, ir.Call, ir.Sub, ir.Slice, ir.Unary, ir.Binary, ir.BoolOp, ir.Compare, ir.IfExp, ir.Lambda, ir.Display,
        ir.DictDisplay, ir.Star, ir.Comp, ir.FString, ir.Formatted, ir.Walrus, ir.Yield, ir.Await)
    return {n.at: n for stmt in body.stmts for n in walk(stmt) if isinstance(n, expressions)}


@lru_cache(maxsize=65536)
def text_at(body: Body, at: ir.At) -> str:
    """The spelling of the expression numbered ``at``; "..." where that is no expression."""
    node = _nodes(body).get(at)
    return spell(node) if node is not None else "..."


def is_fetched(body: Body, at: ir.At) -> bool:
    """Whether the expression numbered ``at`` is an attribute, or an entry under a name: ``x.grad``, ``batch["mask"]``."""
    match _nodes(body).get(at):
        case ir.Attr():
            return True
        case ir.Sub(index=(ir.Const(value=str()),)):
            return True
        case _:
            return False


def receiver_at(body: Body, at: ir.At) -> ir.At:
    """The node of ``x`` where ``at`` numbers the ``x.name`` of a call; ``at`` itself where it is no attribute."""
    node = _nodes(body).get(at)
    return node.base.at if isinstance(node, ir.Attr) else at


def spell(expr: ir.Expr, depth: int = 12) -> str:
    """An expression as Python text on one line; what is nested deeper than ``depth`` is written ``...``."""
    if depth == 0:
        return "..."

    def sub(e: ir.Expr) -> str:
        return spell(e, depth - 1)

    def operand(e: ir.Expr) -> str:
        text = sub(e)
        return f"({text})" if isinstance(e, (ir.Binary, ir.BoolOp, ir.Compare, ir.IfExp, ir.Lambda)) else text

    match expr:
        case ir.Name(id=name):
            return name
        case ir.Const(value=value):
            return "..." if value is Ellipsis else repr(value)
        case ir.Attr(base=base, name=name):
            return f"{operand(base)}.{name}"
        case ir.Call(func=func, args=args):
            inner = ", ".join(f"{a.keyword}={sub(a.value)}" if a.keyword else f"{a.star}{sub(a.value)}" for a in args)
            return f"{operand(func)}({inner})"
        case ir.Sub(base=base, index=index):
            return f"{operand(base)}[{', '.join(sub(i) for i in index)}]"
        case ir.Slice(lower=lower, upper=upper, step=step):
            text = f"{sub(lower) if lower else ''}:{sub(upper) if upper else ''}"
            return f"{text}:{sub(step)}" if step else text
        case ir.Unary(op=op, operand=inner_expr):
            return f"{op} {operand(inner_expr)}" if op == "not" else f"{op}{operand(inner_expr)}"
        case ir.Binary(op=op, left=left, right=right):
            return f"{operand(left)} {op} {operand(right)}"
        case ir.BoolOp(op=op, left=left, right=right):
            return f"{sub(left)} {op} {sub(right)}"
        case ir.Compare(left=left, ops=ops, rights=rights):
            return operand(left) + "".join(f" {op} {operand(r)}" for op, r in zip(ops, rights, strict=True))
        case ir.IfExp(test=test, body=body, orelse=orelse):
            return f"{sub(body)} if {sub(test)} else {sub(orelse)}"
        case ir.Lambda(params=params, body=body):
            return f"lambda {', '.join(p.name for p in params)}: {sub(body)}"
        case ir.Display(kind=kind, items=items):
            text = ", ".join(sub(i) for i in items)
            left_, right_ = {"tuple": ("(", ")"), "list": ("[", "]"), "set": ("{", "}")}[kind]
            return f"{left_}{text}{',' if kind == 'tuple' and len(items) == 1 else ''}{right_}"
        case ir.DictDisplay(items=pairs):
            return "{" + ", ".join(f"{sub(k)}: {sub(v)}" if k is not None else f"**{sub(v)}" for k, v in pairs) + "}"
        case ir.Star(value=value):
            return f"*{sub(value)}"
        case ir.Comp(kind=kind, elts=elts, gens=gens):
            loops = " ".join(f"for {sub(g.target)} in {sub(g.iter)}" for g in gens)
            return f"{kind}({': '.join(sub(e) for e in elts)} {loops})"
        case ir.FString():
            return "f'...'"
        case ir.Formatted(value=value) | ir.Await(value=value):
            return sub(value)
        case ir.Walrus(target=target, value=value):
            return f"({sub(target)} := {sub(value)})"
        case ir.Yield(value=maybe):
            return f"yield {sub(maybe)}" if maybe is not None else "yield"
        case _:
            assert_never(expr)
