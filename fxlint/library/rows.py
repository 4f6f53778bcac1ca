"""The words of the tables: what a call does when tracing meets it.

A row says what happens to *Proxies*; a call without any runs for real, unless the row's behaviour says otherwise. Rows are data;
the functions that find them stand in the other modules of this package. Which torch the generated tables were measured on is
stored in them (``fxlint.library.tables.MEASURED_ON``).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fxlint.base.event import Facet


class Behaviour(Enum):
    """What a call does at trace time."""

    # A Proxy anywhere in its arguments (also inside a tuple, list, dict or slice) is recorded: the result is a Proxy. With none
    # it runs for real and the result is concrete.
    DISPATCHES = "dispatches"
    # Makes a tensor: a concrete one when no Proxy goes in; where a Proxy may go in is told by `fxlint.library.dispatch.factory`.
    FACTORY = "factory"
    # Raises when an argument is a Proxy; `Row.error` is what it says.
    BREAKS = "breaks"
    # Never looks at tensor values: a concrete result whatever the arguments (torch.is_tensor, torch.is_grad_enabled).
    STATIC = "static"
    # Patched by the tracer (math.*): a Proxy in gives a recorded call_function, as `fxlint.library` rows of DISPATCHES do, but only
    # where the call goes through the module's attribute, or through a global of the file whose forward is traced.
    RECORDS = "records"
    # Answered by the object protocol of Proxy (`np.sqrt(proxy)` calls `proxy.sqrt()`, `abs(proxy)` its `__abs__`): a Proxy out.
    PROTOCOL = "protocol"
    # A context manager or decorator that leaves no trace in the graph (no_grad, autocast, record_function).
    CONTEXT = "context"
    # Changes something outside the graph once, at trace time, and gives a concrete result (manual_seed, print, time.sleep).
    EFFECT = "effect"
    # A plain Python function that is not recorded: tracing goes *through* it (checkpoint, vmap, pytree.tree_map); what it does to
    # Proxies is what the functions inside do.
    THROUGH = "through"


@dataclass(frozen=True, slots=True)
class Row:
    """What one function, method or attribute does at trace time.

    ``facet`` is that of the Proxy that results. ``since`` is the first torch version of which ``on_proxy`` is known, ``before`` what
    held in older ones (None: the same). ``error`` is the beginning of torch's (or numpy's, or Python's) message for BREAKS; for CONTEXT,
    EFFECT and THROUGH what a Proxy as an argument raises, where it does; for RECORDS what the function says where it is not patched.
    ``instead`` names the call that traces. ``random``: draws from a generator, so that a call without a Proxy is frozen.
    ``in_place``: writes its first argument (or its receiver). ``returns_tuple``: the number of outputs where it is fixed.
    """

    name: str
    on_proxy: Behaviour
    facet: Facet = Facet.TENSOR
    since: str = ""
    before: Behaviour | None = None
    error: str = ""
    instead: str = ""
    random: bool = False
    in_place: bool = False
    returns_tuple: int | None = None


    def behaviour(self, version: tuple[int, ...]) -> Behaviour:
        """What the call does in a version of torch."""
        old = self.before is not None and self.since and version < tuple(int(n) for n in self.since.split("."))
        return self.before if old and self.before is not None else self.on_proxy


class ArgShape(Enum):
    """All that the argument parser of torch sees of a Proxy in one argument."""

    PLAIN = "plain"  # no Proxy
    NUMBER = "number"  # no Proxy, and surely a Python int, float or bool: no parameter of type Tensor takes it
    PROXY = "proxy"  # the argument is a Proxy
    HOLDS_PROXY = "holds"  # a tuple or list with a Proxy among its items
