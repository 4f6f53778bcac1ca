"""Processor seconds (user and system) of whole processes, the median of several runs.

    python -m tests.bench.speed [FOLDER ...] [--runs 5]

For ``fxlint --version``; and for each FOLDER, over its .py files: ``fxlint check FOLDER``, ``ast.parse`` of each file,
``libcst.parse_module`` of each, and flake8 with this package's checks alone, where it is installed. A process that failed is told as
such, with no time.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import fxlint
from fxlint.project.discover import expand

_EACH = "import sys\nfor path in sys.stdin.read().splitlines():\n    data = open(path, 'rb').read()\n"
_AST = f"import ast\n{_EACH}    ast.parse(data)\n"
_LIBCST = f"import libcst\n{_EACH}    libcst.parse_module(data)\n"


def main(words: Sequence[str]) -> int:
    """Measure and tell; 1 where a process failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args(words)
    failed = not told("fxlint --version", ["-m", "fxlint", "--version"], args.runs)
    for folder in args.folders:
        files = expand([folder])
        rows = sum(Path(path).read_bytes().count(b"\n") for path in files)
        sys.stdout.write(f"{folder}: {len(files)} files, {rows} lines\n")
        listed = "\n".join(files)
        failed |= not told("  ast.parse", ["-c", _AST], args.runs, listed)
        failed |= not told("  libcst.parse_module", ["-c", _LIBCST], args.runs, listed)
        failed |= not told("  fxlint check", ["-m", "fxlint", "check", "--exit-zero", "--output-format", "concise", folder], args.runs)
        if importlib.util.find_spec("flake8") is None:
            sys.stdout.write("  flake8: not installed\n")
        else:
            words = ["-m", "flake8", "--isolated", "--select", "TFX", "-j1", "--exit-zero", folder]
            failed |= not told("  flake8 --select TFX -j1", words, args.runs)
    return 1 if failed else 0


def told(what: str, words: Sequence[str], runs: int, stdin: str = "") -> bool:
    """Run Python with ``words`` ``runs`` times and tell the median; False where a run failed."""
    seconds: list[float] = []
    for _ in range(runs):
        before = _children()
        done = subprocess.run([sys.executable, *words], input=stdin, capture_output=True, text=True, env=_environment())
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or [""])[-1]
            sys.stdout.write(f"{what}: failed with exit code {done.returncode}: {last}\n")
            return False
        seconds.append(_children() - before)
    spread = f"{min(seconds):.2f} to {max(seconds):.2f}"
    sys.stdout.write(f"{what}: {statistics.median(seconds):.2f} s (median of {runs}; {spread})\n")
    sys.stdout.flush()
    return True


def _children() -> float:
    """Processor seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment() -> dict[str, str]:
    """The environment, with this copy of fxlint importable from any folder."""
    top = str(Path(fxlint.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (top, os.environ.get("PYTHONPATH", ""))))}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
