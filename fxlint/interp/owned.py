"""What a module owns: a Parameter that no module holds under a name cannot be an argument of a node; what forward makes is not owned."""

from __future__ import annotations

from dataclasses import replace

from fxlint.interp.machine import Frame
from fxlint.interp.state import State
from fxlint.values.join import alternatives, union
from fxlint.values.values import Ref, Tensor, Value


def own(st: State, value: Value) -> Value:
    """The value as a module holds it under a name: its Parameters are registered, also under the local names that stand for them."""
    if not any(isinstance(v, Tensor) and not v.registered for v in alternatives(value)):
        return value
    for name, other in st.env.items():
        if other is value:
            st.env[name] = _registered(other)
    return _registered(value)


def _registered(value: Value) -> Value:
    return union(replace(v, registered=True) if isinstance(v, Tensor) else v for v in alternatives(value))


def outlives(f: Frame, ref: Ref) -> bool:
    """Whether a mutable object was made outside the trace, so that what forward does to it stays."""
    return ref.id in f.machine.kept or ref.id in f.machine.global_store
