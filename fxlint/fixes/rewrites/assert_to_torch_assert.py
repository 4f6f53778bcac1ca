"""``assert cond, message`` -> ``torch._assert(cond, message)``, which the graph keeps.

Facts: none. ``and`` becomes one ``torch._assert`` a part, in order; ``or``, chains and short memberships are spelled out (see
``conditions``). The message must be a string; an f-string may show Proxies, since only its text differs in the traced module, but no
format specification may be applied to one, and nothing in it may be called: ``assert`` evaluates it on failure only.
"""

from __future__ import annotations

import libcst as cst

from fxlint.api import FixRequest
from fxlint.fixes.conditions import is_total, traceable
from fxlint.fixes.imports import spell
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.rewrites.calls import hidden_names
from fxlint.fixes.target import Target


def rewrite(target: Target, request: FixRequest) -> Proposal | Decline:
    """Carry out ``assert-to-torch-assert``."""
    statement = target.block.enclosing(target.node, cst.Assert)
    if statement is None:
        return Decline("the construct is in no assert statement")
    spelling = spell(target.path, target.outline, "torch._assert", hidden_names(target, statement))
    safety = request.safety
    calls = []
    for part in _parts(statement.test):
        condition = traceable(target, part)
        if isinstance(condition, Decline):
            return condition
        safety = weaker(safety, condition.safety)
        message = _message(target, statement.msg, condition.text)
        if isinstance(message, Decline):
            return message
        calls.append(f"{spelling.text}({condition.text}, {message})")
    separator = _separator(target, statement, len(calls))
    edit = target.edit(statement, separator.join(calls))
    many = f"{len(calls)} calls of torch._assert, one for each part" if len(calls) > 1 else "torch._assert"
    return Proposal(f"Replace the assert statement by {many}, which the graph records", safety, (*spelling.edits, edit))


def _parts(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return [*_parts(test.left), *_parts(test.right)]
    return [test]


def _separator(target: Target, statement: cst.Assert, count: int) -> str:
    """New lines where the assert has a line of its own, else semicolons."""
    line = target.parent(statement)
    if count == 1 or not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return "; "
    start = target.block.spans[statement].start
    row, _ = target.outline.lines.place(start)
    margin = target.text[target.outline.lines.starts[row - 1] : start]
    return target.insert(start, "\n").content + margin


def _message(target: Target, node: cst.BaseExpression | None, condition: str) -> str | Decline:
    match node:
        case None:
            return '"' + " ".join(condition.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'
        case cst.SimpleString() | cst.ConcatenatedString() | cst.FormattedString():
            reason = _unfit(target, node)
            if reason is not None:
                return Decline(reason)
            text = target.source(node)
            return f"({text})" if isinstance(node, cst.ConcatenatedString) and ("\n" in text or "\r" in text) else text
        case _:
            return Decline(f"the message `{target.source(node)}` is no string literal: assert evaluates it on failure only")


def _unfit(target: Target, node: cst.BaseExpression) -> str | None:
    match node:
        case cst.ConcatenatedString(left=left, right=right):
            return _unfit(target, left) or _unfit(target, right)
        case cst.SimpleString():
            return "the message is bytes, torch._assert takes a string" if "b" in node.prefix else None
        case cst.FormattedString(parts=parts):
            for part in parts:
                if not isinstance(part, cst.FormattedStringExpression):
                    continue
                if part.format_spec is not None:
                    return "the message formats a value by a specification, which fails for a Proxy"
                if not _is_shown_safely(part.expression):
                    return f"`{target.source(part.expression)}` in the message would be evaluated on every call"
            return None
        case _:
            return None


def _is_shown_safely(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return _is_shown_safely(value) and _is_shown_safely(index)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="size")), args=args):
            return is_total(value) and all(_is_shown_safely(arg.value) for arg in args)
        case cst.Call(func=cst.Name(value="type"), args=[cst.Arg(value=value)]):
            return is_total(value)
        case _:
            return is_total(node)
