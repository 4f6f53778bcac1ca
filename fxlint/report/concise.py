"""One line a finding: ``path:row:column: CODE severity: message``."""

from __future__ import annotations

from fxlint.base.finding import Certainty, Finding
from fxlint.driver import Result
from fxlint.report.names import shown


def headline(finding: Finding, base: str) -> str:
    """The line of one finding. A ``may`` says so."""
    sure = " (may)" if finding.certainty is Certainty.MAY else ""
    return f"{shown(finding.path, base)}:{finding.row}:{finding.column}: {finding.code} {finding.severity}{sure}: {finding.message}"


def render(result: Result, base: str) -> str:
    """All lines, each with its line end."""
    return "".join(headline(finding, base) + "\n" for finding in result.findings)
