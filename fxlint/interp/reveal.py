"""What values denote at one place, as text: ``reveal_fx(x)``, the probe of the engine's tests, and the watched row of ``fxlint explain``.

``reveal_fx`` gives back its argument. The name means this only where nothing else binds it; at run time there is no such function.
"""

from __future__ import annotations

from typing import assert_never

from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.scopes import target_names, walk
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import load
from fxlint.syntax import ir
from fxlint.values.display import show, show_all
from fxlint.values.values import NONE, Bottom, ClassInfo, Ref, Value

NAME = "reveal_fx"
DOTTED = f"fxlint.{NAME}"


def reveal(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """Note the text of the argument under the file and the row of the call, once for each different text."""
    value = args.get(0, "value") or NONE
    _note(f, st, _row(f, c.at), "", value)
    return value


def before(f: Frame, st: State, stmt: ir.Stmt) -> None:
    """Where a statement is watched, note what the names that it reads denote."""
    if _is_watched(f, stmt):
        _note_names(f, st, stmt, {node.id for part in _own_parts(stmt) for node in walk(part) if isinstance(node, ir.Name)} - _bound(stmt))


def after(f: Frame, st: State, stmt: ir.Stmt) -> None:
    """Where a statement is watched, note what the names that it binds denote."""
    if _is_watched(f, stmt):
        _note_names(f, st, stmt, _bound(stmt))


def _is_watched(f: Frame, stmt: ir.Stmt) -> bool:
    watch = f.machine.watch
    return watch is not None and f.source.path == watch[0] and _row(f, stmt.at) == watch[1]


def _own_parts(stmt: ir.Stmt) -> tuple[object, ...]:
    """The parts of a statement that run when it starts: not the blocks inside it."""
    match stmt:
        case ir.If(test=test) | ir.While(test=test):
            return (test,)
        case ir.For(iter=iterable):
            return (iterable,)
        case ir.With(items=items):
            return tuple(item for item, _ in items)
        case ir.Match(subject=subject):
            return (subject,)
        case ir.Try() | ir.FuncDef() | ir.ClassDef():
            return ()
        case _:
            return (stmt,)


def _bound(stmt: ir.Stmt) -> set[str]:
    match stmt:
        case ir.Assign(targets=targets):
            return {name for target in targets for name in target_names(target)}
        case ir.AugAssign(target=target):
            return set(target_names(target))
        case _:
            return set()


def _note_names(f: Frame, st: State, stmt: ir.Stmt, names: set[str]) -> None:
    for name in sorted(names):
        value = st.env.get(name, f.captured.get(name))
        if value is not None:
            _note(f, st, _row(f, stmt.at), name, value)


def _row(f: Frame, at: ir.At) -> int:
    return f.source.outline.lines.place(f.body.span(at).start)[0]


def _note(f: Frame, st: State, row: int, name: str, value: Value) -> None:
    if (id(f.body), f.at) in f.machine.settled:
        return
    texts = f.machine.reveals.setdefault((f.source.path, row, name), [])
    text = describe(f, st, value)
    if text not in texts:
        texts.append(text)


def describe(f: Frame, st: State, value: Value) -> str:
    """The text of a value, with what its objects hold on this path; an object inside itself is written ``...``."""
    return show(value, lambda ref: _object(f, st, ref, frozenset()))


def _object(f: Frame, st: State, ref: Ref, seen: frozenset[int]) -> str:
    if ref.id in seen:
        return "..."
    inside = seen | {ref.id}

    def inner(other: Ref) -> str:
        return _object(f, st, other, inside)

    obj = load(f, st, ref)
    match obj:
        case Sequence(kind=kind, items=items, element=element):
            return f"{kind}[{show(element, inner)}, ...]" if items is None else f"{kind}[{show_all(items, inner)}]"
        case Mapping(kind=kind, entries=entries, rest=rest, complete=complete):
            texts = [f"{k.value!r}: {show(v, inner)}" for k, v in entries]
            if not complete:
                texts.append("..." if isinstance(rest, Bottom) else f"...: {show(rest, inner)}")
            return f"{kind}[{', '.join(texts)}]"
        case Instance(cls=cls):
            return f"Instance[{_class_name(cls)}]"
        case ModuleObject(cls=cls):
            return f"Module[{_class_name(cls)}]"
        case None:
            return "Object"
        case _:
            assert_never(obj)


def _class_name(cls: ClassInfo | str) -> str:
    return cls.qualname if isinstance(cls, ClassInfo) else cls
