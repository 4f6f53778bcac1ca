"""Names in files that handle fx objects: what a dotted name stands for, and the classes of the project by their IR."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field

from fxlint.base.errors import ReadError
from fxlint.project.link import Defined, External, ModuleFile, Target, lookup, member
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir
from fxlint.syntax.body import Body
from fxlint.syntax.outline import ClassOutline, FunctionOutline

# Where torch.fx defines what it exports, and other spellings of the same objects. Source: torch/fx/__init__.py, torch 2.13.
WRAP = "torch.fx.wrap"
CANONICAL = {
    "torch.fx._symbolic_trace.symbolic_trace": "torch.fx.symbolic_trace",
    "torch.fx._symbolic_trace.Tracer": "torch.fx.Tracer",
    "torch.fx._symbolic_trace.wrap": "torch.fx.wrap",
    "torch.fx._symbolic_trace.PH": "torch.fx.PH",
    "torch.fx.graph_module.GraphModule": "torch.fx.GraphModule",
    "torch.fx.graph.Graph": "torch.fx.Graph",
    "torch.fx.node.Node": "torch.fx.Node",
    "torch.fx.proxy.Proxy": "torch.fx.Proxy",
    "torch.fx.interpreter.Interpreter": "torch.fx.Interpreter",
    "torch.fx.interpreter.Transformer": "torch.fx.Transformer",
    "torch.fx.subgraph_rewriter.replace_pattern": "torch.fx.replace_pattern",
    "torch.nn.modules.Module": "torch.nn.Module",
    "torch.nn.modules.module.Module": "torch.nn.Module",
    "torch.nn.modules.container.Sequential": "torch.nn.Sequential",
}
BUILTINS = frozenset(dir(builtins))


def canonical(dotted: str) -> str:
    """The name under which the tables know ``dotted``."""
    return CANONICAL.get(dotted, dotted)


@dataclass(frozen=True, slots=True)
class ClassCode:
    """A class of the project: where it stands and what its body says. ``name`` is qualified. Compared by file and name."""

    source: SourceFile = field(compare=False)
    body: Body = field(compare=False)
    node: ir.ClassDef = field(compare=False)
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class FunctionCode:
    """A function of the project. ``name`` is qualified. Compared by file and name."""

    source: SourceFile = field(compare=False)
    body: Body = field(compare=False)
    node: ir.FuncDef = field(compare=False)
    name: str
    path: str


def resolve(project: Project, source: SourceFile, dotted: str) -> Target | None:
    """What ``dotted``, read at module level of ``source``, stands for; None where it is unknown, or where arms of an if disagree."""
    first, *rest = dotted.split(".")
    found = lookup(project, source, first)
    if not found:
        return External(first) if first in BUILTINS and not rest else None
    if len(found) != 1:
        return None
    target = found[0]
    for attr in rest:
        match target:
            case External():
                target = External(f"{target.dotted}.{attr}")
            case ModuleFile():
                inner = member(project, target.source, target.source.module, attr)
                if len(inner) != 1:
                    return None
                target = inner[0]
            case Defined():
                return None
    return External(canonical(target.dotted)) if isinstance(target, External) else target


def external(project: Project, source: SourceFile, dotted: str | None) -> str:
    """The canonical name of a library object that ``dotted`` stands for, "" for anything else."""
    target = resolve(project, source, dotted) if dotted else None
    return target.dotted if isinstance(target, External) else ""


def class_code(project: Project, target: Defined) -> ClassCode | None:
    """The IR of a class that stands at module level or in another class; None where it cannot be read."""
    what = target.binding.what
    if not isinstance(what, ClassOutline):
        return None
    body = _read(project, target.source, what.start, what.end)
    for stmt in body.stmts if body else ():
        if body is not None and isinstance(stmt, ir.ClassDef) and stmt.name == what.name:
            return ClassCode(target.source, body, stmt, what.qualname, target.source.path)
    return None


def function_code(project: Project, target: Defined) -> FunctionCode | None:
    """The IR of a function; None where it cannot be read."""
    what = target.binding.what
    if not isinstance(what, FunctionOutline):
        return None
    body = _read(project, target.source, what.start, what.end)
    for stmt in body.stmts if body else ():
        if body is not None and isinstance(stmt, ir.FuncDef) and stmt.name == what.name:
            return FunctionCode(target.source, body, stmt, what.qualname, target.source.path)
    return None


def _read(project: Project, source: SourceFile, start: int, end: int) -> Body | None:
    try:
        return project.body(source.path, start, end)
    except ReadError:
        return None  # libcst cannot read what ast could; the driver has reported the file


def bases(project: Project, cls: ClassCode) -> Iterator[ClassCode | str]:
    """The direct bases: classes of the project, or canonical names of library classes; unknown ones are left out."""
    for arg in cls.node.bases:
        name = dotted_name(arg.value)
        if arg.keyword or name is None:
            continue
        target = resolve(project, cls.source, name)
        if isinstance(target, External):
            yield target.dotted
        elif isinstance(target, Defined):
            inner = class_code(project, target)
            if inner is not None:
                yield inner


def dotted_name(expr: ir.Expr) -> str | None:
    """``a.b.c`` of a plain dotted name, and of a subscripted one (``Generic[T]``)."""
    while isinstance(expr, ir.Sub):
        expr = expr.base
    parts: list[str] = []
    while isinstance(expr, ir.Attr):
        parts.append(expr.name)
        expr = expr.base
    return ".".join(reversed([*parts, expr.id])) if isinstance(expr, ir.Name) else None


def ancestry(project: Project, cls: ClassCode) -> tuple[ClassCode | str, ...]:
    """The class and all its bases, depth first from the left, each once: Python's order wherever no diamond is involved."""
    found: list[ClassCode | str] = []
    names: set[str] = set()
    stack: list[ClassCode | str] = [cls]
    while stack and len(found) < 64:
        current = stack.pop()
        name = current if isinstance(current, str) else f"{current.source.path}:{current.name}"
        if name in names:
            continue
        names.add(name)
        found.append(current)
        if isinstance(current, ClassCode):
            stack.extend(reversed(tuple(bases(project, current))))
    return tuple(found)


def method(project: Project, cls: ClassCode, name: str) -> FunctionCode | str | None:
    """The method ``name`` of a class: its code, or the library class that defines or may define it; None where nothing has it."""
    for holder in ancestry(project, cls):
        if isinstance(holder, str):
            return holder
        for stmt in holder.node.body:
            if isinstance(stmt, ir.FuncDef) and stmt.name == name:
                return FunctionCode(holder.source, holder.body, stmt, f"{holder.name}.{name}", holder.path)
    return None


def own_method(cls: ClassCode, name: str) -> FunctionCode | None:
    """The method ``name`` that the class's own body defines (the last one, as Python takes it)."""
    found = [s for s in cls.node.body if isinstance(s, ir.FuncDef) and s.name == name]
    return FunctionCode(cls.source, cls.body, found[-1], f"{cls.name}.{name}", cls.path) if found else None


def derives(project: Project, cls: ClassCode, dotted: str) -> bool:
    """Whether the library class ``dotted`` is among the bases."""
    return dotted in ancestry(project, cls)


def classes(project: Project, source: SourceFile) -> Iterator[ClassCode]:
    """The classes of a file that stand at module level or in other classes, in source order."""
    stack = [b for b in reversed(source.outline.bindings) if isinstance(b.what, ClassOutline)]
    while stack:
        binding = stack.pop()
        found = class_code(project, Defined(source, binding))
        if found is not None:
            yield found
        assert isinstance(binding.what, ClassOutline)
        stack.extend(b for b in reversed(binding.what.body) if isinstance(b.what, ClassOutline))


def functions(project: Project, source: SourceFile) -> Iterator[FunctionCode]:
    """The functions that stand at module level, in source order."""
    for binding in source.outline.bindings:
        if isinstance(binding.what, FunctionOutline):
            found = function_code(project, Defined(source, binding))
            if found is not None:
                yield found
