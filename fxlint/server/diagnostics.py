"""Findings as the protocol's diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from lsprotocol import types

from fxlint.base.event import Step
from fxlint.base.finding import Certainty, Finding, Severity
from fxlint.base.span import Span
from fxlint.registry import UNREADABLE
from fxlint.server.documents import Analysed, Document
from fxlint.server.positions import Encoding, Positions, moved

SOURCE = "fxlint"


def diagnostics(document: Document, analysed: Analysed, encoding: Encoding, *, related: bool) -> list[types.Diagnostic]:
    """What to show in ``document``; findings in an older text are shown where their lines stand now, and left out where these changed.

    ``related``: whether the client takes the way of a value as related places.
    """
    shown = Positions.of(document.text, encoding)
    move = moved(analysed.text, document.text)
    texts = {path: Positions.of(text, encoding) for path, text in analysed.texts.items()}
    found = []
    for finding in analysed.findings:
        span = move(Span(finding.start, finding.end))
        if span is not None:
            steps = [_related(step, texts) for step in finding.steps if step.site.path in texts] if related else None
            found.append(_diagnostic(finding, shown.range(span.start, span.end), steps))
    if analysed.problem:
        found.append(_stale(analysed.problem))
    return found


def message(finding: Finding) -> str:
    """What is said, and below it what to do."""
    sure = " (may)" if finding.certainty is Certainty.MAY else ""
    return finding.message + sure + (f"\nhelp: {finding.help}" if finding.help else "")


def _diagnostic(finding: Finding, where: types.Range, steps: list[types.DiagnosticRelatedInformation] | None) -> types.Diagnostic:
    return types.Diagnostic(
        range=where, message=message(finding), severity=_severity(finding.severity), code=finding.code, source=SOURCE,
        related_information=steps,
    )  # fmt: skip


def _severity(severity: Severity) -> types.DiagnosticSeverity:
    match severity:
        case Severity.ERROR:
            return types.DiagnosticSeverity.Error
        case Severity.WARNING:
            return types.DiagnosticSeverity.Warning
        case Severity.INFO:
            return types.DiagnosticSeverity.Information
        case _:
            assert_never(severity)


def _related(step: Step, texts: Mapping[str, Positions]) -> types.DiagnosticRelatedInformation:
    places = texts[step.site.path]
    where = types.Location(Path(step.site.path).as_uri(), places.range(step.site.start, step.site.end))
    return types.DiagnosticRelatedInformation(where, step.note or step.text or "passes here")


def _stale(problem: str) -> types.Diagnostic:
    top = types.Position(0, 0)
    text = f"the findings are those of the last text that was Python; now {problem}"
    return types.Diagnostic(types.Range(top, top), text, types.DiagnosticSeverity.Information, UNREADABLE.code, source=SOURCE)
