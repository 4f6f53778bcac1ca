"""Findings as JSON lines: the objects of ``json``, one on each line, for tools that read while the file grows."""

from __future__ import annotations

import json

from fxlint.report.json_list import records
from fxlint.report.view import View


def render(view: View) -> str:
    """All lines, each with its line end; "" where there is nothing to report."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records(view))
