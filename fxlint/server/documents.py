"""What is open in the editor, and what the analysis finds in it. Prints nothing, keeps nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fxlint import config
from fxlint.base.errors import ReadError
from fxlint.base.finding import Finding
from fxlint.base.span import LineIndex, Span
from fxlint.driver import Request, check, merged
from fxlint.project.ignore import Patterns, covers
from fxlint.registry import Registry
from fxlint.request import request
from fxlint.server.positions import moved
from fxlint.syntax import outline


@dataclass(frozen=True, slots=True)
class Document:
    """An open file: its absolute path, how the editor calls it, and the text that the editor shows."""

    path: str
    uri: str
    text: str
    version: int | None


@dataclass(frozen=True, slots=True)
class Analysed:
    """What was found in one open file.

    ``text`` is what was analysed; where the text shown does not parse (``problem`` says why) it is the last one that did. ``texts`` holds
    all files that the findings quote.
    """

    text: str
    findings: tuple[Finding, ...]
    texts: Mapping[str, str]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The open files, each with what was found, and one line for each internal error."""

    files: Mapping[str, Analysed]
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """What a look at the whole project added to (``more``), and took from (``fewer``), the findings of the open files by themselves."""

    text: str  # of the open file, at that time
    more: tuple[Finding, ...]
    fewer: tuple[Finding, ...]


def analyse(documents: Iterable[Document], good: Mapping[str, str], registry: Registry, *, is_whole: bool) -> Outcome:
    """Check ``documents`` as they are shown; a text that does not parse is replaced by the one that ``good`` holds for its path.

    ``is_whole``: look for what is traced in all files of their projects, as ``fxlint check`` does; else in the open ones and what these
    import, which is quick. Raises FxlintError for a configuration that cannot be used.
    """
    shown = {document.path: document.text for document in documents}
    problems = {path: problem for path, text in shown.items() if path in good and (problem := problem_of(text))}
    texts = {path: good[path] if path in problems else text for path, text in shown.items()}
    result = merged([check(replace(asked, only_files=not is_whole), registry) for asked in requests(texts, registry)])
    files = {
        path: Analysed(
            text,
            tuple(finding for finding in result.findings if finding.path == path),
            {**result.texts, path: text},
            problems.get(path, ""),
        )
        for path, text in texts.items()
    }
    return Outcome(files, result.errors)


def correction(quick: Analysed, whole: Analysed) -> Correction:
    """How ``whole`` differs from ``quick``, two looks at the same text."""
    known, told = {_key(finding) for finding in quick.findings}, {_key(finding) for finding in whole.findings}
    more = tuple(finding for finding in whole.findings if _key(finding) not in known)
    return Correction(whole.text, more, tuple(finding for finding in quick.findings if _key(finding) not in told))


def corrected(quick: Analysed, by: Correction) -> Analysed:
    """``quick`` with a correction that was made for the same text or an older one: where lines were changed since, it no longer holds.

    What is added in another text has neither its repair nor its way: these name places of the older one.
    """
    move = moved(by.text, quick.text)
    fewer = {(finding.code, move(Span(finding.start, finding.end))) for finding in by.fewer}
    kept = [finding for finding in quick.findings if (finding.code, Span(finding.start, finding.end)) not in fewer]
    index = LineIndex.of(quick.text)
    added = [_moved(finding, span, index) if by.text != quick.text else finding
             for finding in by.more if (span := move(Span(finding.start, finding.end))) is not None]
    return replace(quick, findings=tuple(sorted([*kept, *added], key=Finding.order)))


def _key(finding: Finding) -> tuple[str, int, int]:
    return finding.code, finding.start, finding.end


def _moved(finding: Finding, span: Span, index: LineIndex) -> Finding:
    (row, column), (end_row, end_column) = index.place(span.start), index.place(span.end)
    return replace(
        finding, start=span.start, end=span.end, row=row, column=column, end_row=end_row, end_column=end_column,
        noqa_row=finding.noqa_row + row - finding.row, fix=None, steps=(),
    )  # fmt: skip


def problem_of(text: str) -> str:
    """Why ``text`` is no Python, "" where it is."""
    try:
        outline.build(text, None, is_package=False)
    except ReadError as error:
        return f"row {error.row}: {error}"
    return ""


def requests(texts: Mapping[str, str], registry: Registry) -> tuple[Request, ...]:
    """What to ask for the open files: a request for each configuration file that governs some of them, less the files that it excludes.

    Raises FxlintError for a configuration that cannot be used.
    """
    groups: dict[Path | None, list[str]] = {}
    for path in sorted(texts):
        groups.setdefault(config.find(Path(path).parent), []).append(path)
    asked = []
    for file, members in sorted(groups.items(), key=lambda group: str(group[0] or "")):
        settings = config.Settings() if file is None else config.load(file)
        excluded = Patterns.of(str(settings.directory or os.sep), settings.exclude)
        wanted = [path for path in members if not covers(excluded, path)]
        if wanted:
            asked.append(request(settings, wanted, registry, texts, fixes=True))
    return tuple(asked)


def fixed(document: Document, texts: Mapping[str, str], registry: Registry) -> str:
    """The text of ``document`` with all safe repairs that change no other file, to a fixed point.

    ``texts`` are the open files, this one included. Raises FxlintError.
    """
    from fxlint.rounds import repair

    alone = [replace(asked, files=(document.path,)) for asked in requests(texts, registry) if document.path in asked.files]
    return repair(alone, registry, lambda path: texts[path], unsafe=False).texts.get(document.path, document.text)
