"""Library calls that no Proxy goes into: they run for real, once, and the graph keeps what they give."""

from __future__ import annotations

from fxlint.base.event import EventKind, Facet
from fxlint.interp import buffers, python_calls
from fxlint.interp.arguments import Arguments
from fxlint.interp.callsite import CallSite
from fxlint.interp.machine import Frame
from fxlint.interp.state import Sequence, State
from fxlint.interp.store import load
from fxlint.library import lookup as library
from fxlint.library.rows import Behaviour, Row
from fxlint.syntax import ir
from fxlint.values.join import alternatives, type_name
from fxlint.values.values import FALSE, TRUE, Origin, Proxy, Ref, Static, Tensor, Tuple, Union, Unknown, Value

TYPES = {Facet.BOOL: "bool", Facet.DTYPE: "dtype", Facet.DEVICE: "device", Facet.SIZE_ITEM: "int", Facet.NUMBER: "float"}
SIZES = frozenset({Facet.SIZE, Facet.SIZE_ITEM, Facet.NUMBER, Facet.BOOL})
# Functions of torch that give no tensor although their row does not tell what.
OBJECTS = {
    "torch.Generator": "generator", "torch.finfo": "finfo", "torch.iinfo": "iinfo", "torch.Size": "tuple", "torch.device": "device",
    "torch.broadcast_shapes": "tuple", "torch.Stream": "stream",
}


def run(f: Frame, st: State, c: CallSite, row: Row, args: Arguments) -> Value:
    """The result of a call without a Proxy; a draw of random numbers, or of the time, is an event."""
    if row.random and not _own_generator(args):
        drawn(f, st, c.at, c.name)
    if row.on_proxy is Behaviour.RECORDS or c.name.startswith(("math.", "random.", "time.", "builtins.")):
        return python_calls.folded(c.name, args)
    first, _, rest = c.name.partition(".")
    if first == "numpy":
        return Static(library.numpy_result(rest, tuple(_type(f, st, v) for v in args.positional)), c.name)
    if c.name in OBJECTS:
        return Static(OBJECTS[c.name], "made while tracing" if f.tracing else c.name)
    if first == "torch" and row.facet in TYPES and row.on_proxy is not Behaviour.FACTORY:
        return Static(TYPES[row.facet], c.name)
    if first == "torch" and not any(isinstance(v, Unknown) for v in args.all()):
        return buffers.computed(f, st, c.at, *args.all())
    if any(isinstance(v, Unknown) and v.may_be_proxy for v in args.all()):
        return Unknown("library function of an unknown value", True)
    return Tensor("made" if f.tracing else "plain", Origin(f.body, c.at, "")) if first == "torch" else Static("", c.name)


def taken_out(f: Frame, st: State, c: CallSite, args: Arguments, held: Proxy) -> Value | None:
    """What a numpy function that does not take Proxies gives for sizes: numbers of Python, as after ``int``. None for tensors."""
    first, _, rest = c.name.partition(".")
    if first != "numpy" or held.facet not in SIZES:
        return None
    kinds = tuple("int" if isinstance(v, Proxy) else _type(f, st, v) for v in args.positional)
    return Static(library.numpy_result(rest, kinds), f"{c.name} of sizes")


def is_tensor(value: Value) -> Value:
    """``torch.is_tensor`` of what is no Proxy."""
    match value:
        case Tensor():
            return TRUE
        case Unknown() | Static() | Union():
            return Static("bool", "torch.is_tensor")
        case _:
            return FALSE


def drawn(f: Frame, st: State, at: ir.At, name: str) -> None:
    """A call that gives something else each time it runs."""
    construct = {"torch": "torch", "random": "python", "numpy": "numpy"}.get(name.split(".", 1)[0], "time")
    f.emit(st, EventKind.RANDOM, construct, at, callee=name)


def _own_generator(args: Arguments) -> bool:
    """Whether the numbers come from a generator that forward makes: it starts from the same seed at every call."""
    value = args.keyword("generator")
    return isinstance(value, Static) and value.type == "generator" and value.why == "made while tracing"


def _type(f: Frame, st: State, value: Value) -> str:
    """The type of a concrete argument; a list or tuple of numbers has that of its items."""
    obj = load(f, st, value) if isinstance(value, Ref) else value
    items = obj.items if isinstance(obj, (Sequence, Tuple)) else None
    types = {type_name(v) for one in (items if items is not None else (value,)) for v in alternatives(one)}
    return types.pop() if len(types) == 1 else ""
