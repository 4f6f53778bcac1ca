"""The formats of a report by name: each is a module of this package with ``render(view) -> str``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from fxlint.config import OUTPUT_FORMATS
from fxlint.report.cells import on_lines_of_files
from fxlint.report.view import View

_ON_LINES = frozenset({"github", "gitlab", "junit", "rdjson", "sarif"})  # read by tools that mark lines of files


def render(name: str, view: View) -> str:
    """The whole report in the format ``name``, one of OUTPUT_FORMATS."""
    if name in _ON_LINES:
        view = on_lines_of_files(view)
    module = importlib.import_module(f"fxlint.report.{OUTPUT_FORMATS[name]}")
    return cast("Callable[[View], str]", module.render)(view)
