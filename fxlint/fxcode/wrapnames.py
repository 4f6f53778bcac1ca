"""Which name ``torch.fx.wrap`` registers for what it is given, and what that name is bound to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fxlint.base.errors import ReadError
from fxlint.fxcode import fxnames
from fxlint.fxcode.graphnames import is_module_class
from fxlint.fxcode.graphvalues import Place
from fxlint.library.not_modules import is_no_module
from fxlint.project.link import Defined, External, ModuleFile, lookup, skipped
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir, irwalk
from fxlint.syntax.outline import Binding, ClassOutline, FunctionOutline, ImportOutline, StatementOutline

SCRIPTED = frozenset({"torch.jit.script", "torch.jit.trace"})
# Decorators that hand on __name__ (observed on torch 2.13): what they return is registered under the function's own name.
KEEP_NAME = frozenset({
    "torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export",
    "torch.compile", "functools.lru_cache", "functools.cache", "functools.wraps", "typing.overload", "typing.no_type_check",
    "contextlib.contextmanager", "torch.autocast", "torch.set_grad_enabled", "torch.fx.wrap",
})


@dataclass(frozen=True, slots=True)
class Named:
    """The name that a use of wrap registers; ``kind`` names the EventKind where the use itself is wrong, "" where it is not."""

    name: str
    kind: str = ""
    construct: str = ""
    detail: str = ""


def decorated_name(project: Project, source: SourceFile, place: Place, stmt: ir.FuncDef | ir.ClassDef) -> Named:
    """What ``@wrap`` over a definition registers: the ``__name__`` of what the decorators below it return."""
    if isinstance(stmt, ir.ClassDef):
        target = next((t for t in lookup(project, source, stmt.name) if isinstance(t, Defined)), None)
        cls = fxnames.class_code(project, target) if target else None
        if cls is not None and is_module_class(project, cls):
            return Named(stmt.name, "WRAP_ARGUMENT", "module-class")
        return Named(stmt.name)
    number = next((i for i, d in enumerate(stmt.decorators) if isinstance(d, ir.Name | ir.Attr) and d.at == place.at), len(stmt.decorators))
    for decorator in stmt.decorators[:number]:
        if fxnames.external(project, source, irwalk.dotted(decorator)) in SCRIPTED:
            return Named(stmt.name, "WRAP_ARGUMENT", "scripted", "TypeError: ScriptFunction: No constructor defined!")
    for decorator in reversed(stmt.decorators[number + 1 :]):
        hidden = _hidden_name(project, source, decorator)
        if hidden == "ScriptFunction":
            return Named(hidden, "WRAP_ARGUMENT", "scripted", "KeyError: 'ScriptFunction'")
        if hidden and hidden != stmt.name:
            return _hidden(source, hidden, stmt.name)
    return Named(stmt.name)


def _hidden(source: SourceFile, hidden: str, name: str) -> Named:
    if hidden in source.index:
        return Named(hidden)
    return Named(name, "WRAP_MISSING_NAME", "decorated", f"KeyError: '{hidden}'")


def _hidden_name(project: Project, source: SourceFile, decorator: ir.Expr) -> str:
    """The ``__name__`` of what a decorator returns, where it is another than the function's; "" where it is the same or not known."""
    made = decorator.func if isinstance(decorator, ir.Call) else decorator
    target = fxnames.resolve(project, source, irwalk.dotted(made) or "")
    match target:
        case External(dotted):
            return "ScriptFunction" if dotted in SCRIPTED else ""
        case Defined():
            code = fxnames.function_code(project, target)
            if code is None:
                return ""
            body = code.node.body
            if isinstance(decorator, ir.Call):
                inner = [s for s in body if isinstance(s, ir.FuncDef)]
                if len(inner) != 1:
                    return ""
                body = inner[0].body
            return _returned_function(body)
        case ModuleFile() | None:
            return ""


def _returned_function(body: tuple[ir.Stmt, ...]) -> str:
    inner = {s.name: s for s in body if isinstance(s, ir.FuncDef)}
    returns = [s.value for s in irwalk.statements(body, nested=False) if isinstance(s, ir.Return)]
    if len(returns) == 1 and isinstance(returns[0], ir.Name) and returns[0].id in inner:
        found = inner[returns[0].id]
        # any decorator of the inner function may be functools.wraps under some name; `inner.__name__ = ...` renames it
        targets = [t for s in irwalk.statements(body) if isinstance(s, ir.Assign) for t in s.targets]
        renamed = any(isinstance(t, ir.Attr) and t.name == "__name__" for t in targets)
        updated = any(isinstance(e, ir.Call) and (irwalk.dotted(e.func) or "").endswith("update_wrapper") for e in irwalk.all_exprs(body))
        return "" if found.decorators or renamed or updated else found.name
    return ""


def name_of(project: Project, source: SourceFile, expr: ir.Expr) -> Named | None:
    """What ``wrap(expr)`` registers; None where it is not known."""
    match expr:
        case ir.Const(value=str() as text):
            if "." in text:
                return Named(text, "WRAP_DOTTED", "dotted", f"KeyError: '{text}'")
            return Named(text)
        case ir.Const() | ir.Display() | ir.DictDisplay():
            detail = "RuntimeError: Unsupported type for global function! Must be either a callable or string name"
            return Named("", "WRAP_ARGUMENT", "number", detail)
        case ir.Lambda():
            return Named("<lambda>", "WRAP_ARGUMENT", "lambda", "KeyError: '<lambda>'")
        case ir.Call():
            return _made(project, source, f"{irwalk.dotted(expr.func)}(...)", expr)
        case ir.Name() | ir.Attr(name="__name__") | ir.Attr():
            if isinstance(expr, ir.Attr) and expr.name == "__name__":
                return name_of(project, source, expr.base)
            dotted = irwalk.dotted(expr)
            return _name_of_object(project, source, dotted) if dotted else None
        case _:
            return None


def _name_of_object(project: Project, source: SourceFile, dotted: str) -> Named | None:
    first, _, rest = dotted.partition(".")
    target = fxnames.resolve(project, source, dotted)
    match target:
        case External(name):
            if not rest and any(isinstance(b.what, ImportOutline) and b.what.attr is None for b in source.index.get(first, ())):
                detail = "RuntimeError: Unsupported type for global function! Must be either a callable or string name"
                return Named(dotted, "WRAP_ARGUMENT", "module", detail)
            return _registered(source, dotted, name.rpartition(".")[2])
        case ModuleFile():
            return Named(dotted, "WRAP_ARGUMENT", "module", "RuntimeError: Unsupported type for global function!")
        case Defined():
            what = target.binding.what
            if isinstance(what, FunctionOutline | ClassOutline):
                return _registered(source, dotted, what.name)
            if isinstance(what, StatementOutline) and not rest:
                return _assigned(project, target, dotted)
            return None
        case None if rest and first in source.index and isinstance(source.index[first][-1].what, ClassOutline | StatementOutline):
            return _registered(source, dotted, dotted.rpartition(".")[2])
        case _:
            return None


def _registered(source: SourceFile, dotted: str, name: str) -> Named:
    """The name of the object that ``dotted`` reads, and whether this module has a global of that name."""
    if name in source.index or name in fxnames.BUILTINS or "*" in source.index:
        return Named(name)
    construct = "attribute" if "." in dotted else "alias"
    return Named(dotted, "WRAP_MISSING_NAME", construct, f"KeyError: '{name}'")


def _assigned(project: Project, target: Defined, dotted: str) -> Named | None:
    """A global that an assignment binds, handed over as an object."""
    value = assigned_value(project, target)
    match value:
        case ir.Lambda():
            return Named(dotted, "WRAP_ARGUMENT", "lambda", "KeyError: '<lambda>'")
        case ir.Const():
            return Named(dotted, "WRAP_ARGUMENT", "number", "RuntimeError: Unsupported type for global function!")
        case ir.Call():
            return _made(project, target.source, dotted, value)
        case _:
            return None


def _made(project: Project, source: SourceFile, name: str, value: ir.Call) -> Named | None:
    """The result of a call, handed over as an object under ``name``: partials, scripted functions and modules."""
    made = irwalk.dotted(value.func)
    dotted = fxnames.external(project, source, made)
    if dotted == "functools.partial":
        return Named(name, "WRAP_ARGUMENT", "partial", "AttributeError: 'functools.partial' object has no attribute '__name__'")
    if dotted in SCRIPTED:
        return Named(name, "WRAP_ARGUMENT", "scripted", "KeyError: 'ScriptFunction'")
    target = fxnames.resolve(project, source, made) if made else None
    cls = fxnames.class_code(project, target) if isinstance(target, Defined) else None
    if _is_layer(dotted) or (cls is not None and is_module_class(project, cls)):
        detail = f"AttributeError: '{(made or dotted).rpartition('.')[2]}' object has no attribute '__name__'"
        return Named(name, "WRAP_ARGUMENT", "instance", detail)
    return None


def _is_layer(dotted: str) -> bool:
    """Whether a name of a library is that of a module class of torch.nn."""
    return dotted.startswith("torch.nn.") and dotted.rpartition(".")[2][:1].isupper() and dotted != "torch.nn.Parameter"


def assigned_value(project: Project, target: Defined) -> ir.Expr | None:
    """The expression that a plain assignment binds the name to; None for other bindings."""
    what = target.binding.what
    if not isinstance(what, StatementOutline):
        return None
    try:
        body = project.body(target.source.path, what.start, what.end)
    except ReadError:
        return None  # the driver has reported the file
    for stmt in irwalk.statements(body.stmts):
        if isinstance(stmt, ir.Assign) and any(isinstance(t, ir.Name) and t.id == target.binding.name for t in stmt.targets):
            return stmt.value
    return None


_DYNAMIC = re.compile(r"\bglobals\(\)|\bexec\(|\bsetattr\(\s*sys\.modules|^def __getattr__", re.MULTILINE)


def problem_of_global(project: Project, source: SourceFile, name: str) -> Named | None:
    """What is wrong with a name that was registered: the module has no such global, or it holds what cannot be wrapped."""
    live = [b for b in source.index.get(name, ()) if not skipped(b.guard)]
    if not live:
        if name in fxnames.BUILTINS or "*" in source.index or _DYNAMIC.search(source.text):
            return None
        if re.search(rf"^\s+global\b[^\n]*\b{re.escape(name)}\b", source.text, re.MULTILINE):
            return None
        holder = next((c for c in _holders(source, name)), "")
        hint = f"; {holder} has a method of that name" if holder else ""
        return Named(name, "WRAP_MISSING_NAME", "method" if holder else "missing", f"KeyError: '{name}'{hint}")
    if _is_deleted(project, source, name, live[-1].what):
        return Named(name, "WRAP_MISSING_NAME", "deleted", f"KeyError: '{name}'")
    if all(_import_raises(b) for b in live):
        what = live[-1].what
        assert isinstance(what, ImportOutline)
        return Named(name, "WRAP_MISSING_NAME", "import", f"ModuleNotFoundError: No module named '{what.module}'")
    target = next((t for t in lookup(project, source, name) if isinstance(t, Defined)), None)
    return _problem_of_value(project, source, name, target) if target is not None else None


def _import_raises(binding: Binding) -> bool:
    """Whether a binding is an import from what is no module of torch. Behind a guard the module may cope without it."""
    what = binding.what
    return not binding.guard and isinstance(what, ImportOutline) and what.level == 0 and what.attr is not None and is_no_module(what.module)


def _holders(source: SourceFile, name: str) -> Iterator[str]:
    for binding in source.outline.bindings:
        if isinstance(binding.what, ClassOutline) and any(b.name == name for b in binding.what.body):
            yield binding.what.qualname


def _is_deleted(project: Project, source: SourceFile, name: str, last: object) -> bool:
    """Whether a ``del name`` at module level stands after the last binding."""
    start = last.start if isinstance(last, FunctionOutline | ClassOutline | StatementOutline) else 0
    for stmt in source.outline.statements:
        if stmt.kind != "Delete" or stmt.start < start:
            continue
        try:
            body = project.body(source.path, stmt.start, stmt.end)
        except ReadError:
            continue  # the driver has reported the file
        for inner in irwalk.statements(body.stmts):
            if isinstance(inner, ir.Delete) and any(isinstance(t, ir.Name) and t.id == name for t in inner.targets):
                return True
    return False


def _problem_of_value(project: Project, source: SourceFile, name: str, target: Defined) -> Named | None:
    what = target.binding.what
    if isinstance(what, FunctionOutline):
        decorators = _plain(what, project, target)
        for decorator in decorators:
            if decorator in SCRIPTED and fxnames.WRAP not in decorators:
                return Named(name, "WRAP_ARGUMENT", "scripted", "TypeError: ScriptFunction: No constructor defined!")
        return None
    value = assigned_value(project, target)
    if value is None or not _is_called(source, name):
        return None
    match value:
        case ir.Call():
            dotted = fxnames.external(project, target.source, irwalk.dotted(value.func))
            if dotted == "functools.partial":
                return Named(name, "WRAP_ARGUMENT", "partial", "AttributeError: 'functools.partial' object has no attribute '__name__'")
            if dotted in SCRIPTED:
                return Named(name, "WRAP_ARGUMENT", "scripted", "TypeError: ScriptFunction: No constructor defined!")
            if _is_layer(dotted):
                cls = dotted.rpartition(".")[2]
                return Named(name, "WRAP_ARGUMENT", "instance", f"AttributeError: '{cls}' object has no attribute '__name__'")
        case ir.Attr(name="apply", base=base) if _is_autograd_function(project, target.source, base):
            detail = "AttributeError: module 'torch.autograd.function' has no attribute 'apply'"
            return Named(name, "WRAP_ARGUMENT", "autograd-function", detail)
        case ir.Const(value=int() | float() | str()):
            return Named(name, "WRAP_ARGUMENT", "constant", "NotImplementedError: argument of type: <class 'function'>")
        case _:
            pass
    return None


def _is_autograd_function(project: Project, source: SourceFile, expr: ir.Expr) -> bool:
    target = fxnames.resolve(project, source, irwalk.dotted(expr) or "")
    cls = fxnames.class_code(project, target) if isinstance(target, Defined) else None
    return cls is not None and fxnames.derives(project, cls, "torch.autograd.Function")


def _plain(what: FunctionOutline, project: Project, target: Defined) -> tuple[str, ...]:
    return tuple(fxnames.external(project, target.source, d.partition("(")[0]) for d in what.decorators)


def _is_called(source: SourceFile, name: str) -> bool:
    return re.search(rf"^[ \t]+.*\b{re.escape(name)}\b", source.text, re.MULTILINE) is not None
