"""Whether ``check .``, ``check FILE``, standard input and flake8 find the same in the files of a package.

    python -m tests.bench.agreement FOLDER [--files 50] [--processes 2] [--seed 0]

FOLDER is the one that holds the package. ``check .`` and flake8 (``--select TFX -j1``, all the files in one call) are whole processes, each
with an analysis of its own. For every file, the command lines ``check FILE`` and ``check - --stdin-filename FILE`` are planned in this
process; that their unit holds the same files, texts and settings is compared, and one analysis then serves them all. The first
``--processes`` files are also checked by whole processes, by path and through standard input. Exit code 1: something differs.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from fxlint.cli import options
from fxlint.driver import Request, Study, conclude, study
from fxlint.project.discover import Unit, units
from fxlint.registry import Registry, load

Row = tuple[str, int, int, str]  # path from FOLDER, row and column (1-based), code
_T = TypeVar("_T")
_FLAKE8 = re.compile(r"(?:\./)?(?P<path>[^:]+):(?P<row>\d+):(?P<column>\d+): (?P<code>TFX\d+) .*")


def main(words: Sequence[str]) -> int:
    """Measure and tell; 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(words)
    os.chdir(args.folder)
    whole = timed("check .", lambda: checked("."))
    chosen = choose({path for path, *_ in whole}, args.files, args.seed)
    expected = {name: [row for row in whole if row[0] == name] for name in chosen}
    say(f"{len(whole)} findings in all; {len(chosen)} files chosen, {sum(map(bool, expected.values()))} of them with findings,"
        f" {sum(map(len, expected.values()))} findings in these")
    wrong = 0
    by_flake8 = timed("flake8", lambda: flaked(chosen))
    wrong += compared("flake8, one process", {name: [row for row in by_flake8 if row[0] == name] for name in chosen}, expected)
    by_path, by_stdin = timed("planned in this process", lambda: planned(chosen))
    wrong += compared("check FILE, one analysis for all", by_path, expected)
    wrong += compared("standard input, one analysis for all", by_stdin, expected)
    some = chosen[: args.processes]
    few = {name: expected[name] for name in some}
    alone = timed("check FILE", lambda: {name: checked(name) for name in some})
    wrong += compared("check FILE, a process each", alone, few)
    piped = timed("standard input", lambda: {name: checked("-", "--stdin-filename", name, stdin=Path(name).read_bytes()) for name in some})
    wrong += compared("standard input, a process each", piped, few)
    return 1 if wrong else 0


def choose(found: set[str], count: int, seed: int) -> list[str]:
    """At most ``count`` files below the current folder: half of them, where there are so many, among the files with findings."""
    order = random.Random(seed)
    every = sorted(path.as_posix() for path in Path().rglob("*.py"))
    hits, rest = [path for path in every if path in found], [path for path in every if path not in found]
    order.shuffle(hits)
    order.shuffle(rest)
    quiet = min(len(rest), max(count // 2, count - len(hits)))
    return sorted([*hits[: count - quiet], *rest[:quiet]], key=lambda path: (path not in found, path))


def checked(*words: str, stdin: bytes | None = None) -> list[Row]:
    """The rows of a whole process ``fxlint check``. Raises RuntimeError where it failed."""
    command = [sys.executable, "-m", "fxlint", "check", *words, "--output-format", "json"]
    done = subprocess.run(command, capture_output=True, input=stdin, env=with_this_package())
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.decode()[:500]}")
    return sorted((one["filename"], one["location"]["row"], one["location"]["column"], one["code"]) for one in json.loads(done.stdout))


def flaked(files: Sequence[str]) -> list[Row]:
    """The rows of one process of flake8 that runs this package's checks alone. Raises RuntimeError where it failed."""
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "TFX", "-j1", *files]
    done = subprocess.run(command, capture_output=True, text=True, env=with_this_package())
    lines = [_FLAKE8.fullmatch(line) for line in done.stdout.splitlines()]
    if done.returncode not in (0, 1) or done.stderr or None in lines:
        raise RuntimeError(f"flake8: exit code {done.returncode}: {done.stderr[:500]}")
    return sorted((m["path"], int(m["row"]), int(m["column"]), m["code"]) for m in lines if m is not None)


def planned(files: Sequence[str]) -> tuple[dict[str, list[Row]], dict[str, list[Row]]]:
    """The rows by path and through standard input, from the plans of the real command lines."""
    registry = load()
    analysed: dict[Unit, Study] = {}
    by_path = {name: concluded([name], registry, analysed) for name in files}
    by_stdin = {name: concluded(["-", "--stdin-filename", name], registry, analysed, Path(name).read_bytes()) for name in files}
    say(f"{len(analysed)} analysis for {2 * len(files)} command lines" if len(analysed) == 1 else f"{len(analysed)} different units")
    return by_path, by_stdin


def concluded(words: Sequence[str], registry: Registry, analysed: dict[Unit, Study], stdin: bytes = b"") -> list[Row]:
    """The rows of one command line; units with the same files and the texts on disk share an analysis."""
    parser = argparse.ArgumentParser()
    options.add(parser)
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        plan = options.plan(parser.parse_args(list(words)), registry, fixes=False)
    finally:
        sys.stdin = before
    (request,) = plan.requests
    for path, text in request.texts.items():
        if text != Path(path).read_text("utf-8"):
            raise RuntimeError(f"{path}: standard input was not understood as the file on disk")
    rows: list[Row] = []
    for unit, members in units(request.files, request.config_folder, request.exclude):
        known = analysed.get(unit)
        if known is None:
            known = analysed[unit] = study(unit, on_disk(request))
        found = conclude(known, members, request, registry).findings
        rows += [(os.path.relpath(finding.path), finding.row, finding.column, finding.code) for finding in found]
    return sorted(rows)


def on_disk(request: Request) -> Request:
    """``request`` without a text of its own."""
    return Request(request.files, request.selection, request.settings, request.config_folder, request.exclude)


def with_this_package() -> dict[str, str]:
    """The environment, with this copy of fxlint importable."""
    top = str(Path(options.__file__).parents[2])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (top, os.environ.get("PYTHONPATH", ""))))}


def compared(way: str, found: dict[str, list[Row]], expected: dict[str, list[Row]]) -> int:
    """Tell how many files agree, and the first differences; answers how many differ."""
    differ = [name for name in expected if found[name] != expected[name]]
    say(f"{way}: {len(expected) - len(differ)} of {len(expected)} files as `check .` has them")
    for name in differ[:5]:
        say(f"  {name}: only here {sorted(set(found[name]) - set(expected[name]))[:3]},"
            f" only in `check .` {sorted(set(expected[name]) - set(found[name]))[:3]}")
    return len(differ)


def timed(what: str, action: Callable[[], _T]) -> _T:
    """What ``action`` gives; its wall time is told."""
    started = time.monotonic()
    result = action()
    say(f"[{what}: {time.monotonic() - started:.1f} s]")
    return result


def say(line: str) -> None:
    """One line on stdout, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
