"""Runs the analysis over every section of ``tests/mdtest/*.md`` and of ``docs/values.md``, and compares what it says, line by line.

Every event must be expected by a comment and every comment must be met.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fxlint.base.analysis import Analysis, AnalysisSettings
from fxlint.base.event import Event
from fxlint.interp.entry import analyse
from fxlint.project.modules import Project
from tests.mdtest.sections import Section, read

HERE = Path(__file__).parent
MARKDOWN = [*sorted(HERE.glob("*.md")), HERE.parents[1] / "docs" / "values.md"]
SECTIONS = [section for path in MARKDOWN for section in read(path)]


def words(event: Event) -> str:
    """An event as its comment writes it."""
    assumed = ", ".join(sorted(f"{a.kind.value} {a.text}" for a in event.assumptions))
    return f"{event.kind.name} {event.construct}" + (f" [{assumed}]" if assumed else "")


def analysis_of(section: Section) -> Analysis:
    """The analysis of a section."""
    analysis = analyse(Project.of(section.texts().items()), AnalysisSettings(section.roots, section.torch))
    assert not analysis.failures, analysis.failures
    return analysis


def observed(section: Section) -> dict[tuple[str, str], list[str]]:
    """What the analysis says of a section, in the form of ``Section.expected``."""
    texts = section.texts()
    analysis = analysis_of(section)
    out: dict[tuple[str, str], list[str]] = {}
    for path, row, text in analysis.reveals:
        out.setdefault((section.place(path, row), "revealed"), []).append(text)
    for event in analysis.events:
        row = texts[event.site.path].count("\n", 0, event.site.start) + 1
        out.setdefault((section.place(event.site.path, row), "event"), []).append(words(event))
    return {key: sorted(found) for key, found in out.items()}


@pytest.mark.parametrize("section", [pytest.param(s, id=f"{s.markdown.stem}-{s.row}-{s.name}") for s in SECTIONS])
def test_section(section: Section) -> None:
    expected, found = section.expected(), observed(section)
    wrong = [
        f"{place}: {kind}: expected {expected.get((place, kind), [])}, found {found.get((place, kind), [])}"
        for place, kind in sorted({*expected, *found}) if expected.get((place, kind)) != found.get((place, kind))]
    assert not wrong, "\n".join(wrong)


def test_there_are_sections() -> None:
    assert len(SECTIONS) >= 40
    assert len({s.name for s in SECTIONS}) == len(SECTIONS), "two sections share a name"
