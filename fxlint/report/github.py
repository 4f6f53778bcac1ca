"""Findings as commands of GitHub's workflows, which show them beside the lines of a pull request.

``::error title=fxlint (TFX101),file=net.py,line=7,col=12,endLine=7,endColumn=23::message``. Values escape ``%``, line ends, ``:`` and ``,``
as the workflow commands of the Actions toolkit do.
"""

from __future__ import annotations

from typing import assert_never

from fxlint.base.finding import Finding, Severity
from fxlint.report.names import shown
from fxlint.report.view import View


def render(view: View) -> str:
    """One command a finding; "" where there is nothing to report."""
    return "".join(_command(finding, view.base) + "\n" for finding in view.result.findings)


def _command(finding: Finding, base: str) -> str:
    path = shown(finding.path, base)
    fields = {
        "title": f"fxlint ({finding.code} {finding.name})",
        "file": path,
        "line": str(finding.row),
        "col": str(finding.column),
        "endLine": str(finding.end_row),
        "endColumn": str(finding.end_column),
    }
    if finding.end_row != finding.row:  # GitHub takes columns for places within one line only
        del fields["col"], fields["endColumn"]
    text = f"{path}:{finding.row}:{finding.column}: {finding.code} {finding.message}" + (f"; {finding.help}" if finding.help else "")
    return f"::{_level(finding.severity)} {','.join(f'{key}={_value(text)}' for key, text in fields.items())}::{_data(text)}"


def _level(severity: Severity) -> str:
    match severity:
        case Severity.ERROR:
            return "error"
        case Severity.WARNING:
            return "warning"
        case Severity.INFO:
            return "notice"
        case _:
            assert_never(severity)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
