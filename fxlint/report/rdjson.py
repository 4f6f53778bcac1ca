"""Findings as a DiagnosticResult of reviewdog (https://github.com/reviewdog/reviewdog/tree/master/proto/rdf).

Its columns count bytes of UTF-8, from 1. Repairs that stay in the file of the finding become suggestions, which review tools can apply.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from fxlint.base.event import Step
from fxlint.base.finding import Finding, Safety
from fxlint.base.span import LineIndex
from fxlint.project import notebook
from fxlint.report.names import shown
from fxlint.report.view import View


def render(view: View) -> str:
    """The whole document, with a line end."""
    texts = view.result.texts
    places = {path: LineIndex.of(text) for path, text in texts.items()}
    rows = [_diagnostic(finding, texts, places, view.base) for finding in view.result.findings]
    document = {"source": {"name": "fxlint"}, "severity": "WARNING", "diagnostics": rows}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _diagnostic(finding: Finding, texts: Mapping[str, str], places: Mapping[str, LineIndex], base: str) -> dict[str, object]:
    path = finding.path
    row: dict[str, object] = {
        "message": finding.message,
        "location": {"path": shown(path, base)},
        "severity": finding.severity.value.upper(),
        "code": {"value": finding.code},
    }
    # A file that could not be read has rows, but no text to count bytes in; the text of a notebook is not that of its file.
    if path not in places or path.endswith(notebook.SUFFIX):
        row["location"] = {"path": shown(path, base), "range": {"start": {"line": finding.row}}}
        return row
    text, index = texts[path], places[path]
    row["location"] = {"path": shown(path, base), "range": _range(text, index, finding.start, finding.end)}
    if finding.fix is not None and finding.fix.safety is not Safety.DISPLAY and all(edit.path == path for edit in finding.fix.edits):
        row["suggestions"] = [
            {"range": _range(text, index, edit.start, edit.end), "text": edit.content} for edit in finding.fix.edits
        ]
    related = [_related(step, texts, places, base) for step in finding.steps if step.site.path in places]
    if related:
        row["related_locations"] = related
    return row


def _related(step: Step, texts: Mapping[str, str], places: Mapping[str, LineIndex], base: str) -> dict[str, object]:
    site = step.site
    span = _range(texts[site.path], places[site.path], site.start, site.end)
    return {"message": step.note or step.text, "location": {"path": shown(site.path, base), "range": span}}


def _range(text: str, index: LineIndex, start: int, end: int) -> dict[str, object]:
    return {"start": _position(text, index, start), "end": _position(text, index, end)}


def _position(text: str, index: LineIndex, offset: int) -> dict[str, int]:
    row, column = index.place(offset)
    before = text[offset - column + 1 : offset]
    return {"line": row, "column": len(before.encode("utf-8", "surrogatepass")) + 1}
