"""What is lost before the first line of a root's forward: its hooks, a forward of the instance, parameters behind a decorator."""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp import classes
from fxlint.interp.hooks import HOOKS, OVERRIDE, fields_of
from fxlint.interp.machine import Frame
from fxlint.interp.names import func_info
from fxlint.interp.state import ModuleObject, State
from fxlint.interp.store import load
from fxlint.values.values import ClassInfo, Function, Ref, Static, Tuple, Value


def before(f: Frame, st: State, function: Function, entry: Function, first: tuple[Value, ...]) -> None:
    """Events of tracing ``function``; ``entry`` is what its decorators made of it, ``first`` holds the root if it is a module."""
    f.machine.written.clear()
    if entry is not function:
        _hidden_parameters(f, st, function, entry)
    root = first[0] if first else None
    obj = load(f, st, root) if isinstance(root, Ref) else None
    if isinstance(root, Ref) and isinstance(obj, ModuleObject) and isinstance(obj.cls, ClassInfo):
        skipped(f, st, root, obj.cls)


def _hidden_parameters(f: Frame, st: State, function: Function, entry: Function) -> None:
    """The tracer sees variable and keyword-only parameters behind ``functools.wraps``, and patches the wrapper as if it had them."""
    inner, outer = func_info(f.machine, function.code), func_info(f.machine, entry.code)
    if inner is None or outer is None:
        return
    hidden = any(p.kind in ("*", "**", "kw") for p in inner.func.params)
    if hidden and any(p.kind in ("*", "**") for p in outer.func.params):
        decorator = inner.func.decorators[0]
        there = Frame(f.machine, function.code, inner, inner.body, function.code.source, f.depth, f.base, f.tracing, events=f.events)
        there.emit(st, EventKind.SIGNATURE, "decorated", decorator.at, subject=decorator.at, detail=function.code.decorators[0])


def skipped(f: Frame, st: State, ref: Ref, cls: ClassInfo) -> None:
    """Events for what tracing this root does not run. They stand where the hook was registered, or forward set: in ``__init__``, mostly."""
    fields = fields_of(f, st, ref)
    hooks = fields.get(HOOKS)
    for hook in hooks.items if isinstance(hooks, Tuple) else ():
        assert isinstance(hook, Tuple)
        _emit_there(f, st, cls, hook.items[2], "hook")
    _emit_there(f, st, cls, fields.get(OVERRIDE), "forward-override")


def _emit_there(f: Frame, st: State, cls: ClassInfo, where: Value | None, construct: str) -> None:
    origin = where.origin if isinstance(where, Static) else None
    if origin is None or origin.body is None:
        return
    found = classes.find(cls, "__init__")
    code = found[1].code if isinstance(found, tuple) else None
    there = Frame(f.machine, code or f.code, None, origin.body, f.source, f.depth, f.base, f.tracing, events=f.events)
    there.emit(st, EventKind.HOOK_SKIPPED, construct, origin.at)
