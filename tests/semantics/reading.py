"""The programs of ``programs/``, and what the analysis says of one.

A file holds sections. The title says what tracing does: ``=== breaks: title`` (the import, the trace, or ``use()`` raises), ``silent``
(it traces; then ``Graph.lint`` or a run raises, or something differs from eager execution) or ``fine``. Rows ``# inputs:`` and
``# others:`` hold two tuples of arguments; ``# <- here`` marks the row that is to blame; ``--- name.py`` begins a module beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fxlint.base.analysis import AnalysisSettings
from fxlint.base.finding import Finding, Severity
from fxlint.driver import Request, Study, conclude
from fxlint.interp.entry import analyse
from fxlint.project.discover import Unit
from fxlint.project.modules import Project
from fxlint.registry import Registry
from fxlint.selection import Selection
from tests.examples.observe import program

FOLDER = Path(__file__).parent / "programs"
MARK = "# <- here"
MAIN = "program.py"


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """One section: ``expected`` is breaks, silent or fine; ``source`` lacks the usual imports, ``beside`` holds its other files."""

    family: str
    title: str
    expected: str
    inputs: str
    others: str
    source: str
    beside: Mapping[str, str]

    @property
    def marks(self) -> frozenset[tuple[str, int]]:
        """File and row (1-based, with the imports) of each mark."""
        files = {MAIN: program(self.source), **self.beside}
        return frozenset((name, row) for name, text in files.items() for row, line in enumerate(text.splitlines(), 1) if MARK in line)


def read(path: Path) -> list[Program]:
    """The programs of one file."""
    return [_program(path.stem, section) for section in ("\n" + path.read_text()).split("\n=== ")[1:]]


def _program(family: str, section: str) -> Program:
    head, _, text = section.partition("\n")
    expected, _, title = head.partition(": ")
    main, *rest = text.split("\n--- ")
    asked = {}
    lines = main.splitlines()
    while lines and lines[0].startswith(("# inputs: ", "# others: ")):
        word, _, value = lines.pop(0).removeprefix("# ").partition(": ")
        asked[word] = value
    beside = {name: body.rstrip("\n") + "\n" for name, _, body in (part.partition("\n") for part in rest)}
    return Program(family, title, expected, asked.get("inputs", ""), asked.get("others", ""), "\n".join(lines).rstrip("\n"), beside)


def findings(one: Program, registry: Registry, torch_version: str) -> list[tuple[str, Finding]]:
    """What is said of a program at a level above info, with the name of the file it stands in. The marks are hidden from the analysis."""
    root = PurePosixPath("/project")
    files = {str(root / name): text.replace(MARK, "#") for name, text in {MAIN: program(one.source), **one.beside}.items()}
    settings = AnalysisSettings(roots=("M", "f"), torch_version=torch_version)
    project = Project.of(list(files.items()))
    study = Study(Unit(str(root), tuple(files)), project, analyse(project, settings))
    result = conclude(study, tuple(files), Request(tuple(files), Selection(), settings), registry)
    assert result.errors == ()
    return [(str(PurePosixPath(f.path).relative_to(root)), f) for f in result.findings if f.severity is not Severity.INFO]


def touched(said: list[tuple[str, Finding]], *severities: Severity) -> frozenset[tuple[str, int]]:
    """File and row of all rows on which a finding of one of these severities stands."""
    return frozenset((name, row) for name, f in said if f.severity in severities for row in range(f.row, f.end_row + 1))
