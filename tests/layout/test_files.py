"""The house rules that no tool knows: size of files, names of modules, words that do not belong."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
LONGEST = 400  # lines a file


def tracked(*suffixes: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    paths = [TOP / name for name in listed.split("\0") if name.endswith(suffixes)]
    return [path for path in paths if path.is_file()]


def test_no_file_outgrows_its_room() -> None:
    sizes = {str(path.relative_to(TOP)): path.read_text(encoding="utf-8").count("\n") for path in tracked(".py")}
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in tracked(".py") if path.stem in {"utils", "util", "common", "helpers", "helper", "misc"}] == []


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a path of one machine", r"(?:^|[^A-Za-z0-9_.])/(?:home|root|tmp|work)/[A-Za-z0-9_]"),
        ("a promise for later", r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"),
    ],
)
def test_no_file_holds(what: str, pattern: str) -> None:
    found = re.compile(pattern, re.MULTILINE)
    texts = {str(path.relative_to(TOP)): path.read_bytes().decode("utf-8", "replace") for path in tracked("")}
    assert [name for name, text in texts.items() if found.search(text)] == [], what


def test_every_check_file_is_named_after_its_check() -> None:
    from fxlint.registry import load

    registry = load()
    assert registry.problems == ()
    for loaded in registry.checks.values():
        assert loaded.origin == f"{loaded.check.code.lower()}_{loaded.check.name.replace('-', '_')}"
        assert loaded.page.startswith(f"{loaded.check.code} {loaded.check.name}: ")
