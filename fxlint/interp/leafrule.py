"""Leaf rules: whether a call of a module stays one node, by torch's rule or by the Tracer of the project that is in use."""

from __future__ import annotations

from dataclasses import replace

from fxlint.interp import attributes, calls, classes, modulelevel
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame
from fxlint.interp.names import func_info
from fxlint.interp.state import Mapping, ModuleObject, Sequence, State
from fxlint.interp.store import load, truth
from fxlint.interp.tracing import LeafRule
from fxlint.library import lookup as library
from fxlint.values.join import Truth
from fxlint.values.values import Bottom, Bound, ClassInfo, Code, Const, Function, Lib, Ref, Static, Value

CALL_MODULE = "torch.fx.Tracer.call_module"
FORWARD = "torch.fx.Tracer.call_module.forward"  # what the hook ``call_module`` is given as its ``forward``
# What calling these two gives: the module is called by the leaf rule, or traced through whatever that says.
BY_RULE = Static("<call by the leaf rule>")
THROUGH = Static("<call traced through>")
_SEQUENTIAL = "torch.nn.Sequential"


def is_leaf(f: Frame, st: State, ref: Ref, cls: ClassInfo | str) -> bool:
    """Whether the tracer in use records a call of this module as one node. A rule that cannot be decided counts as yes."""
    tracing = f.machine.tracing
    match tracing.rule:
        case LeafRule.DEFAULT:
            return default_leaf(f, cls)
        case LeafRule.UNKNOWN:
            return True
        case LeafRule.METHOD:
            return _by_method(f, st, ref, cls)


def default_leaf(f: Frame, cls: ClassInfo | str) -> bool:
    """Torch's rule: a class whose ``__module__`` starts with "torch.nn", but no Sequential. A class named as a leaf is one too."""
    if cls in f.machine.tracing.leaves:
        return True
    if isinstance(cls, ClassInfo):
        name = module_name(f, cls)
        return name is not None and name.startswith(("torch.nn", "torch.ao.nn")) and _SEQUENTIAL not in cls.mro
    row = library.module_class(cls)
    return row.leaf if row is not None else True


def module_name(f: Frame, cls: ClassInfo) -> str | None:
    """``__module__`` of a class, None where the class computes it."""
    found = classes.find(cls, "__module__")
    if not isinstance(found, tuple):
        return cls.source.module
    value = modulelevel.member_value(f.machine, *found)
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def _by_method(f: Frame, st: State, ref: Ref, cls: ClassInfo | str) -> bool:
    tracer = f.machine.tracing.tracer
    assert tracer is not None
    frame = replace(f, tracing=False, events={}, returns=[], yields=[], loops=[])
    path = _path(frame, st, ref)
    if _overrides(frame, st, tracer, "call_module"):
        hook = attributes.get_attribute(frame, st, 0, tracer, "call_module", 0)
        given = Arguments((ref, Lib(FORWARD), Static("tuple", "arguments of the module"), Static("dict", "arguments of the module")))
        result = calls.call(frame, st, 0, hook, given)
        if result != BY_RULE:
            return result != THROUGH
    if not _overrides(frame, st, tracer, "is_leaf_module"):
        return default_leaf(f, cls)
    hook = attributes.get_attribute(frame, st, 0, tracer, "is_leaf_module", 0)
    match truth(frame, st, calls.call(frame, st, 0, hook, Arguments((ref, path)))):
        case Truth.TRUE:
            return True
        case Truth.FALSE:
            return False
        case Truth.EITHER | Truth.RAISES:
            f.machine.unknowns["is_leaf_module that cannot be decided"] += 1
            return True


def _overrides(f: Frame, st: State, tracer: Ref, name: str) -> bool:
    """Whether the project defines a hook. One that reads the module's path gives other answers for modules that are alike."""
    found = _hook(f, st, tracer, name)
    if found is None:
        return False
    info = func_info(f.machine, found)
    if info is None or any(p.name in info.reads for p in info.func.params[2:]):
        for frame in f.machine.active:
            frame.impure = True
    return True


def _hook(f: Frame, st: State, tracer: Ref, name: str) -> Code | None:
    cls = getattr(load(f, st, tracer), "cls", None)
    found = classes.find(cls, name) if isinstance(cls, ClassInfo) else None
    return found[1].code if isinstance(found, tuple) else None


def _path(f: Frame, st: State, ref: Ref) -> Value:
    """The qualified name of a module below the root, as ``path_of_module`` gives it: the first that is found, level by level."""
    root = f.machine.root
    level: list[tuple[str, Value]] = [("", root)] if root is not None else []
    seen: set[int] = set()
    while level:
        below: list[tuple[str, Value]] = []
        for prefix, value in level:
            if not isinstance(value, Ref) or value.id in seen:
                continue
            if value == ref:
                return Const(prefix)
            seen.add(value.id)
            below.extend((f"{prefix}.{name}" if prefix else name, inner) for name, inner in _members(f, st, value))
        level = below
    return Static("str", "path of a module")


def _members(f: Frame, st: State, ref: Ref) -> list[tuple[str, Value]]:
    obj = load(f, st, ref)
    match obj:
        case ModuleObject(fields=fields) if fields is not None:
            inner = fields.get("")
            return [(n, v) for n, v in fields.items() if n] + (_members(f, st, inner) if isinstance(inner, Ref) else [])
        case Sequence(items=items) if items is not None and obj.kind[0].isupper():
            return [(str(i), v) for i, v in enumerate(items)]
        case Mapping(entries=entries) if obj.kind[0].isupper():
            return [(str(k.value), v) for k, v in entries]
        case _:
            return []


def overridden_answers(f: Frame, st: State, tracer: Ref, name: str, argument: Value) -> bool:
    """Whether a Tracer of the project overrides a hook and lets it answer: one that always ends in torch's own raises as torch does."""
    found = _hook(f, st, tracer, name)
    if found is None:
        return False
    hook = Bound(tracer, Function(found))
    frame = replace(f, tracing=False, events={}, returns=[], yields=[], loops=[])
    return not isinstance(calls.call(frame, st, 0, hook, Arguments((argument,))), Bottom)
