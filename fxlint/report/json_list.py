"""Findings as JSON, in the shape of ruff's, with what is fxlint's own beside it.

A list of objects: ``code``, ``name``, ``filename``, ``cell`` (the number of the notebook's cell in which rows are counted, or null),
``location`` and ``end_location`` (``row`` and ``column``, 1-based, in characters), ``message``, ``help``, ``fix`` (``applicability``,
``message``, ``edits``) or null, ``noqa_row``, ``url`` (null: the pages ship with the source), ``severity``, ``certainty``, ``roots``,
``assumes`` (optional parameters that must be Proxies) and ``trace`` (how the value got there).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from fxlint.base.finding import Edit, Finding, Fix
from fxlint.base.span import LineIndex
from fxlint.report.cells import cell_and_row
from fxlint.report.names import shown
from fxlint.report.view import View

Places = Mapping[str, tuple[str, LineIndex]]


def render(view: View) -> str:
    """The whole document, with a line end; ``[]`` where there is nothing to report."""
    return json.dumps(records(view), indent=2, ensure_ascii=False) + "\n"


def records(view: View) -> list[dict[str, object]]:
    """One object for each finding, in the order of the report."""
    places = {path: (text, LineIndex.of(text)) for path, text in view.result.texts.items()}
    return [_finding(finding, places, view.base) for finding in view.result.findings]


def _finding(finding: Finding, places: Places, base: str) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": finding.name,
        "filename": shown(finding.path, base),
        "cell": finding.cell or None,
        "location": {"row": finding.row, "column": finding.column},
        "end_location": {"row": finding.end_row, "column": finding.end_column},
        "message": finding.message,
        "help": finding.help,
        "fix": None if finding.fix is None else _fix(finding.fix, places, base),
        "noqa_row": finding.noqa_row,
        "url": None,
        "severity": finding.severity.value,
        "certainty": finding.certainty.value,
        "roots": list(finding.roots),
        "assumes": list(finding.assumes),
        "trace": [
            {
                "filename": shown(step.site.path, base),
                "location": _place(step.site.path, step.site.start, places),
                "end_location": _place(step.site.path, step.site.end, places),
                "text": step.text,
                "note": step.note,
            }
            for step in finding.steps
        ],
    }


def _fix(fix: Fix, places: Places, base: str) -> dict[str, object]:
    return {
        "applicability": fix.safety.value,
        "message": fix.message,
        "edits": [_edit(edit, places, base) for edit in fix.edits],
    }


def _edit(edit: Edit, places: Places, base: str) -> dict[str, object]:
    return {
        "filename": shown(edit.path, base),
        "location": _place(edit.path, edit.start, places),
        "end_location": _place(edit.path, edit.end, places),
        "content": edit.content,
    }


def _place(path: str, offset: int, places: Places) -> dict[str, int] | None:
    if path not in places:
        return None
    text, index = places[path]
    cell, row = cell_and_row(path, text, index, offset)
    return {**({"cell": cell} if cell else {}), "row": row, "column": index.place(offset)[1]}
