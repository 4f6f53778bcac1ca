"""How often each check found something, the commonest first, in place of the findings."""

from __future__ import annotations

import json
from collections import Counter

from fxlint.base.finding import Safety
from fxlint.report.count import count
from fxlint.report.view import View


def render(view: View) -> str:
    """A table for people: number, code, ``[*]`` where `fxlint fix` repairs all, ``[-]`` where some, the name of the check."""
    rows = [(number, code, name, fixable) for number, code, name, fixable in _rows(view)]
    width = max((len(str(row[0])) for row in rows), default=0)
    lines = [
        f"{number:>{width}}  {view.paint.bold(code)}  {'[*]' if fixable == number else '[-]' if fixable else '[ ]'}  {name}"
        for number, code, name, fixable in rows
    ]
    return "\n".join([*lines, count(view.result.findings)]) + "\n"


def render_json(view: View) -> str:
    """The same as a JSON list of objects: ``code``, ``name``, ``count``, ``fixable`` (by `fxlint fix`, safely)."""
    rows = [{"code": code, "name": name, "count": number, "fixable": fixable} for number, code, name, fixable in _rows(view)]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def _rows(view: View) -> list[tuple[int, str, str, int]]:
    findings = view.result.findings
    numbers = Counter((finding.code, finding.name) for finding in findings)
    fixable = Counter(finding.code for finding in findings if finding.fix is not None and finding.fix.safety is Safety.SAFE)
    return sorted(((number, code, name, fixable[code]) for (code, name), number in numbers.items()), key=lambda row: (-row[0], row[1]))
