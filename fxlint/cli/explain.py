"""``fxlint explain FILE:LINE``: how a traced value reaches a line, what happens to it there, and what the names on it denote.

A line of a notebook is ``FILE:CELL:LINE``.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fxlint.base.errors import UsageError
from fxlint.project import notebook
from fxlint.project.decode import read

if TYPE_CHECKING:
    from fxlint.base.finding import Finding
    from fxlint.driver import Request


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    from fxlint.cli import options

    parser = subparsers.add_parser("explain", help="tell how a traced value reaches a line", allow_abbrev=False, description=__doc__)
    options.add(parser)
    parser.add_argument("--show-unknown", action="store_true", help="tell on stderr where the analysis gave up, and why")
    parser.usage = "fxlint explain [options] FILE:LINE"


def run(args: argparse.Namespace) -> int:
    """Print findings and other events of the line, and its names; answers 0 where there is something to tell, 1 where not."""
    from fxlint.base.span import LineIndex
    from fxlint.cli import options
    from fxlint.judge import condition
    from fxlint.project.discover import expand
    from fxlint.registry import load
    from fxlint.report import colours, full
    from fxlint.report.names import shown

    typed = "".join(args.paths)
    name, row = _target(args.paths)
    args.paths = [name]
    path = expand([name])[0]
    registry = load()
    plan = options.plan(args, registry, fixes=True)
    plan = replace(plan, requests=tuple(_watching(request, path, row) for request in plan.requests))
    result = options.carry_out(plan, registry)
    options.print_errors(result)
    if args.show_unknown:
        options.print_unknown(result)
    paint = colours.paint_for(sys.stdout)
    places = {file: LineIndex.of(content) for file, content in result.texts.items()}
    findings = [one for one in result.findings if one.path == path and _covers(one, row, result.texts.get(path, ""))]
    for finding in findings:
        print("\n".join(full.finding_block(finding, result.texts, places, plan.base, paint)), end="\n\n")
    told = {(finding.start, finding.end) for finding in findings}
    others = []
    for event in result.events:
        first, last = _rows(event.site.start, event.site.end, result.texts.get(path, ""))
        if first <= row <= last and (event.site.start, event.site.end) not in told:
            others.append(f"{event.kind.value} ({event.construct}) of `{event.subject}`{condition(event.assumptions)}")
    for words in dict.fromkeys(others):
        print(f"seen by the analysis, reported by no check: {words}")
    values = [words for file, at, words in result.reveals if (file, at) == (path, row)]
    if values:
        print("names on this line, as tracing meets them (contexts separated by /):")
        print("\n".join(f"  {words}" for words in values))
    if not findings and not others and not values:
        line = typed.removeprefix(f"{name}:")
        print(f"{shown(path, plan.base)}:{line}: nothing happens to a traced value here, as far as the analysis can tell")
    return 2 if result.errors else 0 if findings or others or values else 1


def _watching(request: Request, path: str, row: int) -> Request:
    """The request, told to note what the names of the line denote, and to report what is silenced or harmless as well."""
    return replace(request, noqa=False, ignores=False, unused=False, show_info=True, settings=replace(request.settings, watch=(path, row)))


def _target(paths: list[str]) -> tuple[str, int]:
    name, colon, row = paths[0].rpartition(":") if len(paths) == 1 else ("", "", "")
    if not colon or not row.isdecimal() or int(row) < 1:
        raise UsageError("explain: give one FILE:LINE, or FILE:CELL:LINE of a notebook")
    notebook_name, _, cell = name.rpartition(":")
    if notebook_name.endswith(notebook.SUFFIX) and cell.isdecimal() and os.path.isfile(notebook_name):
        return notebook_name, notebook.row_of(read(Path(notebook_name), notebook_name).text, int(cell), int(row))
    if not os.path.isfile(name):
        raise UsageError(f"{name}: no such file")
    return name, int(row)


def _covers(finding: Finding, row: int, content: str) -> bool:
    first, last = _rows(finding.start, finding.end, content) if finding.cell else (finding.row, finding.end_row)
    return first <= row <= last


def _rows(start: int, end: int, content: str) -> tuple[int, int]:
    from fxlint.base.span import LineIndex

    index = LineIndex.of(content)
    return index.place(start)[0], index.place(end)[0]
