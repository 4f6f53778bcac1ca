"""The formats of a report by name: each is a module of this package with ``render(view) -> str``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from fxlint.config import OUTPUT_FORMATS
from fxlint.report.view import View


def render(name: str, view: View) -> str:
    """The whole report in the format ``name``, one of OUTPUT_FORMATS."""
    module = importlib.import_module(f"fxlint.report.{OUTPUT_FORMATS[name]}")
    return cast("Callable[[View], str]", module.render)(view)
