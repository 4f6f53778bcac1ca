"""From reports to verdicts, and from predictions to their fate, on data made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fxlint.base.finding import Certainty, Finding, Severity
from fxlint.verify.outcome import Fate, Verdict, about, confront, judge
from fxlint.verify.protocol import Executed, Failure, Incident, IncidentKind, Place, Stage, Status, Step, WorkerReport
from fxlint.verify.runner import Death, Died, Reported


def place(row: int, last: int | None = None) -> Place:
    return Place("net.py", row, 1, last or row, 9, "Net.forward", "text")


def finding(row: int, severity: Severity = Severity.ERROR, last: int | None = None, assumes: tuple[str, ...] = ()) -> Finding:
    return Finding(
        code="TFX101", name="n", path="net.py", start=0, end=1, row=row, column=1, end_row=last or row, end_column=2, message="m",
        severity=severity, certainty=Certainty.MUST, assumes=assumes,
    )  # fmt: skip


GOOD = WorkerReport("2.13.0", "Net", "eval", True, steps=(Step("same output: first call", Status.PASSED),))
BROKE = replace(GOOD, steps=(), failure=Failure(Stage.TRACE, "TraceError", "control flow", (place(9), place(3))))


def verdict(report: WorkerReport, foreign: int = 0) -> tuple[Verdict, str, tuple[str, ...]]:
    judged = judge(Reported(report, 1.0, "", "", foreign))
    return judged.verdict, judged.line, judged.notes


def test_verified_needs_outputs_that_were_compared() -> None:
    assert verdict(GOOD) == (Verdict.VERIFIED, "1 steps passed", ())
    kind, line, _ = verdict(replace(GOOD, steps=(Step("Graph.lint", Status.PASSED), Step("same as eager", Status.SKIPPED, "unsteady"))))
    assert kind is Verdict.TRACES
    assert "unsteady" in line


def test_without_inputs_it_traces_and_says_what_was_not_compared() -> None:
    kind, _, notes = verdict(replace(GOOD, has_inputs=False, steps=(Step("Graph.lint", Status.PASSED),)))
    assert kind is Verdict.TRACES
    assert "not compared" in notes[0]


def test_the_first_failed_step_refutes() -> None:
    steps = (*GOOD.steps, Step("same state", Status.FAILED, "count: 1 against 0"), Step("same gradients", Status.FAILED, "later"))
    assert verdict(replace(GOOD, steps=steps))[:2] == (Verdict.REFUTED, "same state: count: 1 against 0")


def test_a_difference_in_the_other_mode_alone_is_said() -> None:
    other = Step("same output: first call, first shape, train mode", Status.FAILED, "values differ")
    assert "in eval mode, in which it was traced, nothing differs" in verdict(replace(GOOD, steps=(*GOOD.steps, other)))[2][0]
    state = Step("same state after the calls", Status.FAILED, "n: 1")
    assert verdict(replace(GOOD, steps=(*GOOD.steps, other, state)))[2] == ()


def test_broken_names_the_innermost_place() -> None:
    assert verdict(BROKE)[:2] == (Verdict.BROKEN, "net.py:3: TraceError: control flow")


@pytest.mark.parametrize("stage", [Stage.IMPORT, Stage.BUILD, Stage.INPUTS, Stage.EAGER])
def test_what_fails_before_tracing_is_no_verdict_on_tracing(stage: Stage) -> None:
    kind, line, _ = verdict(replace(GOOD, steps=(), failure=Failure(stage, "ValueError", "no")))
    assert kind is Verdict.UNUSABLE
    assert line.endswith("failed: ValueError: no")


def test_memory_is_named() -> None:
    failure = Failure(Stage.BUILD, "RuntimeError", "[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried")
    assert "--memory" in verdict(replace(GOOD, steps=(), failure=failure))[1]


def test_a_dead_child_gives_its_line() -> None:
    judged = judge(Died(Death.TIMEOUT, Stage.TRACE, "stopped after 3 s", 3.0, "", ""))
    assert (judged.verdict, judged.line) == (Verdict.UNUSABLE, "stopped after 3 s")


def test_notes_tell_of_held_defaults_and_foreign_bytes() -> None:
    report = replace(GOOD, plain_failure=BROKE.failure, defaults=("mask",))
    _, _, notes = verdict(report, foreign=7)
    assert notes[0] == "with mask held at the default; symbolic_trace(model) alone: net.py:3: TraceError: control flow"
    assert notes[1].startswith("7 bytes")


def fates(findings: list[Finding], report: WorkerReport) -> list[tuple[int, Fate]]:
    return [(line.row, line.fate) for line in confront(findings, report)]


def executed(*rows: int) -> tuple[Executed, ...]:
    return (Executed("net.py", rows),)


def test_break_on_the_line_confirms_and_an_unpredicted_one_is_missed() -> None:
    met = Incident(IncidentKind.BOOL, place(3), "", 1), Incident(IncidentKind.LEN, place(5), "", 1)
    report = replace(BROKE, executed=executed(3, 5), incidents=met)
    assert fates([finding(3)], report) == [(3, Fate.CONFIRMED), (5, Fate.MISSED)]


def test_the_plain_break_counts_without_a_concolic_run() -> None:
    assert fates([finding(3)], replace(BROKE, executed=executed(3))) == [(3, Fate.CONFIRMED)]
    assert fates([], replace(BROKE, executed=executed(3))) == [(3, Fate.MISSED)]


def test_a_finding_at_the_call_that_leads_to_the_break_is_confirmed() -> None:
    library = replace(place(62), path="lib.py")
    inside = replace(BROKE, executed=executed(9), failure=Failure(Stage.TRACE, "RuntimeError", "no", (place(9), library)))
    met = replace(inside, incidents=(Incident(IncidentKind.RAISED, library, "no", 1),))
    for report in (inside, met):
        assert fates([finding(9)], report) == [(9, Fate.CONFIRMED)]
        assert fates([finding(8)], replace(report, executed=executed(8, 9))) == [(62, Fate.MISSED), (8, Fate.REFUTED)]


def test_a_line_that_ran_without_a_break_refutes_and_one_that_did_not_run_does_not() -> None:
    assert fates([finding(3), finding(4)], replace(GOOD, executed=executed(3))) == [(3, Fate.REFUTED), (4, Fate.NOT_REACHED)]


def test_a_finding_over_several_rows_meets_a_break_in_the_middle() -> None:
    report = replace(BROKE, executed=executed(2, 3), incidents=(Incident(IncidentKind.BOOL, place(3, 4), "", 1),))
    assert fates([finding(2, last=5)], report) == [(2, Fate.CONFIRMED)]


def test_a_finding_on_the_neighbouring_row_is_not_confirmed() -> None:
    report = replace(BROKE, executed=executed(2, 3), incidents=(Incident(IncidentKind.BOOL, place(3), "", 1),))
    assert fates([finding(2)], report) == [(2, Fate.REFUTED), (3, Fate.MISSED)]


def test_an_optional_parameter_that_was_held_decides_nothing() -> None:
    report = replace(GOOD, plain_failure=BROKE.failure, defaults=("mask",), executed=executed(3, 7))
    assert fates([finding(7, assumes=("mask",)), finding(7, assumes=("bias",)), finding(3)], report) == [
        (3, Fate.CONFIRMED),
        (7, Fate.NOT_REACHED),
        (7, Fate.REFUTED),
    ]


def test_a_difference_that_no_finding_explains_is_missed() -> None:
    differs = replace(GOOD, executed=executed(3), steps=(Step("same output", Status.FAILED, "0 against 1"),))
    assert fates([], differs) == [(0, Fate.MISSED)]
    assert fates([finding(3)], differs) == [(0, Fate.MISSED), (3, Fate.REFUTED)]


def test_findings_of_other_files_count_only_where_the_root_reaches_them() -> None:
    reached = replace(finding(1), path="other.py", roots=("Net",))
    assert about([finding(1), replace(finding(1), path="other.py"), reached], "net.py") == (finding(1), reached)


def test_silent_findings_need_a_silent_fact_or_a_difference() -> None:
    silent = finding(3, Severity.WARNING)
    assert fates([silent], replace(GOOD, executed=executed(3))) == [(3, Fate.NOT_OBSERVED)]
    assert fates([silent], replace(GOOD, executed=executed(4))) == [(3, Fate.NOT_REACHED)]
    differs = replace(GOOD, executed=executed(3), steps=(Step("same output", Status.FAILED, "0 against 1"),))
    assert fates([silent], differs) == [(3, Fate.CONFIRMED)]
    asked = replace(BROKE, failure=None, executed=executed(3), incidents=(Incident(IncidentKind.TYPE, place(3), "isinstance", 1),))
    assert fates([silent], asked) == [(3, Fate.CONFIRMED)]
    assert fates([finding(3)], asked) == [(3, Fate.REFUTED)]
