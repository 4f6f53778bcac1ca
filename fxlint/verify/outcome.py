"""From what a child answered to a verdict, and from the verdict's facts to what became of each prediction of the static half."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from fxlint.base.finding import Finding, Fix, Safety, Severity
from fxlint.verify.protocol import Definition, Failure, Incident, IncidentKind, Place, Stage, Status, WorkerReport
from fxlint.verify.runner import Death, Died, Reported


class Verdict(StrEnum):
    """How one text of the model fared."""

    VERIFIED = "verified"  # traces, and the graph equals the model in everything that was tried
    TRACES = "traces"  # traces and lints; there were no inputs, so numbers were not compared
    REFUTED = "refuted"  # traces, and the graph computes or leaves behind something else
    BROKEN = "broken"  # tracing raises
    UNUSABLE = "unusable"  # the target cannot be imported, built, or run in eager mode, or the child died: nothing is known of tracing


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with its reason in one line; ``notes`` are what a reader must know beside it."""

    verdict: Verdict
    line: str
    notes: tuple[str, ...] = ()


class Fate(StrEnum):
    """What became of a prediction, or of a fact that nobody predicted."""

    CONFIRMED = "confirmed"  # it happened at that line
    REFUTED = "refuted"  # the line ran, and it did not happen
    MISSED = "missed"  # it happened, and no finding stands there
    NOT_REACHED = "not reached"  # the line did not run with these inputs
    NOT_OBSERVED = "not observed"  # a silent change was predicted, and no difference showed with these inputs


@dataclass(frozen=True, slots=True)
class Confronted:
    """One line of the comparison: a place ("" and 0 where none is known), what was predicted there (None when missed), what happened."""

    fate: Fate
    path: str
    row: int
    finding: Finding | None
    fact: str


def judge(outcome: Reported | Died) -> Judged:
    """The verdict on one run."""
    if isinstance(outcome, Died):
        return Judged(Verdict.UNUSABLE, outcome.line)
    report = outcome.report
    notes = list(report.notes)
    if outcome.foreign:
        notes.append(f"{outcome.foreign} bytes that were not the checker's arrived on its pipe and were ignored")
    if report.plain_failure is not None:
        notes.insert(0, f"{how(report)}; symbolic_trace(model) alone: {describe(report.plain_failure)}")
    if not report.has_inputs and report.failure is None:
        notes.append("no inputs: numbers, state and gradients were not compared (give --inputs, or define inputs() beside the model)")
    failed = next((step for step in report.steps if step.status is Status.FAILED), None)
    if report.failure is not None:
        verdict = Verdict.BROKEN if report.failure.stage is Stage.TRACE else Verdict.UNUSABLE
        return Judged(verdict, describe(report.failure), tuple(notes))
    if failed is not None:
        other = {"train": "eval mode", "eval": "train mode"}.get(report.mode)
        if other is not None and all(step.name.endswith(other) for step in report.steps if step.status is Status.FAILED):
            notes.append(f"in {report.mode} mode, in which it was traced, nothing differs: trace a model in the mode in which it will run")
        return Judged(Verdict.REFUTED, f"{failed.name}: {failed.detail}", tuple(notes))
    passed = sum(step.status is Status.PASSED for step in report.steps)
    compared = any(step.status is Status.PASSED and step.name.startswith("same output") for step in report.steps)
    if compared:
        return Judged(Verdict.VERIFIED, f"{passed} steps passed", tuple(notes))
    skipped = next((step for step in report.steps if step.status is Status.SKIPPED), None)
    why = f"; {skipped.name} skipped: {skipped.detail}" if skipped is not None else ""
    return Judged(Verdict.TRACES, f"{passed} steps passed{why}", tuple(notes))


def how(report: WorkerReport) -> str:
    """The way in which a root was traced that could not be traced as it is."""
    parts = []
    if report.defaults:
        parts.append(f"with {', '.join(report.defaults)} held at the default")
    if report.wrapper:
        whole = " that keeps it whole as one node" if report.kept_whole else ""
        parts.append(f"through a wrapper module with an explicit forward{whole}")
    if report.both_modes:
        parts.append("once in each mode (a call runs the graph of its mode)")
    return ", ".join(parts) or "as it is"


_CAUSE = {
    Stage.START: "start",
    Stage.IMPORT: "importing the target",
    Stage.BUILD: "building the model",
    Stage.INPUTS: "making the inputs",
    Stage.EAGER: "running the model in eager mode",
    Stage.TRACE: "",
    Stage.RETRACE: "",
    Stage.COMPARE: "",
    Stage.CONCOLIC: "",
}


def describe(failure: Failure) -> str:
    """One line: where, and what was raised; for stages before tracing, what was being done."""
    doing = _CAUSE[failure.stage]
    place = f"{name(failure.chain[-1].path)}:{failure.chain[-1].row}: " if failure.chain else ""
    # A difference is no exception, and TargetError is this package's own: its text says all.
    bare = failure.error in {"Difference", "TargetError"}
    what = failure.message if bare else f"{failure.error}: {failure.message}" if failure.message else failure.error
    if out_of_memory(failure):
        what += " (out of memory: raise the limit with --memory)"
    return f"{doing} failed: {place}{what}" if doing else f"{place}{what}"


def name(path: str) -> str:
    """``path`` as a reader in the current folder calls it."""
    inside = os.path.join(os.getcwd(), "")
    return path.removeprefix(inside)


def out_of_memory(failure: Failure) -> bool:
    """Whether ``failure`` is the memory limit speaking."""
    return failure.error in {"MemoryError", "OutOfMemoryError"} or "can't allocate memory" in failure.message


@dataclass(frozen=True, slots=True)
class _Fact:
    """Something that happened at ``place``; ``callers`` are the user's frames that led there, where they are known."""

    place: Place
    text: str
    silent: bool
    callers: tuple[Place, ...] = ()


_ASKED = {
    IncidentKind.BOOL: "the truth of a Proxy was asked",
    IncidentKind.ITER: "a Proxy was iterated",
    IncidentKind.KEYS: "the keys of a Proxy were asked",
    IncidentKind.LEN: "len() of a Proxy",
    IncidentKind.INT: "int() of a Proxy",
    IncidentKind.FLOAT: "float() of a Proxy",
    IncidentKind.COMPLEX: "complex() of a Proxy",
    IncidentKind.INDEX: "a Proxy was used as an index",
    IncidentKind.ROUND: "round() of a Proxy",
    IncidentKind.CONTAINS: "`in` on a Proxy",
    IncidentKind.SETITEM: "item assignment to a Proxy",
    IncidentKind.DELITEM: "item deletion from a Proxy",
    IncidentKind.FORMAT: "a Proxy was formatted",
    IncidentKind.REVERSED: "reversed() of a Proxy",
    IncidentKind.ARRAY: "numpy was given a Proxy",
    IncidentKind.WITH: "a Proxy was used as a context manager",
    IncidentKind.TORCH_ARGUMENT: "a torch function does not take a Proxy there",
    IncidentKind.TYPE: "a type was asked of a Proxy",
    IncidentKind.RAISED: "an exception",
}


def told(incident: Incident) -> str:
    """What happened, in words."""
    asked = _ASKED[incident.kind]
    return f"{asked}: {incident.detail}" if incident.detail else asked


def _facts(report: WorkerReport) -> list[_Fact]:
    facts = [
        _Fact(incident.place, told(incident), incident.kind is IncidentKind.TYPE)
        for incident in report.incidents
        if incident.place is not None
    ]
    for failure in (report.failure, report.plain_failure):
        if failure is not None and failure.stage is Stage.TRACE and failure.chain:
            place = failure.chain[-1]
            known = [fact for fact in facts if _same_rows(fact.place, place)]
            if not known:
                facts.append(_Fact(place, f"{failure.error}: {failure.message}", False, failure.chain[:-1]))
            facts = [replace(fact, callers=failure.chain[:-1]) if fact in known else fact for fact in facts]
    return facts


def _same_rows(first: Place, second: Place) -> bool:
    same = os.path.realpath(first.path) == os.path.realpath(second.path)
    return same and first.row <= second.end_row and second.row <= first.end_row


def _at(fact: _Fact, finding: Finding) -> bool:
    """Whether the finding stands where it happened, or at a call that led there: a library's inside is not the static half's to read."""
    path = os.path.realpath(finding.path)
    return any(
        os.path.realpath(place.path) == path and place.row <= finding.end_row and finding.row <= place.end_row
        for place in (fact.place, *fact.callers)
    )


def confront(findings: Sequence[Finding], report: WorkerReport, repaired: WorkerReport | None = None) -> tuple[Confronted, ...]:
    """What became of ``findings`` (of the text that ``report`` is about), and what they missed, sorted by place.

    ``repaired`` is the report on the repaired text: silent changes show there, once nothing breaks any more.
    """
    facts = _facts(report)
    executed = {os.path.realpath(part.path): set(part.rows) for part in report.executed}
    reports = (report,) if repaired is None else (report, repaired)
    lines = [_fate(finding, facts, executed.get(os.path.realpath(finding.path), set()), reports) for finding in findings]
    lines += [
        Confronted(Fate.MISSED, fact.place.path, fact.place.row, None, fact.text)
        for fact in facts
        if not any(_at(fact, finding) for finding in findings)
    ]
    silent = [line for line in lines if line.finding is not None and line.finding.severity is not Severity.ERROR]
    explained = any(line.fate is Fate.CONFIRMED for line in silent)
    difference = next((step for step in report.steps if step.status is Status.FAILED), None)
    if difference is not None and not explained:
        lines.append(Confronted(Fate.MISSED, "", 0, None, f"the graph differs: {difference.name}: {difference.detail}"))
    return tuple(sorted(lines, key=lambda line: (line.path, line.row, line.fate)))


def about(findings: Sequence[Finding], path: str) -> tuple[Finding, ...]:
    """The findings that concern the root: those it reaches, and what else stands in ``path``, the target's file."""
    return tuple(finding for finding in findings if finding.roots or os.path.realpath(finding.path) == os.path.realpath(path))


def _fate(finding: Finding, facts: list[_Fact], executed: set[int], reports: tuple[WorkerReport, ...]) -> Confronted:
    def line(fate: Fate, fact: str) -> Confronted:
        return Confronted(fate, finding.path, finding.row, finding, fact)

    report = reports[0]
    here = [fact for fact in facts if _at(fact, finding)]
    breaking = finding.severity is Severity.ERROR
    for fact in here:
        if fact.silent != breaking:
            return line(Fate.CONFIRMED, fact.text)
    if not any(finding.row <= row <= finding.end_row for row in executed):
        return line(Fate.NOT_REACHED, "this line did not run")
    if breaking:
        traced = report.failure is None and report.plain_failure is None
        if finding.assumes and set(finding.assumes) & set(report.defaults) and not traced:
            return line(Fate.NOT_REACHED, f"needs {', '.join(finding.assumes)} as a Proxy; the run held it at its default")
        return line(Fate.REFUTED, "the line ran, and nothing broke there")
    if here:
        return line(Fate.CONFIRMED, here[0].text)
    return _silent(finding, reports, line)


def _silent(finding: Finding, reports: tuple[WorkerReport, ...], line: Callable[[Fate, str], Confronted]) -> Confronted:
    """A predicted silent change against the differences that were seen: no difference tells its line, so any that fits counts."""
    for report in reports:
        plain = report.plain_failure
        if plain is not None and plain.stage is Stage.COMPARE and set(finding.assumes) <= set(report.defaults):
            traced = f"with {', '.join(report.defaults)} traced the graph differs" if report.defaults else "the graph differs"
            return line(Fate.CONFIRMED, f"{traced}: {plain.message}")
        failed = next((step for step in report.steps if step.status is Status.FAILED), None)
        if failed is not None:
            return line(Fate.CONFIRMED, f"the graph differs: {failed.name}: {failed.detail}")
    compared = any(report.has_inputs and report.failure is None for report in reports)
    return line(Fate.NOT_OBSERVED, "no difference showed" if compared else "numbers were not compared")


def no_torch(outcome: Reported | Died) -> str:
    """The line for a child that has no torch, or ""."""
    return outcome.line if isinstance(outcome, Died) and outcome.death is Death.NO_TORCH else ""


@dataclass(frozen=True, slots=True)
class Run:
    """One text of the model and how it fared: "as it is", or "repaired"."""

    title: str
    outcome: Reported | Died
    judged: Judged


@dataclass(frozen=True, slots=True)
class Repairs:
    """What was changed for the repaired run: the fixes applied in memory, the texts that they give, the leaf rules, what is left."""

    fixes: tuple[Fix, ...] = ()
    leaf_classes: tuple[str, ...] = ()
    left: tuple[Finding, ...] = ()  # errors without a repair
    texts: Mapping[str, str] = field(default_factory=dict)  # the new text of each file that changed, by path
    refuted: tuple[Fix, ...] = ()  # tried, and taken back since the model did not come out equal with them


@dataclass(frozen=True, slots=True)
class Trial:
    """All that ``fxlint trace`` reports on one target."""

    target: str
    plain: Run
    repaired: Run | None
    repairs: Repairs
    lines: tuple[Confronted, ...]  # predictions on the text as it is, against the run as it is
    errors: tuple[str, ...] = ()  # of the static half: what it could not do, so its predictions are not whole
    elsewhere: Definition | None = None  # what the static half read, where the target's project does not define the model's class

    @property
    def final(self) -> Run:
        """The run that decides: the repaired one where there is one, unless the text as it is fares better in the way it was traced."""
        if self.repaired is None or rank(self.plain) < rank(self.repaired):
            return self.plain
        return self.repaired


def rank(run: Run) -> int:
    """The lower the better."""
    return _RANK.index(run.judged.verdict)


def suspects(applied: Sequence[Finding], outcome: Reported | Died) -> tuple[Finding, ...]:
    """The repairs to take back after a run that was not verified.

    Those that made or changed the function in which it failed, where that is known; else the unsafe ones; else all.
    """
    failure = outcome.report.failure if isinstance(outcome, Reported) else None
    functions = {place.function.rpartition(".")[2] for place in failure.chain[-1:]} if failure is not None else set()
    there = [
        finding for finding in applied
        if finding.owner.rpartition(".")[2] in functions or any(f"`{name}`" in _words(finding) for name in functions)
    ]  # fmt: skip
    unsafe = [finding for finding in applied if finding.fix is not None and finding.fix.safety is not Safety.SAFE]
    return tuple(there or unsafe or applied)


def _words(finding: Finding) -> str:
    return "" if finding.fix is None else finding.fix.message


_RANK = (Verdict.VERIFIED, Verdict.TRACES, Verdict.REFUTED, Verdict.BROKEN, Verdict.UNUSABLE)
