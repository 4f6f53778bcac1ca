"""Findings as a GitLab code quality report (an artifact of the kind ``codequality``).

Each object: ``description``, ``check_name``, ``fingerprint`` (stays when lines move), ``severity`` (``major``, ``minor``, ``info``) and
``location``.
"""

from __future__ import annotations

import json
from typing import assert_never

from fxlint.base.finding import Finding, Severity
from fxlint.report.fingerprint import fingerprints
from fxlint.report.names import shown
from fxlint.report.view import View


def render(view: View) -> str:
    """The whole document, with a line end."""
    findings = view.result.findings
    prints = fingerprints(findings, view.result.texts, view.base)
    rows = [_issue(finding, name, view.base) for finding, name in zip(findings, prints, strict=True)]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def _issue(finding: Finding, fingerprint: str, base: str) -> dict[str, object]:
    return {
        "description": f"{finding.code}: {finding.message}",
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": _severity(finding.severity),
        "location": {
            "path": shown(finding.path, base),
            "positions": {
                "begin": {"line": finding.row, "column": finding.column},
                "end": {"line": finding.end_row, "column": finding.end_column},
            },
        },
    }


def _severity(severity: Severity) -> str:
    match severity:
        case Severity.ERROR:
            return "major"
        case Severity.WARNING:
            return "minor"
        case Severity.INFO:
            return "info"
        case _:
            assert_never(severity)
