"""torch.nn classes: which are leaves, what their constructors set, and what tracing through their forward does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from fxlint.library.tables import table


class Container(Enum):
    """What a torch.nn class holds, for those that hold modules or parameters."""

    NONE = "none"
    SEQUENTIAL = "sequential"  # calls its modules in order; is traced through
    MODULE_LIST = "module-list"
    MODULE_DICT = "module-dict"
    PARAMETER_LIST = "parameter-list"
    PARAMETER_DICT = "parameter-dict"


_CONTAINERS = {
    "torch.nn.Sequential": Container.SEQUENTIAL, "torch.nn.ModuleList": Container.MODULE_LIST, "torch.nn.ModuleDict": Container.MODULE_DICT,
    "torch.nn.ParameterList": Container.PARAMETER_LIST, "torch.nn.ParameterDict": Container.PARAMETER_DICT,
}


class Follows(Enum):
    """How an attribute of an instance follows from the constructor's arguments. ``of`` names arguments of the constructor."""

    ARGUMENT = "argument"  # the argument `of[0]` itself
    TUPLE = "tuple"  # the argument `of[0]` if it is a tuple or a string, else `count` times it (Conv2d.padding)
    ARGUMENT_OR = "argument-or"  # the argument `of[0]`, or `of[1]` where that is None (MaxPool2d.stride)
    TUPLE_OR = "tuple-or"  # as ARGUMENT_OR, then as TUPLE
    CONSTANT = "constant"  # always the Python literal `text`
    PARAMETER = "parameter"  # an nn.Parameter if all arguments named by `of` are true, else None
    BUFFER = "buffer"  # a buffer if all arguments named by `of` are true, else None
    MODULE = "module"  # a module of the class with the dotted name `text`
    VALUE = "value"  # some Python value, or a tensor or None, that the table does not tell


@dataclass(frozen=True, slots=True)
class AttributeRule:
    """One attribute that a class's ``__init__`` sets (see ``Follows``)."""

    name: str
    follows: Follows
    of: tuple[str, ...] = ()
    count: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class InitParam:
    """A parameter of a constructor. ``default`` is a Python literal as text, "" where it is required, "..." where it is no literal.
    ``kind`` is inspect's: positional_or_keyword, keyword_only, var_positional, var_keyword.
    """

    name: str
    kind: str
    default: str


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """A class of torch.nn.

    ``leaf``: a call of an instance of exactly this class stays one node under ``symbolic_trace``. ``through``: the first line of the error
    when its forward is traced *through* (as the base of a user's class, or by ``.forward``) with Proxies for the required arguments, ""
    where that traces, None where it was not measured. ``outputs``: how many outputs a call gives (2 for LSTM). ``bases``: dotted names
    of its nn bases, nearest first. ``forward``: the parameter names of forward.
    """

    name: str
    leaf: bool
    container: Container
    parameters: tuple[InitParam, ...]
    bases: tuple[str, ...]
    attributes: tuple[str, ...]  # names that instances have after __init__ (kernel_size, weight, p, ...)
    rules: tuple[AttributeRule, ...]  # how each of them follows from the arguments
    forward: tuple[str, ...] = ()
    through: str | None = ""
    outputs: int = 1

    def attribute(self, name: str) -> AttributeRule | None:
        """The rule of one attribute; None where the class sets none of that name."""
        return next((rule for rule in self.rules if rule.name == name), None)


def _rule(name: str, entry: list[str]) -> AttributeRule:
    kind, *rest = entry
    follows = Follows(kind)
    match follows:
        case Follows.TUPLE | Follows.TUPLE_OR:
            return AttributeRule(name, follows, tuple(rest[:-1]), int(rest[-1]))
        case Follows.CONSTANT | Follows.MODULE:
            return AttributeRule(name, follows, text=rest[0])
        case _:
            return AttributeRule(name, follows, tuple(rest))


# Layers whose forward takes variable arguments, and spreads the one Proxy that stands for them when they are the root.
SPREADS = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})


@lru_cache(maxsize=512)
def module_class(dotted: str) -> ModuleRow | None:
    """The row of a module class by its canonical dotted name ("torch.nn.Linear"); None for what torch.nn does not name."""
    entry = table("modules").get(dotted)
    if not dotted or entry is None:
        return None
    parameters = tuple(InitParam(p["name"], p["kind"], p.get("default", "")) for p in entry["parameters"])
    rules = tuple(_rule(name, rule) for name, rule in entry["attributes"].items())
    return ModuleRow(
        dotted, entry["leaf"], _CONTAINERS.get(dotted, Container.NONE), parameters, tuple(entry["bases"]), tuple(entry["attributes"]),
            rules,
        tuple(entry["forward"]), entry["through"], entry["outputs"],
    )
