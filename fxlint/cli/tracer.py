"""``fxlint tracer TARGET -o FILE``: write a Tracer subclass that leaves alone what breaks; TARGET is read, never run."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fxlint.base.errors import FxlintError, UsageError

if TYPE_CHECKING:
    from fxlint.base.event import Event
    from fxlint.driver import Result
    from fxlint.fixes.leaf import LeafRules


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    from fxlint.config import NEWEST_TORCH

    parser = subparsers.add_parser("tracer", help="write a Tracer subclass with leaf rules", allow_abbrev=False, description=__doc__)
    parser.add_argument("target", metavar="TARGET", help="path.py, path.py:Class or package.module:Class")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the file to write")
    parser.add_argument("--force", action="store_true", help="overwrite FILE even if fxlint did not write it")
    parser.add_argument("--torch-version", metavar="VERSION", default=NEWEST_TORCH, help="the torch that traces (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Analyse, write the file; answers 0, or 1 where something breaks in the root itself, which no leaf rule reaches."""
    from fxlint.fixes.atomic import write
    from fxlint.fixes.leaf import MARK, tracer_source

    path, class_ = _target(args.target)
    output = Path(args.output)
    if output.is_dir():
        raise UsageError(f"{args.output}: is a directory")
    if output.exists() and not args.force and not output.read_bytes().startswith(MARK.encode()):
        raise UsageError(f"{args.output}: exists, and was not written by fxlint tracer; --force overwrites it")
    if class_ and class_.partition(".")[0] not in _bound(path):
        raise UsageError(f"{args.target}: {os.path.basename(path)} binds no {class_} at module level")
    result = _analyse(path, class_, args.torch_version)
    for line in result.errors:
        print(f"fxlint: {line}", file=sys.stderr)
    if result.errors:
        return 2
    rules, left = _rules(result, class_)
    name = f"{class_ or _camel(Path(path).stem)}Tracer".replace(".", "")
    origin = f"{os.path.basename(path)}{f':{class_}' if class_ else ''}"
    write(output, tracer_source(name, rules, origin).encode())
    count = len(rules.classes) + len(rules.functions)
    print(f"wrote {args.output}: {name} leaves {count} {'class or function' if count == 1 else 'classes and functions'} alone")
    for line in left:
        print(f"not covered: {line}", file=sys.stderr)
    return 1 if left else 0


def _target(text: str) -> tuple[str, str]:
    """The absolute path and the class ("" for all) of TARGET. Raises UsageError where there is no such file."""
    place, colon, class_ = text.rpartition(":")
    if not colon:
        place, class_ = text, ""
    if place.endswith(".py") or os.sep in place:
        candidates = [place]
    else:
        base = os.path.join(*place.split("."))
        candidates = [f"{base}.py", os.path.join(base, "__init__.py")]
    for candidate in candidates:
        if os.path.isfile(candidate):
            return os.path.abspath(candidate), class_
    raise UsageError(f"{text}: no such file as {' or '.join(candidates)} (start where the module can be imported from)")


def _bound(path: str) -> frozenset[str]:
    """The names that the file binds at module level. Raises ReadError where it cannot be read."""
    from fxlint.project.decode import read
    from fxlint.syntax.outline import build

    return frozenset(binding.name for binding in build(read(Path(path), path).text).bindings)


def _analyse(path: str, class_: str, torch_version: str) -> Result:
    from fxlint.base.analysis import AnalysisSettings
    from fxlint.config import torch_version as checked
    from fxlint.driver import Request, check
    from fxlint.project.discover import expand
    from fxlint.registry import catalogue, load
    from fxlint.selection import selection

    registry = load()
    codes = tuple(one.code for one in catalogue(registry))
    roots = (class_,) if class_ else ()
    # The whole folder is looked at: what breaks may stand in a file that the target imports.
    folder = tuple(dict.fromkeys([path, *expand([os.path.dirname(path)])]))
    settings = AnalysisSettings(roots=roots, torch_version=checked(torch_version))
    request = Request(files=folder, selection=selection((), (), codes), settings=settings, noqa=False)
    result = check(request, registry)
    if not class_ and not any(event.site.path == path for event in result.events):
        return replace(result, findings=tuple(finding for finding in result.findings if finding.path == path))
    return result


def _rules(result: Result, class_: str) -> tuple[LeafRules, list[str]]:
    """The leaf rules for all errors of a result, and what they do not reach, one line each."""
    from fxlint.base.finding import Severity
    from fxlint.base.span import LineIndex
    from fxlint.fixes.leaf import LeafRules, leaf_class

    broken = {(finding.path, finding.start, finding.end) for finding in result.findings if finding.severity is Severity.ERROR}
    classes: dict[str, str] = {}  # each with the first place that asks for it
    functions: dict[tuple[str, str], str] = {}
    left: list[str] = []
    for event in result.events:
        if (event.site.path, event.site.start, event.site.end) not in broken:
            continue
        row, _ = LineIndex.of(result.texts[event.site.path]).place(event.site.start)
        place = f"{os.path.basename(event.site.path)}:{row}"
        found = leaf_class(event)
        if found is not None and found != class_:
            classes.setdefault(found, place)
        elif (function := _function(event)) is not None:
            functions.setdefault(function, place)
        else:
            left.append(f"{place}: `{event.subject}` breaks in the root itself; `fxlint fix` may repair it")
    wanted = tuple(sorted((module, name, place) for (module, name), place in functions.items()))
    return LeafRules(tuple(sorted(classes.items())), (), wanted), list(dict.fromkeys(left))


def _function(event: Event) -> tuple[str, str] | None:
    """The module and the name of the function of module level that the root calls on the way to ``event``."""
    for frame in event.stack:
        if not frame.callee_class and "." not in frame.callee:
            return _module(frame.callee_path), frame.callee
    return None


def _module(path: str) -> str:
    """The dotted name under which a file is imported: from the top of its package, or by itself where it is in none."""
    from fxlint.project.discover import package_top

    top = package_top(path)
    parts = list(Path(path).relative_to(os.path.dirname(top) if top else os.path.dirname(path)).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _camel(stem: str) -> str:
    words = [part for part in stem.split("_") if part]
    name = "".join(word[:1].upper() + word[1:] for word in words)
    if not name.isidentifier():
        raise FxlintError(f"{stem}: makes no class name; name the class as path.py:Class")
    return name
