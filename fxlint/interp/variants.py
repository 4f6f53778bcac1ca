"""Variants: what classes do when their constructors are given something else than the defaults.

After all roots were traced with what the project passes, each class that was traced as itself is traced once more with every
constructor argument open: both arms of each decision on one. Only statements that no trace executed before are listened to: what a
model does as it is usually built is known better from there.
"""

from __future__ import annotations

from fxlint.interp import classes
from fxlint.interp.machine import Machine
from fxlint.interp.names import func_info
from fxlint.values.values import ClassInfo, Static

OPEN = Static("", "constructor argument")


def begin(m: Machine) -> None:
    """From now on, be silent about statements that were executed."""
    m.settled = frozenset(m.covered)


def has_options(m: Machine, info: ClassInfo) -> bool:
    """Whether the constructor of a class takes arguments."""
    found = classes.find(info, "__init__")
    init = func_info(m, found[1].code) if isinstance(found, tuple) and found[1].code is not None else None
    return init is not None and len(init.func.params) > 1
