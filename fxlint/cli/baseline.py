"""``fxlint baseline write``: keep the present findings in a file; ``fxlint baseline check``: report only findings that are not in it."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fxlint.base.errors import UsageError

if TYPE_CHECKING:
    from fxlint.base.finding import Finding
    from fxlint.cli.options import Plan
    from fxlint.driver import Result

FILE = "fxlint-baseline.json"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    from fxlint.cli import check

    parser = subparsers.add_parser(
        "baseline", help="keep the present findings in a file, and report only new ones", allow_abbrev=False, description=__doc__)
    parser.add_argument("action", choices=("write", "check"), metavar="write|check", help="make the file, or compare with it")
    parser.add_argument("--baseline", metavar="FILE", default=FILE, help=f"the file (default: {FILE})")
    check.add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Write or compare; answers 0, 1 where there are new findings, or 2."""
    from fxlint.cli import check, options
    from fxlint.registry import load

    path = Path(os.path.abspath(args.baseline))
    registry = load()
    plan = options.plan(args, registry, fixes=args.action == "check" and check.wanted_format(args) != "concise")
    if args.action == "check" and not path.is_file():
        raise UsageError(f"--baseline {args.baseline}: no such file; `fxlint baseline write` makes it")
    result = options.carry_out(plan, registry)
    if args.action == "write":
        return _write(path, result)
    compared = _compare(path, result, plan)
    code = check.report(args, plan, replace(result, findings=compared[0]), registry)
    print(compared[1], file=sys.stderr)
    return code


def _write(path: Path, result: Result) -> int:
    from fxlint.cli import options
    from fxlint.fixes.atomic import write
    from fxlint.report import baseline

    options.print_errors(result)
    if result.errors:
        print(f"fxlint: {path.name} was not written", file=sys.stderr)
        return 2
    write(path, baseline.write(result.findings, result.texts, path.parent).encode("utf-8", "backslashreplace"))
    print(f"{path.name}: {len(result.findings)} finding{'' if len(result.findings) == 1 else 's'}")
    return 0


def _compare(path: Path, result: Result, plan: Plan) -> tuple[tuple[Finding, ...], str]:
    """The new findings, and a line that tells how the others compare."""
    from fxlint.report import baseline
    from fxlint.report.names import shown

    looked_at = frozenset(shown(file, str(path.parent)) for request in plan.requests for file in request.files)
    compared = baseline.compare(result.findings, result.texts, path.parent, baseline.load(path), looked_at)
    gone = sum(compared.gone.values())
    hint = f"; {gone} gone: `fxlint baseline write` forgets {'it' if gone == 1 else 'them'}" if gone else ""
    return compared.new, f"fxlint: {len(compared.new)} new, {compared.known} in {path.name}{hint}"
