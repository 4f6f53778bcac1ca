"""``torch.fx.wrap`` of a function that exists: at its definition, and in every module that imports it by name.

A wrap patches one name in the globals of one module while a trace runs: the decorator helps calls within the file that defines the
function, and ``ops.f(x)`` elsewhere; ``from ops import f`` needs ``torch.fx.wrap("f")`` in its own module. A decorated function gets the
string form, which works whatever name its decorators leave (observed for functools.wraps, no_grad, jit.ignore and decorators without
wraps); a scripted one cannot be wrapped at all.
"""

from __future__ import annotations

import re

import libcst as cst

from fxlint.base.errors import ReadError
from fxlint.base.event import Event, EventKind, Frame, Site
from fxlint.base.finding import Edit, Safety
from fxlint.base.span import Span
from fxlint.fixes.imports import definition, import_offset, imports_named, is_defined, spell
from fxlint.fixes.names import locals_of, walk
from fxlint.fixes.newline import newline_of
from fxlint.fixes.outcome import Decline, Proposal
from fxlint.fixes.target import Block, block_of, target_of
from fxlint.project.link import Defined, ModuleFile, lookup
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax.outline import FunctionOutline, ImportOutline, ModuleOutline

_NO_WRAP = re.compile(r"\b(script|trace|contextmanager|asynccontextmanager|overload|lru_cache|cache|property|singledispatch|custom_op)\b")
_WRAP = re.compile(r"(?:^|\.)wrap(?:\(\))?$")
WRAPPABLE_BUILTINS = frozenset({"len"})
"""Builtins that a module may replace by a wrapped function: ``int`` and ``float`` are classes too, and isinstance needs them to stay so."""


def wrap(event: Event, project: Project) -> Proposal | Decline:
    """Wrap the function around the construct that is nearest to it, or the function that the construct itself calls by name."""
    if event.kind in {EventKind.PROXY_LEN, EventKind.FOREIGN_CALL}:
        called = _wrap_called(event, project)
        if isinstance(called, Proposal):
            return called
    else:
        called = None
    frames = [frame for frame in event.stack if "." not in frame.callee and not frame.callee_class]
    if frames:
        return _wrap_function(frames[-1], event, project)
    if called is not None:
        return called
    if event.stack:
        return Decline(f"`{event.owner}` is a method or a nested function: wrap takes names of module level only")
    return Decline("the construct stands in the root itself")


def wrap_line(path: str, module: ModuleOutline, name: str) -> tuple[Edit, ...]:
    """The edits that add ``torch.fx.wrap("name")`` behind the imports of a module; none where it is there already."""
    if is_wrapped(module, name):
        return ()
    spelling = spell(path, module, "torch.fx.wrap")
    offset = import_offset(module)
    wraps = [statement for statement in module.statements if re.search(r"\bwrap\(\s*[\"']", module.text[statement.start : statement.end])]
    following = [statement for statement in wraps if not module.text[offset : statement.start].strip() and statement.start >= offset]
    newline = newline_of(module.text)
    line = f'{spelling.text}("{name}"){newline}'
    if following and not spelling.edits:
        return (Edit(path, following[0].start, following[0].start, line),)
    before = newline if offset and module.text[offset - 1] not in "\r\n" and not spelling.edits else ""
    return (*spelling.edits, Edit(path, offset, offset, f"{before}{newline}{line}"))


def is_wrapped(module: ModuleOutline, name: str) -> bool:
    """Whether module level wraps ``name`` already, by a decorator or by its name."""
    pattern = re.compile(rf"\bwrap\(\s*[\"']{re.escape(name)}[\"']\s*\)")
    if any(pattern.search(module.text[statement.start : statement.end]) for statement in module.statements):
        return True
    return any(
        binding.name == name and isinstance(binding.what, FunctionOutline) and any(map(_WRAP.search, binding.what.decorators))
        for binding in module.bindings
    )


def _wrap_called(event: Event, project: Project) -> Proposal | Decline:
    source = project.file(event.site.path)
    if source is None:
        return Decline(f"{event.site.path} cannot be read")
    target = target_of(event, source)
    if isinstance(target, str):
        return Decline(target)
    call = target.block.enclosing(target.node, cst.Call)
    if call is None or not isinstance(call.func, cst.Name):
        return Decline("the call goes through an attribute, and wrap takes no dotted name")
    name = call.func.value
    if _is_local(target.block, call, name):
        return Decline(f"`{name}` is a local name there")
    if name in WRAPPABLE_BUILTINS and not is_defined(target.outline, name):
        pass
    elif imports_named(target.outline, name) is None:
        return Decline(f"`{name}` is not bound by an import of module level alone")
    edits = wrap_line(target.path, target.outline, name)
    if not edits:
        return Decline(f"`{name}` is wrapped in this module already")
    return Proposal(f'Add `torch.fx.wrap("{name}")` to {target.path}: its calls become nodes of the graph', Safety.SAFE, edits, 1)


def _wrap_function(frame: Frame, event: Event, project: Project) -> Proposal | Decline:
    name, path = frame.callee, frame.callee_path
    source = project.file(path)
    if source is None:
        return Decline(f"`{name}` is defined in {path}, which is not among the files of the project")
    found = definition(source.outline, name)
    if isinstance(found, str):
        return Decline(found)
    try:
        reason, opaque = _unfit(source.text, found)
    except ReadError as error:
        return Decline(str(error))
    if reason:
        return Decline(reason)
    calls = [other for other in event.stack if other.callee == name and other.callee_path == path]
    callers: dict[str, set[str]] = {}
    is_statement = False
    for call in calls:
        spelled = _caller(call.site, name, path, project)
        if isinstance(spelled, Decline):
            return spelled
        local, is_bare = spelled
        is_statement |= is_bare
        if local:
            callers.setdefault(call.site.path, set()).add(local)
    for other in _loaded(project):
        if other.path != path and name in other.text:
            for local in _imported_as(project, other, name, path):
                callers.setdefault(other.path, set()).add(local)
    edits = _at_definition(path, source.outline, found)
    if isinstance(edits, Decline):
        return edits
    for caller, locals_ in sorted(callers.items()):
        calling = project.file(caller)
        if calling is not None:
            for local in sorted(locals_):
                edits += wrap_line(caller, calling.outline, local)
    if not edits:
        return Decline(f"`{name}` is wrapped already")
    where = f" and in {', '.join(sorted(callers))}" if callers else ""
    message = f"Wrap `{name}` where it is defined{where}: its calls become nodes, {opaque} operations inside are hidden from the graph"
    if is_statement:
        message += "; its result is unused, so dead-code elimination may drop it"
    return Proposal(message, Safety.UNSAFE if is_statement else Safety.SAFE, edits, opaque)


def _unfit(text: str, what: FunctionOutline) -> tuple[str, int]:
    """Why a function cannot be wrapped ("" where it can), and how many operations it holds."""
    if what.is_async:
        return f"`{what.name}` is a coroutine", 0
    for decorator in what.decorators:
        if _NO_WRAP.search(decorator):
            return f"`{what.name}` is decorated with @{decorator}, which cannot be wrapped or changes what a call returns", 0
    block = block_of(text, what.start, what.end)
    function = block.module.body[0]
    nodes = walk(function.body) if isinstance(function, cst.FunctionDef) else ()
    if any(isinstance(node, cst.Yield) for node in nodes):
        return f"`{what.name}` is a generator: a Proxy of it cannot be iterated", 0
    return "", sum(isinstance(node, (cst.Call, cst.BinaryOperation, cst.Comparison, cst.Subscript)) for node in nodes)


def _caller(site: Site, name: str, path: str, project: Project) -> tuple[str, bool] | Decline:
    """The name by which the calling module imports the function ("" where it needs no wrap), and whether the call is a statement."""
    source = project.file(site.path)
    if source is None:
        return Decline(f"`{name}` is called in {site.path}, which is not among the files of the project")
    target = target_of(Event(EventKind.UNKNOWN, "", site), source)
    if isinstance(target, str):
        return Decline(target)
    call = target.block.enclosing(target.node, cst.Call)
    if call is None:
        return Decline(f"`{name}` is reached by no plain call")
    if any(isinstance(arg.value, cst.Name) and arg.value.value == "self" for arg in call.args):
        return Decline(f"`{name}` is given `self`: a module is no argument that fx can record")
    is_statement = isinstance(target.parent(call), cst.Expr)
    match call.func:
        case cst.Name(value=local):
            if _is_local(target.block, call, local):
                return Decline(f"`{local}` is a local name where it is called: a wrap patches names of module level")
            if site.path == path:
                return ("", is_statement) if local == name else Decline(f"`{local}` is another name of `{name}`")
            return (local, is_statement) if local in _imported_as(project, source, name, path) else Decline(
                f"where `{local}` of {site.path} comes from is not known"
            )
        case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attr)):
            bound = lookup(project, source, base)
            if attr == name and len(bound) == 1 and isinstance(bound[0], ModuleFile) and bound[0].source.path == path:
                return "", is_statement
            return Decline(f"`{name}` is called as `{target.source(call.func)}`, which no wrap reaches")
        case _:
            return Decline(f"`{name}` is called as `{target.source(call.func)}`, which no wrap reaches")


def _loaded(project: Project) -> list[SourceFile]:
    """The files that the analysis gave or read, those that do not parse left out: the driver reports them."""
    paths = dict.fromkeys([*project.given, *project.files])
    return [source for source in map(project.file, paths) if source is not None]


def _imported_as(project: Project, source: SourceFile, name: str, path: str) -> list[str]:
    """The names by which ``source`` imports the function ``name`` of the file ``path``, maybe through other files."""
    found = []
    for binding in source.outline.bindings:
        if isinstance(binding.what, ImportOutline):
            local = name if binding.name == "*" else binding.name
            targets = lookup(project, source, local)
            if len(targets) == 1 and _is_function(targets[0], name, path):
                found.append(local)
    return found


def _is_function(target: object, name: str, path: str) -> bool:
    return isinstance(target, Defined) and target.source.path == path and target.binding.name == name


def _is_local(block: Block, node: cst.CSTNode, name: str) -> bool:
    return any(isinstance(around, cst.FunctionDef) and name in locals_of(around) for around in block.ancestors(node))


def _at_definition(path: str, module: ModuleOutline, what: FunctionOutline) -> tuple[Edit, ...] | Decline:
    if is_wrapped(module, what.name):
        return ()
    if what.decorators:
        return wrap_line(path, module, what.name)
    spelling = spell(path, module, "torch.fx.wrap")
    bound = imports_named(module, spelling.text.partition(".")[0])
    if bound is not None and bound.row > what.row:
        return Decline(f"torch is imported below `{what.name}`")
    place = Span(what.start, what.start)
    return (*spelling.edits, Edit(path, place.start, place.end, f"@{spelling.text}{newline_of(module.text)}"))
