"""Assignment and deletion: names, unpacking, attributes, items, and what a Proxy does there."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.interp import activation, buffers, classes, expressions, iteration, modules, owned
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import MODULE_KINDS, allocate, constant_int, first_proxy, load, register, save
from fxlint.syntax import ir
from fxlint.values.join import alternatives, join, union
from fxlint.values.values import NONE, Class, Code, Const, Function, Origin, Proxy, Ref, Tensor, Tuple, Value


def assign(f: Frame, st: State, target: ir.Expr, value: Value, at: ir.At, *, augmented: bool = False) -> None:
    """Bind ``target`` to ``value``."""
    match target:
        case ir.Name(id=name):
            _assign_name(f, st, target.at, name, value)
        case ir.Display(items=items):
            _unpack(f, st, target.at, items, value, at)
        case ir.Attr(base=base, name=name):
            set_attribute(f, st, at, expressions.evaluate(f, st, base), name, value, base.at)
        case ir.Sub(base=base):
            container = expressions.evaluate(f, st, base)
            index = Tuple(tuple(expressions.evaluate(f, st, i) for i in target.index)) if target.is_tuple else (
                expressions.evaluate(f, st, target.index[0]))
            set_item(f, st, at, container, index, value, base, target.index[0].at)
        case ir.Star(value=inner):
            assign(f, st, inner, value, at)
        case _:
            raise AssertionError(f"not a target: {type(target).__name__}")


def named(f: Frame, at: ir.At, name: str, value: Value) -> Value:
    """The value as bound to a name: a Proxy's chain gets the assignment as a link."""
    if isinstance(value, Proxy) and value.origin is not None and value.origin.note != name:
        return replace(value, origin=Origin(f.body, at, name, value.origin))
    return value


def _assign_name(f: Frame, st: State, at: ir.At, name: str, value: Value) -> None:
    info = f.info
    if info is not None and (name in info.globals or name in info.nonlocals):
        kind = "global" if name in info.globals else "nonlocal"
        if kind == "global" or not any(frame.tracing and frame.code.qualname == definer(f.code) for frame in f.machine.active):
            held = first_proxy(f, st, value)
            f.emit(st, EventKind.STATE_WRITE, kind, at, value=held if held is not None else value, detail=name)
        f.impure = True
    st.env[name] = value


def definer(code: Code) -> str:
    """The qualified name of the function whose body defines a nested function: the locals of that one are what ``nonlocal`` writes."""
    return code.qualname.rpartition(".<locals>.")[0]


def _unpack(f: Frame, st: State, target_at: ir.At, targets: tuple[ir.Expr, ...], value: Value, at: ir.At) -> None:
    starred = [i for i, t in enumerate(targets) if isinstance(t, ir.Star)]
    unpack = None if starred else len(targets)
    items = iteration.elements(f, st, value, "starred-target", target_at, target_at, unpack)
    if not isinstance(items, tuple):
        for target in targets:
            inner = allocate(f, st, Sequence("list", None, items)) if isinstance(target, ir.Star) else items
            assign(f, st, target, inner, at)
        return
    if starred:
        before, after = starred[0], len(targets) - starred[0] - 1
        if len(items) < before + after:
            items = (*items, *(f.machine.unknown("too few values to unpack") for _ in range(before + after - len(items))))
        middle = items[before:len(items) - after]
        spread = (*items[:before], allocate(f, st, Sequence("list", middle)), *items[len(items) - after:])
    else:
        spread = items
    for i, target in enumerate(targets):
        assign(f, st, target, spread[i] if i < len(spread) else f.machine.unknown("too few values to unpack"), at)


def set_attribute(f: Frame, st: State, at: ir.At, base: Value, name: str, value: Value, base_at: ir.At) -> None:
    """``base.name = value``."""
    for one in alternatives(base):
        match one:
            case Proxy():
                f.emit(st, EventKind.PROXY_ATTRIBUTE, "attribute", at, value=one, subject=base_at, detail=name)
            case Ref():
                obj = load(f, st, one)
                if name in f.machine.setters and _set_property(f, st, at, one, name, value):
                    continue
                if isinstance(obj, ModuleObject):
                    modules.set_module_field(f, st, at, one, obj, name, value, base_at)
                elif isinstance(obj, Instance):
                    fields = dict(obj.fields)
                    fields[name] = value
                    save(f, st, one, replace(obj, fields=fields))
            case Class(info):
                held = first_proxy(f, st, value)
                if f.tracing and held is not None:
                    f.emit(st, EventKind.STATE_WRITE, "class-attribute", at, value=held, subject=base_at, detail=f"{info.name}.{name}")
            case _:
                continue


def _set_property(f: Frame, st: State, at: ir.At, ref: Ref, name: str, value: Value) -> bool:
    """Assign to a property of the project: its setter runs. False where the attribute is no such property."""
    cls = modules.class_of(f, st, ref)
    found = classes.find(cls, name) if cls is not None else None
    setter = found[1].setter if isinstance(found, tuple) else None
    if setter is None:
        return False
    activation.run_function(f, st, at, Function(setter), Arguments((ref, value)))
    return True


def set_item(
    f: Frame, st: State, at: ir.At, container: Value, index: Value, value: Value, base: ir.Expr, index_at: ir.At
) -> None:
    """``container[index] = value``."""
    for one in alternatives(container):
        match one:
            case Proxy():
                f.emit(st, EventKind.SET_ITEM, "setitem", at, value=one, subject=base.at)
            case Tensor():
                buffers.written(f, st, at, one, base.at, value, index, construct="setitem")
            case Ref():
                _set_in_object(f, st, at, one, index, value, base, index_at)
            case _:
                continue


def _set_in_object(f: Frame, st: State, at: ir.At, ref: Ref, index: Value, value: Value, base: ir.Expr, index_at: ir.At) -> None:
    obj = load(f, st, ref)
    if isinstance(index, Proxy) and isinstance(obj, (Sequence, Mapping)):
        kind = EventKind.PROXY_KEY if isinstance(obj, Mapping) else EventKind.PROXY_NUMBER
        f.emit(st, kind, "dict" if isinstance(obj, Mapping) else "list-index", at, value=index, subject=index_at)
    note_leak(f, st, at, ref, value, base)
    match obj:
        case Sequence(items=items):
            n = constant_int(index)
            if items is not None and n is not None and -len(items) <= n < len(items):
                changed = list(items)
                changed[n] = value
                save(f, st, ref, replace(obj, items=tuple(changed)))
            else:
                save(f, st, ref, Sequence(obj.kind, None, join(obj.any(), value), obj.registered))
        case Mapping():
            if isinstance(index, Const):
                entries = dict(obj.entries)
                entries[index] = value
                save(f, st, ref, replace(obj, entries=tuple(entries.items())))
            else:
                save(f, st, ref, replace(obj, rest=join(obj.rest, value), complete=False))
        case _:
            return


def note_leak(f: Frame, st: State, at: ir.At, ref: Ref, value: Value, base: ir.Expr) -> None:
    """An item put into a container that outlives the trace: an attribute of a module, or a module-level object."""
    if f.tracing and owned.outlives(f, ref):
        f.emit(st, EventKind.STATE_WRITE, "container", at, value=first_proxy(f, st, value), subject=base.at)


def extend_in_place(f: Frame, st: State, ref: Value, new: Value, at: ir.At) -> None:
    """``xs += ys`` on a list, ``d |= e`` on a dict."""
    assert isinstance(ref, Ref)
    obj = load(f, st, ref)
    if isinstance(obj, Sequence):
        items = iteration.elements(f, st, new, "list", at, at)
        for item in items if obj.kind in MODULE_KINDS and isinstance(items, tuple) else ():
            register(f, st, item)
        if isinstance(items, tuple) and obj.items is not None:
            save(f, st, ref, replace(obj, items=(*obj.items, *items)))
        else:
            more = items if isinstance(items, tuple) else (items,)
            save(f, st, ref, Sequence(obj.kind, None, union((obj.any(), *more)), obj.registered))
    elif isinstance(obj, Mapping) and isinstance(new, Ref):
        other = load(f, st, new)
        if isinstance(other, Mapping):
            entries = dict(obj.entries) | dict(other.entries)
            save(f, st, ref, replace(obj, entries=tuple(entries.items()), complete=obj.complete and other.complete))


def _delete_item(f: Frame, st: State, ref: Ref, index: Value) -> None:
    obj = load(f, st, ref)
    if isinstance(obj, Sequence):
        n = constant_int(index)
        if obj.items is not None and n is not None and -len(obj.items) <= n < len(obj.items):
            kept = list(obj.items)
            del kept[n]
            save(f, st, ref, replace(obj, items=tuple(kept)))
        else:
            save(f, st, ref, Sequence(obj.kind, None, obj.any(), obj.registered))
    elif isinstance(obj, Mapping):
        if isinstance(index, Const):
            save(f, st, ref, replace(obj, entries=tuple(entry for entry in obj.entries if entry[0] != index)))
        else:
            save(f, st, ref, Mapping(obj.kind, (), obj.any(), False, obj.registered))


def delete(f: Frame, st: State, target: ir.Expr) -> None:
    """``del target``."""
    match target:
        case ir.Name(id=name):
            st.env.pop(name, None)
        case ir.Sub(base=base):
            container = expressions.evaluate(f, st, base)
            for one in alternatives(container):
                if isinstance(one, Proxy):
                    f.emit(st, EventKind.SET_ITEM, "delitem", target.at, value=one, subject=base.at)
                elif isinstance(one, Ref):
                    index = NONE if target.is_tuple else expressions.evaluate(f, st, target.index[0])
                    _delete_item(f, st, one, index)
        case ir.Display(items=items):
            for item in items:
                delete(f, st, item)
        case _:
            return


