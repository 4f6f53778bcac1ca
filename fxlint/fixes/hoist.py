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
from fxlint.fixes.imports import imports_named, spell
from fxlint.fixes.liveness import Flow, flow_of
from fxlint.fixes.names import bound_by, locals_of, names_of, parameters, walk
from fxlint.fixes.outcome import Decline, Proposal, weaker
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


def hoist(target: Target, request: FixRequest) -> Proposal | Decline:
    """Hoist the piece around the event and wrap it."""
    piece = piece_of(target)
    if isinstance(piece, Decline):
        return piece
    function = target.block.function(piece)
    if function is None:
        return Decline("the construct stands in no function")
    reason = _unfit(target, piece, function)
    if reason is not None:
        return Decline(reason)
    if target.event.kind is EventKind.NUMPY_OPERAND and _is_kept(target.event.subject, function):
        return Decline("the numpy scalar would be an argument of the wrapped function, and no graph can hold it: convert it by float(...)")
    helper = _helper(target, piece, function)
    if isinstance(helper, Decline):
        return helper
    return _proposal(target, request, piece, helper)


def _proposal(target: Target, request: FixRequest, piece: Piece, helper: Helper) -> Proposal | Decline:
    start = target.block.start
    if target.text[start : start + 1] in {" ", "\t"}:
        return Decline("the class or function around it stands under a condition of module level")
    spelling = spell(target.path, target.outline, "torch.fx.wrap")
    bound = imports_named(target.outline, spelling.text.partition(".")[0])
    if bound is not None and target.outline.lines.offset(bound.row) > start:
        return Decline("torch is imported below the construct")
    name, is_new = _named(target, helper, spelling.text)
    edit = target.edit_whole(helper.place, helper.call.replace("{}", name))
    edits: tuple[Edit, ...] = (edit if helper.end is None else replace(edit, end=helper.end),)
    if is_new:
        text = f"{_definition(helper, name, spelling.text)}\n\n\n"
        edits = (*spelling.edits, target.insert(_above_comments(target, start), text), *edits)
    hidden = walk(piece) if helper.place is piece else [piece]
    opaque = sum(isinstance(node, (cst.Call, cst.BinaryOperation, cst.Comparison, cst.Subscript)) for node in hidden)
    is_statement = isinstance(piece, cst.BaseCompoundStatement)
    safety = weaker(request.safety, Safety.UNSAFE if is_statement else Safety.SAFE)
    what = "statement" if not isinstance(piece, cst.BaseExpression) else "expression"
    inside = "1 operation inside is" if opaque == 1 else f"{opaque} operations inside are"
    message = f"Move the {what} into a wrapped function `{name}`: one node, {inside} hidden from the graph"
    return Proposal(message, safety, edits, opaque)


def _is_kept(operand: str, function: cst.FunctionDef) -> bool:
    """Whether an operand, as source text, reads its value from a local name or an attribute of one, and no call makes it."""
    return "(" not in operand and bool(set(_FIRST_NAMES.findall(operand)) & locals_of(function))


def _unfit(target: Target, piece: Piece, function: cst.FunctionDef) -> str | None:
    for node in walk(piece):
        match node:
            case cst.Yield() | cst.Await():
                return "it suspends the function around it"
            case cst.Return():
                return "it returns from the function around it"
            case cst.NamedExpr():
                return "it binds a name by :="
            case cst.Global() | cst.Nonlocal() | cst.Del() | cst.Import() | cst.ImportFrom():
                return "it changes which names there are"
            case cst.FunctionDef() | cst.ClassDef():
                return "it defines a function or a class"
            case cst.Break() | cst.Continue() if not _is_in_loop(target, node, piece):
                return "it leaves a loop around it"
            case cst.Call(func=cst.Name(value=("super" | "locals" | "vars" | "eval" | "exec"))):
                return f"`{target.source(node)}` depends on the function around it"
            case cst.AssignTarget(target=cst.Attribute()):
                return "it sets an attribute"
            case _:
                pass
    comprehension = next((node for node in target.block.ancestors(piece) if isinstance(node, (cst.BaseComp, cst.Lambda))), None)
    if comprehension is not None and _inner_names(comprehension) & set(names_of(piece).reads):
        return "it reads names of a comprehension or a lambda around it"
    outer = [around for around in target.block.ancestors(function) if isinstance(around, cst.FunctionDef)]
    if any(name in locals_of(around) for around in outer for name in names_of(piece).reads if name not in locals_of(function)):
        return "it reads names of a function around its own"
    attributes = [node.attr.value for node in walk(piece) if isinstance(node, cst.Attribute)]
    if any(name.startswith("__") and not name.endswith("__") for name in attributes):
        return "it reads a private name of its class"
    return None


def _inner_names(node: cst.BaseComp | cst.Lambda) -> set[str]:
    if isinstance(node, cst.Lambda):
        return {parameter.name.value for parameter in walk(node.params) if isinstance(parameter, cst.Param)}
    names: set[str] = set()
    for part in walk(node):
        if isinstance(part, cst.CompFor):
            names |= bound_by(part.target)
    return names


def _is_in_loop(target: Target, node: cst.CSTNode, piece: Piece) -> bool:
    if isinstance(piece, (cst.For, cst.While)):
        return True
    for around in target.block.ancestors(node):
        if around is piece:
            return False
        if isinstance(around, (cst.For, cst.While)):
            return True
    return False


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
    """The helper of ``f(a, b, k=c)`` with ``f`` of module level: ``def _f(a, b, k)``; only ``f`` is replaced. None where that fails."""
    dotted = _dotted(call.func)
    if target.node is not call and not any(arg.value is target.node and isinstance(arg.value, _OPERANDS) for arg in call.args):
        return None  # what breaks lies inside of an argument, and would stay there
    if dotted is None or dotted[0] in locals_of(function) or any(arg.star for arg in call.args):
        return None
    if any(_reads_only_globals(arg.value, function) for arg in call.args):
        return None  # a class or a function is no argument that fx records: it stays inside
    if any(_is_lazy(arg.value) for arg in call.args):
        return None  # fx does not look into an iterator for a Proxy: it is made inside
    names: list[str] = []
    given: list[str] = []
    for arg in call.args:
        wanted = arg.keyword.value if arg.keyword is not None else _parameter_name(arg.value)
        name = _fresh(wanted, {*names, dotted[0]})
        if arg.keyword is not None and name != wanted:
            return None
        names.append(name)
        given.append(f"{wanted}={name}" if arg.keyword is not None else name)
    source = target.source(call.func)
    own = _CONVERSIONS.get(source, "_" + "_".join(part.strip("_") for part in dotted))
    return Helper(own, tuple(names), f"return {source}({', '.join(given)})", call.func, "{}")


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
    reads = names_of(node).reads
    return bool(reads) and not set(reads) & locals_of(function)


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


def _fresh(wanted: str, taken: set[str]) -> str:
    name, number = wanted.strip("_") or "value", 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Parameters with the expression that each is given, and the places in the piece that read ``self.name`` and become a parameter."""

    given: tuple[tuple[str, str], ...]
    renamed: tuple[tuple[cst.Attribute, str], ...]


def _inputs(target: Target, piece: Piece, function: cst.FunctionDef, reads: tuple[str, ...]) -> _Inputs | Decline:
    names = names_of(piece)
    own = locals_of(function)
    first = parameters(function)[:1]
    class_ = target.block.enclosing(function, cst.ClassDef)
    self_name = first[0] if first and class_ is not None and class_.body is target.parent(function) else ""
    given: list[tuple[str, str]] = []
    renamed: list[tuple[cst.Attribute, str]] = []
    taken = set(names.reads) | set(names.binds)
    for name in reads:
        if name in names.calls and name in own:
            return Decline(f"`{name}` is called: what is called cannot be passed to a wrapped function")
        if name != self_name:
            given.append((name, name))
            continue
        chains = _self_chains(target, piece, self_name)
        if isinstance(chains, Decline):
            return chains
        by_text: dict[str, str] = {}
        for chain in chains:
            text = target.source(chain)
            if text not in by_text:
                by_text[text] = _fresh(chain.attr.value, taken)
                taken.add(by_text[text])
                given.append((by_text[text], text))
            renamed.append((chain, by_text[text]))
    return _Inputs(tuple(given), tuple(renamed))


def _self_chains(target: Target, piece: Piece, self_name: str) -> list[cst.Attribute] | Decline:
    chains: list[cst.Attribute] = []
    for node in walk(piece):
        if not (isinstance(node, cst.Name) and node.value == self_name):
            continue
        parent = target.parent(node)
        if isinstance(parent, cst.Attribute) and parent.attr is node:
            continue
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            continue
        if not (isinstance(parent, cst.Attribute) and parent.value is node):
            return Decline(f"it uses `{self_name}` itself, which cannot be passed to a wrapped function")
        around = target.parent(parent)
        if isinstance(around, cst.Call) and around.func is parent:
            return Decline(f"it calls `{target.source(parent)}`: a module or method cannot be passed to a wrapped function")
        chains.append(parent)
    return sorted(chains, key=lambda chain: target.block.spans[chain].start)


def _rewritten(target: Target, node: cst.CSTNode, renamed: tuple[tuple[cst.Attribute, str], ...]) -> str:
    span = target.block.spans[node]
    text = target.text[span.start : span.end]
    for chain, name in sorted(renamed, key=lambda pair: -target.block.spans[pair[0]].start):
        place = target.block.spans[chain].shifted(-span.start)
        text = text[: place.start] + name + text[place.end :]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _expression_helper(target: Target, piece: cst.BaseExpression, function: cst.FunctionDef) -> Helper | Decline:
    reads = tuple(name for name in names_of(piece).reads if name in locals_of(function))
    inputs = _inputs(target, piece, function, reads)
    if isinstance(inputs, Decline):
        return inputs
    if not inputs.given:
        return Decline("it reads no local name, so no Proxy would reach the wrapped function")
    text = _rewritten(target, piece, inputs.renamed)
    if '"""' in text or "'''" in text:
        return Decline("it holds a string of several lines")
    body = f"return ({text})" if "\n" in text or (isinstance(piece, cst.Tuple) and not piece.lpar) else f"return {text}"
    given = ", ".join(text for _, text in inputs.given)
    return Helper(_wanted_name(target, piece), tuple(name for name, _ in inputs.given), body, piece, f"{{}}({given})")


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
    inputs = _inputs(target, piece, function, flow.reads)
    if isinstance(inputs, Decline):
        return inputs
    body = _dedented(target, piece, inputs)
    if isinstance(body, Decline):
        return body
    outputs = ", ".join(flow.results)
    given = ", ".join(text for _, text in inputs.given)
    own = f"{body}\nreturn {outputs}"
    names = tuple(name for name, _ in inputs.given)
    return Helper(_statement_name(piece, flow), names, own, piece, f"{outputs} = {{}}({given})", _end(target, piece))


def _statement_name(piece: Piece, flow: Flow) -> str:
    is_check = not names_of(piece).binds and any(isinstance(node, cst.Raise) for node in walk(piece))
    verb = "set_item_of" if isinstance(piece, (cst.Assign, cst.AugAssign)) else "check" if is_check else "update"
    return "_".join(["", verb, *(name.strip("_") for name in flow.results)])


def _dedented(target: Target, piece: Piece, inputs: _Inputs) -> str | Decline:
    start = target.block.spans[piece].start
    row, _ = target.outline.lines.place(start)
    margin = target.text[target.outline.lines.starts[row - 1] : start]
    if margin.strip():
        return Decline("other code stands before it on its line")
    comment = target.text[target.block.spans[piece].end : _end(target, piece)]
    text = _rewritten(target, piece, inputs.renamed) + comment
    if '"""' in text or "'''" in text:
        return Decline("it holds a string of several lines")
    if text.startswith("elif"):
        return Decline("it is an elif of a longer ladder")
    lines = [line.removeprefix(margin) for line in text.split("\n")]
    return "\n".join(lines)


def _end(target: Target, piece: Piece) -> int:
    """The end of a statement with the comment that follows it on its last line."""
    end = target.block.spans[piece].end
    row, _ = target.outline.lines.place(end)
    starts = target.outline.lines.starts
    rest = target.text[end : starts[row] if row < len(starts) else len(target.text)].rstrip("\r\n")
    return end + len(rest) if rest.lstrip().startswith("#") else end


def _definition(helper: Helper, name: str, wrap: str) -> str:
    body = "\n".join(f"{_INDENT}{line}" if line.strip() else "" for line in helper.body.split("\n"))
    return f"@{wrap}\ndef {name}({', '.join(helper.parameters)}):\n{body}"


def _named(target: Target, helper: Helper, wrap: str) -> tuple[str, bool]:
    """A name for the helper, and whether it is new: an equal function that the file has already is used again."""
    taken = {binding.name: binding.what for binding in target.outline.bindings}
    name, number = helper.name, 2
    while name in taken or name in target.block.names:
        what = taken.get(name)
        if isinstance(what, FunctionOutline):
            text = target.text[what.start : what.end].replace("\r\n", "\n").replace("\r", "\n").rstrip()
            if text == _definition(helper, name, wrap):
                return name, False
        name, number = f"{helper.name}_{number}", number + 1
    return name, True


def _above_comments(target: Target, start: int) -> int:
    """The start of the comment lines that stand directly above a block: they belong to it."""
    lines = target.outline.lines
    row, _ = lines.place(start)
    while row > 1 and target.text[lines.starts[row - 2] : lines.starts[row - 1]].startswith("#"):
        row -= 1
    if row == 1:
        return start
    return lines.starts[row - 1]
