"""What a hover shows: the finding, how the value got there, what to do, and the page of the check."""

from __future__ import annotations

import re

from lsprotocol import types

from fxlint.base.finding import Finding
from fxlint.base.span import LineIndex
from fxlint.registry import Registry, page
from fxlint.report.full import SAFETY, chain
from fxlint.server.documents import Analysed
from fxlint.server.positions import Positions

_CODE = re.compile(r"TFX\d{3}")


def hover(analysed: Analysed, positions: Positions, position: types.Position, registry: Registry, base: str) -> types.Hover | None:
    """The hover at ``position`` of the text that was analysed, None where there is nothing to tell. ``base``: where short names start."""
    offset = positions.offset(position)
    found = [finding for finding in analysed.findings if finding.start <= offset <= finding.end]
    if found:
        parts = [_finding(finding, analysed, registry, base) for finding in found]
        span = positions.range(found[0].start, found[0].end)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)), span)
    start = positions.index.starts[positions.index.place(offset)[0] - 1]
    line = positions.text[start : positions.end_of_row(positions.index.place(offset)[0])]
    for code in _CODE.finditer(line):
        if start + code.start() <= offset <= start + code.end() and code[0] in registry.checks:
            content = types.MarkupContent(types.MarkupKind.Markdown, _page(code[0], registry))
            return types.Hover(content, positions.range(start + code.start(), start + code.end()))
    return None


def _finding(finding: Finding, analysed: Analysed, registry: Registry, base: str) -> str:
    parts = [f"**{finding.code} {finding.name}** ({finding.severity})", finding.message]
    if finding.steps:
        places = {path: LineIndex.of(text) for path, text in analysed.texts.items()}
        lines = chain(finding.steps, finding.path, analysed.texts, places, base)
        parts.append("How it gets here:\n\n" + "\n".join(f"{number}. {_way(line)}" for number, line in enumerate(lines, 1)))
    if finding.help:
        parts.append(f"Help: {finding.help}")
    if finding.fix is not None:
        parts.append(f"Fix: {finding.fix.message} ({SAFETY[finding.fix.safety]})")
    if finding.code in registry.checks:
        parts += ["---", _page(finding.code, registry)]
    return "\n\n".join(parts)


def _way(line: str) -> str:
    return line.removeprefix("-> ").strip()


def _page(code: str, registry: Registry) -> str:
    """The page of a check with headings of a size that fits a hover."""
    return re.sub(r"^#+ (.*)$", r"**\1**", page(code, registry).strip(), flags=re.MULTILINE)
