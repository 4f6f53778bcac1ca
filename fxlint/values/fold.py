"""Arithmetic and comparison of concrete values: exact where both are known, a Static of the right type elsewhere."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from fxlint.values.join import Truth, alternatives, type_name, union
from fxlint.values.values import BOTTOM, FALSE, NONE, TRUE, Const, Lib, Static, Tuple, Union, Unknown, Value

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}

# Types of Static that numpy makes: "numpy.float64", "numpy.int64", "numpy.ndarray", and "numpy.ndarray:float64", a vector of known items.
NUMPY = "numpy."
ARRAY = "numpy.ndarray"

# Larger results are not worth their memory: nobody branches on them.
MAX_TEXT = 4096
MAX_BITS = 256


def _bounded(value: object) -> Value:
    if isinstance(value, (str, bytes)) and len(value) > MAX_TEXT:
        return Static(type(value).__name__, "a long text")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return Static("int", "a large number")
    return Const(value)


def _safe_operands(op: str, a: object, b: object) -> bool:
    if op == "**":
        return isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(b) <= 64 and abs(a) <= 1 << 32
    if op == "<<":
        return isinstance(b, int) and 0 <= b <= 64
    if op == "*":
        counts = [v for v in (a, b) if isinstance(v, int)]
        texts = [v for v in (a, b) if isinstance(v, (str, bytes))]
        return not texts or all(c * len(texts[0]) <= MAX_TEXT for c in counts)
    if op == "%" and isinstance(a, (str, bytes)):
        return len(a) <= MAX_TEXT and isinstance(b, (str, int, float))
    return True


def binary(op: str, a: Value, b: Value) -> Value:
    """``a op b`` for values that hold no Proxy. A combination that raises gives Bottom only where both are constants."""
    if isinstance(a, Union) or isinstance(b, Union):
        return union(binary(op, x, y) for x in alternatives(a) for y in alternatives(b))
    if isinstance(a, Const) and isinstance(b, Const):
        if op not in BINARY or not _safe_operands(op, a.value, b.value):
            return Static("", f"{op} of constants")
        try:
            return _bounded(BINARY[op](a.value, b.value))
        except ZeroDivisionError:
            return BOTTOM
        except (TypeError, ValueError, OverflowError, ArithmeticError):
            return Static("", f"{op} of constants")
    if isinstance(a, Tuple) and isinstance(b, Tuple) and op == "+":
        return Tuple((*a.items, *b.items))
    if op == "*":
        for seq, count in ((a, b), (b, a)):
            if isinstance(seq, Tuple) and isinstance(count, Const) and isinstance(count.value, int) and count.value * len(seq.items) <= 64:
                return Tuple(seq.items * max(count.value, 0))
    return Static(_result_type(op, type_name(a), type_name(b)), "arithmetic on unknown configuration")


def _result_type(op: str, a: str, b: str) -> str:
    numbers = {"int", "float", "bool"}
    if a in numbers and b in numbers:
        if op == "/":
            return "float"
        return "float" if "float" in (a, b) else "int"
    if a.startswith(NUMPY) or b.startswith(NUMPY):
        return _numpy_result(op, a, b)
    if "str" in (a, b) and op in ("+", "%", "*"):
        return "str"
    if "tuple" in (a, b) and op in ("+", "*"):
        return "tuple"
    return ""


def is_array(type_: str) -> bool:
    """Whether a type of Static is that of numpy arrays."""
    return type_.startswith(ARRAY)


def _numpy_result(op: str, a: str, b: str) -> str:
    """The type of ``a op b`` where one of both is numpy's."""
    arrays = [t for t in (a, b) if is_array(t)]
    if arrays:
        return arrays[0] if len(arrays) == 1 or arrays[0] == arrays[1] else ARRAY
    whole = {"int", "bool", "numpy.int64", "numpy.bool"}
    return "numpy.int64" if a in whole and b in whole and op != "/" else "numpy.float64"


def unary(op: str, a: Value) -> Value:
    """``op a`` for a value that holds no Proxy (``not`` is the interpreter's)."""
    if isinstance(a, Union):
        return union(unary(op, x) for x in a.members)
    if isinstance(a, Const) and op in UNARY:
        try:
            return Const(UNARY[op](a.value))
        except TypeError:
            return Static("", f"{op} of a constant")
    return Static(type_name(a), "arithmetic on unknown configuration")


def compare(op: str, a: Value, b: Value) -> Value:
    """``a op b`` for values that hold no Proxy: True, False or an unknown bool."""
    if isinstance(a, Union) or isinstance(b, Union):
        return union(compare(op, x, y) for x in alternatives(a) for y in alternatives(b))
    if isinstance(a, Const) and isinstance(b, Const) and op in COMPARE:
        try:
            return TRUE if COMPARE[op](a.value, b.value) else FALSE
        except TypeError:
            return Static("bool", "comparison of constants")
    if op in ("is", "is not", "==", "!="):
        same = identical(a, b)
        if same is not None:
            return TRUE if same == (op in ("is", "==")) else FALSE
    if isinstance(a, Tuple) and isinstance(b, Tuple) and op in ("==", "!=") and len(a.items) != len(b.items):
        return TRUE if op == "!=" else FALSE
    if isinstance(a, Tuple) and isinstance(b, Tuple) and op in COMPARE and all(isinstance(v, Const) for v in (*a.items, *b.items)):
        left = tuple(v.value for v in a.items if isinstance(v, Const))
        right = tuple(v.value for v in b.items if isinstance(v, Const))
        try:
            return TRUE if COMPARE[op](left, right) else FALSE
        except TypeError:
            return Static("bool", "comparison of tuples")
    return Static("bool", "comparison of unknown configuration")


def identical(a: Value, b: Value) -> bool | None:
    """Whether two values are the same object, where that can be told: None and other constants against everything else."""
    if isinstance(a, Const) and isinstance(b, Const):
        if a.value is None or b.value is None or isinstance(a.value, bool) or isinstance(b.value, bool):
            return a == b
        return None if a == b else False
    if isinstance(a, Lib) and isinstance(b, Lib):
        return a == b
    for x, y in ((a, b), (b, a)):
        if x == NONE and not isinstance(y, (Static, Unknown)):
            return False
        if x == NONE and isinstance(y, Static) and y.type:
            return y.type == "NoneType"
    if type(a) is type(b) and a == b and not isinstance(a, (Static, Unknown, Tuple)):
        return True
    return None


def truth(value: Value) -> Truth:
    """What ``bool(value)`` gives for values that are not in the store (mutable objects are the interpreter's)."""
    if isinstance(value, Union):
        seen = {truth(v) for v in value.members}
        if Truth.RAISES in seen:
            return Truth.RAISES
        return seen.pop() if len(seen) == 1 else Truth.EITHER
    if isinstance(value, Const):
        return Truth.TRUE if value.value else Truth.FALSE
    if isinstance(value, Tuple):
        return Truth.TRUE if value.items else Truth.FALSE
    return Truth.EITHER
