"""``reveal_fx(x)``: the probe of the engine's tests and of ``fxlint explain``. It notes what its argument denotes, and gives it back.

The name means this only where nothing else binds it; at run time there is no such function.
"""

from __future__ import annotations

from typing import assert_never

from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import load
from fxlint.values.display import show, show_all
from fxlint.values.values import NONE, Bottom, ClassInfo, Ref, Value

NAME = "reveal_fx"
DOTTED = f"fxlint.{NAME}"


def reveal(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """Note the text of the argument under the file and the row of the call, once for each different text."""
    value = args.get(0, "value") or NONE
    key = f.source.path, f.source.outline.lines.place(f.body.span(c.at).start)[0]
    texts = f.machine.reveals.setdefault(key, [])
    text = describe(f, st, value)
    if text not in texts:
        texts.append(text)
    return value


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
