"""Which files the oracle is asked about: the standard library and everything installed beside it."""

from __future__ import annotations

import os
import sysconfig
import tokenize
from collections import defaultdict
from pathlib import Path

EVERYTHING = os.environ.get("FXLINT_ORACLE") == "all"  # else: the standard library but for its tests, and a sample of the rest

_STDLIB = Path(sysconfig.get_path("stdlib"))
_SITE = Path(sysconfig.get_path("purelib"))
_TESTS = {"test", "tests", "idle_test", "pydoc_data", "encodings"}  # and two packages of tables
_EVERY_TEST = 40  # of the standard library's own tests and tables, which are two thirds of it
_EVERY_INSTALLED = 80


def chunks() -> dict[str, list[Path]]:
    """The files to read, by the library and the top-level package that they belong to. The same files in every run."""
    found: dict[str, list[Path]] = defaultdict(list)
    plain: list[Path] = []
    tests: list[Path] = []
    for path in sorted(_STDLIB.rglob("*.py")):
        parts = path.relative_to(_STDLIB).parts
        if not {"site-packages", "dist-packages"} & set(parts):
            (tests if _TESTS & set(parts) else plain).append(path)
    installed = sorted(_SITE.rglob("*.py"))
    if not EVERYTHING:
        tests, installed = tests[::_EVERY_TEST], installed[::_EVERY_INSTALLED]
    for name, root, paths in (("stdlib", _STDLIB, plain), ("stdlib-tests", _STDLIB, tests), ("installed", _SITE, installed)):
        for path in paths:
            parts = path.relative_to(root).parts
            found[f"{name}-{parts[0] if len(parts) > 1 else 'modules'}"].append(path)
    return dict(found)


def decoded(path: Path) -> str | None:
    """The text of a source file with its line ends as they are; None where its bytes are no Python text (test data)."""
    try:
        with path.open("rb") as file:
            encoding, _ = tokenize.detect_encoding(file.readline)
        return path.read_bytes().decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        return None
