"""Names of libraries that stand for a number or for None, and not for a function, class or module (tried on numpy 2.4.6, torch 2.13.0)."""

from __future__ import annotations

import math

CONSTANTS: dict[str, float | None] = {
    **{f"{module}.{name}": value for module in ("math", "numpy", "torch") for name, value in (("pi", math.pi), ("e", math.e))},
    "math.tau": math.tau,
    "numpy.euler_gamma": 0.5772156649015329,
    "numpy.newaxis": None,
    "torch.newaxis": None,
}
# Numbers that are not equal to themselves, or that arithmetic does not change: only their type is kept.
FLOATS = frozenset(f"{module}.{name}" for module in ("math", "numpy", "torch") for name in ("inf", "nan"))
