"""What module-level names mean to the analysis of graph code, and what ``__init__`` puts on the instances of a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import ClassCode
from fxlint.fxcode.graphvalues import UNKNOWN, Class, Const, Func, Items, Lib, LibObject, Object, Value
from fxlint.project.link import Defined, External, ModuleFile
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir, irwalk


def global_value(project: Project, source: SourceFile, dotted: str) -> Value:
    """What the dotted name stands for at module level of ``source``."""
    match fxnames.resolve(project, source, dotted):
        case External(name):
            return Lib(name)
        case Defined() as target:
            cls = fxnames.class_code(project, target)
            if cls is not None:
                return Class(cls)
            function = fxnames.function_code(project, target)
            return Func(function.body, function.node, {}, function) if function is not None else UNKNOWN
        case ModuleFile() | None:
            return UNKNOWN


def is_module_class(project: Project, cls: ClassCode) -> bool:
    """Whether instances are torch modules."""
    return any(isinstance(b, str) and b.startswith("torch.nn.") for b in fxnames.ancestry(project, cls))


@dataclass(frozen=True, slots=True)
class Members:
    """What the instances of a class carry: submodules, parameters and buffers by name, and plain attributes.

    ``complete`` is false where ``__init__`` does something that is not read (a loop, a branch, an unknown base).
    """

    modules: Mapping[str, Value]
    tensors: frozenset[str]
    plain: Mapping[str, Value]
    complete: bool


def members(project: Project, cls: ClassCode) -> Members:
    """The members of a module class, from the plain statements of its ``__init__`` methods, bases first."""
    modules: dict[str, Value] = {}
    tensors: set[str] = set()
    plain: dict[str, Value] = {}
    complete = True
    for holder in reversed(fxnames.ancestry(project, cls)):
        if isinstance(holder, str):
            complete = complete and holder in ("torch.nn.Module", "object")
            continue
        init = fxnames.own_method(holder, "__init__")
        own = init.node.params[0].name if init and init.node.params else ""
        for stmt in init.node.body if init else ():
            match stmt:
                case ir.Assign(targets=(ir.Attr(base=ir.Name(id=base), name=name),), value=ir.Call() | ir.Const() | ir.Name() as value) if (
                    base == own
                ):
                    _assign(project, holder, name, value, modules, tensors, plain)
                case ir.ExprStmt(value=ir.Call(func=ir.Attr(name="register_buffer"), args=[ir.Arg(ir.Const(value=name)), *_])):
                    tensors.add(str(name))
                case ir.ExprStmt(value=ir.Call(func=ir.Attr(base=ir.Call(func=ir.Name(id="super"))))) | ir.ExprStmt(value=ir.Const()):
                    pass
                case _:
                    complete = False
    return Members(modules, frozenset(tensors), plain, complete)


def _assign(
    project: Project, cls: ClassCode, name: str, value: ir.Expr, modules: dict[str, Value], tensors: set[str], plain: dict[str, Value]
) -> None:
    made = made_value(project, cls.source, value)
    match made:
        case LibObject(dotted="torch.nn.Parameter"):
            tensors.add(name)
        case LibObject() if made.dotted.startswith("torch.nn."):
            modules[name] = made
        case Object() if is_module_class(project, made.code):
            modules[name] = made
        case _:
            plain[name] = made


def made_value(project: Project, source: SourceFile, expr: ir.Expr) -> Value:
    """The value of a constant, a name, or a call of a class with such arguments; Unknown for anything else."""
    match expr:
        case ir.Const():
            return Const(expr.value)
        case ir.Name() | ir.Attr():
            name = irwalk.dotted(expr)
            return global_value(project, source, name) if name else UNKNOWN
        case ir.Display():
            return Items(expr.kind, tuple(made_value(project, source, e) for e in expr.items))
        case ir.Call():
            return called(made_value(project, source, expr.func), tuple(made_value(project, source, a.value) for a in expr.args))
        case _:
            return UNKNOWN


def called(func: Value, args: tuple[Value, ...]) -> Value:
    """What calling a class gives; Unknown for what is not known to be a class."""
    match func:
        case Class(code):
            return Object(code, args)
        case Lib(dotted) if dotted.startswith("torch.nn.") and dotted.rpartition(".")[2][:1].isupper():
            return LibObject(dotted, args)
        case _:
            return UNKNOWN
