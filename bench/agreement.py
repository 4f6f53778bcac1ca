"""Do ``check FILE``, ``check .``, standard input and flake8 say the same about the files of a folder?

    python bench/agreement.py FOLDER [--files N]

Takes N files (default 50) spread evenly over FOLDER, prints each disagreement and a count, and exits with 1 if there is any. The
whole folder is checked once; each file then by itself in two ways, and all of them by flake8 in one run.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

Row = tuple[int, int, str, str]
FLAKE8_ROW = re.compile(r"(?:\./)?(?P<path>[^:]+):(?P<row>\d+):(?P<column>\d+): (?P<code>TFX\d+) (?P<message>.*)")


def fxlint(folder: Path, *words: str, stdin: bytes | None = None) -> dict[str, list[Row]]:
    """The findings of one run of the command line, by file."""
    command = [sys.executable, "-m", "fxlint", "check", "--output-format", "json", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, input=stdin, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.decode()[-400:]}")
    rows: dict[str, list[Row]] = {}
    for one in json.loads(done.stdout):
        row = (one["location"]["row"], one["location"]["column"], one["code"], one["message"])
        rows.setdefault(one["filename"], []).append(row)
    return {name: sorted(found) for name, found in rows.items()}


def flake8(folder: Path, names: list[str]) -> dict[str, list[Row]]:
    """The findings of one run of flake8, by file."""
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "TFX", "-j1", *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.stderr:
        sys.exit(f"flake8: {done.stderr[-400:]}")
    rows: dict[str, list[Row]] = {}
    for line in done.stdout.splitlines():
        match = FLAKE8_ROW.fullmatch(line)
        if match is not None:
            rows.setdefault(match["path"], []).append((int(match["row"]), int(match["column"]), match["code"], match["message"]))
    return {name: sorted(found) for name, found in rows.items()}


def main() -> int:
    """Compare, print, answer the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=50)
    args = parser.parse_args()
    folder = args.folder.resolve()
    every = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))
    names = every[:: max(1, len(every) // args.files)][: args.files]
    whole = fxlint(folder, ".")
    by_flake8 = flake8(folder, names)
    differing = 0
    for name in names:
        wanted = whole.get(name, [])
        ways = {
            "check FILE": fxlint(folder, name).get(name, []),
            "standard input": fxlint(folder, "-", "--stdin-filename", name, stdin=(folder / name).read_bytes()).get(name, []),
            "flake8": by_flake8.get(name, []),
        }
        for way, found in ways.items():
            if found != wanted:
                differing += 1
                print(f"{name}: {way} differs: {sorted(set(found) ^ set(wanted))[:3]}", flush=True)
    print(f"{len(names)} files, {sum(len(whole.get(name, [])) for name in names)} findings, {differing} disagreements")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
