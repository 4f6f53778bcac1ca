"""``fxlint check``: report what breaks, or is silently changed, when a model is traced."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fxlint.base.errors import UsageError
from fxlint.config import OUTPUT_FORMATS, nearest

if TYPE_CHECKING:
    from fxlint.cli.options import Plan
    from fxlint.driver import Result
    from fxlint.registry import Registry
    from fxlint.report.view import View


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("check", help="find what torch.fx cannot trace", allow_abbrev=False, description=__doc__)
    add_options(parser)
    parser.add_argument("--add-noqa", action="store_true", help="write a `# noqa` comment for every finding, in place of reporting it")
    parser.add_argument("--show-files", action="store_true", help="list the files that would be checked, and stop")
    parser.add_argument("--show-settings", action="store_true", help="show the settings that hold for the files, and stop")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what is analysed and how it is reported: the options of every command that reports findings."""
    from fxlint.cli import options

    options.add(parser)
    told = parser.add_argument_group("report")
    told.add_argument("--output-format", metavar="FORMAT", help="one of " + ", ".join(OUTPUT_FORMATS) + " (default: full)")
    told.add_argument("-o", "--output-file", metavar="FILE", help="write the report to this file")
    told.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours in the report (default: auto)")
    told.add_argument("--statistics", action="store_true", help="how often each check found something, in place of the findings")
    told.add_argument("--show-unknown", action="store_true", help="tell on stderr where the analysis gave up, and why")
    told.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")


def run(args: argparse.Namespace) -> int:
    """Check, print the report on stdout; answers 0, 1 or 2."""
    from fxlint.cli import options
    from fxlint.registry import load

    registry = load()
    plan = options.plan(args, registry, fixes=wanted_format(args) != "concise")
    if args.show_files or args.show_settings:
        from fxlint.cli import shown

        _deliver(args, shown.files(plan) if args.show_files else shown.settings(plan))
        return 0
    result = options.carry_out(plan, registry)
    return _add_noqa(args, result) if args.add_noqa else report(args, plan, result, registry)


def report(args: argparse.Namespace, plan: Plan, result: Result, registry: Registry) -> int:
    """Print or write the report on ``result``, and what is told beside it; answers the exit code."""
    from fxlint.cli import options
    from fxlint.report.colours import PLAIN, paint_for
    from fxlint.report.view import View

    paint = PLAIN if args.output_file or os.environ.get("FXLINT_OUTPUT_FILE") else paint_for(sys.stdout, args.color)
    name = wanted_format(args) or plan.settings.output_format
    _deliver(args, render(View(result, plan.base, registry, paint), name, statistics=args.statistics))
    if not plan.requests:
        print("fxlint: no Python files were found under the paths given", file=sys.stderr)
    if args.show_unknown:
        options.print_unknown(result)
    for root in args.roots:
        if not any(traced == root or traced.rsplit(".", 1)[-1] == root.rsplit(".", 1)[-1] for traced in result.roots):
            print(f"fxlint: note: --root {root}: no module class or function of that name in the files given", file=sys.stderr)
    options.print_errors(result)
    return 0 if args.exit_zero and not result.errors else result.exit_code


def _add_noqa(args: argparse.Namespace, result: Result) -> int:
    """Write the comments; answers 0, or 2 after an internal error."""
    from fxlint.cli import options, silence

    if options.STDIN in args.paths:
        raise UsageError("--add-noqa writes files: it does not go with standard input")
    findings, files = silence.add_noqa(result)
    print(f"silenced {findings} finding{'' if findings == 1 else 's'} in {files} file{'' if files == 1 else 's'}")
    options.print_errors(result)
    return 2 if result.errors else 0


def render(view: View, output_format: str, *, statistics: bool = False) -> str:
    """The report in one of OUTPUT_FORMATS, or its statistics: as JSON where the format is that, else as a table."""
    from fxlint.report import formats
    from fxlint.report import statistics as numbers

    if not statistics:
        return formats.render(output_format, view)
    if output_format not in ("full", "concise", "grouped", "json"):
        raise UsageError(f"--statistics goes with the formats full, concise, grouped (a table) and json, not with {output_format}")
    return numbers.render_json(view) if output_format == "json" else numbers.render(view)


def wanted_format(args: argparse.Namespace) -> str | None:
    """The format that the command line or the environment names. Raises UsageError for one that does not exist."""
    for name, source in ((args.output_format, "--output-format"), (os.environ.get("FXLINT_OUTPUT_FORMAT"), "FXLINT_OUTPUT_FORMAT")):
        if name:
            if name not in OUTPUT_FORMATS:
                raise UsageError(f"{source} {name}: no such format{nearest(name, tuple(OUTPUT_FORMATS))}")
            return str(name)
    return None


def _deliver(args: argparse.Namespace, text: str) -> None:
    source, name = ("--output-file", args.output_file) if args.output_file else ("FXLINT_OUTPUT_FILE", os.environ.get("FXLINT_OUTPUT_FILE"))
    if not name:
        sys.stdout.write(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise UsageError(f"{source} {name}: cannot be written: {error.strerror}") from error
