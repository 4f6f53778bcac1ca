"""How tightly Python's expressions bind: where a text that replaces an expression, or moves, needs parentheses."""

from __future__ import annotations

import libcst as cst

COMPARISON, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, UNARY, POWER, POSTFIX, ATOM = 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15
LOOSE = 0  # lambda, conditional expression, walrus, yield, a tuple without parentheses

_OPERATORS: dict[type[cst.BaseBinaryOp], int] = {
    cst.BitOr: BIT_OR, cst.BitXor: BIT_XOR, cst.BitAnd: BIT_AND, cst.LeftShift: SHIFT, cst.RightShift: SHIFT, cst.Add: SUM,
    cst.Subtract: SUM, cst.Multiply: PRODUCT, cst.Divide: PRODUCT, cst.FloorDivide: PRODUCT, cst.Modulo: PRODUCT,
    cst.MatrixMultiply: PRODUCT, cst.Power: POWER,
}  # fmt: skip
_ATOMS = (
    cst.Name, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.SetComp,
    cst.DictComp, cst.GeneratorExp, cst.Ellipsis, cst.FormattedString,
)  # fmt: skip


def level(node: cst.BaseExpression) -> int:
    """How tightly ``node`` binds as written, its own parentheses left out."""
    match node:
        case cst.BinaryOperation():
            return _OPERATORS[type(node.operator)]
        case cst.BooleanOperation():
            return 1 if isinstance(node.operator, cst.Or) else 2
        case cst.UnaryOperation():
            return 3 if isinstance(node.operator, cst.Not) else UNARY
        case cst.Comparison():
            return COMPARISON
        case cst.Attribute() | cst.Subscript() | cst.Call():
            return POSTFIX
        case _:
            return ATOM if isinstance(node, _ATOMS) else LOOSE


def enclosed(text: str, text_level: int, least: int) -> str:
    """``text`` as an operand of something that binds with ``least``: in parentheses where it binds less, or spans lines."""
    return f"({text})" if text_level < least or ("\n" in text or "\r" in text) else text


def required(node: cst.CSTNode, parent: cst.CSTNode | None) -> int:
    """The least level that an expression needs to stand, without parentheses, where ``node`` stands in ``parent``."""
    match parent:
        case cst.BinaryOperation(left=left, operator=operator):
            own = _OPERATORS[type(operator)]
            if isinstance(operator, cst.Power):
                return POSTFIX if left is node else UNARY
            return own if left is node else own + 1
        case cst.UnaryOperation(operator=operator):
            return 3 if isinstance(operator, cst.Not) else UNARY
        case cst.Comparison() | cst.ComparisonTarget():
            return COMPARISON + 1
        case cst.BooleanOperation(operator=operator):
            return 2 if isinstance(operator, cst.Or) else 3
        case cst.Attribute(value=value) if value is node:
            return POSTFIX
        case cst.Subscript(value=value) if value is node:
            return POSTFIX
        case cst.Call(func=func) if func is node:
            return POSTFIX
        case cst.IfExp(orelse=orelse):
            return LOOSE if orelse is node else 1
        case cst.Await() | cst.StarredElement():
            return BIT_OR
        case _:
            return LOOSE


def replacement(node: cst.BaseExpression, parent: cst.CSTNode | None, text: str, text_level: int) -> str:
    """``text`` in the place of ``node``, in parentheses where its surroundings ask for them and ``node`` brings none."""
    if node.lpar or (text_level >= required(node, parent) and not _breaks_line(text, text_level)):
        return text
    return f"({text})"


def _breaks_line(text: str, text_level: int) -> bool:
    return text_level < POSTFIX and ("\n" in text or "\r" in text)
