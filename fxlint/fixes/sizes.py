"""Which expressions surely are whole numbers of zero or more: sizes, ranks, and what adding, multiplying and dividing makes of them."""

from __future__ import annotations

import libcst as cst

from fxlint.fixes.names import bound_by, walk
from fxlint.fixes.target import Target

_SUM_LIKE = (cst.Add, cst.Multiply, cst.FloorDivide, cst.Modulo)


def is_size(target: Target, node: cst.BaseExpression, seen: frozenset[str] = frozenset()) -> bool:
    """Whether ``node`` is a whole number >= 0 by its form: ``x.shape[i]``, ``x.size(i)``, ``x.dim()``, a literal, names and sums of them.

    A name counts where each binding of it in the function does, ``b, c = x.shape`` among them; a parameter never does.
    """
    match node:
        case cst.Integer():
            return True
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return _is_shape(value) and _is_integer(index)
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="size")), args=[_]):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=("dim" | "numel" | "ndimension"))), args=[]):
            return True
        case cst.Attribute(attr=cst.Name(value="ndim")):
            return True
        case cst.BinaryOperation(left=left, operator=operator, right=right):
            return isinstance(operator, _SUM_LIKE) and is_size(target, left, seen) and is_size(target, right, seen)
        case cst.Name(value=name):
            return name not in seen and _is_bound_to_sizes(target, node, name, seen | {name})
        case _:
            return False


def _is_shape(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Attribute(attr=cst.Name(value="shape")):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="size")), args=[]):
            return True
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Slice())]):
            return _is_shape(value)
        case _:
            return False


def is_shape(node: cst.BaseExpression) -> bool:
    """Whether ``node`` is a whole shape, or a slice of one, by its form."""
    return _is_shape(node)


def _is_integer(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Integer():
            return True
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer()):
            return True
        case _:
            return False


def _is_bound_to_sizes(target: Target, node: cst.Name, name: str, seen: frozenset[str]) -> bool:
    function = target.block.function(node)
    if function is None:
        return False
    if any(parameter.name.value == name for parameter in walk(function.params) if isinstance(parameter, cst.Param)):
        return False
    found = False
    for statement in walk(function.body):
        match statement:
            case cst.Assign(targets=targets, value=value):
                for assigned in targets:
                    if name not in bound_by(assigned.target):
                        continue
                    found = True
                    if isinstance(assigned.target, cst.Name):
                        if not is_size(target, value, seen):
                            return False
                    elif not (_is_shape(value) or _is_size_in_tuple(target, assigned.target, value, name, seen)):
                        return False
            case (
                cst.AugAssign(target=bound) | cst.AnnAssign(target=bound) | cst.NamedExpr(target=bound) | cst.For(target=bound)
                | cst.CompFor(target=bound) | cst.AsName(name=bound) | cst.Del(target=bound)
            ):
                if name in bound_by(bound):
                    return False
            case cst.Global() | cst.Nonlocal():
                return False
            case _:
                pass
    return found


def _is_size_in_tuple(target: Target, names: cst.BaseExpression, value: cst.BaseExpression, name: str, seen: frozenset[str]) -> bool:
    """``h, w = x.shape[2], x.shape[3]``."""
    if not (isinstance(names, (cst.Tuple, cst.List)) and isinstance(value, (cst.Tuple, cst.List))):
        return False
    if len(names.elements) != len(value.elements):
        return False
    return all(
        is_size(target, right.value, seen)
        for left, right in zip(names.elements, value.elements, strict=True)
        if name in bound_by(left.value)
    )
