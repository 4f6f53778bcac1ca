"""Imports by a function: ``importlib.import_module("einops")``, ``__import__("numpy")``. A name that is constant gives the module."""

from __future__ import annotations

from fxlint.interp.arguments import Arguments
from fxlint.interp.builtin_calls import Handler
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.names import target_value
from fxlint.interp.state import State
from fxlint.interp.store import constant_str
from fxlint.project import link
from fxlint.values.join import alternatives, union
from fxlint.values.values import NONE, Value


def _module(f: Frame, name: Value, package: Value, *, top: bool) -> Value:
    text, anchor = constant_str(name), constant_str(package)
    if text is None:
        return f.machine.unknown("import of a module whose name is not known")
    level = len(text) - len(text.lstrip("."))
    if level:
        if anchor is None:
            return f.machine.unknown("relative import from a package that is not known")
        parts = anchor.split(".")
        text = ".".join((*parts[:len(parts) - level + 1], text[level:]))
    dotted = text.split(".", 1)[0] if top else text
    return target_value(f.machine, link.module_target(f.machine.project, f.source, dotted))


def _import_module(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``importlib.import_module(name, package)``."""
    package = args.get(1, "package") or NONE
    return union(_module(f, name, package, top=False) for name in alternatives(args.get(0, "name") or NONE))


def _import(f: Frame, st: State, c: CallSite, args: Arguments) -> Value:
    """``__import__(name)``: gives the package at the top, unless something is asked of the module."""
    wanted = args.get(3, "fromlist")
    return union(_module(f, name, NONE, top=wanted is None) for name in alternatives(args.get(0, "name") or NONE))


HANDLERS: dict[str, Handler] = {"importlib.import_module": _import_module, "builtins.__import__": _import}
