"""The line that closes a report for people: how many findings, and how many of them a command would repair."""

from __future__ import annotations

from collections.abc import Sequence

from fxlint.base.finding import Finding, Safety, Severity


def count(findings: Sequence[Finding]) -> str:
    """``found 2 errors, 1 warning; 1 fixable with `fxlint fix`, 1 more with `--unsafe-fixes```; "nothing to report" without findings."""
    if not findings:
        return "nothing to report"
    parts = []
    for severity in Severity:
        number = sum(finding.severity is severity for finding in findings)
        if number:
            plural = "s" if number > 1 and severity is not Severity.INFO else ""
            parts.append(f"{number} {severity}{plural}")
    said = "found " + ", ".join(parts)
    safe, unsafe = _fixable(findings, Safety.SAFE), _fixable(findings, Safety.UNSAFE)
    if safe:
        said += f"; {safe} fixable with `fxlint fix`" + (f", {unsafe} more with `--unsafe-fixes`" if unsafe else "")
    elif unsafe:
        said += f"; {unsafe} fixable with `fxlint fix --unsafe-fixes`"
    return said


def _fixable(findings: Sequence[Finding], safety: Safety) -> int:
    return sum(finding.fix is not None and bool(finding.fix.edits) and finding.fix.safety is safety for finding in findings)
