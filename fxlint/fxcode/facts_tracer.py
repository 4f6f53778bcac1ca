"""Tracer classes and trace sites: hooks that fx never calls or that answer wrongly, and arguments bound to no parameter."""

from __future__ import annotations

from collections.abc import Iterator

from fxlint.base.event import Event, EventKind, Site
from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import ClassCode, FunctionCode
from fxlint.fxcode.graphapi import TRACER, TRACER_FORMER, TRACER_HOOK_PARAMETERS, TRACER_MUST_RETURN
from fxlint.fxcode.graphnames import is_module_class
from fxlint.project.link import Defined
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir, irwalk
from fxlint.syntax.body import Body


def tracer_events(project: Project, source: SourceFile) -> Iterator[Event]:
    """What is wrong with the Tracer classes of a file and with the places where it traces."""
    if "fx" not in source.text or ("Tracer" not in source.text and "symbolic_trace" not in source.text):
        return
    for cls in fxnames.classes(project, source):
        if "torch.fx.Tracer" in fxnames.ancestry(project, cls):
            yield from _class_events(cls)
    for code in _functions(project, source):
        yield from _site_events(project, code)


def _functions(project: Project, source: SourceFile) -> Iterator[FunctionCode]:
    yield from fxnames.functions(project, source)
    for cls in fxnames.classes(project, source):
        for stmt in cls.node.body:
            if isinstance(stmt, ir.FuncDef):
                yield FunctionCode(source, cls.body, stmt, f"{cls.name}.{stmt.name}", cls.path)


def _event(body: Body, at: ir.At, kind: EventKind, construct: str, subject: str, owner: str, detail: str = "") -> Event:
    span = body.span(at)
    return Event(kind, construct, Site(body.path, span.start, span.end), subject=subject, detail=detail, owner=owner)


def _class_events(cls: ClassCode) -> Iterator[Event]:
    for stmt in cls.node.body:
        if not isinstance(stmt, ir.FuncDef):
            continue
        owner = f"{cls.name}.{stmt.name}"
        first = stmt.params[0].at if stmt.params else stmt.at
        if stmt.name.startswith("_") and not stmt.name.startswith("__"):
            if stmt.name in TRACER_FORMER or (stmt.name not in TRACER and _calls_super(stmt)):
                detail = TRACER_FORMER.get(stmt.name, "")
                yield _event(cls.body, first, EventKind.TRACER_HOOK, "private-hook", stmt.name, owner, detail)
            continue
        yield from _hook_events(cls, stmt, owner)
        if stmt.name == "__init__":
            yield from _init_events(cls, stmt, owner)


def _calls_super(stmt: ir.FuncDef) -> bool:
    return any(
        isinstance(e, ir.Attr) and e.name == stmt.name and isinstance(e.base, ir.Call) and irwalk.dotted(e.base.func) == "super"
        for e in irwalk.all_exprs(stmt.body)
    )


def _hook_events(cls: ClassCode, stmt: ir.FuncDef, owner: str) -> Iterator[Event]:
    wanted = TRACER_HOOK_PARAMETERS.get(stmt.name)
    static = any(irwalk.dotted(d) == "staticmethod" for d in stmt.decorators)
    plain = [p for p in stmt.params if p.kind in ("pos", "posonly")][0 if static else 1 :]
    if wanted is not None and not any(p.kind == "*" for p in stmt.params):
        needed = sum(p.default is None for p in plain)
        if not needed <= wanted <= len(plain):
            name = cls.name.rpartition(".")[2]
            detail = f"TypeError: {name}.{stmt.name}() takes {len(plain) + 1} positional arguments but {wanted + 1} were given"
            at = stmt.params[-1].at if stmt.params else stmt.at
            yield _event(cls.body, at, EventKind.TRACER_HOOK, "signature", stmt.name, owner, detail)
            return
    returns = [s for s in irwalk.statements(stmt.body, nested=False) if isinstance(s, ir.Return)]
    must = stmt.name in TRACER_MUST_RETURN | {"is_leaf_module", "to_bool"} and not stmt.is_generator
    if must and not returns and not irwalk.ends(stmt.body):
        last = stmt.body[-1]
        yield _event(cls.body, last.at, EventKind.TRACER_HOOK, "wrong-return", stmt.name, owner)
    for inner in returns:
        if stmt.name == "to_bool" and isinstance(inner.value, ir.Const):
            yield _event(cls.body, inner.at, EventKind.TRACER_HOOK, "fixed-truth", stmt.name, owner)
        if stmt.name in ("iter", "keys") and inner.value is not None and _fixed_length(inner.value):
            yield _event(cls.body, inner.at, EventKind.TRACER_HOOK, "fixed-length", stmt.name, owner)


def _fixed_length(expr: ir.Expr) -> bool:
    """Whether an iterator over a literal range or display is made: as many items for every Proxy."""
    match expr:
        case ir.Call(func=ir.Name(id="iter" | "list" | "tuple"), args=[arg]):
            return _fixed_length(arg.value)
        case ir.Comp(gens=[gen, *_]):
            return _fixed_length(gen.iter)
        case ir.Call(func=ir.Name(id="range"), args=args):
            return bool(args) and all(isinstance(a.value, ir.Const) for a in args)
        case ir.Display():
            return not any(isinstance(i, ir.Star) for i in expr.items)
        case _:
            return False


def _init_events(cls: ClassCode, stmt: ir.FuncDef, owner: str) -> Iterator[Event]:
    if not any(isinstance(e, ir.Call) and isinstance(e.func, ir.Attr) and e.func.name == "__init__" for e in irwalk.all_exprs(stmt.body)):
        name = cls.name.rpartition(".")[2]
        detail = f"AttributeError: '{name}' object has no attribute 'scope'"
        at = stmt.params[0].at if stmt.params else stmt.at
        yield _event(cls.body, at, EventKind.TRACER_HOOK, "missing-super", "__init__", owner, detail)


def _site_events(project: Project, code: FunctionCode) -> Iterator[Event]:
    """The calls that trace, in one function: arguments bound by concrete_args."""
    for expr in irwalk.all_exprs(code.node.body):
        if not isinstance(expr, ir.Call) or not _traces(project, code, expr):
            continue
        bound = next((a.value for a in expr.args if a.keyword == "concrete_args"), None)
        if bound is None and len([a for a in expr.args if a.keyword is None]) > 1:
            bound = expr.args[1].value
        if not isinstance(bound, ir.DictDisplay):
            continue
        names = _parameters(project, code, expr)
        for key, value in bound.items:
            if isinstance(key, ir.Const) and isinstance(key.value, str) and names and key.value not in names:
                at = key.at
                yield _event(code.body, at, EventKind.CONCRETE_ARGS, "misspelt", key.value, code.name, ", ".join(sorted(names)))
            elif isinstance(key, ir.Const) and _is_tensor(project, code, value):
                yield _event(code.body, key.at, EventKind.CONCRETE_ARGS, "ignored", str(key.value), code.name)


def _traces(project: Project, code: FunctionCode, expr: ir.Call) -> bool:
    dotted = irwalk.dotted(expr.func)
    if dotted is not None and fxnames.external(project, code.source, dotted) == "torch.fx.symbolic_trace":
        return True
    match expr.func:
        case ir.Attr(base=ir.Call(func=func), name="trace"):
            target = fxnames.resolve(project, code.source, irwalk.dotted(func) or "")
            if isinstance(target, Defined):
                cls = fxnames.class_code(project, target)
                return cls is not None and "torch.fx.Tracer" in fxnames.ancestry(project, cls)
            return fxnames.external(project, code.source, irwalk.dotted(func)) == "torch.fx.Tracer"
        case _:
            return False


def _parameters(project: Project, code: FunctionCode, expr: ir.Call) -> frozenset[str]:
    """The parameters of what is traced; empty where it is not known. A function's own parameter stands for any model of the file."""
    root = expr.args[0].value if expr.args else None
    match root:
        case ir.Call(func=func):
            target = fxnames.resolve(project, code.source, irwalk.dotted(func) or "")
            return _forward(project, fxnames.class_code(project, target)) if isinstance(target, Defined) else frozenset()
        case ir.Name(id=name):
            made = [
                s.value for s in irwalk.statements(code.node.body)
                if isinstance(s, ir.Assign) and any(isinstance(t, ir.Name) and t.id == name for t in s.targets)
            ]
            if len(made) == 1 and isinstance(made[0], ir.Call):
                target = fxnames.resolve(project, code.source, irwalk.dotted(made[0].func) or "")
                return _forward(project, fxnames.class_code(project, target)) if isinstance(target, Defined) else frozenset()
            if made or name not in {p.name for p in code.node.params}:
                return frozenset()
            found = [_forward(project, c) for c in fxnames.classes(project, code.source) if is_module_class(project, c)]
            return frozenset().union(*found) if found and all(found) else frozenset()
        case _:
            return frozenset()


def _forward(project: Project, cls: ClassCode | None) -> frozenset[str]:
    forward = fxnames.method(project, cls, "forward") if cls is not None else None
    if not isinstance(forward, FunctionCode) or any(p.kind == "**" for p in forward.node.params):
        return frozenset()
    return frozenset(p.name.lstrip("*") for p in forward.node.params[1:]) | {f"*{p.name}" for p in forward.node.params if p.kind == "*"}


def _is_tensor(project: Project, code: FunctionCode, value: ir.Expr) -> bool:
    makers = frozenset({"tensor", "zeros", "ones", "rand", "randn", "full", "arange", "eye"})
    if not isinstance(value, ir.Call):
        return False
    dotted = fxnames.external(project, code.source, irwalk.dotted(value.func))
    return dotted.startswith("torch.") and dotted.removeprefix("torch.") in makers
