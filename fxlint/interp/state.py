"""The state of abstract execution: local names, the store of mutable objects, and the conditions of the path taken.

A state is owned by one path. Whoever forks copies; ``merge`` joins two paths again. Objects in the store (and the dictionaries of
their fields) are never changed: a write replaces the object, so copying a state copies two dictionaries and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fxlint.base.event import Assumption
from fxlint.interp.arguments import Arguments
from fxlint.values.join import join, union
from fxlint.values.values import BOTTOM, ClassInfo, Const, Value


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, set, deque, tuple of unknown length, iterator, or a module container.

    ``items`` are its elements in order where they are known; else ``element`` denotes each of them and the length is unknown.
    ``kind``: "list", "set", "tuple", "iterator", "generator", "Sequential", "ModuleList", "ParameterList", "BufferList".
    """

    kind: str
    items: tuple[Value, ...] | None
    element: Value = BOTTOM
    registered: bool = False

    def any(self) -> Value:
        """What any element may be."""
        return union(self.items) if self.items is not None else self.element


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict or a ModuleDict. ``entries`` are those with constant keys; ``rest`` denotes the values under keys that are not known.

    ``complete``: there are no other keys than those in ``entries``. ``kind``: "dict", "ModuleDict", "ParameterDict". ``cls`` is the name of
    the project class where it is an instance of a subclass of dict, else "".
    """

    kind: str
    entries: tuple[tuple[Const, Value], ...]
    rest: Value = BOTTOM
    complete: bool = True
    registered: bool = False
    cls: str = ""

    def get(self, key: Const) -> Value | None:
        """The value under a constant key, None where there is none such."""
        wanted = key.value
        for k, v in self.entries:
            if k.value is wanted or (k.value == wanted and k == key):
                return v
        return None

    def any(self) -> Value:
        """What any value may be."""
        return union((*(v for _, v in self.entries), self.rest))


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a project class that is no nn.Module, or of a library class of which only the fields set here are known."""

    cls: ClassInfo | str
    fields: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModuleObject:
    """An nn.Module. ``cls`` is a project class or the dotted name of a library class; ``args`` are what it was built with.

    ``fields`` is None until the object is looked into: then ``__init__`` has been executed. ``registered`` is set once a registered
    place of another module holds it; ``touched`` when a field was written after construction. ``later`` are writes that came before
    the object was looked into: they are made once ``__init__`` has run.
    """

    cls: ClassInfo | str
    args: Arguments = field(default_factory=Arguments)
    fields: dict[str, Value] | None = None
    registered: bool = False
    touched: bool = False
    buffers: frozenset[str] = frozenset()
    later: tuple[tuple[str, Value], ...] = ()


Object: TypeAlias = Sequence | Mapping | Instance | ModuleObject


FLATTEN = 128


@dataclass(slots=True)
class Store:
    """The mutable objects of one path by their numbers. A fork shares ``base``, which is never written, and copies ``top``."""

    base: dict[int, Object] = field(default_factory=dict)
    top: dict[int, Object] = field(default_factory=dict)

    def get(self, number: int) -> Object | None:
        """The object under a number, None where the path has none."""
        obj = self.top.get(number)
        return obj if obj is not None else self.base.get(number)

    def __getitem__(self, number: int) -> Object:
        obj = self.get(number)
        if obj is None:
            raise KeyError(number)
        return obj

    def __setitem__(self, number: int, obj: Object) -> None:
        self.top[number] = obj

    def __contains__(self, number: int) -> bool:
        return number in self.top or number in self.base

    def fork(self) -> Store:
        """An independent store with the same objects."""
        if len(self.top) > FLATTEN and len(self.top) * 4 > len(self.base):
            self.base, self.top = {**self.base, **self.top}, {}
        return Store(self.base, dict(self.top))

    def flat(self) -> dict[int, Object]:
        """All objects in one dictionary."""
        return {**self.base, **self.top}


@dataclass(slots=True)
class State:
    """One path: local names, store, and the conditions (unknown configuration decided) under which it is taken."""

    env: dict[str, Value] = field(default_factory=dict)
    store: Store = field(default_factory=Store)
    conditions: tuple[Assumption, ...] = ()

    def copy(self) -> State:
        """An independent copy."""
        return State(dict(self.env), self.store.fork(), self.conditions)

    def under(self, condition: Assumption | None) -> State:
        """A copy on which ``condition`` also holds."""
        out = self.copy()
        if condition is not None and condition not in out.conditions and len(out.conditions) < 8:
            out.conditions = (*out.conditions, condition)
        return out


def merge(a: State | None, b: State | None) -> State | None:
    """The join of two paths; None stands for a path that ended. A name bound on one path only keeps its value."""
    if a is None:
        return b
    if b is None or a is b:
        return a
    env = dict(a.env)
    for name, value in b.env.items():
        old = env.get(name)
        if old is None:
            env[name] = value
        elif old is not value:
            env[name] = join(old, value)
    common = tuple(c for c in a.conditions if c in b.conditions)
    return State(env, merge_stores(a.store, b.store), common)


def merge_stores(a: Store, b: Store) -> Store:
    """The join of two stores; an object that exists on one path only is kept as it is. Paths with one base differ in their tops alone."""
    shared = a.base is b.base
    left, right = (a.top, b.top) if shared else (a.flat(), b.flat())
    out = dict(left)
    for key, obj in right.items():
        old = left.get(key)
        if old is None and shared:
            old = a.base.get(key)
        if old is None:
            out[key] = obj
        elif old is not obj:
            out[key] = join_objects(old, obj)
    if not shared:
        return Store(out)
    for key, obj in left.items():
        other = b.base.get(key) if key not in right else None
        if other is not None and other is not obj:
            out[key] = join_objects(obj, other)
    return Store(a.base, out)


def join_objects(a: Object, b: Object) -> Object:
    """What one object may be after either of two paths."""
    if a == b:
        return a
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        registered = a.registered or b.registered
        if a.items is not None and b.items is not None and len(a.items) == len(b.items):
            return Sequence(a.kind, tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)), registered=registered)
        return Sequence(a.kind, None, join(a.any(), b.any()), registered)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        keys = [k for k, _ in a.entries] + [k for k, _ in b.entries if a.get(k) is None]
        entries = tuple((k, join(a.get(k) or BOTTOM, b.get(k) or BOTTOM)) for k in keys)
        same = all(a.get(k) is not None and b.get(k) is not None for k in keys)
        complete = a.complete and b.complete and same
        return Mapping(a.kind, entries, join(a.rest, b.rest), complete, a.registered or b.registered, a.cls or b.cls)
    if isinstance(a, Instance) and isinstance(b, Instance):
        return replace(a, fields=_join_fields(a.fields, b.fields))
    if isinstance(a, ModuleObject) and isinstance(b, ModuleObject):
        if a.fields is None or b.fields is None:
            known = a if a.fields is not None else b
            return replace(known, registered=a.registered or b.registered)
        return replace(
            a, fields=_join_fields(a.fields, b.fields), registered=a.registered or b.registered, touched=a.touched or b.touched,
            buffers=a.buffers | b.buffers)
    return a


def _join_fields(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    out = dict(a)
    for name, value in b.items():
        old = out.get(name)
        out[name] = value if old is None or old is value else join(old, value)
    return out
