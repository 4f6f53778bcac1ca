"""What fx records for a function, node by node with arguments: the data. ``recorder`` makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fxlint.fxcode.graphvalues import Class, Const, Func, Lib, LibObject, Object, Place


@dataclass(frozen=True, slots=True)
class Ref:
    """The result of record number ``index``: a Proxy."""

    index: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """A tensor made while tracing: it becomes a constant of the graph where a node takes it."""


@dataclass(frozen=True, slots=True)
class Group:
    """A tuple, list or dict with these entries; ``keys`` are those of a dict."""

    items: tuple[Recorded, ...]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sub:
    """A submodule of the traced module, at ``path`` ("" for the module itself)."""

    module: Object | LibObject
    path: str


@dataclass(frozen=True, slots=True)
class Bound:
    """Attribute ``name`` of a Proxy, a concrete tensor or a module: not called yet."""

    receiver: Ref | Fixed | Sub
    name: str


Recorded: TypeAlias = Ref | Fixed | Group | Sub | Bound | Const | Lib | Func | Class


@dataclass(frozen=True, slots=True)
class Record:
    """One node. ``target``: a dotted name, a method's name, a module's path, or "wrapped:NAME" for a function under ``fx.wrap``."""

    op: str
    target: str
    args: tuple[Recorded, ...]
    kwargs: tuple[tuple[str, Recorded], ...]
    place: Place
    module: LibObject | None = None  # for call_module: the module


@dataclass(frozen=True, slots=True)
class Recording:
    """The nodes of a graph in order, the last one its output. ``constants`` tells whether a tensor was baked in."""

    records: tuple[Record, ...]
    constants: bool

    def users(self, index: int) -> int:
        """How many nodes use record ``index``."""
        return sum(index in used(r) for r in self.records)


def used(record: Record) -> frozenset[int]:
    """The records that a record takes as arguments."""
    found: set[int] = set()
    stack: list[Recorded] = [*record.args, *(v for _, v in record.kwargs)]
    while stack:
        value = stack.pop()
        if isinstance(value, Ref):
            found.add(value.index)
        elif isinstance(value, Group):
            stack.extend(value.items)
    return frozenset(found)


def matches(pattern: Recording, graph: Recording) -> int:
    """How many times a pattern occurs, by the rules of torch's SubgraphMatcher: op, target, number and spelling of the arguments and
    the types and values of literals must be equal; the pattern's placeholders match anything.
    """
    anchor = pattern.records[-1].args[0] if pattern.records[-1].args else None
    if not isinstance(anchor, Ref):
        return 0
    return sum(_same(pattern, graph, anchor, Ref(i), {}) for i in range(len(graph.records)))


def _same(pattern: Recording, graph: Recording, wanted: Recorded, got: Recorded, known: dict[int, Recorded]) -> bool:
    match wanted, got:
        case Ref(i), _ if pattern.records[i].op == "placeholder":
            return known.setdefault(i, got) == got
        case Ref(i), Ref(j):
            one, other = pattern.records[i], graph.records[j]
            if (one.op, one.target, len(one.args)) != (other.op, other.target, len(other.args)):
                return False
            if [k for k, _ in one.kwargs] != [k for k, _ in other.kwargs]:
                return False
            pairs = zip((*one.args, *(v for _, v in one.kwargs)), (*other.args, *(v for _, v in other.kwargs)), strict=True)
            return all(_same(pattern, graph, a, b, known) for a, b in pairs)
        case Const(a), Const(b):
            return type(a) is type(b) and a == b
        case Group(), Group():
            return len(wanted.items) == len(got.items) and all(
                _same(pattern, graph, a, b, known) for a, b in zip(wanted.items, got.items, strict=True))
        case _:
            return wanted == got


def operation(text: str) -> str:
    """The bare name of an operation, the same for all spellings: ``torch.relu``, ``x.relu()``, ``nn.ReLU`` are "relu"."""
    return text.rpartition(".")[2].rstrip("_").replace("_", "").lower()


IN_PLACE_METHODS = frozenset({"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__"})
RUNNING_STATISTICS = ("torch.nn.BatchNorm", "torch.nn.SyncBatchNorm", "torch.nn.LazyBatchNorm")
# Layers with an argument ``inplace``, the only one of theirs that is a bool. Source: their signatures in torch 2.13.
IN_PLACE_LAYERS = frozenset({
    "AlphaDropout", "CELU", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "ELU", "FeatureAlphaDropout", "Hardsigmoid", "Hardswish",
    "Hardtanh", "LeakyReLU", "Mish", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Threshold",
})
PURE = frozenset({"abs", "bool", "float", "getattr", "hasattr", "int", "isinstance", "len", "max", "min", "range", "repr", "str", "sum"})


def effect(record: Record, mode: str) -> str:
    """What a record does besides giving a result, in words; "" where it does nothing that is known. ``mode``: "eval" switches
    running statistics off.
    """
    switched = {k for k, v in record.kwargs if v == Const(True)}
    last = record.target.rpartition(".")[2]
    if record.op == "call_module":
        dotted = record.module.dotted if record.module is not None else ""
        if dotted.rpartition(".")[2] in IN_PLACE_LAYERS and record.module is not None and Const(True) in record.module.args:
            return "writes in place"
        return "updates its running statistics" if dotted.startswith(RUNNING_STATISTICS) and mode != "eval" else ""
    if record.target.startswith("wrapped:"):
        return "" if record.target.removeprefix("wrapped:") in PURE else "is a wrapped call, made for its effect"
    if last in IN_PLACE_METHODS or (last.endswith("_") and not last.startswith("__") and not last.endswith("__") and last != "and_"):
        return "writes in place"
    if record.op == "call_function" and ("inplace" in switched or any(k == "out" for k, _ in record.kwargs)):
        return "writes in place"
    return ""
