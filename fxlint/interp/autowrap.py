"""Autowrap: what the tracer wraps without being told by ``torch.fx.wrap``, and through which names the code finds it wrapped.

The tracer patches attributes of the autowrapped modules (``math.sqrt``), and names in the globals of the files whose ``forward`` is the
root or was called since the trace began (``sqrt`` after ``from math import sqrt``). All other ways lead to the function itself.
Source: ``_autowrap_check`` in torch/fx/_symbolic_trace.py, torch 2.13.
"""

from __future__ import annotations

import re
from dataclasses import replace

from fxlint.interp import classes
from fxlint.interp.machine import Frame, Machine
from fxlint.library import lookup as library
from fxlint.project.modules import SourceFile
from fxlint.values.values import Class, ClassInfo, Function, Lib, ModuleFileValue, Value, Wrapped

# A file that binds a function of math to a name of its own.
_BINDS_MATH = re.compile(r"^[ \t]*(?:from\s+math\s+import\b|\w+\s*=\s*math\.)", re.MULTILINE)


def enter_module(m: Machine, cls: ClassInfo | str) -> None:
    """Note that ``forward`` of a module is called, or is the root: the names of its file are patched from now on."""
    found = classes.find(cls, "forward") if isinstance(cls, ClassInfo) else None
    if isinstance(found, tuple) and found[1].code is not None:
        patch(m, found[1].code.source)


def patch(m: Machine, source: SourceFile) -> None:
    """Note that the tracer patches the names of a file."""
    tracing = m.tracing
    if source.path in tracing.patched or not _matters(m, source):
        return
    patched = tracing.patched | {source.path}
    key = (tracing.signature, patched)
    m.tracing = m.patched_tracings.setdefault(key, replace(tracing, patched=patched))
    for frame in m.active:
        frame.impure = True  # a result that is taken from an earlier call would not patch the file


def _matters(m: Machine, source: SourceFile) -> bool:
    if m.tracing.functions or m.tracing.modules != {"math"}:
        return True
    known = m.binds_math.get(source.path)
    if known is None:
        known = m.binds_math[source.path] = _BINDS_MATH.search(source.text) is not None
    return known


def through_name(m: Machine, source: SourceFile, name: str, value: Value) -> Value:
    """What a name in the globals of a file holds while tracing."""
    if source.path not in m.tracing.patched or name.startswith("_"):
        return value
    return Wrapped(value, name, True) if is_wrapped(m, value) else value


def through_module(m: Machine, module: str, name: str, value: Value) -> Value:
    """What attribute ``name`` of an autowrapped module (a dotted name, or the path of a file) holds while tracing."""
    if module not in m.tracing.modules or name.startswith("_"):
        return value
    return Wrapped(value, name, True) if _is_callable(value) else value


def of_module(m: Machine, source: SourceFile, name: str, value: Value) -> Value:
    """What attribute ``name`` of a module of the project holds while tracing."""
    through = through_module(m, source.path, name, value)
    return through if isinstance(through, Wrapped) else through_name(m, source, name, value)


def is_wrapped(m: Machine, value: Value) -> bool:
    """Whether a function is among those that the tracer wraps by identity."""
    tracing = m.tracing
    match value:
        case Lib(dotted):
            return dotted in tracing.functions or (dotted.rpartition(".")[0] in tracing.modules and _is_callable(value))
        case Function(code):
            return code in tracing.functions or (code.source.path in tracing.modules and "." not in code.qualname and code.name[0] != "_")
        case Class(info):
            return info in tracing.functions or (info.source.path in tracing.modules and not info.name.startswith("_"))
        case _:
            return False


def module_key(value: Value) -> str | None:
    """How ``Tracing.modules`` names a module; None for anything else."""
    match value:
        case Lib(dotted):
            return dotted
        case ModuleFileValue(source):
            return source.path
        case _:
            return None


def _is_callable(value: Value) -> bool:
    if isinstance(value, Lib):
        return library.function(value.dotted) is not None
    return isinstance(value, (Function, Class))


def breaks_on(f: Frame, name: str) -> str:
    """What a function of ``math`` raises when it is not patched and is given a Proxy; "" for other functions."""
    row = library.function(name) if f.tracing and name.startswith("math.") else None
    return row.error if row is not None else ""
