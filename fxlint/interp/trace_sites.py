"""Trace sites: by which Tracers, and with which arguments fixed, the code of the project traces its roots.

Two kinds of code say so. A function at module level that traces its own parameter (``def trace(model): ...``) speaks for the roots of its
file. Any other function, and code at module level, that traces an instance of a class speaks for that class. Both are run by the
interpreter, outside any trace; ``fxlint.interp.trace_calls`` notes the calls that trace. Where there is such a site, it stands in place of
a plain ``symbolic_trace``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from fxlint.base.errors import ConfigError, ReadError
from fxlint.base.event import Event
from fxlint.interp import activation, modulelevel
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame, Machine
from fxlint.interp.names import func_info, function_code
from fxlint.interp.state import Mapping, Sequence, State
from fxlint.interp.store import allocate, load
from fxlint.interp.tracing import PLAIN, Sites, TraceSite, Tracing
from fxlint.project.modules import SourceFile
from fxlint.syntax.outline import FunctionOutline, StatementOutline
from fxlint.values.values import Function, Lib, Proxy, Ref, Tuple, Unknown, Value

TRACES = re.compile(r"\b(?:symbolic_trace|\w*Tracer|create_feature_extractor|prepare_fx|prepare_qat_fx)\b|\.trace\(")
_FX = re.compile(r"\bfx\b")
# Calls that are executed to find what one function traces: such code sets a model up and traces it, little else.
MAX_CALLS = 300
_WORD = re.compile(r"[A-Za-z_]\w*")
PLACEHOLDERS = frozenset({"torch.fx.PH"})


@lru_cache(maxsize=4096)
def _mentions(source: SourceFile) -> bool:
    return _FX.search(source.text) is not None and TRACES.search(source.text) is not None


def tracing_functions(source: SourceFile) -> tuple[FunctionOutline, ...]:
    """The functions at module level whose text traces, or calls one that does."""
    if not _mentions(source):
        return ()
    functions = [b.what for b in source.outline.bindings if isinstance(b.what, FunctionOutline)]
    words = {w.start: frozenset(_WORD.findall(source.text, w.start, w.end)) for w in functions}
    found = {w.start for w in functions if TRACES.search(source.text, w.start, w.end) is not None}
    grew = True
    while grew:
        names = {w.name for w in functions if w.start in found}
        more = {w.start for w in functions if w.start not in found and words[w.start] & (names - {w.name})}
        found |= more
        grew = bool(more)
    return tuple(w for w in functions if w.start in found)


def collect(m: Machine, source: SourceFile) -> tuple[list[TraceSite], list[Event]]:
    """The sites that trace something of their own: in functions, whatever they are given, and at module level."""
    sites = m.sites = Sites()
    try:
        for what in tracing_functions(source):
            _run(m, source, what, ())
        _module_level(m, source)
    finally:
        m.sites = None
    return sites.found, sites.events


def _module_level(m: Machine, source: SourceFile) -> None:
    if not _mentions(source):
        return
    stmts = {s.start: s for s in source.outline.statements}
    stmts.update({b.what.start: b.what for b in source.outline.bindings if isinstance(b.what, StatementOutline)})
    names = {w.name for w in tracing_functions(source)}
    for _, stmt in sorted(stmts.items()):
        text = source.text[stmt.start:stmt.end]
        if TRACES.search(text) is None and not names & set(_WORD.findall(text)):
            continue
        try:
            body = m.project.body(source.path, stmt.start, stmt.end)
        except ReadError:
            continue  # the driver has reported the file
        modulelevel.run_detached(m, source, body, body.stmts, "<module>")


def by_parameter(m: Machine, source: SourceFile, root: Value, st: State) -> list[TraceSite]:
    """The sites of functions of a file that trace what they are given, when they are given ``root``."""
    sites = m.sites = Sites()
    try:
        for what in tracing_functions(source):
            _run(m, source, what, (root,), st)
    finally:
        m.sites = None
    return sites.found


def _run(m: Machine, source: SourceFile, what: FunctionOutline, given: tuple[Value, ...], st: State | None = None) -> None:
    """Call a function outside any trace: with ``given`` as each of its parameters in turn, or with nothing known of them."""
    function = Function(function_code(m, source, what))
    info = func_info(m, function.code)
    if info is None or info.func.is_async:
        return
    params = [p.name for p in info.func.params if p.kind in ("pos", "posonly") and p.default is None]
    for chosen in (params or [""])[:3] if given else ("",):
        frame = modulelevel.detached_frame(m, source, info.body, "<trace>")
        values: tuple[Value, ...] = tuple(given[0] if name == chosen else Unknown("argument of a function that traces") for name in params)
        state = State() if st is None else st.copy()
        m.active.append(frame)
        spent, limit = m.steps, m.max_steps
        m.steps, m.max_steps = 0, MAX_CALLS
        try:
            activation.run_function(frame, state, 0, function, Arguments(values))
        finally:
            m.active.pop()
            m.steps, m.max_steps = spent, limit


def tracings(sites: Iterable[TraceSite], root: Value) -> list[Tracing]:
    """How a root is traced, each way once. ``root`` is a function, or the class of a module object."""
    out: dict[object, Tracing] = {}
    for site in sites:
        if site.root == root:
            signature = site.tracing.signature
            out.setdefault(signature, PLAIN if signature == PLAIN.signature else site.tracing)
    return list(out.values())


def chosen(m: Machine, sites: Iterable[TraceSite], sources: list[SourceFile], root: Value, identity: Value, st: State) -> list[Tracing]:
    """How a root is traced: as ``sites`` and the code of its files say, else by the Tracer of the configuration; empty where none does."""
    named = [site for source in sources for site in by_parameter(m, source, root, st)]
    return tracings((*sites, *named), identity) or _configured(m, identity, root, st)


def _configured(m: Machine, identity: Value, root: Value, st: State) -> list[Tracing]:
    """How a root is traced by the Tracer that the configuration names; empty where it names none.

    The Tracer is made without arguments, by the text of a file that would stand beside the package of its class. Raises ConfigError where
    no file of the project defines the class.
    """
    if not m.tracer:
        return []
    module, _, name = m.tracer.rpartition(".")
    home = next((s for p in m.project.given if (s := m.project.file(p)) is not None and s.module == module and name in s.index), None)
    if home is None:
        raise ConfigError(f"tracer: no file of the project defines {m.tracer}")
    path = os.path.join(home.top, "<tracer>.py")
    m.project.texts[path] = f"import torch.fx\nfrom {module} import {name}\n\n\ndef trace(model):\n    return {name}().trace(model)\n"
    source = m.project.file(path)
    assert source is not None, "the text can be parsed"
    return tracings(by_parameter(m, source, root, st), identity)


def begin(m: Machine, tracing: Tracing, root: Ref | None) -> None:
    """Set the machine up for one trace of one root; None where that is a function."""
    m.tracing = tracing
    m.root = root


def concrete(f: Frame, st: State, tracing: Tracing, name: str, position: int, proxy: Proxy) -> Value | None:
    """What ``concrete_args`` binds a parameter to, with a Proxy in each place of ``fx.PH``; None where it is left to be traced."""
    for key, value in tracing.concrete:
        if key in (name, str(position)):
            return _placed(f, st, value, proxy)
    return None


def _placed(f: Frame, st: State, value: Value, proxy: Proxy) -> Value:
    match value:
        case Lib(dotted) if dotted in PLACEHOLDERS:
            return proxy
        case Tuple(items):
            return replace(value, items=tuple(_placed(f, st, v, proxy) for v in items))
        case Ref():
            obj = load(f, st, value)
            if isinstance(obj, Mapping):
                entries = tuple((k, _placed(f, st, v, proxy)) for k, v in obj.entries)
                return allocate(f, st, replace(obj, entries=entries, rest=_placed(f, st, obj.rest, proxy)))
            if isinstance(obj, Sequence):
                placed = None if obj.items is None else tuple(_placed(f, st, v, proxy) for v in obj.items)
                return allocate(f, st, replace(obj, items=placed, element=_placed(f, st, obj.element, proxy)))
            return value
        case _:
            return value
