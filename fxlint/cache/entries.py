"""Entries: an analysis together with all that it depends on, so that a later run can tell whether it still holds.

The question (which files are analysed together, under which settings, by which fxlint) names the entry. In it stand the fingerprints
of all files that were read and the paths that were looked for, and the answer.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fxlint import __version__
from fxlint.base.analysis import Analysis
from fxlint.cache import folder as folders
from fxlint.cache.codec import FormatError, decode, encode
from fxlint.project.modules import Unreadable

SCHEMA = 1
ABSENT = ""  # the fingerprint of a file that is not there

Fingerprint = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept. ``read``: fingerprints of the files that were read, by path; ``asked``: whether there was a file, by path."""

    read: tuple[tuple[str, str], ...]
    asked: tuple[tuple[str, bool], ...]
    unreadable: tuple[Unreadable, ...]  # of the files that were to be analysed
    analysis: Analysis


def name(*question: object) -> str:
    """The file name of the entry for a question; equal questions put to one fxlint have one name."""
    whole = repr((SCHEMA, __version__, _build(), platform.python_version(), question))
    return f"{folders.digest(whole.encode('utf-8', 'surrogatepass'))}.json"


@cache
def _build() -> tuple[tuple[str, int, int], ...]:
    """The files of this fxlint with sizes (bytes) and times of change (ns): another build may find something else."""
    top = Path(__file__).resolve().parents[1]
    spec = find_spec("fxlint.checks")  # by its spec, for it may stand elsewhere and importing it takes time
    roots = [top, *map(Path, (spec.submodule_search_locations or ()) if spec is not None else ())]
    files = sorted({path for root in roots for path in root.rglob("*.py")})
    return tuple((str(path), (stat := path.stat()).st_size, stat.st_mtime_ns) for path in files)


def load(folder: Path, entry_name: str, fingerprint: Fingerprint, exists: Callable[[str], bool]) -> Entry | None:
    """The kept answer, None where there is none, where something it depends on has changed, or where the entry is damaged."""
    data = folders.read(folder, entry_name)
    if data is None:
        return None
    head, _, rest = data.partition(b"\n")
    if head.decode("ascii", "replace") != folders.digest(rest):
        return None
    try:
        entry = decode(Entry, json.loads(rest))
    except (FormatError, ValueError, RecursionError):
        return None
    if any(fingerprint(path) != kept for path, kept in entry.read) or any(exists(path) != kept for path, kept in entry.asked):
        return None
    return entry


def store(folder: Path, entry_name: str, entry: Entry) -> bool:
    """Keep an answer. False where the folder does not take it, which costs the next run its time and nothing else."""
    rest = json.dumps(encode(entry), ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return folders.write(folder, entry_name, folders.digest(rest).encode("ascii") + b"\n" + rest)


def fingerprint_of(path: str) -> str:
    """The fingerprint of a file on disk; ``ABSENT`` where it cannot be read."""
    try:
        return folders.digest(Path(os.fspath(path)).read_bytes())
    except OSError:
        return ABSENT
