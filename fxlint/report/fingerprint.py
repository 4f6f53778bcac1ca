"""Names of findings that stay when lines move: for tools that follow a finding from one run to the next, and for baselines.

A finding is known by its file (relative to a folder, with ``/``), its code, the function it stands in and the text of its first line with
white space evened out. What these do not tell apart is counted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from fxlint.base.finding import Finding
from fxlint.base.span import LineIndex
from fxlint.report.frame import line
from fxlint.report.names import shown

Key = tuple[str, str, str, str]  # file, code, function, line


def keys(findings: Sequence[Finding], texts: Mapping[str, str], base: str) -> list[Key]:
    """The key of each finding."""
    places = {path: LineIndex.of(text) for path, text in texts.items()}
    return [(shown(one.path, base), one.code, one.owner, _line(one, texts, places)) for one in findings]


def fingerprints(findings: Sequence[Finding], texts: Mapping[str, str], base: str) -> list[str]:
    """32 hexadecimal digits for each finding, no two alike."""
    met: Counter[Key] = Counter()
    out: list[str] = []
    for key in keys(findings, texts, base):
        met[key] += 1
        words = "\0".join((*key, str(met[key])))
        out.append(hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return out


def _line(finding: Finding, texts: Mapping[str, str], places: Mapping[str, LineIndex]) -> str:
    index = places.get(finding.path)
    if index is None:
        return ""
    return " ".join(line(texts[finding.path], index, index.place(finding.start)[0]).split())
