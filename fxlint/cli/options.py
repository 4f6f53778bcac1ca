"""Options that commands of the static half share, and the way from them to requests for the driver."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fxlint import config
from fxlint.base.errors import ReadError, UsageError
from fxlint.cache.folder import VARIABLE, standard
from fxlint.cli import progress
from fxlint.config import Settings
from fxlint.driver import Request, Result, check, merged
from fxlint.project.decode import decode
from fxlint.project.discover import expand
from fxlint.project.ignore import Patterns, covers
from fxlint.registry import Registry, catalogue
from fxlint.request import request
from fxlint.selection import prefixes

STDIN = "-"
MOST_ERRORS = 10  # one mistake of ours can fail a thousand roots


@dataclass(frozen=True, slots=True)
class Plan:
    """What a command line asks for: one request for each configuration file that governs some of the files, each with its settings."""

    requests: tuple[Request, ...]
    governing: tuple[Settings, ...]  # of the requests, or, where there is none, of the folder that fxlint was started in
    base: str  # the folder that reports name files from

    @property
    def settings(self) -> Settings:
        """The settings that say how results are shown: those of the first request."""
        return self.governing[0]


def add(parser: argparse.ArgumentParser) -> None:
    """Declare PATHS and the options that choose what is analysed and what is shown."""
    files = parser.add_argument_group("files")
    files.add_argument("paths", nargs="*", metavar="PATH", default=[], help="files or folders; - for standard input (default: .)")
    files.add_argument("--stdin-filename", metavar="FILE", help="the file that standard input stands for")
    files.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="leave out files and folders, as in .gitignore")
    files.add_argument("--force-exclude", action="store_true", help="let exclusions hold for files that are named too")
    findings = parser.add_argument_group("findings")
    findings.add_argument("--select", action="append", default=[], metavar="CODES", help="code prefixes to report (default: all)")
    findings.add_argument("--ignore", action="append", default=[], metavar="CODES", help="code prefixes to leave out")
    findings.add_argument("--show-info", action="store_true", help="report harmless specialisations too")
    findings.add_argument("--ignore-noqa", action="store_true", help="report what comments silence too")
    analysis = parser.add_argument_group("analysis")
    analysis.add_argument("--root", action="append", default=[], metavar="NAME", dest="roots",
                          help="analyse this class or function (dotted or bare) and nothing else as traced; repeatable")
    analysis.add_argument("--torch-version", metavar="VERSION", help=f"the torch that traces (default: {config.NEWEST_TORCH})")
    analysis.add_argument("--no-cache", action="store_true", help="analyse everything afresh, and keep nothing")
    analysis.add_argument("--cache-dir", metavar="FOLDER",
                          help=f"where analyses are kept (default: {VARIABLE}, else the user's cache folder)")
    configured = parser.add_argument_group("configuration")
    configured.add_argument("--config", action="append", default=[], metavar="FILE|KEY=VALUE",
                            help="use this configuration file, or set one key of the configuration; repeatable")
    configured.add_argument("--isolated", action="store_true", help="ignore configuration files")


def plan(args: argparse.Namespace, registry: Registry, *, fixes: bool) -> Plan:
    """The plan of parsed options. Raises UsageError or ConfigError, naming the option or file at fault."""
    base = os.getcwd()
    codes = tuple(check.code for check in catalogue(registry))
    for option, items in (("--select", args.select), ("--ignore", args.ignore)):
        prefixes(option, items, codes)
    texts = _stdin(args, base)
    paths = [path for path in args.paths if path != STDIN] if args.paths else ["."]
    explicit, pairs = configuration(args)
    memo: dict[Path | None, Settings] = {}
    files: dict[str, Path | None] = {}

    def governing(folder: str) -> Settings:
        if folder not in files:
            files[folder] = None if args.isolated else explicit or config.find(Path(folder))
        file = files[folder]
        if file not in memo:
            memo[file] = _settings(args, file, pairs)
        return memo[file]

    groups: dict[Path | None, list[str]] = {}
    for word in paths:
        is_folder = os.path.isdir(word)
        start = governing(os.path.abspath(word) if is_folder else os.path.dirname(os.path.abspath(word)))
        for path in expand([word], start.exclude, str(start.directory or base), gitignore=start.respect_gitignore):
            said = governing(os.path.dirname(path))
            if (is_folder or args.force_exclude) and _excluded(path, said, args.exclude, base):
                continue
            groups.setdefault(files[os.path.dirname(path)], []).append(path)
    for path in texts:
        governing(os.path.dirname(path))
        groups.setdefault(files[os.path.dirname(path)], []).append(path)
    if not groups:
        return Plan((), (governing(base),), base)
    chosen = sorted(groups, key=lambda file: str(file or ""))
    asked = (request(memo[file], sorted(set(groups[file])), registry, texts, fixes=fixes) for file in chosen)
    if args.ignore_noqa:
        asked = (replace(one, noqa=False, ignores=False, unused=False) for one in asked)
    cache = None if args.no_cache else Path(os.path.abspath(args.cache_dir)) if args.cache_dir else standard()
    return Plan(tuple(replace(one, only_files=bool(args.roots), cache=cache) for one in asked), tuple(memo[file] for file in chosen), base)


def defaults(**given: object) -> argparse.Namespace:
    """The options of a command line that gives those of ``given`` alone."""
    parser = argparse.ArgumentParser()
    add(parser)
    args = parser.parse_args([])
    for name, value in given.items():
        setattr(args, name, value)
    return args


def settings(args: argparse.Namespace, folder: Path) -> Settings:
    """What the configuration says for ``folder``, without the options of a command line besides --config."""
    explicit, pairs = configuration(args)
    return _read(None if args.isolated else explicit or config.find(folder), pairs)


def _read(file: Path | None, pairs: Sequence[str]) -> Settings:
    found = config.Settings() if file is None else config.load(file)
    for pair in pairs:
        found = config.override(found, pair)
    return found


def carry_out(wanted: Plan, registry: Registry) -> Result:
    """The results of all requests of a plan, as one; a bar on stderr tells of the progress."""
    with progress.bar(sys.stderr) as tell:
        return merged([check(replace(request, tell=tell), registry) for request in wanted.requests])


def print_errors(result: Result) -> None:
    """Tell the internal errors on stderr, one line each; after MOST_ERRORS only their number."""
    for line in result.errors[:MOST_ERRORS]:
        print(f"fxlint: {line}", file=sys.stderr)
    more = len(result.errors) - MOST_ERRORS
    if more > 0:
        print(f"fxlint: and {more} more internal errors", file=sys.stderr)


def print_unknown(result: Result) -> None:
    """Tell on stderr why the analysis gave up, the commonest reason first."""
    reasons: Counter[str] = Counter()
    for unknown in result.unknowns:
        reasons[unknown.reason] += unknown.count
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        print(f"fxlint: gave up {count}x: {reason}", file=sys.stderr)


def _excluded(path: str, settings: Settings, exclude: Sequence[str], base: str) -> bool:
    return covers(Patterns.of(base, exclude), path) or covers(Patterns.of(str(settings.directory or base), settings.exclude), path)


def configuration(args: argparse.Namespace) -> tuple[Path | None, tuple[str, ...]]:
    """The configuration file that --config or FXLINT_CONFIG names, and the pairs KEY=VALUE of --config. Raises UsageError."""
    files = [word for word in args.config if "=" not in word or os.path.isfile(word)]
    pairs = tuple(word for word in args.config if word not in files)
    if len(files) > 1:
        raise UsageError(f"--config {files[1]}: one configuration file at a time; `extend` in a file joins several")
    if args.isolated:
        if files:
            raise UsageError("--config with a file and --isolated exclude each other")
        return None, pairs
    source, name = ("--config", files[0]) if files else ("FXLINT_CONFIG", os.environ.get("FXLINT_CONFIG", ""))
    if not name:
        return None, pairs
    path = Path(os.path.abspath(name))
    if not path.is_file():
        raise UsageError(f"{source} {name}: no such file" + (", and no KEY=VALUE" if files else ""))
    return path, pairs


def _settings(args: argparse.Namespace, file: Path | None, pairs: Sequence[str]) -> Settings:
    """Settings of a file, with what the environment and the command line put in their place."""
    said = _read(file, pairs)
    version = args.torch_version or os.environ.get("FXLINT_TORCH_VERSION") or said.torch_version
    return replace(
        said,
        select=tuple(args.select) or said.select,
        ignore=(*said.ignore, *args.ignore),
        roots=tuple(args.roots) or said.roots,
        torch_version=config.torch_version(version),
        show_info=said.show_info or args.show_info,
    )


def _stdin(args: argparse.Namespace, base: str) -> dict[str, str | ReadError]:
    if STDIN not in args.paths:
        if args.stdin_filename is not None:
            raise UsageError("--stdin-filename goes with the path -")
        return {}
    path = os.path.abspath(os.path.join(base, args.stdin_filename or STDIN))
    try:
        return {path: decode(path, sys.stdin.buffer.read()).text}
    except ReadError as error:
        return {path: error}
