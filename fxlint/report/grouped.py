"""Findings grouped by file: the name of the file, then ``row:column CODE severity: message`` with the columns of numbers aligned."""

from __future__ import annotations

from itertools import groupby

from fxlint.base.finding import Certainty, Finding, Safety, Severity
from fxlint.report.cells import place
from fxlint.report.colours import Paint
from fxlint.report.count import count
from fxlint.report.names import shown
from fxlint.report.view import View


def render(view: View) -> str:
    """All groups with a closing count. ``[*]`` marks what `fxlint fix` repairs."""
    blocks: list[str] = []
    for path, group in groupby(view.result.findings, key=lambda finding: finding.path):
        findings = list(group)
        left = max(len(place(finding).rpartition(":")[0]) for finding in findings)
        right = max(len(str(finding.column)) for finding in findings)
        lines = [_line(finding, left, right, view.paint) for finding in findings]
        blocks.append("\n".join([view.paint.bold(shown(path, view.base)) + ":", *lines]) + "\n")
    return "\n".join([*blocks, count(view.result.findings)]) + "\n"


def _line(finding: Finding, left: int, right: int, paint: Paint) -> str:
    colour = {Severity.ERROR: paint.red, Severity.WARNING: paint.yellow, Severity.INFO: paint.cyan}[finding.severity]
    sure = " (may)" if finding.certainty is Certainty.MAY else ""
    mark = " [*]" if finding.fix is not None and finding.fix.safety is Safety.SAFE else ""
    where = f"{place(finding).rpartition(':')[0]:>{left}}:{finding.column:<{right}}"
    return f"  {where} {colour(f'{finding.code} {finding.severity}{sure}')}:{mark} {finding.message}"
