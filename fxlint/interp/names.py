"""What a name means: locals, captured names, globals of the module (patched where fx.wrap named them), builtins."""

from __future__ import annotations

import builtins

from fxlint.base.errors import ReadError
from fxlint.fxcode.facts_wrap import registered_names
from fxlint.interp import autowrap, classes, modulelevel, reveal
from fxlint.interp.machine import Frame, FuncInfo, Machine
from fxlint.interp.scopes import describe
from fxlint.interp.state import State
from fxlint.library import lookup as library
from fxlint.library.constants import CONSTANTS, FLOATS
from fxlint.project import link
from fxlint.project.modules import SourceFile
from fxlint.syntax import ir
from fxlint.syntax.outline import Binding, ClassOutline, FunctionOutline, StatementOutline
from fxlint.values.join import union
from fxlint.values.values import Class, ClassInfo, Code, Const, Function, Lib, ModuleFileValue, Static, Unknown, Value, Wrapped

BUILTINS = frozenset(dir(builtins))
WRAP_NAMES = frozenset({"torch.fx.wrap", "torch.fx._symbolic_trace.wrap"})
# Decorators that hand back what they are given, or something that tracing goes through as if it were.
TRANSPARENT = frozenset({
    "torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export",
    "torch.jit.script_if_tracing", "builtins.staticmethod", "builtins.classmethod", "builtins.property", "functools.wraps",
    "functools.lru_cache", "functools.cache", "typing.overload", "abc.abstractmethod", "functools.cached_property",
    "torch.compiler.disable", "contextlib.contextmanager",
})


def read_name(f: Frame, st: State, name: str) -> Value:
    """The value of a name that is read in ``f``."""
    info = f.info
    if info is None or name not in info.globals:
        value = st.env.get(name)
        if value is not None:
            return value
        value = f.captured.get(name)
        if value is not None:
            return value
    value = global_value(f.machine, f.source, name)
    if f.tracing and name in wrapped_names(f.machine, f.source):
        return Wrapped(value if value is not None else Lib(f"builtins.{name}"), name)
    if value is not None:
        return autowrap.through_name(f.machine, f.source, name, value) if f.tracing else value
    if name in BUILTINS:
        return Lib(f"builtins.{name}")
    if name == reveal.NAME:
        return Lib(reveal.DOTTED)
    return f.machine.unknown("unresolved name")


def global_value(m: Machine, source: SourceFile, name: str) -> Value | None:
    """What a module-level name stands for at the end of its module, None where the module does not bind it."""
    key = (source.path, name)
    if key not in m.global_values:
        m.global_values[key] = Unknown("module-level name in terms of itself")
        targets = link.lookup(m.project, source, name)
        m.global_values[key] = union(target_value(m, t) for t in targets) if targets else None
    return m.global_values[key]


def library_value(dotted: str) -> Value:
    """What a canonical dotted name of a library stands for."""
    if dotted in CONSTANTS:
        return Const(CONSTANTS[dotted])
    return Static("float", dotted) if dotted in FLOATS else Lib(dotted)


def target_value(m: Machine, target: link.Target) -> Value:
    """The value of what a link leads to."""
    match target:
        case link.External(dotted):
            return library_value(library.canonical(dotted))
        case link.ModuleFile(source):
            return ModuleFileValue(source)
        case link.Defined(source, binding):
            return defined_value(m, source, binding)


def defined_value(m: Machine, source: SourceFile, binding: Binding) -> Value:
    """The value of a module-level definition."""
    what = binding.what
    match what:
        case FunctionOutline():
            return function_value(m, source, what)
        case ClassOutline():
            info = classes.class_info(m, source, what)
            return Class(info) if info is not None else m.unknown("class in terms of itself")
        case StatementOutline():
            return modulelevel.statement_value(m, source, what, binding.name)
        case _:
            return m.unknown("import that leads nowhere")


def function_code(m: Machine, source: SourceFile, what: FunctionOutline, holder: ClassInfo | None = None) -> Code:
    """The one Code object of a function of the project."""
    key = (source.path, what.start)
    code = m.codes.get(key)
    if code is None:
        code = m.codes[key] = Code(source, what.name, what.qualname, what.start, what.end, holder, what.decorators)
    return code


def function_value(m: Machine, source: SourceFile, what: FunctionOutline) -> Value:
    """A module-level function, with decorators of the project applied to it."""
    plain = Function(function_code(m, source, what))
    if not what.decorators or all(transparent(m, source, d) for d in what.decorators):
        return plain
    return modulelevel.decorated_value(m, source, plain)


def transparent(m: Machine, source: SourceFile, decorator: str) -> bool:
    """Whether a decorator, as source text, leaves the function as it is as far as tracing goes."""
    dotted = decorator_name(m, source, decorator)
    return dotted in TRANSPARENT or dotted in WRAP_NAMES


def decorator_name(m: Machine, source: SourceFile, decorator: str) -> str:
    """The canonical dotted name of a library decorator, without its arguments; "" for one of the project."""
    head = decorator.split("(", 1)[0]
    first, *rest = head.split(".")
    targets = link.lookup(m.project, source, first)
    if not targets:
        return f"builtins.{head}" if first in BUILTINS else head
    target = targets[0]
    if isinstance(target, link.External):
        return library.canonical(".".join([target.dotted, *rest]))
    return ""


def wrapped_names(m: Machine, source: SourceFile) -> frozenset[str]:
    """The names of a module's globals that ``torch.fx.wrap`` patches while tracing."""
    known = m.wraps.get(source.path)
    if known is None:
        known = m.wraps[source.path] = registered_names(m.project, source)
    return known


def func_info(m: Machine, code: Code) -> FuncInfo | None:
    """A function ready to run, None where libcst cannot parse it."""
    if code not in m.funcs:
        m.funcs[code] = _read_func(m, code)
    return m.funcs[code]


def _read_func(m: Machine, code: Code) -> FuncInfo | None:
    if code.inline is not None:
        return describe(*code.inline)
    try:
        body = m.project.body(code.source.path, code.start, code.end)
    except ReadError:
        m.unknowns["function that libcst cannot parse"] += 1
        return None
    for stmt in body.stmts:
        if isinstance(stmt, ir.FuncDef):
            return describe(body, stmt)
    return None
