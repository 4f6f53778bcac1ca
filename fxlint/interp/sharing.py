"""Sharing: keys that tell when two calls do the same, and copying what a summary made into another store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fxlint.interp import modules
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.state import Instance, Mapping, ModuleObject, Object, Sequence, State
from fxlint.interp.store import load
from fxlint.values.values import (
    ATOMS,
    Bound,
    Const,
    Function,
    NativeMethod,
    Partial,
    Proxy,
    Ref,
    Slice,
    Super,
    Tuple,
    Union,
    Value,
    Wrapped,
)

MAX_PARTS = 600
EXACT = 8  # numbers up to this size count as they are in a loose key: kernel sizes, flags, ranks
EXACT_ARGUMENT = 64


def freeze(f: Frame, st: State, value: Value, seen: frozenset[int] = frozenset(), *, loose: bool = False) -> object:
    """A hashable key of a value together with all that it reaches in the store; equal keys behave alike.

    A ``loose`` key tells large numbers apart only by type: models repeat one structure in many widths. It may stand for a call
    whose result holds no number of its own.
    """
    if isinstance(value, Const):
        return _loose_number(value.value, EXACT_ARGUMENT) if loose and type(value.value) in (int, float) else value
    if type(value) in ATOMS:
        return value
    match value:
        case Ref(id=number):
            if number in seen:
                return ("cycle", number)
            obj = load(f, st, value)
            if number in f.machine.global_store and number not in st.store:
                return value
            if isinstance(obj, ModuleObject) and obj.later:
                modules.force(f, st, value)
                obj = load(f, st, value)
            if loose and isinstance(obj, ModuleObject) and not obj.touched:
                return (module_shape(f, st, value, obj), obj.registered)
            return _freeze_object(f, st, obj, seen | {number}, loose=loose)
        case Tuple(items=items, cls=cls):
            return ("tuple", cls, *(freeze(f, st, v, seen, loose=loose) for v in items))
        case Union(members):
            return ("union", *(freeze(f, st, v, seen, loose=loose) for v in members))
        case Slice(lower, upper, step):
            return ("slice", *(freeze(f, st, v, seen, loose=loose) for v in (lower, upper, step)))
        case Bound(receiver, function):
            return ("bound", freeze(f, st, receiver, seen, loose=loose), freeze(f, st, function, seen, loose=loose))
        case NativeMethod(receiver, name):
            return ("native", freeze(f, st, receiver, seen, loose=loose), name)
        case Super(receiver, after):
            return ("super", freeze(f, st, receiver, seen, loose=loose), after)
        case Function(code, captured, defaults):
            return (code, *((n, freeze(f, st, v, seen, loose=loose)) for n, v in (*captured, *defaults)))
        case Partial(function, args, keywords):
            return ("partial", freeze(f, st, function, seen, loose=loose), *(freeze(f, st, v, seen, loose=loose) for v in args),
                    *((n, freeze(f, st, v, seen, loose=loose)) for n, v in keywords))
        case Wrapped(target, name, auto):
            return ("wrapped", freeze(f, st, target, seen, loose=loose), name, auto)
        case _:
            return value


def _loose_number(number: object, limit: int) -> object:
    if isinstance(number, int):
        return Const(number) if -limit <= number <= limit else "int"
    return Const(number) if number in (0.0, 1.0) else "float"


def module_shape(f: Frame, st: State, ref: Ref, obj: ModuleObject) -> int:
    """The number of a module's structure: equal for modules whose fields agree up to large numbers, all the way down."""
    seen = f.machine.shape_of.get(id(obj))
    if seen is not None:
        return seen[1]
    exact = (obj.cls, freeze_arguments(f, st, obj.args))
    known = f.machine.shapes.get(exact)
    if known is None:
        f.machine.shapes[exact] = -1  # a module that holds itself
        fields = modules.force(f, st, ref)
        key = (obj.cls, *((n, _freeze_field(f, st, v)) for n, v in fields.items()))
        known = f.machine.shapes[exact] = f.machine.shape_numbers.setdefault(key, len(f.machine.shape_numbers) + 1)
    # The object itself is kept beside the number, so that its identity is not given to another one.
    f.machine.shape_of[id(obj)] = (obj, known)
    return known


def _freeze_field(f: Frame, st: State, value: Value) -> object:
    if isinstance(value, Const) and type(value.value) in (int, float):
        return _loose_number(value.value, EXACT)
    return freeze(f, st, value, loose=True)


def holds_number(f: Frame, value: Value, fragment: dict[int, Object]) -> bool:
    """Whether the result of a call holds a number that a loose key does not tell apart from others."""
    queue = [value, *(v for obj in fragment.values() for v in object_parts(obj))]
    while queue:
        one = queue.pop()
        if isinstance(one, Const):
            if type(one.value) in (int, float) and _loose_number(one.value, EXACT) != one:
                return True
        else:
            queue.extend(parts(one))
    return False


def _freeze_object(f: Frame, st: State, obj: Object | None, seen: frozenset[int], *, loose: bool) -> object:
    match obj:
        case Sequence(kind, items, element, registered):
            inner = ("?", freeze(f, st, element, seen, loose=loose)) if items is None else tuple(
                freeze(f, st, v, seen, loose=loose) for v in items)
            return (kind, registered, inner)
        case Mapping(kind, entries, rest, complete, registered):
            return (kind, registered, complete, freeze(f, st, rest, seen, loose=loose),
                    *((k, freeze(f, st, v, seen, loose=loose)) for k, v in entries))
        case Instance(cls, fields):
            return ("instance", cls, *((n, freeze(f, st, v, seen, loose=loose)) for n, v in fields.items()))
        case ModuleObject(cls, args, fields, registered, touched):
            if touched and fields is not None:
                return ("module", cls, registered, *((n, freeze(f, st, v, seen, loose=loose)) for n, v in fields.items()))
            return ("module", cls, registered, freeze_arguments(f, st, args, seen))
        case None:
            return None


def freeze_arguments(f: Frame, st: State, args: Arguments, seen: frozenset[int] = frozenset()) -> object:
    """The key of all arguments of a call."""
    return (
        tuple(freeze(f, st, v, seen) for v in args.positional),
        tuple((n, freeze(f, st, v, seen)) for n, v in args.keywords),
        None if args.rest is None else freeze(f, st, args.rest, seen),
        None if args.extra is None else freeze(f, st, args.extra, seen),
    )


def parts(value: Value) -> Iterable[Value]:
    """The values directly inside a value."""
    if type(value) in ATOMS:
        return ()
    match value:
        case Tuple(items=items):
            return items
        case Union(members):
            return members
        case Slice(lower, upper, step):
            return (lower, upper, step)
        case Bound(receiver, function):
            return (receiver, function)
        case NativeMethod(receiver, _) | Super(receiver, _):
            return (receiver,)
        case Function(_, captured, defaults):
            return [v for _, v in (*captured, *defaults)]
        case Partial(function, args, keywords):
            return (function, *args, *(v for _, v in keywords))
        case Wrapped(target, _):
            return (target,)
        case _:
            return ()


def object_parts(obj: Object) -> Iterator[Value]:
    """The values directly inside an object."""
    match obj:
        case Sequence(items=items, element=element):
            yield from items if items is not None else (element,)
        case Mapping(entries=entries, rest=rest):
            for _, value in entries:
                yield value
            yield rest
        case Instance(fields=fields):
            yield from fields.values()
        case ModuleObject(args=args, fields=inner):
            yield from args.all()
            yield from (inner or {}).values()
            for _, value in obj.later:
                yield value


def reachable(f: Frame, st: State, values: Iterable[Value]) -> dict[int, Object]:
    """All objects of the path's store that the values reach."""
    out: dict[int, Object] = {}
    queue = list(values)
    while queue:
        value = queue.pop()
        if type(value) in ATOMS:
            continue
        if isinstance(value, Ref):
            obj = st.store.get(value.id)
            if value.id not in out and obj is not None:
                out[value.id] = obj
                queue.extend(object_parts(obj))
        else:
            queue.extend(parts(value))
    return out


def too_large(value: Value, fragment: dict[int, Object]) -> bool:
    """Whether a result has more parts than are worth following: recursive functions that collect double them at every level.

    Models are exempt, for they are what is looked for.
    """
    if any(isinstance(obj, ModuleObject) for obj in fragment.values()):
        return False
    count = len(fragment)
    queue = [value, *(v for obj in fragment.values() for v in object_parts(obj))]
    while queue and count <= MAX_PARTS:
        count += 1
        queue.extend(parts(queue.pop()))
    return count > MAX_PARTS


def relocate(
    f: Frame, st: State, fragment: dict[int, Object], values: tuple[Value, ...], *, made_before: bool = False
) -> tuple[Value, ...]:
    """Copy the objects of a summary into the store under fresh numbers; gives the values in terms of the copies.

    ``made_before``: they stand for objects that exist before the trace begins.
    """
    if not fragment:
        return values
    numbers = {old: f.machine.new_id() for old in fragment}
    for old, obj in fragment.items():
        st.store[numbers[old]] = _renumber_object(obj, numbers)
    if not f.tracing or made_before:
        f.machine.kept.update(numbers.values())
    return tuple(renumber(v, numbers) for v in values)


def renumber(value: Value, numbers: dict[int, int]) -> Value:
    """The value with references replaced by those to the copies."""
    if type(value) in ATOMS:
        return value
    match value:
        case Ref(id=number):
            return Ref(numbers.get(number, number))
        case Tuple(items=items):
            return replace(value, items=tuple(renumber(v, numbers) for v in items))
        case Union(members):
            return Union(tuple(renumber(v, numbers) for v in members))
        case Slice(lower, upper, step):
            return Slice(*(renumber(v, numbers) for v in (lower, upper, step)))
        case Bound(receiver, function):
            return Bound(renumber(receiver, numbers), renumber(function, numbers))
        case NativeMethod(receiver, name):
            return NativeMethod(renumber(receiver, numbers), name)
        case Super(receiver, after):
            return Super(renumber(receiver, numbers), after)
        case Function(code, captured, defaults):
            if not captured and not defaults:
                return value
            return Function(code, _pairs(captured, numbers), _pairs(defaults, numbers))
        case Partial(function, args, keywords):
            return Partial(renumber(function, numbers), tuple(renumber(v, numbers) for v in args), _pairs(keywords, numbers))
        case Wrapped(target):
            return replace(value, target=renumber(target, numbers))
        case _:
            return value


def _pairs(pairs: tuple[tuple[str, Value], ...], numbers: dict[int, int]) -> tuple[tuple[str, Value], ...]:
    return tuple((n, renumber(v, numbers)) for n, v in pairs)


def _renumber_object(obj: Object, numbers: dict[int, int]) -> Object:
    match obj:
        case Sequence(items=items, element=element):
            known = None if items is None else tuple(renumber(v, numbers) for v in items)
            return replace(obj, items=known, element=renumber(element, numbers))
        case Mapping(entries=entries, rest=rest):
            return replace(obj, entries=tuple((k, renumber(v, numbers)) for k, v in entries), rest=renumber(rest, numbers))
        case Instance(fields=fields):
            return replace(obj, fields={n: renumber(v, numbers) for n, v in fields.items()})
        case ModuleObject(args=args, fields=inner):
            moved = Arguments(
                tuple(renumber(v, numbers) for v in args.positional), _pairs(args.keywords, numbers),
                None if args.rest is None else renumber(args.rest, numbers), None if args.extra is None else renumber(args.extra, numbers))
            renumbered = None if inner is None else {n: renumber(v, numbers) for n, v in inner.items()}
            return replace(obj, args=moved, later=_pairs(obj.later, numbers), fields=renumbered)


def proxies_deep(value: Value) -> Iterator[Proxy]:
    """The Proxies in a value, not looking into the store."""
    if isinstance(value, Proxy):
        yield value
    elif type(value) not in ATOMS:
        for inner in parts(value):
            yield from proxies_deep(inner)
