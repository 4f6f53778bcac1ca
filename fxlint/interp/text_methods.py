"""Methods of constant strings."""

from __future__ import annotations

from fxlint.base.event import EventKind
from fxlint.interp import iteration, textflow
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Sequence, State
from fxlint.interp.store import allocate, first_proxy
from fxlint.values.values import Const, Static, Value

# Methods that are safe to run on constants, and give a string, a bool or a number.
FOLDED = frozenset(
    "lower upper strip lstrip rstrip startswith endswith replace title capitalize isdigit isalpha isidentifier removeprefix removesuffix "
    "find count zfill".split())

# What the methods of strings give that give no string.
RESULTS: dict[str, str] = {
    **dict.fromkeys("startswith endswith isdigit isalpha isidentifier isnumeric isupper islower isspace isalnum".split(), "bool"),
    **dict.fromkeys("find rfind index rindex count".split(), "int"), **dict.fromkeys("split rsplit splitlines partition".split(), "list"),
}


def text_method(f: Frame, st: State, c: CallSite, value: str, name: str, args: Arguments) -> Value:
    """``"text".name(...)``."""
    constants = [v.value for v in args.positional if isinstance(v, Const)]
    known = len(constants) == len(args.positional) and not args.keywords and args.rest is None
    if name in FOLDED and known:
        try:
            return Const(getattr(value, name)(*constants))
        except (TypeError, ValueError):
            return Static("", f"method {name} of a string")
    if name in ("split", "rsplit", "splitlines", "partition") and known:
        try:
            parts = tuple(Const(p) for p in getattr(value, name)(*constants))
        except (TypeError, ValueError):
            return Static("list", f"method {name} of a string")
        return allocate(f, st, Sequence("list", parts))
    if name == "join" and args.positional:
        items = iteration.elements(f, st, args.positional[0], "join", c.at, c.site(0))
        if isinstance(items, tuple) and all(isinstance(i, Const) and isinstance(i.value, str) for i in items):
            return Const(value.join(str(i.value) for i in items if isinstance(i, Const)))
        return textflow.decided("str", *(items if isinstance(items, tuple) else (items,))) or Static("str", "joined text")
    if name == "format":
        held = first_proxy(f, st, *args.all())
        if held is not None and ":" in value:
            f.emit(st, EventKind.PROXY_NUMBER, "format-spec", c.at, value=held, subject=c.at)
        return textflow.string(f, st, c.at, *args.all()) or Static("str", "formatted text")
    return textflow.decided(RESULTS.get(name, "str"), *args.all()) or Static("", f"method {name} of a string")
