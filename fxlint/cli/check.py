"""``fxlint check``: report what breaks, or is silently changed, when a model is traced."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from fxlint.base.errors import UsageError
from fxlint.config import OUTPUT_FORMATS

if TYPE_CHECKING:
    from fxlint.driver import Result


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    from fxlint.cli import options

    parser = subparsers.add_parser("check", help="find what torch.fx cannot trace", allow_abbrev=False, description=__doc__)
    options.add(parser)
    parser.add_argument("--output-format", metavar="FORMAT", help="one of " + ", ".join(OUTPUT_FORMATS) + " (default: text)")
    parser.add_argument("--show-unknown", action="store_true", help="tell on stderr where the analysis gave up, and why")
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")


def run(args: argparse.Namespace) -> int:
    """Check, print the report on stdout; answers 0, 1 or 2."""
    from fxlint.cli import options
    from fxlint.registry import load

    output_format = args.output_format
    if output_format is not None and output_format not in OUTPUT_FORMATS:
        raise UsageError(f"--output-format {output_format}: known are {', '.join(OUTPUT_FORMATS)}")
    registry = load()
    plan = options.plan(args, registry, fixes=output_format != "concise")
    result = options.carry_out(plan, registry)
    sys.stdout.write(render(result, output_format or plan.settings.output_format, plan.base))
    if args.show_unknown:
        options.print_unknown(result)
    for name in args.roots:
        if not any(root == name or root.rsplit(".", 1)[-1] == name.rsplit(".", 1)[-1] for root in result.roots):
            print(f"fxlint: note: --root {name}: no module class or function of that name in the files given", file=sys.stderr)
    options.print_errors(result)
    return 0 if args.exit_zero and not result.errors else result.exit_code


def render(result: Result, output_format: str, base: str) -> str:
    """The report in one of OUTPUT_FORMATS."""
    if output_format == "json":
        from fxlint.report import json_list

        return json_list.render(result, base)
    if output_format == "concise":
        from fxlint.report import concise

        return concise.render(result, base)
    from fxlint.report import colours, text

    return text.render(result, base, colours.paint_for(sys.stdout)) or "nothing to report\n"
