"""The entry of the interpreter: a project in, events out."""

from __future__ import annotations

import gc
import re
import sys
from dataclasses import replace

from fxlint.base.analysis import RECURSION_LIMIT, Analysis, AnalysisSettings, Unknown
from fxlint.base.event import Event, either
from fxlint.fxcode.facts import module_facts
from fxlint.fxcode.graphcode import graph_events
from fxlint.interp import roots as roots_
from fxlint.interp.machine import Machine
from fxlint.interp.tracing import PLAIN, Tell, untold
from fxlint.project.modules import Project

_FX = re.compile(r"\bfx\b")


def version_tuple(text: str) -> tuple[int, ...]:
    """"2.13.0" as numbers; what follows a sign that is no number is left out."""
    out: list[int] = []
    for part in text.split("+", 1)[0].split("."):
        if not part.isdigit():
            break
        out.append(int(part))
    return tuple(out) or (2, 13)


def analyse(project: Project, settings: AnalysisSettings, tell: Tell = untold) -> Analysis:
    """Trace every root of the project abstractly, and look at the code around fx in its files. ``tell`` hears of the progress."""
    old_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old_limit, RECURSION_LIMIT))
    enabled = gc.isenabled()
    gc.disable()
    try:
        return _analyse(project, settings, tell)
    finally:
        if enabled:
            gc.enable()
        sys.setrecursionlimit(old_limit)


def _analyse(project: Project, settings: AnalysisSettings, tell: Tell) -> Analysis:
    m = Machine(project, version_tuple(settings.torch_version), PLAIN, watch=settings.watch)
    m.declared.update(settings.functions)
    m.tracer = settings.tracer
    run = roots_.trace_all(m, settings.roots, tell)
    for path in project.given:
        source = project.file(path)
        if source is not None and _FX.search(source.text):
            run.events.extend(module_facts(source, project))
            run.events.extend(graph_events(source, project))
    merged = merge_events(run.events)
    unknowns = tuple(Unknown(reason, count) for reason, count in sorted(m.unknowns.items(), key=lambda p: (-p[1], p[0])))
    reveals = tuple((path, row, f"{name}: " * bool(name) + " / ".join(texts)) for (path, row, name), texts in sorted(m.reveals.items()))
    return Analysis(
        merged, unknowns, tuple(run.names), tuple(run.failures), reveals, m.calls, m.unresolved)


EventKey = tuple[object, ...]


def merge_events(events: list[Event]) -> tuple[Event, ...]:
    """One event a place and construct: the one that assumes least, seen from all its roots, in the order of the files."""
    out: dict[EventKey, Event] = {}
    for event in events:
        key = (event.kind, event.construct, event.site)
        old = out.get(key)
        if old is None:
            out[key] = event
            continue
        names = tuple(dict.fromkeys((*old.roots, *event.roots)))[:8]
        keep = old if _weight(old) <= _weight(event) else event
        # What one root needs and another does not says nothing of either.
        needed = either(old.assumptions, event.assumptions) if old.roots == event.roots else keep.assumptions
        out[key] = replace(keep, roots=names, assumptions=needed)
    return tuple(sorted(out.values(), key=lambda e: (e.site.path, e.site.start, e.kind.value, e.construct)))


def _weight(event: Event) -> tuple[int, int]:
    return len(event.assumptions), len(event.stack)


