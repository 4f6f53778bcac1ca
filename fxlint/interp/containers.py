"""Methods of lists, sets, tuples, dicts and module containers."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.event import EventKind
from fxlint.interp import iteration, owned, textflow
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Mapping, Sequence, State
from fxlint.interp.store import MODULE_KINDS, allocate, constant_int, first_proxy, register, save
from fxlint.values.join import alternatives, union
from fxlint.values.values import BOTTOM, NONE, Bottom, Const, Proxy, Ref, Static, Tuple, Unknown, Value


def leak(f: Frame, st: State, c: CallSite, ref: Ref, *values: Value) -> None:
    """A container that was made before the trace began is written once; a Proxy that is put into it stays there."""
    if f.tracing and owned.outlives(f, ref):
        f.emit(st, EventKind.STATE_WRITE, "container", c.at, value=first_proxy(f, st, *values), subject=c.func_at)


def sequence_method(f: Frame, st: State, c: CallSite, ref: Ref, obj: Sequence, name: str, args: Arguments) -> Value:
    """Methods of lists, sets, deques, generators, Sequential and ModuleList."""
    first = args.positional[0] if args.positional else None
    if obj.kind in MODULE_KINDS and first is not None and name in ("append", "insert", "extend", "add_module"):
        for value in args.positional:
            register(f, st, value)
            owned.own(st, value)
            inner = iteration.elements(f, st, value, "list", c.at, c.at) if name == "extend" else ()
            for item in inner if isinstance(inner, tuple) else (inner,):
                register(f, st, item)
    match name:
        case "append" | "add" | "appendleft" | "add_module":
            added = args.positional[-1] if args.positional else args.keyword("module")
            if added is None:
                return NONE
            value = owned.own(st, added) if obj.kind in MODULE_KINDS else added
            leak(f, st, c, ref, value)
            if obj.items is not None and obj.kind != "set":
                items = (value, *obj.items) if name == "appendleft" else (*obj.items, value)
                if len(items) <= 256:
                    save(f, st, ref, replace(obj, items=items))
                    return ref if obj.kind in MODULE_KINDS else NONE
            save(f, st, ref, Sequence(obj.kind, None, union((obj.any(), value)), obj.registered))
            return NONE
        case "extend" | "update" | "union" | "difference" | "intersection":
            if first is None:
                return NONE
            if name in ("extend", "update"):
                leak(f, st, c, ref, first)
            items_or_any = iteration.elements(f, st, first, "list", c.at, c.site(0))
            if isinstance(items_or_any, tuple) and obj.items is not None and obj.kind != "set":
                save(f, st, ref, replace(obj, items=(*obj.items, *items_or_any)))
            else:
                more = items_or_any if isinstance(items_or_any, tuple) else (items_or_any,)
                save(f, st, ref, Sequence(obj.kind, None, union((obj.any(), *more)), obj.registered))
            return ref if obj.kind in (*MODULE_KINDS, "set") else NONE
        case "insert":
            n = constant_int(first) if first is not None else None
            value = args.positional[1] if len(args.positional) > 1 else NONE
            leak(f, st, c, ref, value)
            if obj.items is not None and n is not None:
                listed = list(obj.items)
                listed.insert(n, value)
                save(f, st, ref, replace(obj, items=tuple(listed)))
            else:
                save(f, st, ref, Sequence(obj.kind, None, union((obj.any(), value)), obj.registered))
            return NONE
        case "pop" | "popleft":
            return _pop(f, st, c, ref, obj, 0 if name == "popleft" else constant_int(first) if first is not None else -1, first)
        case "clear":
            leak(f, st, c, ref)
            save(f, st, ref, Sequence(obj.kind, (), registered=obj.registered))
            return NONE
        case "copy":
            return allocate(f, st, Sequence(obj.kind, obj.items, obj.element))
        case "reverse":
            leak(f, st, c, ref)
            save(f, st, ref, replace(obj, items=tuple(reversed(obj.items)) if obj.items is not None else None))
            return NONE
        case "sort":
            held = first_proxy(f, st, *(obj.items or (obj.element,)))
            if held is not None and (obj.items is None or len(obj.items) > 1) and args.keyword("key") is None:
                f.emit(st, EventKind.PROXY_TRUTH, "sorted", c.at, value=held, subject=c.func_at)
            leak(f, st, c, ref)
            save(f, st, ref, Sequence(obj.kind, None, obj.any(), obj.registered))
            return NONE
        case "index" | "count":
            _compared(f, st, c, obj, first)
            return Static("int", "position in a list")
        case "remove" | "discard":
            _compared(f, st, c, obj, first)
            leak(f, st, c, ref)
            save(f, st, ref, Sequence(obj.kind, None, obj.any(), obj.registered))
            return NONE
        case "children" | "modules" | "__iter__":
            return ref
        case "named_children" | "named_modules" | "items":
            pairs = tuple(Tuple((Const(str(i)), v)) for i, v in enumerate(obj.items)) if obj.items is not None else None
            return allocate(f, st, Sequence("generator", pairs, BOTTOM if pairs is not None else Tuple((Static("str"), obj.element))))
        case "__len__":
            return Const(len(obj.items)) if obj.items is not None else Static("int")
        case "train" | "eval" | "to" | "apply" | "requires_grad_":
            return ref
        case _:
            return Static("", f"method {name} of a sequence")


def _compared(f: Frame, st: State, c: CallSite, obj: Sequence, wanted: Value | None) -> None:
    """A list that looks for a value asks each comparison for its truth; a set asks for the hash, and a Proxy is equal to itself alone."""
    held = first_proxy(f, st, *(() if wanted is None else (wanted,)), *(obj.items or (obj.element,)))
    if held is not None and obj.kind != "set" and obj.items != ():
        f.emit(st, EventKind.PROXY_TRUTH, "in", c.at, value=held, subject=c.func_at)


def _pop(f: Frame, st: State, c: CallSite, ref: Ref, obj: Sequence, n: int | None, index: Value | None) -> Value:
    leak(f, st, c, ref)
    if isinstance(index, Proxy):
        f.emit(st, EventKind.PROXY_NUMBER, "list-index", c.at, value=index, subject=c.site(0))
    if obj.items is not None and n is not None and -len(obj.items) <= n < len(obj.items):
        listed = list(obj.items)
        value = listed.pop(n)
        save(f, st, ref, replace(obj, items=tuple(listed)))
        return value
    save(f, st, ref, Sequence(obj.kind, None, obj.any(), obj.registered))
    return obj.any()


def tuple_method(f: Frame, st: State, c: CallSite, receiver: Tuple, name: str, args: Arguments) -> Value:
    """Methods of tuples and named tuples."""
    match name:
        case "index" | "count" | "numel":
            held = first_proxy(f, st, receiver)
            if held is not None and name != "numel":
                f.emit(st, EventKind.PROXY_TRUTH, "in", c.at, value=held, subject=c.func_at)
            return Static("int")
        case "_replace":
            changed = tuple(args.keyword(n) or v for n, v in zip(receiver.names, receiver.items, strict=False))
            return replace(receiver, items=changed) if receiver.names else receiver
        case _:
            return Static("", f"method {name} of a tuple")


def mapping_method(f: Frame, st: State, c: CallSite, ref: Ref, obj: Mapping, name: str, args: Arguments) -> Value:
    """Methods of dicts and ModuleDict."""
    key = args.positional[0] if args.positional else None
    match name:
        case "get" | "pop" | "setdefault":
            return _lookup(f, st, c, ref, obj, name, key, args)
        case "keys" | "__iter__":
            keys = tuple(k for k, _ in obj.entries)
            some = None if obj.complete else Sequence("generator", None, union((*keys, Static("str"))))
            return allocate(f, st, some or Sequence("generator", keys))
        case "values" | "children" | "modules":
            values = tuple(v for _, v in obj.entries)
            return allocate(f, st, Sequence("generator", values) if obj.complete else Sequence("generator", None, obj.any()))
        case "items" | "named_children":
            pairs = tuple(Tuple((k, v)) for k, v in obj.entries)
            if obj.complete:
                return allocate(f, st, Sequence("generator", pairs))
            return allocate(f, st, Sequence("generator", None, union((*pairs, Tuple((Static("str"), obj.any()))))))
        case "update":
            return _update(f, st, c, ref, obj, args)
        case "copy":
            return allocate(f, st, obj)
        case "clear":
            leak(f, st, c, ref)
            save(f, st, ref, Mapping(obj.kind, (), registered=obj.registered))
            return NONE
        case "popitem":
            leak(f, st, c, ref)
            save(f, st, ref, replace(obj, complete=False))
            return Tuple((union(k for k, _ in obj.entries), obj.any()))
        case "move_to_end" | "train" | "eval" | "to" | "apply":
            return ref
        case "add_module":
            if isinstance(key, Const) and len(args.positional) > 1:
                register(f, st, args.positional[1])
                entries = dict(obj.entries) | {key: args.positional[1]}
                save(f, st, ref, replace(obj, entries=tuple(entries.items())))
            return NONE
        case _:
            return Static("", f"method {name} of a dict")


def _lookup(f: Frame, st: State, c: CallSite, ref: Ref, obj: Mapping, name: str, key: Value | None, args: Arguments) -> Value:
    if key is not None:
        textflow.reached(f, st, c.site(0), key)
    default = args.positional[1] if len(args.positional) > 1 else args.keyword("default") or (NONE if name != "pop" else BOTTOM)
    if isinstance(key, Proxy):
        f.emit(st, EventKind.SPECIALISED_TYPE, "in-set", c.at, value=key, subject=c.site(0))
        return default
    found: list[Value] = []
    for one in alternatives(key) if key is not None else ():
        value = obj.get(one) if isinstance(one, Const) else None
        if value is not None:
            found.append(value)
        elif isinstance(one, Const) and obj.complete:
            found.append(default)
        else:
            entry = Unknown("entry of a dict that is not known") if isinstance(obj.any(), Bottom) else obj.any()
            found.extend((entry, default))
    if name == "pop":
        leak(f, st, c, ref)
    if name == "pop" and isinstance(key, Const):
        save(f, st, ref, replace(obj, entries=tuple((k, v) for k, v in obj.entries if k != key)))
    elif name == "setdefault" and isinstance(key, Const):
        leak(f, st, c, ref, default)
        entries = dict(obj.entries)
        entries.setdefault(key, default)
        save(f, st, ref, replace(obj, entries=tuple(entries.items())))
    return union(found)


def _update(f: Frame, st: State, c: CallSite, ref: Ref, obj: Mapping, args: Arguments) -> Value:
    leak(f, st, c, ref, *args.all())
    entries = dict(obj.entries)
    complete, rest = obj.complete and args.extra is None, obj.rest
    for value in args.positional:
        other = None
        if isinstance(value, Ref):
            loaded = st.store.get(value.id) or f.machine.global_store.get(value.id)
            other = loaded if isinstance(loaded, Mapping) else None
        if other is not None:
            entries.update(other.entries)
            complete, rest = complete and other.complete, union((rest, other.rest))
        else:
            complete = False
    entries.update((Const(n), v) for n, v in args.keywords)
    if obj.kind in MODULE_KINDS:
        for value in entries.values():
            register(f, st, value)
    save(f, st, ref, replace(obj, entries=tuple(entries.items()), rest=rest, complete=complete))
    return NONE
