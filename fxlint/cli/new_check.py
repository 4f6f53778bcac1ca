"""``fxlint new-check CODE NAME``: write the file of a new check, and its test, to start from.

The new check reports what an existing one does (``--like``), in words of its own: narrow it down from there.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from fxlint.base.errors import UsageError

if TYPE_CHECKING:
    from fxlint.api import Check, Example

LIKE = "TFX201"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("new-check", help="write the file of a new check to start from", allow_abbrev=False, description=__doc__)
    parser.add_argument("code", metavar="CODE", help="TFX and three digits; TFX9xx is left to packages other than fxlint")
    parser.add_argument("name", metavar="NAME", help="in kebab-case: no-print-in-forward")
    parser.add_argument("--like", metavar="CODE", default=LIKE, help=f"take events and examples from this check (default: {LIKE})")
    parser.add_argument("--into", metavar="FOLDER", default=".", help="the folder of the package (default: .)")
    parser.add_argument("--tests", metavar="FOLDER", help="the folder of its tests (default: that of the package)")


def run(args: argparse.Namespace) -> int:
    """Write the two files; answers 0. Raises UsageError, with nothing written."""
    from fxlint.config import nearest
    from fxlint.registry import CODE, NAME, load

    code, name = args.code.upper(), args.name
    if not CODE.fullmatch(code):
        raise UsageError(f"new-check {args.code}: a code is TFX and three digits")
    if not NAME.fullmatch(name):
        raise UsageError(f"new-check {name}: a name is in kebab-case: small letters, digits and single hyphens")
    registry = load()
    if code in registry.checks:
        raise UsageError(f"new-check {code}: taken by {registry.checks[code].check.name}")
    like = registry.checks.get(args.like.upper())
    if like is None:
        raise UsageError(f"--like {args.like}: no such check{nearest(args.like.upper(), tuple(registry.checks))}")
    stem = f"{code.lower()}_{name.replace('-', '_')}"
    folder = Path(args.into)
    package = _package(folder)
    files = {folder / f"{stem}.py": check_text(code, name, like.check)}
    is_own = folder.resolve() in registry.folders  # fxlint's own folder is scanned, and its tests know every file there
    if not is_own:
        files[Path(args.tests or args.into) / f"test_{stem}.py"] = _test_text(stem, package)
    for path in files:
        if not path.parent.is_dir():
            raise UsageError(f"{path.parent}: no such folder")
        if path.exists():
            raise UsageError(f"{path}: is there already; nothing was written")
    for path, text in files.items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {path}")
    if is_own:
        return 0
    target = f"{package}.{stem}" if package else stem
    print("\nTell fxlint of it in pyproject.toml, and install the package again:\n")
    print(f'[project.entry-points."fxlint.checks"]\n{name} = "{target}"')
    return 0


def check_text(code: str, name: str, like: Check) -> str:
    """The text of a check that takes the events, and has the examples, of ``like``."""
    events = ", ".join(f"EventKind.{kind.name}" for kind in like.events)
    constructs = f"\n    constructs=({', '.join(map(_quoted, like.constructs))},)," if like.constructs else ""
    examples = "\n".join(_example(example) for example in like.examples)
    return f'''"""{code} {name}: {like.summary}.

## What it catches
Which code is reported, in a sentence or two.

## Why tracing fails
What torch says, in its own words; "Why the graph differs" where it says nothing.

## Fix and its safety
What to write instead, and whether that gives the same numbers.

## When to ignore
When the finding does no harm.
"""

from __future__ import annotations

from fxlint.api import Check, Event, EventKind, Example, Outcome, Report, Severity

CHECK = Check(
    code="{code}",
    name="{name}",
    summary={_quoted(like.summary)},
    events=({events},),{constructs}
    severity=Severity.{like.severity.name},
    examples=(
{examples}
    ),
)


def report(event: Event) -> Report | None:
    """What happens, and what to do; None for an event that is not for this check."""
    return Report(f"`{{event.subject or event.callee}}` ({{event.kind.value}}, {{event.construct}})", "say here what to write instead")
'''


def _example(example: Example) -> str:
    parts = [_quoted(example.title), _source(example.source), f"Outcome.{example.outcome.name}"]
    if example.error:
        parts.append(f"error={_quoted(example.error)}")
    if example.inputs != type(example).__dataclass_fields__["inputs"].default:
        parts.append(f"inputs={_quoted(example.inputs)}")
    if example.fixed:
        parts.append(f"fixed={_source(example.fixed)}")
    return "        Example(\n" + "".join(f"            {part},\n" for part in parts) + "        ),"


def _quoted(text: str) -> str:
    return repr(text) if '"' in text or "\\" in text or not text.isprintable() else f'"{text}"'


def _source(source: str) -> str:
    return repr(source) if '"""' in source or "\\" in source else f'"""{source}"""'


def _test_text(stem: str, package: str) -> str:
    where = f"from {package} import {stem}" if package else f"import {stem}"
    return f'''"""The examples of {stem} are reported where they are marked, and nowhere else."""

{where}

from fxlint.examples import problems


def test_examples() -> None:
    assert problems({stem}) == ()
'''


def _package(folder: Path) -> str:
    """The dotted name of the package that ``folder`` is, "" where it is none."""
    here, parts = folder.resolve(), []
    while (here / "__init__.py").is_file() and re.fullmatch(r"[^\W\d]\w*", here.name):
        parts.append(here.name)
        here = here.parent
    return ".".join(reversed(parts))
