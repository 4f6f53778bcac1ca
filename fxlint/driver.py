"""From files to findings: analyse the units that the files belong to, ask the checks, judge, silence, select, sort.

Nothing here prints, and nothing here knows how a finding will be shown.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from fxlint.api import Event, FixRequest
from fxlint.base.analysis import RECURSION_LIMIT, Analysis, AnalysisSettings, Unknown
from fxlint.base.errors import FxlintError, ReadError
from fxlint.base.event import Site
from fxlint.base.finding import Certainty, Edit, Finding, Fix, Safety, Severity
from fxlint.cache.kept import Reader, analysed
from fxlint.interp.tracing import Tell, untold
from fxlint.judge import Seen, Verdict, judge
from fxlint.places import Places
from fxlint.project import notebook
from fxlint.project.discover import Unit, units
from fxlint.project.modules import Project, environment
from fxlint.registry import UNREADABLE, UNUSED, Loaded, Registry, catalogue
from fxlint.selection import Selection


@dataclass(frozen=True, slots=True)
class Request:
    """What to check. Paths are absolute. ``texts`` stands in for what is on disk (stdin, an editor)."""

    files: tuple[str, ...]  # whose findings are wanted
    selection: Selection
    settings: AnalysisSettings
    config_folder: str | None = None
    exclude: tuple[str, ...] = ()
    gitignore: bool = True  # whether files that .gitignore names are left out
    follow: str = "project"  # into which files imports are followed, as Project.follow
    severities: tuple[tuple[str, Severity], ...] = ()  # of findings, by prefix of the code: the longest that fits decides
    texts: Mapping[str, str | ReadError] = field(default_factory=lambda: MappingProxyType({}))  # ReadError: could not be decoded
    trees: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))  # ast.Module by path, where parsed already
    only_files: bool = False  # roots are looked for in `files` alone: what --root means; imports are followed all the same
    fixes: bool = False  # whether proposals are wanted: they cost time
    noqa: bool = True  # whether noqa comments count: flake8 sees to them itself
    ignores: bool = True  # whether fxlint's own comments count
    unused: bool = False  # whether comments that silence nothing are findings
    show_info: bool = False
    cache: Path | None = None  # the folder of kept analyses; None: analyse everything afresh
    tell: Tell = untold  # hears how many roots of a unit are traced


@dataclass(frozen=True, slots=True)
class Study:
    """A unit, and what the analysis saw in it."""

    unit: Unit
    project: Project
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Result:
    """Findings in report order, the texts of the files they stand in, what was given up, and one line for each internal error."""

    findings: tuple[Finding, ...]
    texts: Mapping[str, str]
    unknowns: tuple[Unknown, ...] = ()
    events: tuple[Event, ...] = ()
    roots: tuple[str, ...] = ()  # names of what was traced
    errors: tuple[str, ...] = ()
    reveals: tuple[tuple[str, int, str], ...] = ()  # file, row and what a watched name denotes there

    @property
    def exit_code(self) -> int:
        """0 nothing to report, 1 findings, 2 an internal error."""
        return 2 if self.errors else 1 if self.findings else 0


def check(request: Request, registry: Registry) -> Result:
    """The findings in ``request.files``. Raises UsageError for a root that no file holds; all else that fails is in ``Result.errors``."""
    parts: list[Result] = []
    for unit, members in units(request.files, request.config_folder, request.exclude, gitignore=request.gitignore):
        try:
            chosen = replace(unit, files=members) if request.only_files else unit
            with _roomy():
                parts.append(conclude(study(chosen, request), members, request, registry))
        except FxlintError:
            raise
        except Exception as error:  # noqa: BLE001  # the analysis broke: said in one line; other units go on
            parts.append(Result((), {}, errors=(internal(unit.folder, error),)))
    return merged([*parts, Result((), {}, errors=tuple(f"{problem} (please report)" for problem in registry.problems))])


def merged(parts: Sequence[Result]) -> Result:
    """Several results as one, sorted as a whole; an error that several met is told once."""
    texts: dict[str, str] = {}
    for part in parts:
        texts.update(part.texts)
    return Result(
        findings=tuple(sorted((f for part in parts for f in part.findings), key=Finding.order)),
        texts=texts,
        unknowns=tuple(unknown for part in parts for unknown in part.unknowns),
        events=tuple(event for part in parts for event in part.events),
        roots=tuple(sorted({root for part in parts for root in part.roots})),
        errors=tuple(dict.fromkeys(line for part in parts for line in part.errors)),
        reveals=tuple(reveal for part in parts for reveal in part.reveals),
    )


def study(unit: Unit, request: Request) -> Study:
    """Analyse one unit."""
    texts = {path: text for path, text in request.texts.items() if isinstance(text, str)}
    project = Project.of([(path, texts.get(path)) for path in unit.files])
    project.trees.update(request.trees)
    project.follow = request.follow

    reader = Reader(request.texts)
    project.read = reader.text

    def make() -> Analysis:
        from fxlint.interp.entry import analyse  # the interpreter is loaded only where nothing is kept

        return analyse(project, request.settings, request.tell)

    question = (unit, request.settings, request.follow, environment() if request.follow == "installed" else ())
    return Study(unit, project, analysed(request.cache, question, project, reader, make))


def conclude(study: Study, members: tuple[str, ...], request: Request, registry: Registry) -> Result:
    """The findings of one analysed unit that stand in ``members``."""
    wanted = frozenset(members)
    errors: list[str] = []
    seen: dict[tuple[str, Site], list[Seen]] = {}
    for event in study.analysis.events:
        if event.site.path in wanted:
            for loaded in registry.takers(event):
                if request.selection.wants_in(loaded.check.code, event.site.path):
                    way = _ask(loaded, event, study.project, errors)
                    if way is not None:
                        seen.setdefault((loaded.check.code, event.site), []).append(way)
    places = Places(study.project)
    findings: list[Finding] = []
    for (code, site), ways in seen.items():
        verdict = judge(ways)
        verdict = replace(verdict, severity=_severity(code, verdict.severity, request.severities))
        finding = _finding(registry.checks[code], site, verdict, places)
        silenced = places.silenced(site.path, finding.row, code, noqa=request.noqa, own=request.ignores)
        if not silenced and (request.show_info or verdict.severity is not Severity.INFO):
            findings.append(_with_fix(finding, verdict.event, registry.checks[code], study, errors) if request.fixes else finding)
    findings.extend(_unreadable(study.project, members, request))
    if request.unused and not request.only_files and not errors and not study.analysis.failures:
        findings.extend(_unused(places, members, request, registry))
    events = tuple(event for event in study.analysis.events if event.site.path in wanted)
    return Result(
        findings=tuple(sorted((_in_its_cell(finding, places) for finding in findings), key=Finding.order)),
        texts={path: text for path in _told(findings, events) if (text := places.text(path)) is not None},
        unknowns=study.analysis.unknowns,
        events=events,
        roots=study.analysis.roots,
        errors=(*study.analysis.failures, *dict.fromkeys(errors)),
        reveals=study.analysis.reveals,
    )


def _severity(code: str, judged: Severity, said: Sequence[tuple[str, Severity]]) -> Severity:
    fitting = [(len(prefix), severity) for prefix, severity in said if code.startswith(prefix)]
    return max(fitting, key=lambda one: one[0])[1] if fitting else judged


def _told(findings: Sequence[Finding], events: Sequence[Event]) -> list[str]:
    """The files that a report on ``findings`` and ``events`` quotes."""
    paths = {finding.path for finding in findings} | {event.site.path for event in events}
    paths |= {step.site.path for finding in findings for step in finding.steps}
    paths |= {edit.path for finding in findings if finding.fix is not None for edit in finding.fix.edits}
    return sorted(paths)


def internal(place: str, error: BaseException) -> str:
    """The one line that tells of an internal error, with the traceback below it where FXLINT_DEBUG=1."""
    return _told_of(f"internal error in {place}", error)


def _told_of(what: str, error: BaseException) -> str:
    try:
        text = f"{type(error).__name__} {' '.join(str(error).split())}".rstrip()
    except Exception:  # noqa: BLE001  # the text of an error can fail too: a KeyError of a deep syntax tree
        text = type(error).__name__
    line = f"{what}: {text} (please report)"
    if os.environ.get("FXLINT_DEBUG") == "1":
        line += "\n" + "".join(traceback.format_exception(error)).rstrip()
    return line


@contextmanager
def _roomy() -> Iterator[None]:
    """Room for large trees: repairs are worked out on as deep nesting as the interpreter meets (a sum of 900 terms), and the
    garbage collector, which would walk trees over and over that are still in use, waits.
    """
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _ask(loaded: Loaded, event: Event, project: Project, errors: list[str]) -> Seen | None:
    try:
        report = loaded.report(event)
    except Exception as error:  # noqa: BLE001  # a check that raises is named, and the others go on
        errors.append(_failed(loaded, event, project, error))
        return None
    return None if report is None else Seen(event, report.message, report.help, report.severity or loaded.check.severity)


def _failed(loaded: Loaded, event: Event, project: Project, error: Exception) -> str:
    source = project.file(event.site.path)
    row = source.outline.lines.place(event.site.start)[0] if source is not None else 1
    return _told_of(f"{loaded.check.code} failed on {event.site.path}:{row}", error)


def _finding(loaded: Loaded, site: Site, verdict: Verdict, places: Places) -> Finding:
    index = places.index(site.path)
    row, column = index.place(site.start)
    end_row, end_column = index.place(site.end)
    return Finding(
        code=loaded.check.code, name=loaded.check.name, path=site.path, start=site.start, end=site.end, row=row, column=column,
        end_row=end_row, end_column=end_column, message=verdict.message, severity=verdict.severity, certainty=verdict.certainty,
        help=verdict.help, roots=verdict.roots, assumes=verdict.assumes, steps=verdict.event.steps,
        noqa_row=places.lines(site.path).around(row)[1], owner=verdict.event.owner,
    )


def _in_its_cell(finding: Finding, places: Places) -> Finding:
    """The finding with its rows counted as a reader of its notebook does; any other as it is."""
    text = places.text(finding.path) if finding.path.endswith(notebook.SUFFIX) else None
    if text is None:
        return finding
    cell, row = notebook.cell_of(text, finding.row)
    above = finding.row - row
    return replace(finding, cell=cell, row=row, end_row=finding.end_row - above, noqa_row=finding.noqa_row - above)


def _with_fix(finding: Finding, event: Event, loaded: Loaded, study: Study, errors: list[str]) -> Finding:
    if loaded.fix is None:
        return finding
    try:
        requests = loaded.fix(event)
        if not requests:
            return finding
        return replace(finding, fix=_propose(event, requests, study.project))
    except Exception as error:  # noqa: BLE001  # a repair that cannot be worked out costs the repair, not the finding
        errors.append(_failed(loaded, event, study.project, error))
        return finding


def _propose(event: Event, requests: tuple[FixRequest, ...], project: Project) -> Fix | None:
    from fxlint.fixes import propose  # libcst's whole-file side is loaded only where a proposal is shown

    return propose(event, requests, project)


def _unreadable(project: Project, members: tuple[str, ...], request: Request) -> list[Finding]:
    out: list[Finding] = []
    for path in members:
        problem = project.problem(path)
        if problem is not None and request.selection.wants_in(UNREADABLE.code, path):
            out.append(Finding(
                code=UNREADABLE.code, name=UNREADABLE.name, path=path, start=0, end=0, row=problem.row, column=problem.column,
                end_row=problem.row, end_column=problem.column, message=problem.reason, severity=Severity.ERROR,
                certainty=Certainty.MUST, help="nothing in this file was checked", noqa_row=problem.row,
            ))
    return out


def _unused(places: Places, members: tuple[str, ...], request: Request, registry: Registry) -> Iterator[Finding]:
    """Findings on comments that silence nothing. Such a finding is silenced by comments that name its code."""
    codes = tuple(check.code for check in catalogue(registry))
    for path in members:
        if not request.selection.wants_in(UNUSED.code, path):
            continue

        def judged(prefix: str, path: str = path) -> bool:
            return all(request.selection.wants_in(code, path) for code in registry.checks if code.startswith(prefix))

        for one in places.unused(path, codes, judged):
            index, mark = places.index(path), one.mark
            (row, column), (end_row, end_column) = index.place(mark.start), index.place(mark.end)
            around = places.marks(path).covering(UNUSED.code, *places.lines(path).header(row))
            if any(prefix and (request.ignores if places.marks(path).marks[number].is_own else request.noqa) for number, prefix in around):
                continue
            fix = None
            if one.edit is not None and request.fixes:
                fix = Fix("Take away what silences nothing", Safety.SAFE, (Edit(path, *one.edit),))
            yield Finding(
                code=UNUSED.code, name=UNUSED.name, path=path, start=mark.start, end=mark.end, row=row, column=column, end_row=end_row,
                end_column=end_column, message=one.message, severity=_severity(UNUSED.code, UNUSED.severity, request.severities),
                certainty=Certainty.MUST, help=one.help, fix=fix, noqa_row=places.lines(path).around(row)[1],
            )
