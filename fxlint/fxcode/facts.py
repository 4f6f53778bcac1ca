"""Module facts: what a file gets wrong about ``torch.fx.wrap`` and Tracer classes, whatever is traced. The second source of events."""

from __future__ import annotations

from collections.abc import Iterator

from fxlint.base.event import Event
from fxlint.fxcode.facts_tracer import tracer_events
from fxlint.fxcode.facts_wrap import bypassing_calls, captures, wrap_events
from fxlint.project.modules import Project, SourceFile


def module_facts(source: SourceFile, project: Project) -> Iterator[Event]:
    """What goes wrong in a file's uses of wrap, its Tracer classes and its trace sites, in source order."""
    found = [*wrap_events(project, source), *bypassing_calls(project, source), *captures(project, source), *tracer_events(project, source)]
    yield from sorted(found, key=lambda e: (e.site.path, e.site.start, e.kind.value, e.construct))
