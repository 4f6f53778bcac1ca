"""Expressions: libcst to IR, by a table from node class to function, touching nothing of the formatting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from fxlint.base.errors import ReadError
from fxlint.syntax import ir, literals
from fxlint.syntax.sites import Sites

_BINARY = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.MatrixMultiply: "@", cst.Divide: "/", cst.FloorDivide: "//",
    cst.Modulo: "%", cst.Power: "**", cst.LeftShift: "<<", cst.RightShift: ">>", cst.BitAnd: "&", cst.BitOr: "|", cst.BitXor: "^",
}  # fmt: skip
_UNARY = {cst.Plus: "+", cst.Minus: "-", cst.BitInvert: "~", cst.Not: "not"}
_BOOLEAN = {cst.And: "and", cst.Or: "or"}
_COMPARE = {
    cst.Equal: "==", cst.NotEqual: "!=", cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">", cst.GreaterThanEqual: ">=",
    cst.Is: "is", cst.IsNot: "is not", cst.In: "in", cst.NotIn: "not in",
}  # fmt: skip
_SINGLETONS = {"True": True, "False": False, "None": None}


def expr(sites: Sites, node: cst.CSTNode) -> ir.Expr:
    """The IR of one expression. Raises ReadError for an expression that the IR has no word for."""
    lower = _EXPRESSIONS.get(node.__class__)
    if lower is None:
        raise ReadError(f"{type(node).__name__} expressions are not supported")
    return lower(sites, node)


def optional(sites: Sites, node: cst.CSTNode | None) -> ir.Expr | None:
    """The IR of an expression that may be left out."""
    return None if node is None else expr(sites, node)


# ---------------------------------------------------------------- names and literals


def _name(sites: Sites, node: cst.Name) -> ir.Expr:
    at = sites.number(node)
    if node.value in _SINGLETONS:
        return ir.Const(at, _SINGLETONS[node.value])
    return ir.Name(at, literals.identifier(node.value))


def _ellipsis(sites: Sites, node: cst.Ellipsis) -> ir.Expr:
    return ir.Const(sites.number(node), ...)


def _integer(sites: Sites, node: cst.Integer) -> ir.Expr:
    return ir.Const(sites.number(node), literals.integer(node.value))


def _float(sites: Sites, node: cst.Float) -> ir.Expr:
    return ir.Const(sites.number(node), literals.real(node.value))


def _imaginary(sites: Sites, node: cst.Imaginary) -> ir.Expr:
    return ir.Const(sites.number(node), literals.imaginary(node.value))


def _string(sites: Sites, node: cst.SimpleString) -> ir.Expr:
    return ir.Const(sites.number(node), literals.string(node.value))


def _concatenated(sites: Sites, node: cst.ConcatenatedString) -> ir.Expr:
    at = sites.number(node)
    pieces = [expr(sites, node.left)]
    right: cst.BaseExpression = node.right
    while isinstance(right, cst.ConcatenatedString):
        pieces.append(expr(sites, right.left))
        right = right.right
    pieces.append(expr(sites, right))
    values = [piece.value for piece in pieces if isinstance(piece, ir.Const)]
    if len(values) < len(pieces):
        return ir.FString(at, _joined(part for piece in pieces for part in (piece.parts if isinstance(piece, ir.FString) else (piece,))))
    if isinstance(values[0], bytes):
        return ir.Const(at, b"".join(value for value in values if isinstance(value, bytes)))
    return ir.Const(at, "".join(value for value in values if isinstance(value, str)))


def _formatted_string(sites: Sites, node: cst.FormattedString) -> ir.Expr:
    at = sites.number(node)
    return ir.FString(at, _parts(sites, node.parts, is_raw="r" in node.start.lower()))


def _parts(sites: Sites, contents: Sequence[cst.BaseFormattedStringContent], *, is_raw: bool) -> tuple[ir.Expr, ...]:
    """The parts of an f-string or of a format specification."""
    parts: list[ir.Expr] = []
    for content in contents:
        at = sites.number(content)
        if isinstance(content, cst.FormattedStringText):
            parts.append(ir.Const(at, literals.text(content.value, is_raw=is_raw).replace("{{", "{").replace("}}", "}")))
        elif isinstance(content, cst.FormattedStringExpression):
            conversion = content.conversion
            if content.equal is not None:  # f"{x = }" writes its own source first, and shows x by repr unless told otherwise
                parts.append(ir.Const(at, _self_documenting(content)))
                conversion = conversion or ("r" if content.format_spec is None else None)
            value = expr(sites, content.expression)
            parts.append(ir.Formatted(at, value, conversion, _parts(sites, content.format_spec or (), is_raw=is_raw)))
    return _joined(parts)


def _self_documenting(node: cst.FormattedStringExpression) -> str:
    code = cst.Module([]).code_for_node
    equal = "" if node.equal is None else code(node.equal)
    return literals.normal_newlines(
        code(node.whitespace_before_expression) + code(node.expression) + code(node.whitespace_after_expression) + equal
    )


def _joined(parts: Any) -> tuple[ir.Expr, ...]:
    """``parts`` with neighbouring texts joined and empty ones dropped."""
    joined: list[ir.Expr] = []
    for part in parts:
        if isinstance(part, ir.Const):
            if part.value == "":
                continue
            last = joined[-1] if joined else None
            if isinstance(last, ir.Const):
                joined[-1] = ir.Const(last.at, f"{last.value}{part.value}")
                continue
        joined.append(part)
    return tuple(joined)


# ---------------------------------------------------------------- operators


def _attribute(sites: Sites, node: cst.Attribute) -> ir.Expr:
    return ir.Attr(sites.number(node), expr(sites, node.value), literals.identifier(node.attr.value))


def _unary(sites: Sites, node: cst.UnaryOperation) -> ir.Expr:
    return ir.Unary(sites.number(node), _UNARY[node.operator.__class__], expr(sites, node.expression))


def _binary(sites: Sites, node: cst.BinaryOperation) -> ir.Expr:
    chain = [node]  # by a loop: a sum of a thousand terms nests a thousand deep
    while isinstance(node.left, cst.BinaryOperation):
        node = node.left
        chain.append(node)
    numbers = [sites.number(link) for link in chain]
    lowered = expr(sites, node.left)
    for link, at in zip(reversed(chain), reversed(numbers), strict=True):
        lowered = ir.Binary(at, _BINARY[link.operator.__class__], lowered, expr(sites, link.right))
    return lowered


def _boolean(sites: Sites, node: cst.BooleanOperation) -> ir.Expr:
    chain = [node]
    while isinstance(node.left, cst.BooleanOperation):
        node = node.left
        chain.append(node)
    numbers = [sites.number(link) for link in chain]
    lowered = expr(sites, node.left)
    for link, at in zip(reversed(chain), reversed(numbers), strict=True):
        lowered = ir.BoolOp(at, _BOOLEAN[link.operator.__class__], lowered, expr(sites, link.right))
    return lowered


def _comparison(sites: Sites, node: cst.Comparison) -> ir.Expr:
    at = sites.number(node)
    left = expr(sites, node.left)
    ops = tuple([_COMPARE[target.operator.__class__] for target in node.comparisons])
    return ir.Compare(at, left, ops, tuple([expr(sites, target.comparator) for target in node.comparisons]))


def _if_exp(sites: Sites, node: cst.IfExp) -> ir.Expr:
    return ir.IfExp(sites.number(node), expr(sites, node.test), expr(sites, node.body), expr(sites, node.orelse))


def _walrus(sites: Sites, node: cst.NamedExpr) -> ir.Expr:
    return ir.Walrus(sites.number(node), expr(sites, node.target), expr(sites, node.value))


def _await(sites: Sites, node: cst.Await) -> ir.Expr:
    return ir.Await(sites.number(node), expr(sites, node.expression))


def _yield(sites: Sites, node: cst.Yield) -> ir.Expr:
    at = sites.number(node)
    sites.yields = True
    if isinstance(node.value, cst.From):
        return ir.Yield(at, expr(sites, node.value.item), True)
    return ir.Yield(at, optional(sites, node.value), False)


# ---------------------------------------------------------------- calls and subscripts


def arguments(sites: Sites, nodes: Sequence[cst.Arg]) -> tuple[ir.Arg, ...]:
    """The arguments of a call or the bases of a class, in source order."""
    lowered = []
    for node in nodes:
        keyword = None if node.keyword is None else literals.identifier(node.keyword.value)
        lowered.append(ir.Arg(expr(sites, node.value), keyword, node.star))
    return tuple(lowered)


def _call(sites: Sites, node: cst.Call) -> ir.Expr:
    return ir.Call(sites.number(node), expr(sites, node.func), arguments(sites, node.args))


def _subscript(sites: Sites, node: cst.Subscript) -> ir.Expr:
    at = sites.number(node)
    base = expr(sites, node.value)
    elements = node.slice
    only = elements[0]
    if len(elements) == 1 and not isinstance(only.comma, cst.Comma) and isinstance(only.slice, cst.Index) and not only.slice.star:
        value = only.slice.value
        if isinstance(value, cst.Tuple):
            return ir.Sub(at, base, _items(sites, value.elements), True)
        return ir.Sub(at, base, (expr(sites, value),), False)
    index = tuple([_subscript_element(sites, element) for element in elements])
    is_tuple = len(elements) > 1 or isinstance(only.comma, cst.Comma) or isinstance(only.slice, cst.Index)
    return ir.Sub(at, base, index, is_tuple)


def _subscript_element(sites: Sites, element: cst.SubscriptElement) -> ir.Expr:
    part = element.slice
    if isinstance(part, cst.Slice):
        at = sites.number(element)
        return ir.Slice(at, optional(sites, part.lower), optional(sites, part.upper), optional(sites, part.step))
    assert isinstance(part, cst.Index)
    if part.star:
        return ir.Star(sites.number(element), expr(sites, part.value))
    return expr(sites, part.value)


# ---------------------------------------------------------------- displays and comprehensions


def _items(sites: Sites, elements: Sequence[cst.BaseElement]) -> tuple[ir.Expr, ...]:
    return tuple([expr(sites, element if isinstance(element, cst.StarredElement) else element.value) for element in elements])


def _starred(sites: Sites, node: cst.StarredElement) -> ir.Expr:
    return ir.Star(sites.number(node), expr(sites, node.value))


def _tuple(sites: Sites, node: cst.Tuple) -> ir.Expr:
    return ir.Display(sites.number(node), "tuple", _items(sites, node.elements))


def _list(sites: Sites, node: cst.List) -> ir.Expr:
    return ir.Display(sites.number(node), "list", _items(sites, node.elements))


def _set(sites: Sites, node: cst.Set) -> ir.Expr:
    return ir.Display(sites.number(node), "set", _items(sites, node.elements))


def _dict(sites: Sites, node: cst.Dict) -> ir.Expr:
    at = sites.number(node)
    items: list[tuple[ir.Expr | None, ir.Expr]] = []
    for element in node.elements:
        key = expr(sites, element.key) if isinstance(element, cst.DictElement) else None
        items.append((key, expr(sites, element.value)))
    return ir.DictDisplay(at, tuple(items))


def _generators(sites: Sites, node: cst.CompFor | None) -> tuple[ir.Gen, ...]:
    gens = []
    while node is not None:
        target = expr(sites, node.target)
        iterated = expr(sites, node.iter)
        conditions = tuple([expr(sites, part.test) for part in node.ifs])
        gens.append(ir.Gen(target, iterated, conditions, node.asynchronous is not None))
        node = node.inner_for_in
    return tuple(gens)


def _list_comp(sites: Sites, node: cst.ListComp) -> ir.Expr:
    return ir.Comp(sites.number(node), "list", (expr(sites, node.elt),), _generators(sites, node.for_in))


def _set_comp(sites: Sites, node: cst.SetComp) -> ir.Expr:
    return ir.Comp(sites.number(node), "set", (expr(sites, node.elt),), _generators(sites, node.for_in))


def _generator(sites: Sites, node: cst.GeneratorExp) -> ir.Expr:
    return ir.Comp(sites.number(node), "generator", (expr(sites, node.elt),), _generators(sites, node.for_in))


def _dict_comp(sites: Sites, node: cst.DictComp) -> ir.Expr:
    return ir.Comp(sites.number(node), "dict", (expr(sites, node.key), expr(sites, node.value)), _generators(sites, node.for_in))


# ---------------------------------------------------------------- functions


def parameters(sites: Sites, node: cst.Parameters) -> tuple[ir.Param, ...]:
    """The parameters of a function or lambda, in source order."""
    params = [_parameter(sites, param, "posonly") for param in node.posonly_params]
    params += [_parameter(sites, param, "pos") for param in node.params]
    if isinstance(node.star_arg, cst.Param):
        params.append(_parameter(sites, node.star_arg, "*"))
    params += [_parameter(sites, param, "kw") for param in node.kwonly_params]
    if node.star_kwarg is not None:
        params.append(_parameter(sites, node.star_kwarg, "**"))
    return tuple(params)


def _parameter(sites: Sites, node: cst.Param, kind: str) -> ir.Param:
    at = sites.number(node)
    annotation = None if node.annotation is None else expr(sites, node.annotation.annotation)
    return ir.Param(at, literals.identifier(node.name.value), kind, optional(sites, node.default), annotation)


def _lambda(sites: Sites, node: cst.Lambda) -> ir.Expr:
    at = sites.number(node)
    params = parameters(sites, node.params)
    outer = sites.yields
    body = expr(sites, node.body)
    sites.yields = outer  # a yield in a lambda makes that lambda a generator, not the function around it
    return ir.Lambda(at, params, body)


_EXPRESSIONS: dict[type[cst.CSTNode], Callable[[Sites, Any], ir.Expr]] = {
    cst.Attribute: _attribute,
    cst.Await: _await,
    cst.BinaryOperation: _binary,
    cst.BooleanOperation: _boolean,
    cst.Call: _call,
    cst.Comparison: _comparison,
    cst.ConcatenatedString: _concatenated,
    cst.Dict: _dict,
    cst.DictComp: _dict_comp,
    cst.Ellipsis: _ellipsis,
    cst.Float: _float,
    cst.FormattedString: _formatted_string,
    cst.GeneratorExp: _generator,
    cst.IfExp: _if_exp,
    cst.Imaginary: _imaginary,
    cst.Integer: _integer,
    cst.Lambda: _lambda,
    cst.List: _list,
    cst.ListComp: _list_comp,
    cst.Name: _name,
    cst.NamedExpr: _walrus,
    cst.Set: _set,
    cst.SetComp: _set_comp,
    cst.SimpleString: _string,
    cst.StarredElement: _starred,
    cst.Subscript: _subscript,
    cst.Tuple: _tuple,
    cst.UnaryOperation: _unary,
    cst.Yield: _yield,
}
