"""How findings in notebooks are placed: by cell and row, for readers; at the top of the file, for tools that mark lines of files."""

from __future__ import annotations

from dataclasses import replace

from fxlint.base.finding import Finding
from fxlint.base.span import LineIndex
from fxlint.project import notebook
from fxlint.report.view import View


def place(finding: Finding) -> str:
    """``row:column``, in a notebook ``cell N:row:column``."""
    return f"{f'cell {finding.cell}:' if finding.cell else ''}{finding.row}:{finding.column}"


def cell_and_row(path: str, text: str, index: LineIndex, offset: int) -> tuple[int, int]:
    """The cell (0 in a Python file) and the row of a character offset of ``text``, the Python text of ``path``."""
    row = index.place(offset)[0]
    return notebook.cell_of(text, row) if path.endswith(notebook.SUFFIX) else (0, row)


def on_lines_of_files(view: View) -> View:
    """The view with findings in notebooks put on the first line: the file's lines are JSON, and no repair is an edit of these."""
    findings = tuple(_on_top(finding) if finding.cell else finding for finding in view.result.findings)
    return replace(view, result=replace(view.result, findings=findings))


def _on_top(finding: Finding) -> Finding:
    message = f"cell {finding.cell}, row {finding.row}: {finding.message}"
    return replace(finding, cell=0, row=1, column=1, end_row=1, end_column=1, message=message, steps=(), fix=None)
