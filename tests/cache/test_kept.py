"""A second run takes what the first one found, for as long as nothing that it depends on has changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fxlint.base.analysis import Analysis, AnalysisSettings
from fxlint.base.errors import ReadError
from fxlint.cache import folder as folders
from fxlint.driver import Request, Result, check
from fxlint.interp import entry
from fxlint.registry import Registry, load
from fxlint.selection import Selection

NET = """import torch
from torch import nn
from .helper import helped

class Net(nn.Module):
    def forward(self, x):
        return helped(x)
"""
HELPER = "def helped(x):\n    return len(x)\n"
FINE = "def helped(x):\n    return x\n"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    package = tmp_path / "project" / "pkg"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "net.py").write_text(NET)
    (package / "helper.py").write_text(HELPER)
    return package


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one with each analysis that is really made."""
    count: list[int] = []
    real: Callable[..., Analysis] = entry.analyse

    def counted(*args: object) -> Analysis:
        count.append(1)
        return real(*args)

    monkeypatch.setattr(entry, "analyse", counted)
    return count


def request(package: Path, **changes: object) -> Request:
    files = tuple(str(path) for path in sorted(package.glob("*.py")))
    asked = Request(files, Selection(), AnalysisSettings(), fixes=True, cache=package.parent.parent / "cache")
    return replace(asked, **changes)  # type: ignore[arg-type]  # keyword arguments of replace have no types


def codes(result: Result) -> list[tuple[str, int]]:
    assert not result.errors
    return [(finding.code, finding.row) for finding in result.findings]


def test_the_second_run_analyses_nothing_and_says_the_same(package: Path, registry: Registry, made: list[int]) -> None:
    first = check(request(package), registry)
    assert codes(first) == [("TFX201", 2)]
    assert check(request(package), registry) == first
    assert len(made) == 1


@pytest.mark.parametrize("change", [
    lambda package: (package / "helper.py").write_text(FINE),
    lambda package: (package / "helper.py").unlink(),
    lambda package: (package / "helper.py").write_bytes(b"\xff"),
    lambda package: (package / "other.py").write_text("x = 1\n"),
], ids=["changed", "gone", "unreadable", "one more"])
def test_a_changed_file_is_noticed(change: Callable[[Path], object], package: Path, registry: Registry, made: list[int]) -> None:
    check(request(package), registry)
    change(package)
    again = check(request(package), registry)
    assert len(made) == 2
    assert again == check(request(package, cache=None), registry)


def test_a_file_that_was_looked_for_in_vain_and_now_exists_is_noticed(package: Path, registry: Registry, made: list[int]) -> None:
    (package / "helper.py").unlink()
    only = request(package, files=(str(package / "net.py"),), only_files=True)
    assert codes(check(only, registry)) == []
    (package / "helper.py").write_text(HELPER)
    assert check(only, registry).events == check(replace(only, cache=None), registry).events
    assert len(made) == 3


@pytest.mark.parametrize("changes", [
    {"settings": AnalysisSettings(torch_version="2.6.0")},
    {"settings": AnalysisSettings(roots=("Net",))},
    {"follow": "none"},
])
def test_another_question_has_an_answer_of_its_own(changes: dict[str, object], package: Path, registry: Registry, made: list[int]) -> None:
    check(request(package), registry)
    check(request(package, **changes), registry)
    assert len(made) == 2


def test_a_text_that_stands_in_for_a_file_counts_in_its_place(package: Path, registry: Registry, made: list[int]) -> None:
    texts = {str(package / "helper.py"): FINE}
    assert codes(check(request(package), registry)) == [("TFX201", 2)]
    assert codes(check(request(package, texts=texts), registry)) == []
    assert codes(check(request(package, texts=texts), registry)) == []
    assert codes(check(request(package), registry)) == [("TFX201", 2)]
    assert len(made) == 3  # there is one entry a question, and the text is no part of the question


def test_a_text_that_cannot_be_decoded_is_never_kept(package: Path, registry: Registry, made: list[int]) -> None:
    broken = request(package, texts={str(package / "helper.py"): ReadError("cannot be decoded", 1)})
    assert codes(check(broken, registry)) == codes(check(broken, registry)) == [("TFX001", 1)]
    assert len(made) == 2
    assert not (package.parent.parent / "cache").exists()


def test_unreadable_files_are_reported_from_the_cache_too(package: Path, registry: Registry, made: list[int]) -> None:
    (package / "broken.py").write_text("def (:\n")
    first = check(request(package), registry)
    assert ("TFX001", 1) in codes(first)
    assert check(request(package), registry) == first
    assert len(made) == 1


def damaged(data: bytes) -> list[bytes]:
    head, _, rest = data.partition(b"\n")
    hostile = json.dumps([[], [], [], [[], [], [], [], [], {}, 0]]).encode()
    deep = b"[" * 100_000
    return [
        b"", data[:100], data[:-1], data.replace(b"TFX", b"XFT") + b" ", head + b"\n" + rest[::-1],
        *(folders.digest(text).encode() + b"\n" + text for text in (hostile, deep, b"null", b"\xff", b"{}")),
    ]


@pytest.mark.parametrize("number", range(10))
def test_a_damaged_or_hostile_entry_is_made_afresh(number: int, package: Path, registry: Registry, made: list[int]) -> None:
    first = check(request(package), registry)
    (kept,) = (package.parent.parent / "cache").glob("*.json")
    kept.write_bytes(damaged(kept.read_bytes())[number])
    assert check(request(package), registry) == first
    assert len(made) == 2
    assert check(request(package), registry) == first
    assert len(made) == 2


def test_a_folder_that_takes_nothing_costs_nothing_but_time(package: Path, registry: Registry, made: list[int], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    asked = request(package, cache=tmp_path / "file" / "cache")
    assert codes(check(asked, registry)) == codes(check(asked, registry)) == [("TFX201", 2)]
    assert len(made) == 2


def test_what_was_used_longest_ago_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOST_ENTRIES", 2)
    for name in ("a.json", "b.json"):
        assert folders.write(tmp_path, name, b"x")
        os.utime(tmp_path / name, (1, 1))
    assert folders.read(tmp_path, "a.json") == b"x"
    assert folders.write(tmp_path, "c.json", b"x")
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["a.json", "c.json"]
    assert not list(tmp_path.glob("*.part"))
