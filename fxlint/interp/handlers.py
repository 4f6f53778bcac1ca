"""``try`` around what does not raise while tracing: recorded operations, and attributes of a Proxy. Its handler is lost."""

from __future__ import annotations

from fxlint.base.event import Facet
from fxlint.interp import expressions, scopes
from fxlint.interp.machine import Frame
from fxlint.interp.state import State
from fxlint.library.tensors import tensor_attribute, tensor_method
from fxlint.syntax import ir
from fxlint.values.values import Lib, Proxy, Value

# What operations on tensors raise; a handler of any other class is for Python code.
RUN_TIME_ERRORS = frozenset({
    "builtins.RuntimeError", "builtins.Exception", "builtins.BaseException", "builtins.IndexError", "builtins.ValueError",
    "builtins.NotImplementedError", "builtins.ArithmeticError", "builtins.ZeroDivisionError", "torch.OutOfMemoryError",
    "torch.cuda.OutOfMemoryError", "torch.linalg.LinAlgError", "torch._C._LinAlgError",
})


def catches_run_time_error(f: Frame, st: State, handler: ir.Handler) -> bool:
    """Whether an except clause would take what a tensor operation raises at run time."""
    if handler.type is None:
        return True
    types = handler.type.items if isinstance(handler.type, ir.Display) else (handler.type,)
    values = [expressions.evaluate(f, st, e) for e in types]
    return any(is_run_time_error(v) for v in values)


def is_run_time_error(value: Value) -> bool:
    """Whether a class of exceptions takes what a tensor operation raises at run time."""
    return isinstance(value, Lib) and value.dotted in RUN_TIME_ERRORS


def asks_for_attribute(f: Frame, st: State, stmt: ir.Try) -> bool:
    """Whether the block reads an attribute that no tensor has from a Proxy held by a name, and a handler is for AttributeError.

    A Proxy gives an ``Attribute`` for every name, so the handler, which eager execution enters, does not run.
    """
    asked = {
        n.base.id for s in stmt.body for n in scopes.walk(s)
        if isinstance(n, ir.Attr) and isinstance(n.base, ir.Name) and not n.name.startswith("__")
        and tensor_attribute(n.name) is None and tensor_method(n.name) is None
    }
    held = [st.env.get(name) for name in asked]
    if not any(isinstance(v, Proxy) and v.facet is Facet.TENSOR for v in held):
        return False
    types = [t for h in stmt.handlers if h.type is not None for t in (h.type.items if isinstance(h.type, ir.Display) else (h.type,))]
    return any(expressions.evaluate(f, st, t) == Lib("builtins.AttributeError") for t in types)
