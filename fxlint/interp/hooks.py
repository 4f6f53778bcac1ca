"""Hooks of modules, and a ``forward`` that is set on an instance.

The tracer calls ``type(root).forward`` itself: the root's hooks do not run, and an instance's own ``forward`` is not asked. The hooks of a
module below that is traced through do run, on Proxies; those of a leaf run when the graph does.
"""

from __future__ import annotations

from fxlint.interp import calls
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import ModuleObject, State
from fxlint.interp.store import load
from fxlint.syntax import ir
from fxlint.values.values import NONE, Bottom, Const, Origin, Ref, Static, Tuple, Value

# Where an instance keeps them: names that no Python attribute can have.
HOOKS = "<hooks>"
OVERRIDE = "<forward>"
REGISTER = {"register_forward_hook": "after", "register_forward_pre_hook": "before"}


def fields_of(f: Frame, st: State, ref: Ref) -> dict[str, Value]:
    """The fields of a module that was looked into."""
    obj = load(f, st, ref)
    return (obj.fields or {}) if isinstance(obj, ModuleObject) else {}


def registered(f: Frame, c: CallSite, fields: dict[str, Value], args: Arguments) -> dict[str, Value]:
    """The fields of a module after ``module.register_forward_hook(hook)``."""
    return added(fields, entry(f, REGISTER[c.name], args.get(0, "hook") or NONE, c.at))


def entry(f: Frame, when: str, hook: Value, at: ir.At) -> Value:
    """One hook: when it runs ("before", "after"), what runs, and where it is registered."""
    return Tuple((Const(when), hook, place(f, at)))


def added(fields: dict[str, Value], hook: Value) -> dict[str, Value]:
    """The fields of a module with one more hook."""
    old = fields.get(HOOKS)
    return {**fields, HOOKS: Tuple((*(old.items if isinstance(old, Tuple) else ()), hook))}


def place(f: Frame, at: ir.At) -> Static:
    """A node of the function being read, as a value."""
    return Static("place", "", Origin(f.body, at, ""))


def run(f: Frame, st: State, at: ir.At, ref: Ref, args: Arguments, when: str, result: Value = NONE) -> Value:
    """Run the hooks of a module that is traced through; the result, or for "before" the arguments as a tuple, as the hooks leave it."""
    value = Tuple(args.positional) if when == "before" else result
    hooks = fields_of(f, st, ref).get(HOOKS)
    for hook in hooks.items if isinstance(hooks, Tuple) else ():
        assert isinstance(hook, Tuple)
        if hook.items[0] != Const(when):
            continue
        if isinstance(hook.items[1], Static):
            continue
        given = (ref, value) if when == "before" else (ref, Tuple(args.positional), value)
        returned = calls.call(f, st, at, hook.items[1], Arguments(given))
        if when == "before" and not isinstance(returned, (Tuple, Bottom)) and returned != NONE:
            returned = Tuple((returned,))
        if returned != NONE and not isinstance(returned, Bottom):
            value = returned
    return value
