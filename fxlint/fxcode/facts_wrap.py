"""``torch.fx.wrap``: where it is called, what it names, and which of its calls cannot work.

``wrap`` keeps a *name* and the globals of the module that called it; each trace then replaces that name in those globals. So the
name must be one of the module's globals at trace time, and only calls that read that global are recorded. A name that is missing
makes every trace of the process raise KeyError. Source: torch/fx/_symbolic_trace.py, ``wrap`` and ``_patch_wrapped_functions``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from fxlint.base.errors import ReadError
from fxlint.base.event import Event, EventKind, Site
from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import FunctionCode
from fxlint.fxcode.graphvalues import Place
from fxlint.fxcode.wrapnames import Named, decorated_name, name_of, problem_of_global
from fxlint.project.link import Defined, ModuleFile, lookup
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir, irwalk
from fxlint.syntax.body import Body
from fxlint.syntax.outline import ClassOutline, FunctionOutline, ImportOutline, StatementOutline

WRAP = "torch.fx.wrap"


@dataclass(frozen=True, slots=True)
class Wrap:
    """One use of ``wrap``: the call or the decorator, and what stands around it.

    ``scope`` is "module", "function", "class" or "comprehension"; ``owner`` the qualified name of the function or class there.
    ``decorated`` is the definition under a decorator, ``values`` what a loop variable that is the argument runs over.
    """

    place: Place
    call: ir.Call | None
    decorated: ir.FuncDef | ir.ClassDef | None
    scope: str
    owner: str
    values: tuple[ir.Expr, ...] = ()


def may_wrap(source: SourceFile) -> bool:
    """Whether the words of the file leave room for a use of ``wrap``."""
    return "wrap" in source.text and "fx" in source.text


def find(project: Project, source: SourceFile) -> Iterator[Wrap]:
    """Every use of ``wrap`` in a file, at any depth."""
    if not may_wrap(source):
        return
    names = _spellings(project, source)
    if not names:
        return
    seen: set[int] = set()
    for binding in source.outline.bindings:
        what = binding.what
        if isinstance(what, FunctionOutline | ClassOutline | StatementOutline) and what.start not in seen:
            seen.add(what.start)
            yield from _in_cut(project, source, what.start, what.end, names)
    for what in source.outline.statements:
        if what.start not in seen:
            seen.add(what.start)
            yield from _in_cut(project, source, what.start, what.end, names)


def _spellings(project: Project, source: SourceFile) -> frozenset[str]:
    """The dotted texts that mean ``torch.fx.wrap`` in the file: ``fx.wrap``, ``torch.fx.wrap``, ``wrap``, ``leaf`` ..."""
    found: set[str] = set()
    for name in source.index:
        for tail in ("", ".wrap", ".fx.wrap", "._symbolic_trace.wrap", ".fx._symbolic_trace.wrap"):
            if fxnames.external(project, source, name + tail) == WRAP:
                found.add(name + tail)
    return frozenset(found)


def _in_cut(project: Project, source: SourceFile, start: int, end: int, names: frozenset[str]) -> Iterator[Wrap]:
    cut = source.text[start:end]
    if not any(n.rpartition(".")[2] in cut for n in names):
        return
    try:
        body = project.body(source.path, start, end)
    except ReadError:
        return  # the driver has reported the file
    yield from _in_block(body, body.stmts, "module", "", names, {})


def _in_block(
    body: Body, stmts: tuple[ir.Stmt, ...], scope: str, owner: str, names: frozenset[str], loops: dict[str, tuple[ir.Expr, ...]]
) -> Iterator[Wrap]:
    for stmt in stmts:
        inner_scope, inner_owner, inner_loops = scope, owner, loops
        match stmt:
            case ir.FuncDef() | ir.ClassDef():
                for decorator in stmt.decorators:
                    yield from _decorator(body, decorator, stmt, scope, owner, names)
                inner_scope = "class" if isinstance(stmt, ir.ClassDef) else "function"
                inner_owner = f"{owner}.{stmt.name}" if owner else stmt.name
            case ir.For(target=ir.Name(id=name), iter=ir.Display(items=items)):
                inner_loops = {**loops, name: items}
            case _:
                pass
        if not isinstance(stmt, ir.ClassDef):
            exprs = irwalk.own_exprs(stmt)
            if isinstance(stmt, ir.FuncDef):
                exprs = exprs[len(stmt.decorators) :]
            for expr in exprs:
                yield from _in_expr(body, expr, scope, owner, names, loops)
        for block in irwalk.blocks(stmt):
            yield from _in_block(body, block, inner_scope, inner_owner, names, inner_loops)


def _decorator(
    body: Body, decorator: ir.Expr, stmt: ir.FuncDef | ir.ClassDef, scope: str, owner: str, names: frozenset[str]
) -> Iterator[Wrap]:
    if irwalk.dotted(decorator) in names:
        assert isinstance(decorator, ir.Name | ir.Attr)
        yield Wrap(Place(body, decorator.at), None, stmt, scope, owner)
    else:
        yield from _in_expr(body, decorator, scope, owner, names, {})


def _in_expr(
    body: Body, expr: ir.Expr, scope: str, owner: str, names: frozenset[str], loops: dict[str, tuple[ir.Expr, ...]]
) -> Iterator[Wrap]:
    stack = [(expr, scope)]
    while stack:
        current, where = stack.pop()
        if isinstance(current, ir.Call) and irwalk.dotted(current.func) in names:
            first = current.args[0].value if current.args else None
            values = loops.get(first.id, ()) if isinstance(first, ir.Name) else ()
            yield Wrap(Place(body, current.at), current, None, where, owner, values)
        inner = where
        if isinstance(current, ir.Lambda):
            inner = "function"
        elif isinstance(current, ir.Comp) and where == "module":
            inner = "comprehension"
        stack.extend((child, inner) for child in reversed(irwalk.children(current)))


def wrapped_functions(project: Project, source: SourceFile) -> frozenset[str]:
    """The functions ("path:qualified name") that a file's own calls reach under ``wrap``: those it wraps at module level. Builtins are
    under the path of the file itself.
    """
    found: set[str] = set()
    for wrap in find(project, source):
        if wrap.scope != "module":
            continue
        for named in _named(project, source, wrap):
            if named.name in fxnames.BUILTINS and named.name not in source.index:
                found.add(f"{source.path}:{named.name}")
            for target in lookup(project, source, named.name) if named.name.isidentifier() else ():
                if isinstance(target, Defined) and isinstance(target.binding.what, FunctionOutline):
                    found.add(f"{target.source.path}:{target.binding.what.qualname}")
    return frozenset(found)


def registered_names(project: Project, source: SourceFile) -> frozenset[str]:
    """The global names of a file that each trace replaces: what its module-level uses of ``wrap`` register, if the module has them."""
    found: set[str] = set()
    for wrap in find(project, source):
        if wrap.scope == "module":
            for named in _named(project, source, wrap):
                if not named.kind and named.name.isidentifier() and problem_of_global(project, source, named.name) is None:
                    found.add(named.name)
    return frozenset(found)


def _named(project: Project, source: SourceFile, wrap: Wrap) -> Iterator[Named]:
    """The names that a use of ``wrap`` registers, with what is wrong about them."""
    if wrap.decorated is not None:
        yield decorated_name(project, source, wrap.place, wrap.decorated)
        return
    assert wrap.call is not None
    args = [a for a in wrap.call.args if not a.star]
    if len(args) != len(wrap.call.args):
        return
    if len(args) != 1 or args[0].keyword not in (None, "fn_or_name"):
        yield Named("", "WRAP_ARGUMENT", "arity")
        return
    for expr in wrap.values or (args[0].value,):
        named = name_of(project, source, expr)
        if named is not None:
            yield named


def wrap_events(project: Project, source: SourceFile) -> Iterator[Event]:
    """What is wrong with the uses of ``wrap`` in a file."""
    for wrap in find(project, source):
        if wrap.scope != "module":
            construct = "method" if wrap.scope == "class" and isinstance(wrap.decorated, ir.FuncDef) else wrap.scope
            name = wrap.decorated.name if wrap.decorated is not None else _text(wrap)
            yield _event(wrap, EventKind.WRAP_NOT_TOP_LEVEL, construct, name)
            continue
        for named in _named(project, source, wrap):
            if named.kind:
                yield _event(wrap, EventKind[named.kind], named.construct, named.name, named.detail)
                continue
            problem = problem_of_global(project, source, named.name)
            if problem is not None:
                yield _event(wrap, EventKind[problem.kind], problem.construct, named.name, problem.detail)


def _text(wrap: Wrap) -> str:
    span = wrap.place.body.span(wrap.place.at)
    body = wrap.place.body
    return body.text[span.start - body.offset : span.end - body.offset]


def _event(wrap: Wrap, kind: EventKind, construct: str, subject: str, detail: str = "") -> Event:
    span = wrap.place.body.span(wrap.place.at)
    return Event(
        kind, construct, Site(wrap.place.body.path, span.start, span.end), subject=subject, detail=detail, owner=wrap.owner,
        callee="decorator" if wrap.decorated is not None else "call",
    )


def bypassing_calls(project: Project, source: SourceFile) -> Iterator[Event]:
    """Calls of functions that another module wraps, through a name of this module that nothing replaces."""
    own = wrapped_functions(project, source)
    if not own and not any(may_wrap(other) for other in _imported(project, source)):
        return
    for code in (*fxnames.functions(project, source), *_methods(project, source)):
        for expr in irwalk.all_exprs(code.node.body):
            if not isinstance(expr, ir.Call):
                continue
            yield from _bypass(project, source, code, expr, own)


def _imported(project: Project, source: SourceFile) -> Iterator[SourceFile]:
    """The project files that this file imports from."""
    for binding in source.outline.bindings:
        for target in lookup(project, source, binding.name) if isinstance(binding.what, ImportOutline) else ():
            if isinstance(target, Defined | ModuleFile):
                yield target.source


def _methods(project: Project, source: SourceFile) -> Iterator[FunctionCode]:
    for cls in fxnames.classes(project, source):
        for stmt in cls.node.body:
            if isinstance(stmt, ir.FuncDef):
                yield FunctionCode(source, cls.body, stmt, f"{cls.name}.{stmt.name}", cls.path)


def _bypass(project: Project, source: SourceFile, code: FunctionCode, expr: ir.Call, own: frozenset[str]) -> Iterator[Event]:
    name = irwalk.dotted(expr.func)
    local = {p.name for p in code.node.params}
    if name is None or name.split(".", maxsplit=1)[0] in local or name.startswith("self."):
        return
    target = fxnames.resolve(project, source, name)
    if not isinstance(target, Defined) or not isinstance(target.binding.what, FunctionOutline):
        return
    key = f"{target.source.path}:{target.binding.what.qualname}"
    if target.source.path == source.path:
        return
    # `ops.f(x)` reads the global of ops, `f(x)` after `from ops import f` the global of this module
    through_module = "." in name
    wrapped_here, wrapped_there = key in own, key in wrapped_functions(project, target.source)
    if (wrapped_there or not wrapped_here) if through_module else (wrapped_here or not wrapped_there):
        return
    body = fxnames.function_code(project, target)
    if body is None or not _needs_wrap(body):
        return
    span = code.body.span(expr.at)
    construct = "attribute" if through_module else "imported"
    yield Event(
        EventKind.WRAP_WRONG_MODULE, construct, Site(source.path, span.start, span.end), subject=name, callee=target.binding.what.qualname,
        detail=target.source.module, owner=code.name,
    )


def _needs_wrap(code: FunctionCode) -> bool:
    """Whether the function holds what tracing cannot take as it is: without, it does not matter that it is traced through."""
    if any(isinstance(s, ir.If | ir.For | ir.While | ir.Try | ir.Assert | ir.With) for s in irwalk.statements(code.node.body)):
        return True
    exprs = tuple(irwalk.all_exprs(code.node.body))
    concrete = any(isinstance(e, ir.Call) and irwalk.dotted(e.func) in ("len", "int", "float", "range", "bool") for e in exprs)
    return concrete or any(isinstance(e, ir.IfExp | ir.BoolOp) for e in exprs)


def captures(project: Project, source: SourceFile) -> Iterator[Event]:
    """Places where a wrapped function is kept before any trace runs: what is kept there is the plain function."""
    own = {key.rpartition(":")[2] for key in wrapped_functions(project, source) if key.rpartition(":")[0] == source.path}
    needing = {c.node.name for c in fxnames.functions(project, source) if c.name in own and _needs_wrap(c)}
    if not needing:
        return
    for body, expr in _kept_values(project, source):
        for inner in _values(expr):
            if isinstance(inner, ir.Name) and inner.id in needing:
                span = body.span(inner.at)
                site = Site(source.path, span.start, span.end)
                yield Event(EventKind.WRAP_WRONG_MODULE, "captured", site, subject=inner.id, callee=inner.id)


def _values(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The expression itself, or the entries of a display: what is kept as it is."""
    match expr:
        case ir.Display():
            for item in expr.items:
                yield from _values(item)
        case ir.DictDisplay():
            for _, item in expr.items:
                yield from _values(item)
        case ir.Call(func=ir.Name(id="staticmethod"), args=[arg]):
            yield from _values(arg.value)
        case _:
            yield expr


def _kept_values(project: Project, source: SourceFile) -> Iterator[tuple[Body, ir.Expr]]:
    """What is evaluated when the module is imported or a model is built, and kept: module and class level, defaults, ``__init__``."""
    for code in (*fxnames.functions(project, source), *_methods(project, source)):
        for param in code.node.params:
            if param.default is not None:
                yield code.body, param.default
        if code.node.name == "__init__":
            yield from ((code.body, s.value) for s in irwalk.statements(code.node.body) if _assigns_attribute(s) and s.value is not None)
    for cls in fxnames.classes(project, source):
        yield from ((cls.body, s.value) for s in cls.node.body if isinstance(s, ir.Assign) and s.value is not None)
    for binding in source.outline.bindings:
        what = binding.what
        if isinstance(what, StatementOutline) and what.kind in ("Assign", "AnnAssign"):
            try:
                body = project.body(source.path, what.start, what.end)
            except ReadError:
                continue  # the driver has reported the file
            yield from ((body, s.value) for s in body.stmts if isinstance(s, ir.Assign) and s.value is not None)


def _assigns_attribute(stmt: ir.Stmt) -> TypeGuard[ir.Assign]:
    return isinstance(stmt, ir.Assign) and any(isinstance(t, ir.Attr) for t in stmt.targets)
