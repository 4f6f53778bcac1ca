"""``fxlint rule CODE``: the documentation of a check; ``fxlint rule --all``: the list of all."""

from __future__ import annotations

import argparse
import json

from fxlint.api import Check, Example
from fxlint.base.errors import UsageError
from fxlint.config import nearest


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("rule", help="print the documentation of a check", allow_abbrev=False, description=__doc__)
    parser.add_argument("code", nargs="?", metavar="CODE", help="a code (TFX101) or a name (proxy-in-if)")
    parser.add_argument("--all", action="store_true", help="all checks, one line each")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="text or json (default: text)")


def run(args: argparse.Namespace) -> int:
    """Print the page or the list; answers 0."""
    from fxlint.registry import catalogue, load, page

    registry = load()
    checks = catalogue(registry)
    if args.all == (args.code is not None):
        raise UsageError("rule: give one CODE, or --all")
    if args.all:
        chosen = checks
    else:
        word = args.code
        chosen = tuple(check for check in checks if check.code == word.upper() or check.name == word.lower())
        if not chosen:
            raise UsageError(f"rule {word}: no such check{nearest(word.upper(), tuple(check.code for check in checks))}")
    if args.output_format == "json":
        print(json.dumps([_record(check, page(check.code, registry)) for check in chosen], indent=2, ensure_ascii=False))
    elif args.all:
        width = max(len(check.name) for check in chosen)
        for check in chosen:
            print(f"{check.code}  {check.severity:<7}  {check.name:<{width}}  {check.summary}")
    else:
        print("\n".join(_page(chosen[0], page(chosen[0].code, registry))))
    return 0


def _record(check: Check, page: str) -> dict[str, object]:
    return {
        "code": check.code,
        "name": check.name,
        "summary": check.summary,
        "severity": check.severity.value,
        "explanation": page,
        "examples": [_example(one) for one in check.examples],
    }


def _example(example: Example) -> dict[str, str]:
    return {
        "title": example.title,
        "source": example.source.strip("\n"),
        "outcome": example.outcome.value,
        "error": example.error,
        "fixed": example.fixed.strip("\n"),
    }


def _page(check: Check, page: str) -> list[str]:
    out = [page.strip(), ""]
    if check.examples:
        out += ["## Examples", "Each was traced by fxlint's own tests.", ""]
    for example in check.examples:
        out += [f"### {example.title}: {example.outcome}" + (f' ("{example.error}")' if example.error else ""), "", *_code(example.source)]
        if example.fixed:
            out += ["repaired:", "", *_code(example.fixed)]
    return out[:-1] if out[-1] == "" else out


def _code(source: str) -> list[str]:
    return [*(f"    {line}".rstrip() for line in source.strip("\n").splitlines()), ""]
