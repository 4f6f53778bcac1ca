"""Definitions inside bodies: functions, lambdas, classes and imports."""

from __future__ import annotations

from fxlint.interp import autowrap, calls, classes, expressions, foreign
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.names import target_value, wrapped_names
from fxlint.interp.scopes import describe, walk
from fxlint.interp.state import State
from fxlint.project import link
from fxlint.syntax import ir
from fxlint.values.values import Class, ClassInfo, Code, Function, Lib, Member, Value, Wrapped


def define_function(f: Frame, st: State, stmt: ir.FuncDef) -> Value:
    """``def`` inside a body: the values of the enclosing locals that it reads are captured as they are now."""
    code = nested_code(f, stmt)
    captured, defaults = _environment(f, st, stmt)
    value: Value = Function(code, captured, defaults)
    for decorator in reversed(stmt.decorators):
        function = expressions.evaluate(f, st, decorator)
        if isinstance(function, (Function, Class)) or (isinstance(function, Lib) and function.dotted in foreign.MAKERS):
            value = calls.call(f, st, decorator.at, function, Arguments((value,)))
    return value


def define_lambda(f: Frame, st: State, expr: ir.Lambda) -> Value:
    """A lambda is a function whose body returns one expression."""
    func = f.machine.lambdas.get(id(expr))
    if func is None:
        func = ir.FuncDef(expr.at, "<lambda>", expr.params, (), None, (ir.Return(expr.at, expr.body),), False, False)
        f.machine.lambdas[id(expr)] = func
    code = nested_code(f, func)
    captured, defaults = _environment(f, st, func)
    return Function(code, captured, defaults)


def nested_code(f: Frame, func: ir.FuncDef) -> Code:
    """The one Code object of a nested function; the machine keeps it, so that its summaries are found again."""
    key = (id(f.body), func.at)
    code = f.machine.nested.get(key)
    if code is None:
        names = tuple(_dotted(d) for d in func.decorators)
        code = Code(f.source, func.name, f"{f.code.qualname}.<locals>.{func.name}", 0, 0, f.holder, names, (f.body, func))
        f.machine.nested[key] = code
    return code


def _environment(f: Frame, st: State, func: ir.FuncDef) -> tuple[tuple[tuple[str, Value], ...], tuple[tuple[str, Value], ...]]:
    info = describe(f.body, func)
    scope = {**f.captured, **st.env}
    captured = tuple((n, scope[n]) for n in sorted(info.reads - info.bound) if n in scope)
    defaults = tuple(
        (p.name, expressions.evaluate(f, st, p.default)) for p in func.params if p.default is not None)
    return captured, defaults


def define_class(f: Frame, st: State, stmt: ir.ClassDef) -> Value:
    """``class`` inside a body."""
    bases: list[ClassInfo | str] = []
    unknown = False
    for base in stmt.bases:
        if base.keyword is not None:
            continue
        value = expressions.evaluate(f, st, base.value)
        if isinstance(value, Class):
            bases.append(value.info)
        elif isinstance(value, Lib):
            bases.append(value.dotted)
        else:
            unknown = True
    reads = {n.id for n in walk(stmt) if isinstance(n, ir.Name)}
    scope = {**f.captured, **st.env}
    captured = tuple((n, scope[n]) for n in sorted(reads) if n in scope)
    members: dict[str, Member] = {}
    info = ClassInfo(
        stmt.name, f"{f.code.qualname}.<locals>.{stmt.name}", f.source, members, classes.linearise(bases), (), captured, unknown)
    for inner in stmt.body:
        if isinstance(inner, ir.FuncDef):
            names = tuple(_dotted(d) for d in inner.decorators)
            code = Code(f.source, inner.name, f"{info.qualname}.{inner.name}", 0, 0, info, names, (f.body, inner))
            members[inner.name] = Member(inner.name, code)
        elif isinstance(inner, ir.Assign):
            for target in inner.targets:
                if isinstance(target, ir.Name):
                    members[target.id] = Member(target.id, None, inline=(f.body, inner))
    return Class(info)


def _dotted(expr: ir.Expr) -> str:
    match expr:
        case ir.Name(id=name):
            return name
        case ir.Attr(base=base, name=name):
            return f"{_dotted(base)}.{name}"
        case ir.Call(func=func):
            return _dotted(func)
        case _:
            return ""


def _imported(f: Frame, target: link.Target, name: str) -> Value:
    """What ``from module import name`` gives: while tracing, names of modules are patched, and an import finds them so."""
    value = target_value(f.machine, target)
    if not f.tracing:
        return value
    if isinstance(target, link.Defined):
        if target.binding.name in wrapped_names(f.machine, target.source):
            return Wrapped(value, target.binding.name)
        return autowrap.of_module(f.machine, target.source, target.binding.name, value)
    if isinstance(target, link.External):
        return autowrap.through_module(f.machine, target.dotted.rpartition(".")[0], name, value)
    return value


def run_import(f: Frame, st: State, stmt: ir.Import | ir.ImportFrom) -> None:
    """An import inside a body."""
    project, source = f.machine.project, f.source
    if isinstance(stmt, ir.Import):
        for name, alias in stmt.names:
            dotted = name if alias else name.split(".", 1)[0]
            st.env[alias or dotted] = target_value(f.machine, link.module_target(project, source, dotted))
        return
    module = project.absolute(source, stmt.module, stmt.level)
    for name, alias in stmt.names:
        if name == "*":
            f.machine.unknowns["star import inside a function"] += 1
            continue
        targets = link.member(project, source, module, name)
        if targets:
            st.env[alias or name] = _imported(f, targets[0], name)
