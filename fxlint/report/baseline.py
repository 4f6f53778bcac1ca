"""Baselines: the findings that a project has and lives with, so that only new ones are told.

A finding is known by what ``fxlint.report.fingerprint`` says of it, relative to the folder of the baseline file, and is counted: lines may
move, and a second finding of the same kind on an equal line of the same function is a new one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fxlint.base.errors import UsageError
from fxlint.base.finding import Finding
from fxlint.report.fingerprint import Key, keys

VERSION = 1
_FIELDS = ("file", "code", "function", "line")


@dataclass(frozen=True, slots=True)
class Compared:
    """The findings that a baseline does not hold, how many it holds, and the entries of which there are fewer now, by how many."""

    new: tuple[Finding, ...]
    known: int
    gone: Mapping[Key, int]


def write(findings: Sequence[Finding], texts: Mapping[str, str], folder: Path) -> str:
    """The text of a baseline file in ``folder`` that holds ``findings``: sorted, one entry a line, so that versions are easily compared."""
    counts = Counter(keys(findings, texts, str(folder)))
    entries = [{**dict(zip(_FIELDS, key, strict=True)), "count": count} for key, count in sorted(counts.items())]
    rows = [json.dumps(entry, ensure_ascii=False) for entry in entries]
    return f'{{"version": {VERSION}, "findings": [\n' + ",\n".join(rows) + "\n]}\n"


def load(path: Path) -> Counter[Key]:
    """The entries of a baseline file. Raises UsageError where it cannot be read, or is none."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: not a baseline: {error}") from error
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise UsageError(f"{path}: not a baseline of this version of fxlint; write it again by `fxlint baseline write`")
    try:
        return Counter({tuple(str(row[field]) for field in _FIELDS): int(row["count"]) for row in document["findings"]})  # type: ignore[misc]
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: not a baseline: {type(error).__name__}: {error}") from error


def compare(
    findings: Sequence[Finding], texts: Mapping[str, str], folder: Path, entries: Counter[Key], looked_at: frozenset[str]
) -> Compared:
    """``findings`` against the ``entries`` of a baseline in ``folder``. ``looked_at`` are the files checked, named as in the baseline."""
    left = Counter(entries)
    new: list[Finding] = []
    for finding, key in zip(findings, keys(findings, texts, str(folder)), strict=True):
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(finding)
    gone = {key: count for key, count in sorted(left.items()) if count > 0 and (key[0] in looked_at or not (folder / key[0]).exists())}
    return Compared(tuple(new), len(findings) - len(new), gone)
