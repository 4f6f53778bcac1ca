"""Values for parameters that nothing tells but their annotation: an instance of the class of the project that it names."""

from __future__ import annotations

from fxlint.interp import classes, constructors
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.names import func_info
from fxlint.interp.state import State
from fxlint.project.modules import SourceFile
from fxlint.syntax import ir
from fxlint.values.join import union
from fxlint.values.values import ClassInfo, Static, Value

PLAIN = frozenset({"int", "float", "bool", "str"})
# How deep instances are built of instances.
MAX_DEPTH = 3


def arguments(f: Frame, st: State, info: ClassInfo, extra: Value | None = None, depth: int = 0) -> Arguments:
    """Arguments for the constructor of a class: values for the parameters that have no default. ``extra`` may stand for any other."""
    found = classes.find(info, "__init__")
    if not isinstance(found, tuple) or found[1].code is None:
        return Arguments()
    init = func_info(f.machine, found[1].code)
    if init is None:
        return Arguments()
    source = found[1].code.source
    pairs = [
        (p.name, value_of(f, st, source, p, f"constructor parameter {p.name}", extra, depth))
        for p in init.func.params[1:] if p.default is None and p.kind in ("pos", "kw", "posonly")]
    return Arguments((), tuple(pairs), None, extra)


def value_of(f: Frame, st: State, source: SourceFile, param: ir.Param, why: str, extra: Value | None = None, depth: int = 0) -> Value:
    """What a caller passes for a parameter: an instance where the annotation names a class of the project, else a Static."""
    if depth < MAX_DEPTH and param.annotation is not None:
        made = [
            constructors.instantiate(f, st, 0, cls, arguments(f, st, cls, extra, depth + 1))
            for text in _names(param.annotation) if isinstance(cls := classes.resolve_class(f.machine, source, text), ClassInfo)
            if _can_be_made(cls)]
        if made:
            return union(made)
    annotation = param.annotation
    return Static(annotation.id if isinstance(annotation, ir.Name) and annotation.id in PLAIN else "", why)


def _can_be_made(cls: ClassInfo) -> bool:
    """Whether an instance tells more than nothing: not of an abstract class, nor of one whose constructor is a library's."""
    if classes.is_module(cls):
        return isinstance(classes.find(cls, "forward"), tuple)
    return not cls.bases_unknown and set(classes.library_bases(cls)) <= {"builtins.object", "abc.ABC", "typing.Generic"}


def _names(annotation: ir.Expr) -> list[str]:
    """The dotted names in an annotation that may be its class: of ``A | None``, ``Optional[A]``, ``Union[A, B]`` and ``"A | None"``."""
    match annotation:
        case ir.Name(id=name):
            return [name]
        case ir.Attr(base=base, name=name):
            return [f"{owner}.{name}" for owner in _names(base)]
        case ir.Const(value=str(text)):
            return [part.strip() for part in text.split("|") if part.strip().replace(".", "").isidentifier()]
        case ir.Binary(op="|", left=left, right=right):
            return [*_names(left), *_names(right)]
        case ir.Sub(base=base, index=index) if _names(base)[-1:] and _names(base)[-1].rpartition(".")[2] in ("Optional", "Union"):
            return [name for part in index for name in _names(part)]
        case _:
            return []
