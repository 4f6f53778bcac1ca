"""Options that commands of the static half share, and the way from them to requests for the driver."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fxlint import config
from fxlint.api import Check
from fxlint.base.errors import ReadError, UsageError
from fxlint.cli import progress
from fxlint.config import Settings
from fxlint.driver import Request, Result, check, merged
from fxlint.interp.entry import AnalysisSettings
from fxlint.project.decode import decode
from fxlint.project.discover import expand
from fxlint.registry import Registry, catalogue
from fxlint.selection import selection

STDIN = "-"
MOST_ERRORS = 10  # one mistake of ours can fail a thousand roots


@dataclass(frozen=True, slots=True)
class Plan:
    """What a command line asks for: one request for each configuration file that governs some of the files, and how to show the results."""

    requests: tuple[Request, ...]
    settings: Settings  # of the first request: output format and the like
    base: str  # the folder that reports name files from


def add(parser: argparse.ArgumentParser) -> None:
    """Declare PATHS and the options that choose what is analysed and what is shown."""
    parser.add_argument("paths", nargs="*", metavar="PATH", default=[], help="files or folders; - for standard input (default: .)")
    parser.add_argument("--stdin-filename", metavar="FILE", help="the file that standard input stands for")
    parser.add_argument("--select", action="append", default=[], metavar="CODES", help="code prefixes to report (default: all)")
    parser.add_argument("--ignore", action="append", default=[], metavar="CODES", help="code prefixes to leave out")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help="leave out files and folders, as in .gitignore")
    parser.add_argument("--root", action="append", default=[], metavar="NAME", dest="roots",
                        help="analyse this class or function (dotted or bare) and nothing else as traced; repeatable")
    parser.add_argument("--torch-version", metavar="VERSION", help=f"the torch that traces (default: {config.NEWEST_TORCH})")
    parser.add_argument("--config", metavar="FILE", help="use this configuration file")
    parser.add_argument("--isolated", action="store_true", help="ignore configuration files")
    parser.add_argument("--no-cache", action="store_true", help="analyse everything afresh")
    parser.add_argument("--show-info", action="store_true", help="report harmless specialisations too")


def plan(args: argparse.Namespace, registry: Registry, *, fixes: bool) -> Plan:
    """The plan of parsed options. Raises UsageError or ConfigError, naming the option or file at fault."""
    base = os.getcwd()
    texts = _stdin(args, base)
    paths = [path for path in args.paths if path != STDIN] if args.paths else ["."]
    groups: dict[Path | None, list[str]] = {}
    memo: dict[str, Path | None] = {}
    explicit = _explicit(args)
    for path in (*texts, *expand(paths, (*args.exclude,), base)) if paths or texts else ():
        folder = os.path.dirname(path)
        if folder not in memo:
            memo[folder] = None if args.isolated else explicit or config.find(Path(folder))
        groups.setdefault(memo[folder], []).append(path)
    if not groups:
        start = None if args.isolated else explicit or config.find(Path(base))
        return Plan((), _settings(args, start), base)
    out: list[tuple[Request, Settings]] = []
    for file, members in sorted(groups.items(), key=lambda group: str(group[0] or "")):
        settings = _settings(args, file)
        out.append((_request(args, settings, members, texts, registry, fixes=fixes), settings))
    return Plan(tuple(request for request, _ in out), out[0][1], base)


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


def codes(checks: Sequence[Check]) -> tuple[str, ...]:
    """The codes of ``checks``."""
    return tuple(one.code for one in checks)


def _explicit(args: argparse.Namespace) -> Path | None:
    if args.config is None:
        return None
    if args.isolated:
        raise UsageError("--config and --isolated exclude each other")
    path = Path(os.path.abspath(args.config))
    if not path.is_file():
        raise UsageError(f"--config {args.config}: no such file")
    return path


def _settings(args: argparse.Namespace, file: Path | None) -> Settings:
    settings = Settings() if file is None else config.load(file)
    version = settings.torch_version if args.torch_version is None else config.torch_version(args.torch_version)
    return replace(
        settings,
        select=tuple(args.select) or settings.select,
        ignore=(*settings.ignore, *args.ignore),
        roots=tuple(args.roots) or settings.roots,
        torch_version=version,
        show_info=settings.show_info or args.show_info,
    )


def _request(
    args: argparse.Namespace,
    settings: Settings,
    members: Sequence[str],
    texts: Mapping[str, str | ReadError],
    registry: Registry,
    *,
    fixes: bool,
) -> Request:
    folder = None if settings.directory is None else str(settings.directory)
    files = tuple(members)
    if folder is not None and settings.exclude:
        kept = set(expand(args.paths or ["."], settings.exclude, folder))
        files = tuple(path for path in members if path in kept or path in texts)
    return Request(
        files=files,
        selection=selection(settings.select, settings.ignore, codes(catalogue(registry))),
        settings=AnalysisSettings(roots=settings.roots, torch_version=settings.torch_version),
        config_folder=folder,
        exclude=settings.exclude,
        texts=texts,
        only_files=bool(args.roots),
        fixes=fixes,
        show_info=settings.show_info,
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
