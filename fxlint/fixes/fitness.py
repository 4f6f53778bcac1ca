"""Why a piece of code cannot be moved into a function of its own."""

from __future__ import annotations

import libcst as cst

from fxlint.fixes.names import bound_by, locals_of, names_of, walk
from fxlint.fixes.target import Target


def unfit(target: Target, piece: cst.CSTNode, function: cst.FunctionDef) -> str | None:
    """Why ``piece`` of ``function`` cannot become a function, None where it can. Returns are the caller's to judge."""
    for node in walk(piece):
        match node:
            case cst.Yield() | cst.Await():
                return "it suspends the function around it"
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


def _is_in_loop(target: Target, node: cst.CSTNode, piece: cst.CSTNode) -> bool:
    if isinstance(piece, (cst.For, cst.While)):
        return True
    for around in target.block.ancestors(node):
        if around is piece:
            return False
        if isinstance(around, (cst.For, cst.While)):
            return True
    return False
