"""Every claim that a check makes, held against torch and against the analysis.

Each example and each repaired example is traced for real; the lines marked ``# <- here`` must be what the analysis reports, and no others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from fxlint.api import Example, Outcome
from fxlint.base.analysis import AnalysisSettings
from fxlint.base.finding import Finding
from fxlint.driver import Request, Result, check
from fxlint.registry import Loaded, load
from fxlint.selection import Selection

from .observe import PREAMBLE, observe, program

MARK = "# <- here"
NEAR_MISS = "near miss: "
REGISTRY = load()
CHECKS = tuple(REGISTRY.checks.values())


@dataclass(frozen=True, slots=True)
class Case:
    """One program: an example of a check, or what repairs it."""

    code: str
    example: Example
    repaired: bool

    @property
    def source(self) -> str:
        return self.example.fixed if self.repaired else self.example.source

    @property
    def name(self) -> str:
        """The title as the name of a file and of a test."""
        slug = re.sub(r"[^a-z0-9]+", "_", self.example.title.lower()).strip("_")
        return f"{self.code.lower()}_{slug}{'_fixed' if self.repaired else ''}"

    @property
    def marked(self) -> list[int]:
        """Rows of the file (1-based) that must be reported."""
        return [row for row, line in enumerate(program(self.source).splitlines(), 1) if MARK in line]


CASES = tuple(
    Case(one.check.code, example, repaired)
    for one in CHECKS
    for example in one.check.examples
    for repaired in ((False, True) if example.fixed else (False,))
)


def each_case(*, repaired: bool) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES if case.repaired is repaired])


each_check = pytest.mark.parametrize("loaded", [pytest.param(one, id=one.check.code) for one in CHECKS])


@each_case(repaired=False)
def test_torch_does_with_the_example_what_it_says(case: Case) -> None:
    seen = observe(case.source, case.example.inputs)
    assert seen.outcome is case.example.outcome, seen.text
    assert case.example.error in seen.text


@each_case(repaired=True)
def test_the_repaired_example_traces_and_computes_the_same(case: Case) -> None:
    seen = observe(case.source, case.example.inputs, original=case.example.source)
    assert seen.outcome is Outcome.TRACES, seen.text


@dataclass(frozen=True, slots=True)
class Studied:
    """What one run of the analysis over all programs gave: its result, and the findings by the name of the program."""

    result: Result
    findings: dict[str, list[Finding]]

    def places(self, case: Case) -> list[tuple[str, int]]:
        """Code and row of each finding in a program, in order of place."""
        return [(finding.code, finding.row) for finding in self.findings[case.name]]


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Studied:
    folder = tmp_path_factory.mktemp("programs")
    paths = {str(folder / f"{case.name}.py"): case.name for case in CASES}
    for case in CASES:
        (folder / f"{case.name}.py").write_text(program(case.source))
    settings = AnalysisSettings(torch_version=torch.__version__.partition("+")[0])
    request = Request(tuple(paths), Selection(), settings, str(folder), fixes=True, show_info=True)
    result = check(request, REGISTRY)
    findings: dict[str, list[Finding]] = {case.name: [] for case in CASES}
    for finding in result.findings:
        findings[paths[finding.path]].append(finding)
    return Studied(result, findings)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_the_analysis_reports_the_marked_lines_and_no_others(case: Case, studied: Studied) -> None:
    assert [row for code, row in studied.places(case) if code == case.code] == case.marked


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in CASES if c.repaired or c.example.outcome is Outcome.TRACES])
def test_no_check_calls_what_traces_an_error(case: Case, studied: Studied) -> None:
    assert [place for place in studied.places(case) if place[0][3] in "1234"] == []


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in CASES if not c.repaired and c.marked])
def test_what_is_proposed_repairs_the_example(case: Case, studied: Studied) -> None:
    """Where one finding stands in an example, its proposal makes the example trace and compute what it did in eager mode."""
    findings = studied.findings[case.name]
    if len(findings) != 1 or findings[0].fix is None or not findings[0].fix.edits:
        pytest.skip("no proposal that stands alone")
    text = program(case.source)
    for edit in sorted(findings[0].fix.edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.content + text[edit.end :]
    seen = observe(text, case.example.inputs, original=case.example.source)
    assert seen.outcome is Outcome.TRACES, f"{seen.text}\n{text}"


def test_every_event_has_a_check_that_takes_it(studied: Studied) -> None:
    assert studied.result.errors == ()
    assert {(e.kind.value, e.construct) for e in studied.result.events if not REGISTRY.takers(e)} == set()


def test_every_file_of_checks_is_a_check() -> None:
    folder = Path(__file__).parents[2] / "checks"
    assert REGISTRY.problems == ()
    assert sorted(one.origin for one in CHECKS) == sorted(path.stem for path in folder.glob("tfx*.py"))


@each_check
def test_the_quiet_examples_outnumber_the_marked_ones(loaded: Loaded) -> None:
    examples = loaded.check.examples
    marked = [example for example in examples if MARK in example.source]
    quiet = [example for example in examples if MARK not in example.source]
    near = [example for example in quiet if example.title.startswith(NEAR_MISS)]
    assert len(marked) >= 1
    assert len(near) >= 1
    assert len(quiet) - len(near) >= 2
    assert len(quiet) > len(marked)


@each_check
def test_what_breaks_or_lies_is_marked_and_a_good_example_traces(loaded: Loaded) -> None:
    for example in loaded.check.examples:
        if example.outcome is Outcome.BREAKS:
            assert MARK in example.source, example.title
            assert example.error, example.title
        if MARK not in example.source:
            assert not example.fixed, example.title
        assert MARK not in example.fixed, example.title
        assert not example.source.startswith(PREAMBLE), example.title


@each_check
def test_the_page_has_its_headings_in_order(loaded: Loaded) -> None:
    only_silent = all(e.outcome is not Outcome.BREAKS for e in loaded.check.examples)
    headings = re.findall(r"^## (.*)$", loaded.page, re.MULTILINE)
    assert headings[0] == "What it catches"
    assert headings[1] in ({"Why tracing fails", "Why the graph differs"} if only_silent else {"Why tracing fails"})
    assert headings[2:4] == ["Fix and its safety", "When to ignore"]
