"""Hoist and wrap: the piece that breaks becomes a function of module level, wrapped, so that one node stands in its place.

The function takes what the piece reads of local names (and of ``self.name`` attributes), and gives back its value, or, for a statement,
the names that it binds and that are read later. A call keeps its arguments where they are: only the function called is replaced.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import libcst as cst

from fxlint.api import FixRequest
from fxlint.base.event import EventKind
from fxlint.base.finding import Edit, Safety
from fxlint.base.span import Span
from fxlint.fixes.fitness import unfit
from fxlint.fixes.imports import imports_named, spell
from fxlint.fixes.liveness import Flow, flow_of, tail_reads
from fxlint.fixes.names import locals_of, names_of, walk
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.passing import Inputs, fresh, inputs_of, rewritten
from fxlint.fixes.piece import Piece, piece_of
from fxlint.fixes.target import Target
from fxlint.syntax.outline import FunctionOutline

_CONVERSIONS = {"int": "_to_int", "float": "_to_float", "complex": "_to_complex", "bool": "_to_bool", "len": "_length"}
_INDENT = "    "
_FIRST_NAMES = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_OPERANDS = (cst.Name, cst.Attribute, cst.Subscript, cst.BinaryOperation)
"""Arguments that do not break by themselves, only by what is done to them."""


@dataclass(frozen=True, slots=True)
class Helper:
    """The function to be: its wanted name, parameters, body (lines without margin), and what stands at the piece's place instead."""

    name: str
    parameters: tuple[str, ...]
    body: str
    place: cst.CSTNode
    call: str  # with ``{}`` where the name goes
    end: int | None = None  # where the replaced text ends, when that is not the end of ``place``
    edits: tuple[Edit, ...] = ()  # imports that the body needs
    is_guess: bool = False  # whether it rests on more than the text shows: how a layer is built, that a value is no numpy scalar
    nodes: tuple[cst.CSTNode, ...] = ()  # what moves into the function


def hoist(target: Target, request: FixRequest) -> Proposal | Decline:
    """Hoist the piece around the event and wrap it."""
    piece = piece_of(target)
    if isinstance(piece, Decline):
        return piece
    function = target.block.function(piece)
    if function is None:
        return Decline("the construct stands in no function")
    reason = unfit(target, piece, function)
    if reason is not None:
        return Decline(reason)
    if target.event.kind is EventKind.NUMPY_OPERAND and _is_kept(target.event.subject, function):
        return Decline("the numpy scalar would be an argument of the wrapped function, and no graph can hold it: convert it by float(...)")
    returns = any(isinstance(node, cst.Return) for node in walk(piece))
    helper = _tail_helper(target, piece, function) if returns else _helper(target, piece, function)
    if isinstance(helper, Decline):
        return helper
    if target.event.kind is EventKind.NUMPY_OPERAND and "." in helper.call:  # an attribute that it is given may be a numpy scalar too
        helper = replace(helper, is_guess=True)
    return _proposal(target, request, piece, helper)


def _proposal(target: Target, request: FixRequest, piece: Piece, helper: Helper) -> Proposal | Decline:
    start = target.block.start
    if target.text[start : start + 1] in {" ", "\t"}:
        return Decline("the class or function around it stands under a condition of module level")
    spelling = spell(target.path, target.outline, "torch.fx.wrap")
    bound = imports_named(target.outline, spelling.text.partition(".")[0])
    if bound is not None and target.outline.lines.offset(bound.row) > start:
        return Decline("torch is imported below the construct")
    name, is_new = free_name(target, helper.name, helper.parameters, helper.body, spelling.text)
    edit = target.edit_whole(helper.place, helper.call.replace("{}", name))
    edits: tuple[Edit, ...] = (edit if helper.end is None else replace(edit, end=helper.end),)
    if is_new:
        text = f"{definition(name, helper.parameters, helper.body, spelling.text)}\n\n\n"
        imports = dict.fromkeys((*spelling.edits, *helper.edits))
        edits = (*imports, target.insert(above_comments(target, start), text), *edits)
    hidden = [node for moved in helper.nodes or (piece,) for node in walk(moved)] if helper.place is not _function(piece) else [piece]
    opaque = sum(isinstance(node, (cst.Call, cst.BinaryOperation, cst.Comparison, cst.Subscript)) for node in hidden)
    is_statement = isinstance(piece, cst.BaseCompoundStatement)
    safety = weaker(request.safety, Safety.UNSAFE if is_statement or helper.is_guess else Safety.SAFE)
    what = "statement" if not isinstance(piece, cst.BaseExpression) else "expression"
    inside = "1 operation inside is" if opaque == 1 else f"{opaque} operations inside are"
    message = f"Move the {what} into a wrapped function `{name}`: one node, {inside} hidden from the graph"
    return Proposal(message, safety, edits, opaque)


def _function(piece: Piece) -> cst.CSTNode | None:
    return piece.func if isinstance(piece, cst.Call) else None


def _is_kept(operand: str, function: cst.FunctionDef) -> bool:
    """Whether an operand, as source text, reads its value from a local name or an attribute of one, and no call makes it."""
    return "(" not in operand and bool(set(_FIRST_NAMES.findall(operand)) & locals_of(function))


def _helper(target: Target, piece: Piece, function: cst.FunctionDef) -> Helper | Decline:
    match piece:
        case cst.Call():
            called = _call_helper(target, piece, function)
            return _expression_helper(target, piece, function) if called is None else called
        case cst.BaseExpression():
            return _expression_helper(target, piece, function)
        case _:
            return _statement_helper(target, piece, function)


def _call_helper(target: Target, call: cst.Call, function: cst.FunctionDef) -> Helper | None:
    """The helper of ``f(a, b, k=c)`` with ``f`` of module level: ``def _f(a, b, k)``. None where that fails.

    Only ``f`` is replaced; but classes, functions and lambdas among the arguments, which no node can hold, move inside.
    """
    dotted = _dotted(call.func)
    is_result = target.event.kind in {EventKind.NO_ARGUMENT_TYPE, EventKind.OUTPUT_CLASS}
    is_operand = any(arg.value is target.node and isinstance(arg.value, _OPERANDS) for arg in call.args)
    if not (is_result or is_operand or target.node is call):
        return None  # what breaks lies inside of an argument, and would stay there
    if dotted is None or dotted[0] in locals_of(function) or any(arg.star for arg in call.args):
        return None
    if any(_is_lazy(arg.value) for arg in call.args):
        return None  # fx does not look into an iterator for a Proxy: it is made inside
    inside = [arg for arg in call.args if _reads_only_globals(arg.value, function)]
    names: list[str] = []
    given: list[str] = []
    for arg in call.args:
        key = f"{arg.keyword.value}=" if arg.keyword is not None else ""
        if arg in inside:
            given.append(f"{key}{target.source(arg.value)}")
            continue
        wanted = arg.keyword.value if arg.keyword is not None else _parameter_name(arg.value)
        name = fresh(wanted, {*names, dotted[0]})
        if arg.keyword is not None and name != wanted:
            return None
        names.append(name)
        given.append(f"{key}{name}")
    source = target.source(call.func)
    own = _CONVERSIONS.get(source, "_" + "_".join(part.strip("_") for part in dotted))
    body = f"return {source}({', '.join(given)})"
    if not inside:
        return Helper(own, tuple(names), body, call.func, "{}")
    if not names or "\n" in body:
        return None
    wholes = [target.block.whole(arg.value) for arg in call.args if arg not in inside]
    kept = ", ".join(target.text[whole.start : whole.end] for whole in wholes)
    return Helper(own, tuple(names), body, call, f"{{}}({kept})")


def _dotted(node: cst.BaseExpression) -> tuple[str, ...] | None:
    match node:
        case cst.Name(value=name):
            return (name,)
        case cst.Attribute(value=value, attr=cst.Name(value=attr)):
            base = _dotted(value)
            return None if base is None else (*base, attr)
        case _:
            return None


def _reads_only_globals(node: cst.BaseExpression, function: cst.FunctionDef) -> bool:
    """Whether a graph cannot hold ``node``, and it may as well stand inside: a name of module level, a lambda of no local name."""
    reads = set(names_of(node).reads)
    return (bool(reads) or isinstance(node, cst.Lambda)) and not reads & locals_of(function)


def _is_lazy(node: cst.BaseExpression) -> bool:
    match node:
        case cst.GeneratorExp() | cst.Call(func=cst.Name(value=("map" | "filter" | "zip" | "enumerate" | "reversed" | "iter"))):
            return True
        case _:
            return False


def _parameter_name(node: cst.BaseExpression) -> str:
    match node:
        case cst.Name(value=name):
            return name
        case cst.Attribute(attr=cst.Name(value=attr)):
            return attr
        case _:
            return "value"


def _expression_helper(target: Target, piece: cst.BaseExpression, function: cst.FunctionDef) -> Helper | Decline:
    reads = tuple(name for name in names_of(piece).reads if name in locals_of(function))
    inputs = inputs_of(target, (piece,), function, reads)
    if isinstance(inputs, Decline):
        return inputs
    if not inputs.given:
        return Decline("it reads no local name, so no Proxy would reach the wrapped function")
    text = rewritten(target, target.block.spans[piece], inputs.inside)
    if '"""' in text or "'''" in text:
        return Decline("it holds a string of several lines")
    body = f"return ({text})" if "\n" in text or (isinstance(piece, cst.Tuple) and not piece.lpar) else f"return {text}"
    given = ", ".join(text for _, text in inputs.given)
    names = tuple(name for name, _ in inputs.given)
    return Helper(_wanted_name(target, piece), names, body, piece, f"{{}}({given})", None, inputs.edits, inputs.has_layers)


def _wanted_name(target: Target, piece: cst.BaseExpression) -> str:
    if isinstance(piece, cst.Call) and (dotted := _dotted(piece.func)) is not None:
        return _CONVERSIONS.get(".".join(dotted), "_" + "_".join(part.strip("_") for part in dotted if part != "self"))
    statement = target.parent(piece)
    if isinstance(statement, cst.Assign) and isinstance(statement.targets[0].target, cst.Name):
        return f"_compute_{statement.targets[0].target.value.strip('_')}"
    return "_choose" if isinstance(piece, cst.IfExp) else "_compute"


def _statement_helper(target: Target, piece: Piece, function: cst.FunctionDef) -> Helper | Decline:
    flow = flow_of(target, piece, function)
    if isinstance(flow, Decline):
        return flow
    inputs = inputs_of(target, (piece,), function, flow.reads)
    if isinstance(inputs, Decline):
        return inputs
    body = _dedented(target, piece, piece, inputs)
    if isinstance(body, Decline):
        return body
    outputs = ", ".join(flow.results)
    given = ", ".join(text for _, text in inputs.given)
    own = f"{body}\nreturn {outputs}"
    names = tuple(name for name, _ in inputs.given)
    call = f"{outputs} = {{}}({given})"
    return Helper(_statement_name(piece, flow), names, own, piece, call, _end(target, piece), inputs.edits, inputs.has_layers)


def _tail_helper(target: Target, piece: Piece, function: cst.FunctionDef) -> Helper | Decline:
    """The helper of a statement that returns from the function on some path: it and all that follows it, up to the end of the function."""
    if not (isinstance(function.body, cst.IndentedBlock) and piece in function.body.body):
        return Decline("it returns from the function around it, and code around it may go on")
    nodes = function.body.body[[statement is piece for statement in function.body.body].index(True) :]
    reason = next((reason for node in nodes[1:] if (reason := unfit(target, node, function)) is not None), None)
    if reason is not None:
        return Decline(f"what follows it moves with it, and {reason}")
    reads = tail_reads(nodes, function)
    if isinstance(reads, Decline):
        return reads
    inputs = inputs_of(target, nodes, function, reads)
    if isinstance(inputs, Decline):
        return inputs
    body = _dedented(target, piece, nodes[-1], inputs)
    if isinstance(body, Decline):
        return body
    given = ", ".join(text for _, text in inputs.given)
    names = tuple(name for name, _ in inputs.given)
    end = max(_end(target, nodes[-1]), target.block.spans[nodes[-1]].end)
    name = f"_end_of_{function.name.value.strip('_')}"
    return Helper(name, names, body, piece, f"return {{}}({given})", end, inputs.edits, inputs.has_layers, tuple(nodes))


def _statement_name(piece: Piece, flow: Flow) -> str:
    is_check = not names_of(piece).binds and any(isinstance(node, cst.Raise) for node in walk(piece))
    verb = "set_item_of" if isinstance(piece, (cst.Assign, cst.AugAssign)) else "check" if is_check else "update"
    return "_".join(["", verb, *(name.strip("_") for name in flow.results)])


def _dedented(target: Target, piece: Piece, last: cst.CSTNode, inputs: Inputs) -> str | Decline:
    """The text from ``piece`` to the end of ``last``, without its margin."""
    start = target.block.spans[piece].start
    row, _ = target.outline.lines.place(start)
    margin = target.text[target.outline.lines.starts[row - 1] : start]
    if margin.strip():
        return Decline("other code stands before it on its line")
    end = target.block.spans[last].end
    comment = target.text[end : _end(target, last)]
    text = rewritten(target, Span(start, end), inputs.inside).rstrip() + comment
    if '"""' in text or "'''" in text:
        return Decline("it holds a string of several lines")
    if text.startswith("elif"):
        return Decline("it is an elif of a longer ladder")
    lines = [line.removeprefix(margin) for line in text.split("\n")]
    return "\n".join(lines)


def _end(target: Target, piece: cst.CSTNode) -> int:
    """The end of a statement with the comment that follows it on its last line."""
    end = target.block.spans[piece].end
    row, _ = target.outline.lines.place(end)
    starts = target.outline.lines.starts
    rest = target.text[end : starts[row] if row < len(starts) else len(target.text)].rstrip("\r\n")
    return end + len(rest) if rest.lstrip().startswith("#") else end


def definition(name: str, parameters: tuple[str, ...], body: str, wrap: str) -> str:
    """The text of a wrapped function."""
    lines = "\n".join(f"{_INDENT}{line}" if line.strip() else "" for line in body.split("\n"))
    return f"@{wrap}\ndef {name}({', '.join(parameters)}):\n{lines}"


def free_name(target: Target, wanted: str, parameters: tuple[str, ...], body: str, wrap: str) -> tuple[str, bool]:
    """A name for a wrapped function, and whether it is new: an equal function that the file has already is used again."""
    taken = {binding.name: binding.what for binding in target.outline.bindings}
    name, number = wanted, 2
    while name in taken or name in target.block.names:
        what = taken.get(name)
        if isinstance(what, FunctionOutline):
            text = target.text[what.start : what.end].replace("\r\n", "\n").replace("\r", "\n").rstrip()
            if text == definition(name, parameters, body, wrap):
                return name, False
        name, number = f"{wanted}_{number}", number + 1
    return name, True


def above_comments(target: Target, start: int) -> int:
    """The start of the comment lines that stand directly above a block: they belong to it."""
    lines = target.outline.lines
    row, _ = lines.place(start)
    while row > 1 and target.text[lines.starts[row - 2] : lines.starts[row - 1]].startswith("#"):
        row -= 1
    if row == 1:
        return start
    return lines.starts[row - 1]
