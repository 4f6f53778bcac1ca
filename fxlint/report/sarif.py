"""Findings as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), with repairs, the way of the value, and the pages of checks.

Repairs that are only shown, never applied, are left out. Names of files are relative to the folder that fxlint was started in, which is
``%SRCROOT%``; files elsewhere are ``file:`` URIs. Columns count characters (``unicodeCodePoints``). Severities are levels: ``error``,
``warning``, ``note``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import assert_never
from urllib.parse import quote

from fxlint import __version__
from fxlint.api import Check
from fxlint.base.finding import Edit, Finding, Fix, Safety, Severity
from fxlint.base.span import LineIndex
from fxlint.registry import Registry, catalogue, page
from fxlint.report.fingerprint import fingerprints
from fxlint.report.names import shown
from fxlint.report.view import View

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"


def render(view: View) -> str:
    """The whole document, with a line end."""
    return json.dumps(document(view), indent=2, ensure_ascii=False) + "\n"


def document(view: View) -> dict[str, object]:
    """The log: one run; rules are the checks that found something."""
    findings = view.result.findings
    places = {path: LineIndex.of(text) for path, text in view.result.texts.items()}
    codes = sorted({finding.code for finding in findings})
    declared = {check.code: check for check in catalogue(view.registry)}
    prints = fingerprints(findings, view.result.texts, view.base)
    run = {
        "tool": {"driver": {
            "name": "fxlint",
            "version": __version__,
            "semanticVersion": __version__,
            "rules": [_rule(declared[code], view.registry) for code in codes],
        }},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"uri": Path(view.base).as_uri().rstrip("/") + "/"}},
        "invocations": [{
            "executionSuccessful": not view.result.errors,
            "toolExecutionNotifications": [{"level": "error", "message": {"text": line}} for line in view.result.errors],
        }],
        "results": [
            _result(finding, codes.index(finding.code), name, places, view.base)
            for finding, name in zip(findings, prints, strict=True)
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(check: Check, registry: Registry) -> dict[str, object]:
    text = page(check.code, registry).strip()
    return {
        "id": check.code,
        "name": "".join(part.capitalize() for part in check.name.split("-")),
        "shortDescription": {"text": check.summary},
        "fullDescription": {"text": text.partition("\n")[0]},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _level(check.severity)},
    }


def _level(severity: Severity) -> str:
    match severity:
        case Severity.ERROR:
            return "error"
        case Severity.WARNING:
            return "warning"
        case Severity.INFO:
            return "note"
        case _:
            assert_never(severity)


def _result(finding: Finding, rule: int, fingerprint: str, places: Mapping[str, LineIndex], base: str) -> dict[str, object]:
    region = {
        "startLine": finding.row, "startColumn": finding.column, "endLine": finding.end_row, "endColumn": finding.end_column,
    }
    out: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _level(finding.severity),
        "message": {"text": finding.message + (f". {finding.help[:1].upper()}{finding.help[1:]}." if finding.help else "")},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(finding.path, base), "region": region}}],
        "partialFingerprints": {"fxlint/v1": fingerprint},
        "properties": {"certainty": finding.certainty.value, "roots": list(finding.roots), "assumes": list(finding.assumes)},
    }
    steps = [
        {"location": {
            "physicalLocation": {
                "artifactLocation": _artifact(step.site.path, base),
                "region": _region(places[step.site.path], step.site.start, step.site.end),
            },
            "message": {"text": step.note or step.text or "passes here"},
        }}
        for step in finding.steps if step.site.path in places
    ]
    if steps:
        out["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    fix = finding.fix
    if fix is not None and fix.edits and fix.safety is not Safety.DISPLAY and all(edit.path in places for edit in fix.edits):
        out["fixes"] = [_fix(fix, places, base)]
    return out


def _fix(fix: Fix, places: Mapping[str, LineIndex], base: str) -> dict[str, object]:
    files = sorted({edit.path for edit in fix.edits})
    return {
        "description": {"text": f"{fix.message} ({fix.safety.value})"},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path, base),
                "replacements": [_replacement(edit, places[path]) for edit in fix.edits if edit.path == path],
            }
            for path in files
        ],
    }


def _replacement(edit: Edit, index: LineIndex) -> dict[str, object]:
    return {"deletedRegion": _region(index, edit.start, edit.end), "insertedContent": {"text": edit.content}}


def _region(index: LineIndex, start: int, end: int) -> dict[str, int]:
    first, last = index.place(start), index.place(end)
    return {"startLine": first[0], "startColumn": first[1], "endLine": last[0], "endColumn": last[1]}


def _artifact(path: str, base: str) -> dict[str, str]:
    name = shown(path, base)
    return {"uri": Path(path).as_uri()} if os.path.isabs(name) else {"uri": quote(name), "uriBaseId": ROOT}
