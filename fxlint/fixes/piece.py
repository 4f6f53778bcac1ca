"""Which piece of code a hoist must take out: the smallest one around a construct whose value may be a Proxy where it is used."""

from __future__ import annotations

import libcst as cst

from fxlint.base.event import EventKind
from fxlint.fixes.names import bound_by, walk
from fxlint.fixes.outcome import Decline
from fxlint.fixes.target import Target

CONSUMERS = frozenset({
    "int", "float", "complex", "bool", "len", "range", "list", "tuple", "set", "frozenset", "dict", "sum", "min", "max", "sorted", "any",
    "all", "zip", "enumerate", "map", "filter", "reversed", "iter", "next", "round", "divmod", "pow", "str", "repr", "format",
})  # fmt: skip
"""Builtins that take a Proxy apart at once: their argument cannot be hoisted alone."""

MAKERS = frozenset({"from_numpy", "as_tensor", "tensor"})
"""Functions of torch that look at the data they are given: a Proxy is refused."""

_CALLS = frozenset({
    EventKind.FOREIGN_CALL, EventKind.FACTORY_SIZE, EventKind.TENSOR_ARGUMENT, EventKind.NUMPY_OPERAND, EventKind.PROXY_KEY,
})  # fmt: skip

_RESULTS = frozenset({EventKind.NO_ARGUMENT_TYPE, EventKind.OUTPUT_CLASS})

Piece = cst.BaseExpression | cst.BaseCompoundStatement | cst.BaseSmallStatement


def piece_of(target: Target) -> Piece | Decline:
    """The expression or statement to hoist. Declines in an assert (use torch._assert) and in comprehensions' and lambdas' own scope."""
    node = target.node
    if target.event.kind is EventKind.CONTEXT_DROPPED:
        entered = target.block.enclosing(node, cst.With)
        return Decline("the context is entered by no with statement") if entered is None else entered
    if target.event.kind in _RESULTS:
        return _result(target)
    if isinstance(node, (cst.BaseCompoundStatement, cst.BaseSmallStatement)):
        return _statement(node)
    if isinstance(node, cst.StarredElement):
        node = node.value  # a starred item alone is no expression that could be moved
    if not isinstance(node, cst.BaseExpression):
        return Decline("the construct is no expression")
    if target.event.kind is EventKind.SET_ITEM:
        statement = target.block.enclosing(node, cst.Assign, cst.AugAssign, cst.Del)
        return Decline("the construct is no item assignment") if statement is None else _statement(statement)
    if target.event.kind in _CALLS:
        call = target.block.enclosing(node, cst.Call, cst.Subscript, cst.BinaryOperation)
        node = node if call is None else call
    return _climb(target, node)


def _result(target: Target) -> Piece | Decline:
    """The call that builds the object which a function returns."""
    returned = target.block.enclosing(target.node, cst.Return)
    function = target.block.function(target.node)
    value = None if returned is None else returned.value
    if isinstance(value, cst.Name) and function is not None:
        name = value.value
        assigned = (node for node in walk(function.body) if isinstance(node, cst.Assign))
        bound = [node for node in assigned if any(name in bound_by(each.target) for each in node.targets)]
        value = bound[0].value if len(bound) == 1 and isinstance(bound[0].targets[0].target, cst.Name) else None
    if not isinstance(value, cst.Call) or not isinstance(value.func, (cst.Name, cst.Attribute)):
        return Decline("where the object that is returned is built is not known")
    return value


def _climb(target: Target, node: cst.BaseExpression) -> Piece | Decline:
    """From ``node`` upwards past everything that would ask a Proxy for its truth, its number or its items."""
    while True:
        parent = target.parent(node)
        match parent:
            case cst.If() | cst.While():
                return _statement(parent)
            case cst.For(iter=iterated) if iterated is node:
                return _statement(parent)
            case cst.Assert():
                return Decline("an assert that is hoisted returns nothing, and dead-code elimination may drop it: use torch._assert")
            case cst.WithItem():
                return Decline("a context that a wrapped function makes is entered while tracing all the same")
            case cst.IfExp(test=test) if test is node:
                node = parent
            case cst.BooleanOperation() | cst.UnaryOperation(operator=cst.Not()):
                node = parent
            case cst.ComparisonTarget() | cst.Comparison():
                comparison = parent if isinstance(parent, cst.Comparison) else target.parent(parent)
                if not isinstance(comparison, cst.Comparison) or not _is_asked(comparison):
                    return node
                node = comparison
            case cst.Arg(star=star):
                call = target.parent(parent)
                if not isinstance(call, cst.Call) or not (star or _is_consumer(call)):
                    return node
                node = call
            case cst.StarredElement():
                display = target.parent(parent)
                if not isinstance(display, cst.BaseExpression):
                    return Decline("the starred value is a target")
                node = display
            case cst.CompFor() | cst.CompIf():
                comprehension = target.block.enclosing(parent, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
                if comprehension is None:
                    return Decline("the comprehension around the construct is not known")
                node = comprehension
            case cst.FormattedStringExpression():
                text = target.block.enclosing(parent, cst.FormattedString)
                if text is None:
                    return Decline("the f-string around the construct is not known")
                node = text
            case cst.BaseComp():
                node = parent  # an element that uses the comprehension's own names
            case _:
                return node


def _statement(node: cst.CSTNode) -> Piece | Decline:
    match node:
        case cst.Assert():
            return Decline("an assert that is hoisted returns nothing, and dead-code elimination may drop it: use torch._assert")
        case cst.If() | cst.While() | cst.For() | cst.Assign() | cst.AugAssign():
            return node
        case _:
            return Decline(f"a {type(node).__name__} statement cannot be hoisted")


def _is_asked(comparison: cst.Comparison) -> bool:
    """Whether a comparison asks for a truth by itself: a chain, a membership."""
    return len(comparison.comparisons) > 1 or isinstance(comparison.comparisons[0].operator, (cst.In, cst.NotIn))


def _is_consumer(call: cst.Call) -> bool:
    match call.func:
        case cst.Name(value=name):
            return name in CONSUMERS
        case cst.Attribute(value=cst.Name(value="torch"), attr=cst.Name(value=name)):
            return name in MAKERS
        case _:
            return False
