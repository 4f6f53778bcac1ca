"""One line a finding: ``path:row:column: CODE severity: message``; in a notebook ``path:cell N:row:column: ...``."""

from __future__ import annotations

from fxlint.base.finding import Certainty, Finding
from fxlint.report.cells import place
from fxlint.report.names import shown
from fxlint.report.view import View


def headline(finding: Finding, base: str) -> str:
    """The line of one finding. A ``may`` says so."""
    sure = " (may)" if finding.certainty is Certainty.MAY else ""
    return f"{shown(finding.path, base)}:{place(finding)}: {finding.code} {finding.severity}{sure}: {finding.message}"


def render(view: View) -> str:
    """All lines, each with its line end; "" where there is nothing to report."""
    return "".join(headline(finding, view.base) + "\n" for finding in view.result.findings)
