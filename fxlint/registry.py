"""The checks there are: found by a scan of the directory ``checks/``, and through the entry point group ``fxlint.checks``.

Nothing imports a check by name and no check registers itself. A file that is not a valid check is a problem that is reported
with its name; the other checks still run.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import cast

from fxlint.api import Check, Event, EventKind, FixRequest, Outcome, Report, Severity

PACKAGE = "fxlint.checks"
GROUP = "fxlint.checks"
# "Why ..." goes on as the check needs: "Why tracing fails", "Why the graph differs".
HEADINGS = ("## What it catches\n", "## Why ", "## Fix and its safety\n", "## When to ignore\n")
CODE = re.compile(r"TFX[1-9]\d\d")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

def _about_files(code: str, name: str, summary: str, page: str, severity: Severity = Severity.ERROR) -> tuple[Check, str]:
    check = Check(code=code, name=name, summary=summary, events=(), severity=severity, examples=())
    return check, f"{code} {name}: {summary}\n{page}"


UNREADABLE, _UNREADABLE_PAGE = _about_files(
    "TFX001",
    "unreadable-file",
    "a file that cannot be read, decoded or parsed",
    """
## What it catches
A file that cannot be read, is not in the encoding that it declares, holds null bytes, or is not valid Python.

## Why it matters
Nothing in the file was checked, and Python could not import it either.

## Fix and its safety
There is no automatic fix: repair the file.

## When to ignore
When the file is no Python by design (a template): name it in `exclude`.
""",
)
UNUSABLE, _UNUSABLE_PAGE = _about_files(
    "TFX002",
    "unusable-run",
    "fxlint could not do its work under flake8: a broken configuration, or an internal error",
    """
## What it catches
What the command line tells on standard error, with exit code 2. flake8 has no such way, so there it becomes a finding.

## Why it matters
Nothing, or not everything, was checked.

## Fix and its safety
There is no automatic fix: repair the configuration that the message names, or report the internal error.

## When to ignore
Never.
""",
)
UNUSED, _UNUSED_PAGE = _about_files(
    "TFX003",
    "unused-suppression",
    "a comment that silences nothing",
    """
## What it catches
`# fxlint: ignore`, `disable` and `ignore-file` comments, and codes TFX... in `# noqa` comments, that silence no finding; codes that do not
exist; comments that begin with `# fxlint:` and are misspelt. A bare `# noqa` and codes of other tools are left alone, and so are codes that
the selection leaves out. Nothing is said under `--root` and `--ignore-noqa`.

## Why it matters
The comment tells readers of trouble that is not there, and would silence the next one.

## Fix and its safety
The code, or the whole comment, is taken away; words that follow stay a comment. Safe.

## When to ignore
When the comment is needed under another version of torch, or another configuration: `# noqa: TFX101,TFX003`.
""",
    Severity.WARNING,
)
PAGES = {UNREADABLE.code: _UNREADABLE_PAGE, UNUSABLE.code: _UNUSABLE_PAGE, UNUSED.code: _UNUSED_PAGE}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A check that can run: what it declares, its page, its two functions, and the file or entry point that it came from.

    ``fix`` names repairs, the most transparent first.
    """

    check: Check
    page: str
    report: Callable[[Event], Report | None]
    fix: Callable[[Event], tuple[FixRequest, ...]] | None
    origin: str


@dataclass(frozen=True, slots=True)
class Registry:
    """All checks by code, those that take each kind of event, and what was wrong with files that are no check (one line each)."""

    checks: Mapping[str, Loaded]
    by_kind: Mapping[EventKind, tuple[Loaded, ...]]
    problems: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()  # that were scanned

    def takers(self, event: Event) -> tuple[Loaded, ...]:
        """The checks that want to see ``event``, by code."""
        takers = self.by_kind.get(event.kind, ())
        return tuple(one for one in takers if not one.check.constructs or event.construct in one.check.constructs)


def load() -> Registry:
    """The checks of the directory and those of installed entry points. A broken one ends up in ``problems``, never in an exception."""
    problems: list[str] = []
    loaded: list[Loaded] = []
    for name, bring in _candidates():
        try:
            loaded.append(validate(bring(), name))
        except Exception as error:  # noqa: BLE001  # a check is foreign code: whatever it raises is its own fault, and said to be
            problems.append(f"check {name} cannot be used: {type(error).__name__}: {error}")
    return replace(build(loaded, problems), folders=tuple(Path(path).resolve() for path in _package().__path__))


def build(loaded: Iterable[Loaded], problems: Iterable[str] = ()) -> Registry:
    """A registry of ``loaded``; of two checks with one code the first stays, and the other is a problem."""
    checks: dict[str, Loaded] = {}
    said = list(problems)
    for one in loaded:
        if one.check.code in checks:
            said.append(f"check {one.origin} cannot be used: {one.check.code} is taken by {checks[one.check.code].origin}")
        else:
            checks[one.check.code] = one
    by_kind: dict[EventKind, list[Loaded]] = {}
    for _, one in sorted(checks.items()):
        for kind in one.check.events:
            by_kind.setdefault(kind, []).append(one)
    return Registry(
        MappingProxyType(dict(sorted(checks.items()))), MappingProxyType({kind: tuple(all_) for kind, all_ in by_kind.items()}), tuple(said)
    )


def validate(module: ModuleType, origin: str) -> Loaded:
    """The check that ``module`` holds. Raises TypeError or ValueError that says what its file lacks."""
    check = getattr(module, "CHECK", None)
    if not isinstance(check, Check):
        raise TypeError("it defines no CHECK = Check(...)")
    if not CODE.fullmatch(check.code):
        raise ValueError(f"code {check.code!r} is not TFX and three digits")
    if not NAME.fullmatch(check.name):
        raise ValueError(f"name {check.name!r} is not in kebab-case")
    if not check.events:
        raise ValueError("it takes no events")
    page = module.__doc__ or ""
    missing = [heading for heading in HEADINGS if heading not in page]
    if missing:
        raise ValueError("its docstring lacks the heading " + ", ".join(repr(heading.strip()) for heading in missing))
    _validate_examples(check)
    report = getattr(module, "report", None)
    fix = getattr(module, "fix", None)
    if not callable(report):
        raise TypeError("it defines no report(event)")
    if fix is not None and not callable(fix):
        raise TypeError("its `fix` is not a function")
    return Loaded(
        check, page, cast("Callable[[Event], Report | None]", report), cast("Callable[[Event], tuple[FixRequest, ...]] | None", fix), origin
    )


def _validate_examples(check: Check) -> None:
    bad = [example for example in check.examples if "# <- here" in example.source]
    quiet = [example for example in check.examples if "# <- here" not in example.source]
    if not bad:
        raise ValueError("it has no example with a `# <- here`")
    if len(quiet) < 2:
        raise ValueError("it has fewer than two examples without a `# <- here`")
    for example in check.examples:
        if example.outcome is Outcome.BREAKS and not example.error:
            raise ValueError(f"example {example.title!r} breaks, but names no part of the message")


def page(code: str, registry: Registry) -> str:
    """The documentation of a check, by its code. Raises KeyError for a code that does not exist."""
    return PAGES[code] if code in PAGES else registry.checks[code].page


def catalogue(registry: Registry) -> tuple[Check, ...]:
    """What all checks declare, by code, with what is told of files and runs (TFX0xx)."""
    return (UNREADABLE, UNUSABLE, UNUSED, *(one.check for one in registry.checks.values()))


def _candidates() -> Iterable[tuple[str, Callable[[], ModuleType]]]:
    """Names of check modules and how to import each."""
    package = _package()
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        if not info.name.startswith("_"):
            name = f"{package.__name__}.{info.name}"
            yield info.name, lambda name=name: importlib.import_module(name)  # type: ignore[misc]  # a lambda's default has no annotation
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda found: found.name):
        yield f"{point.name} ({point.value})", cast("Callable[[], ModuleType]", point.load)


def _package() -> ModuleType:
    """The package fxlint.checks: installed, or straight from the checkout that this file stands in."""
    try:
        return importlib.import_module(PACKAGE)
    except ModuleNotFoundError as error:
        if error.name != PACKAGE:
            raise
    init = Path(__file__).resolve().parents[1] / "checks" / "__init__.py"
    spec = importlib.util.spec_from_file_location(PACKAGE, init, submodule_search_locations=[str(init.parent)])
    if spec is None or spec.loader is None or not init.is_file():
        raise ModuleNotFoundError(f"no checks at {init.parent}", name=PACKAGE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
    return module
