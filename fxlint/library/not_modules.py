"""Names of torch that are functions or classes and that nothing can be imported *from*: there is no module of the name (torch 2.13.0).

``from torch._dynamo.explain import explain`` raises ModuleNotFoundError, although ``torch._dynamo.explain`` exists.
"""

from __future__ import annotations

from fxlint.library.tables import table

_FX = ("GraphModule", "Interpreter", "Transformer", "Tracer", "replace_pattern", "symbolic_trace", "wrap")
_DYNAMO = (
    "allow_in_graph", "assume_constant_result", "disable", "disallow_in_graph", "explain", "export", "forbid_in_graph", "graph_break",
    "is_compiling", "list_backends", "mark_dynamic", "mark_static", "optimize", "register_backend", "reset",
)
NOT_MODULES = frozenset({*(f"torch.fx.{name}" for name in _FX), *(f"torch._dynamo.{name}" for name in _DYNAMO)})


def is_no_module(dotted: str) -> bool:
    """Whether an import from ``dotted`` is known to raise ModuleNotFoundError; False also for whatever has no row."""
    return dotted in NOT_MODULES or (dotted.startswith("torch.") and dotted in table("functions"))
