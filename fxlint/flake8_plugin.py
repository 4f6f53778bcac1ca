"""The flake8 plugin: for a file, the findings that ``fxlint check`` has for it, with the same settings.

flake8 asks file by file; the unit that a file belongs to (its package, or what the configuration governs) is analysed once in
each of flake8's processes and kept as long as no file of it changes. ``# noqa`` is left to flake8, which has ``--disable-noqa``.
"""

from __future__ import annotations

import argparse
import ast
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

from fxlint import __version__
from fxlint.base.errors import FxlintError, UsageError

if TYPE_CHECKING:
    from fxlint.driver import Request, Result, Study
    from fxlint.project.discover import Unit
    from fxlint.registry import Registry

Row: TypeAlias = tuple[int, int, str, type]
Stamp: TypeAlias = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Options:
    """What flake8's command line and its configuration file say to fxlint; the rest is in fxlint's own configuration."""

    config: str = ""
    isolated: bool = False
    roots: tuple[str, ...] = ()
    torch_version: str = ""
    show_info: bool = False


NO_OPTIONS = Options()


class OptionParser(Protocol):
    """What of flake8's OptionManager is used: ``argparse``'s options, with ``parse_from_config`` and ``comma_separated_list`` besides."""

    def add_option(self, *names: str, **properties: object) -> None:
        """Declare one option."""


@dataclass(slots=True)
class Kept:
    """What a process of flake8 keeps between files: the checks, and by the folder of a unit its study (None: no file names torch)."""

    options: Options = NO_OPTIONS
    registry: Registry | None = None
    studies: dict[str, tuple[Stamp, Study | None]] = field(default_factory=dict)


KEPT = Kept()
UNUSABLE = "TFX002"  # flake8 has no exit code and no stream for a run that failed: it becomes a finding


class Plugin:
    """What flake8 makes of each file; it finds the arguments by their names."""

    name: ClassVar[str] = "fxlint"
    version: ClassVar[str] = __version__

    def __init__(self, tree: ast.Module, filename: str, lines: Sequence[str]) -> None:
        self.tree = tree
        self.filename = filename
        self.lines = lines

    @staticmethod
    def add_options(parser: OptionParser) -> None:
        """Declare the options; flake8 takes them from its configuration file too."""
        parser.add_option("--fxlint-config", metavar="FILE", default="", parse_from_config=True, help="the configuration file of fxlint")
        parser.add_option(
            "--fxlint-isolated", action="store_true", default=False, parse_from_config=True, help="ignore configuration files of fxlint")
        parser.add_option(
            "--fxlint-root", metavar="NAMES", default="", comma_separated_list=True, parse_from_config=True,
            help="the classes and functions that are traced")
        parser.add_option(
            "--fxlint-torch-version", metavar="VERSION", default="", parse_from_config=True, help="the torch that traces")
        parser.add_option(
            "--fxlint-show-info", action="store_true", default=False, parse_from_config=True, help="report harmless specialisations too")

    @staticmethod
    def parse_options(options: argparse.Namespace) -> None:
        """Keep what flake8 has read, in each of its processes."""
        KEPT.options = Options(
            options.fxlint_config, options.fxlint_isolated, tuple(options.fxlint_root), options.fxlint_torch_version,
            options.fxlint_show_info)
        KEPT.studies.clear()

    def run(self) -> Iterator[Row]:
        """Rows (1-based), columns (0-based, characters) and texts of the findings in this file."""
        try:
            result = findings(os.path.abspath(self.filename), "".join(self.lines), self.tree)
        except FxlintError as error:
            yield 1, 0, f"{UNUSABLE} {' '.join(str(error).split())}", type(self)
            return
        if result is None:
            return
        for line in result.errors:
            yield 1, 0, f"{UNUSABLE} {' '.join(line.split())}", type(self)
        for finding in result.findings:
            yield finding.row, finding.column - 1, f"{finding.code} {finding.message}", type(self)


def findings(path: str, text: str, tree: ast.Module) -> Result | None:
    """The findings in ``path``, whose text is ``text`` (saved or not); None where nothing in its unit names torch."""
    from fxlint.driver import conclude, study
    from fxlint.project.discover import units
    from fxlint.registry import load

    if KEPT.registry is None:
        KEPT.registry = load()
    request, stamped = _request(path, KEPT.registry)
    ((unit, members),) = units([path], request.config_folder, request.exclude, gitignore=request.gitignore)
    fresh = replace(request, texts={path: text}, trees={path: tree})
    if not _is_saved(path, text):
        return conclude(study(unit, fresh), members, request, KEPT.registry)
    stamp = _stamp((*unit.files, *stamped))
    known = KEPT.studies.get(unit.folder)
    if known is None or known[0] != stamp:
        known = stamp, (study(unit, fresh) if _names_torch(unit) else None)
        KEPT.studies[unit.folder] = known
    return None if known[1] is None else conclude(known[1], members, request, KEPT.registry)


def _request(path: str, registry: Registry) -> tuple[Request, tuple[str, ...]]:
    """The request for one file, and the configuration files that shaped it."""
    from fxlint import config
    from fxlint.cache.folder import standard
    from fxlint.request import request

    said = KEPT.options
    file = None if said.isolated else Path(os.path.abspath(said.config)) if said.config else config.find(Path(path).parent)
    if file is not None and not file.is_file():
        raise UsageError(f"--fxlint-config {said.config}: no such file")
    settings = config.Settings() if file is None else config.load(file)
    settings = replace(
        settings,
        roots=said.roots or settings.roots,
        torch_version=config.torch_version(said.torch_version) if said.torch_version else settings.torch_version,
        show_info=settings.show_info or said.show_info,
    )
    asked = replace(request(settings, (path,), registry), noqa=False, unused=not said.roots, cache=standard())
    return asked, tuple(str(one) for one in settings.files)


def _is_saved(path: str, text: str) -> bool:
    """Whether ``text`` is what the file holds: flake8 reads editors' buffers through standard input."""
    from fxlint.base.errors import ReadError
    from fxlint.project.decode import read

    try:
        return read(Path(path), path).text == text
    except ReadError:
        return False


def _stamp(files: Sequence[str]) -> Stamp:
    """Names, times of change (ns) and sizes (bytes): as long as they stay, a study holds."""
    stats = ((path, os.stat(path)) for path in files if os.path.exists(path))
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)


def _names_torch(unit: Unit) -> bool:
    """Whether any file of the unit mentions torch: where none does, nothing can be traced."""
    for path in unit.files:
        try:
            if b"torch" in Path(path).read_bytes():
                return True
        except OSError:
            continue
    return False
