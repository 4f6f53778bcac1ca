"""What a format is given."""

from __future__ import annotations

from dataclasses import dataclass

from fxlint.driver import Result
from fxlint.registry import Registry
from fxlint.report.colours import PLAIN, Paint


@dataclass(frozen=True, slots=True)
class View:
    """A result, the absolute folder ``base`` that names of files are relative to, the checks, and colours for formats that people read."""

    result: Result
    base: str
    registry: Registry
    paint: Paint = PLAIN
