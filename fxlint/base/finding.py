"""Findings: what a user reads, as data, and the edits that a finding may carry."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fxlint.base.event import Step


class Severity(StrEnum):
    """How bad: tracing breaks; it traces but computes something else (or may break); it is specialised harmlessly."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Certainty(StrEnum):
    """``must``: it happens whenever the named conditions hold. ``may``: it rests on a value that was assumed."""

    MUST = "must"
    MAY = "may"


class Safety(StrEnum):
    """``safe``: provably the same numbers. ``unsafe``: needs ``--unsafe-fixes``. ``display``: shown, never applied."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters ``start <= i < end`` of ``path`` (decoded text) by ``content``."""

    path: str
    start: int
    end: int
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that repair one finding, with what they do in words and how far they may be trusted."""

    message: str
    safety: Safety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. Rows and columns are 1-based, columns count characters; ``start``/``end`` are offsets.

    In a notebook, whose text is its code cells one below the other, rows count from the top of the cell; offsets are in the whole text.
    """

    code: str
    name: str
    path: str
    start: int
    end: int
    row: int
    column: int
    end_row: int
    end_column: int
    message: str
    severity: Severity
    certainty: Certainty
    help: str = ""  # what to do, one or two sentences
    roots: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()  # optional parameters that must be Proxies
    steps: tuple[Step, ...] = ()
    fix: Fix | None = None
    noqa_row: int = 0  # the row where a noqa comment is put: the last of the logical line
    owner: str = ""
    cell: int = 0  # the 1-based number of the notebook's cell, 0 in a Python file

    def order(self) -> tuple[str, int, int, int, str, str]:
        """The key by which reports are sorted: file, cell, row, column, code, message."""
        return self.path, self.cell, self.row, self.column, self.code, self.message
