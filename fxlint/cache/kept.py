"""One analysis, taken from the cache where it still holds, else made and kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fxlint.base.analysis import Analysis
from fxlint.base.errors import ReadError
from fxlint.cache import entries
from fxlint.cache.folder import digest
from fxlint.project.decode import decode
from fxlint.project.modules import Project, Unreadable

STATED = "stated:"  # before the fingerprint of a text that stands in for a file


@dataclass(slots=True)
class Reader:
    """Reads the files of one project, and remembers what it has read. ``texts`` stand in for what is on disk."""

    texts: Mapping[str, str | ReadError]
    fingerprints: dict[str, str] = field(default_factory=dict)

    def text(self, path: str) -> str:
        """The decoded text of a file. Raises ReadError."""
        stated = self.texts.get(path)
        if isinstance(stated, ReadError):
            raise stated
        if stated is not None:
            return stated
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            self.fingerprints[path] = entries.ABSENT
            raise ReadError(f"cannot be read: {error.strerror}") from error
        self.fingerprints[path] = digest(data)
        return decode(path, data).text

    def fingerprint(self, path: str) -> str:
        """What tells one content of a file from another."""
        stated = self.texts.get(path)
        if isinstance(stated, str):
            return STATED + digest(stated.encode("utf-8", "surrogatepass"))
        return entries.fingerprint_of(path)


def analysed(folder: Path | None, question: tuple[object, ...], project: Project, reader: Reader, make: Callable[[], Analysis]) -> Analysis:
    """The analysis of ``project``, whose files ``reader`` reads; made afresh without a ``folder``, or where a text cannot be decoded."""
    if folder is None or any(isinstance(text, ReadError) for text in reader.texts.values()):
        return make()
    name = entries.name(question)
    entry = entries.load(folder, name, reader.fingerprint, os.path.isfile)
    if entry is not None:
        project.judged.update(dict.fromkeys(project.given))
        project.judged.update({problem.path: problem for problem in entry.unreadable})
        return entry.analysis
    analysis = make()
    if not analysis.failures:
        entries.store(folder, name, _entry(project, reader, analysis))
    return analysis


def _entry(project: Project, reader: Reader, analysis: Analysis) -> entries.Entry:
    unreadable: list[Unreadable] = [problem for path in project.given if (problem := project.problem(path)) is not None]
    read = dict(reader.fingerprints)
    read.update({path: reader.fingerprint(path) for path in project.texts if path in reader.texts})
    return entries.Entry(tuple(sorted(read.items())), tuple(sorted(project.looked_for().items())), tuple(unreadable), analysis)
