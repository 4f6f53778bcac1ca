"""``try`` around recorded operations: they do not raise while tracing, so a handler for what they raise at run time is lost."""

from __future__ import annotations

from fxlint.interp import expressions
from fxlint.interp.machine import Frame
from fxlint.interp.state import State
from fxlint.syntax import ir
from fxlint.values.values import Lib

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
    return any(isinstance(v, Lib) and v.dotted in RUN_TIME_ERRORS for v in values)
