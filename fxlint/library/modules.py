"""torch.nn classes: leaves, containers, constructors, and the attributes of nn.Module."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from fxlint.library.tables import table


class Container(Enum):
    """What a torch.nn class holds, for those that hold modules or parameters."""

    NONE = "none"
    SEQUENTIAL = "sequential"  # calls its modules in order; traced through
    MODULE_LIST = "module-list"
    MODULE_DICT = "module-dict"
    PARAMETER_LIST = "parameter-list"
    PARAMETER_DICT = "parameter-dict"


_CONTAINERS = {
    "torch.nn.Sequential": Container.SEQUENTIAL, "torch.nn.ModuleList": Container.MODULE_LIST, "torch.nn.ModuleDict": Container.MODULE_DICT,
    "torch.nn.ParameterList": Container.PARAMETER_LIST, "torch.nn.ParameterDict": Container.PARAMETER_DICT,
}


@dataclass(frozen=True, slots=True)
class InitParam:
    """A parameter of a constructor. ``default`` is a Python literal as text, "" where it is required, "..." where it is no literal.
    ``kind`` is inspect's: positional_or_keyword, keyword_only, var_positional, var_keyword."""

    name: str
    kind: str
    default: str


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """A class of torch.nn.

    ``leaf``: a call of an instance of exactly this class stays one node under ``symbolic_trace``. ``through``: the error of its forward
    when it is traced *through* (as the base of a user's class, or by ``.forward``), "" where it traces. ``outputs``: how many outputs
    a call gives (2 for LSTM). ``bases``: dotted names of its nn bases, nearest first.
    """

    name: str
    leaf: bool
    container: Container
    parameters: tuple[InitParam, ...]
    bases: tuple[str, ...]
    attributes: tuple[str, ...]  # names that instances have after __init__ (kernel_size, weight, p, ...)
    through: str = ""
    outputs: int = 1


@lru_cache(maxsize=512)
def module_class(dotted: str) -> ModuleRow | None:
    """The row of a module class by its canonical dotted name ("torch.nn.Linear"); None for what torch.nn does not name."""
    entry = table("modules").get(dotted)
    if not dotted or entry is None:
        return None
    parameters = tuple(InitParam(p["name"], p["kind"], p.get("default", "")) for p in entry["parameters"])
    return ModuleRow(
        dotted, entry["leaf"], _CONTAINERS.get(dotted, Container.NONE), parameters, tuple(entry["bases"]), tuple(entry.get("attributes", ())),
        entry.get("through", ""), entry.get("outputs", 1),
    )
