"""``fxlint new-check``: what it writes is a valid check whose examples hold."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from fxlint.cli.new_check import check_text
from fxlint.examples import problems
from fxlint.registry import load
from tests.cli.conftest import Call, write


def test_a_check_and_its_test_are_written(folder: Path, fxlint: Call) -> None:
    write(folder / "rules" / "inner" / "__init__.py", "")
    write(folder / "rules" / "__init__.py", "")
    (folder / "tests").mkdir()
    said = fxlint("new-check", "tfx901", "no-len", "--into", "rules/inner", "--tests", "tests")
    assert (said.code, said.err) == (0, "")
    assert '[project.entry-points."fxlint.checks"]\nno-len = "rules.inner.tfx901_no_len"' in said.out
    assert "from rules.inner import tfx901_no_len\n" in (folder / "tests" / "test_tfx901_no_len.py").read_text("utf-8")
    assert (folder / "rules" / "inner" / "tfx901_no_len.py").read_text("utf-8").startswith('"""TFX901 no-len: ')
    again = fxlint("new-check", "TFX901", "no-len", "--into", "rules/inner")
    assert (again.code, "is there already; nothing was written" in again.err) == (2, True)


def test_outside_a_package_the_module_stands_alone(folder: Path, fxlint: Call) -> None:
    assert 'no-if = "tfx902_no_if"' in fxlint("new-check", "TFX902", "no-if", "--like", "TFX101").out
    assert (folder / "test_tfx902_no_if.py").is_file()


def test_a_check_of_fxlint_itself_needs_no_test_and_no_entry_point(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    real = load()
    monkeypatch.setattr("fxlint.registry.load", lambda: replace(real, folders=(folder.resolve(),)))
    said = fxlint("new-check", "TFX901", "no-len")
    assert (said.code, said.out) == (0, "wrote tfx901_no_len.py\n")
    assert [path.name for path in folder.iterdir()] == ["tfx901_no_len.py"]


@pytest.mark.parametrize("code", [pytest.param(code, id=code) for code in load().checks])
def test_what_is_written_is_a_valid_check(tmp_path: Path, code: str) -> None:
    path = tmp_path / "tfx999_new.py"
    path.write_text(check_text("TFX999", "new", load().checks[code].check), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("tfx999_new", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    like = load().checks[code].check
    assert (made.CHECK.examples, made.CHECK.events, made.CHECK.constructs) == (like.examples, like.events, like.constructs)


def test_the_examples_of_what_is_written_hold(tmp_path: Path, fxlint: Call) -> None:
    fxlint("new-check", "TFX903", "no-assert", "--like", "TFX103")
    spec = importlib.util.spec_from_file_location("tfx903_no_assert", "tfx903_no_assert.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert problems(made) == ()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["TFX101", "new"], "new-check TFX101: taken by proxy-in-if"),
        (["TFX001", "new"], "a code is TFX and three digits"),
        (["E901", "new"], "a code is TFX and three digits"),
        (["TFX901", "New_Check"], "a name is in kebab-case"),
        (["TFX901", "new", "--like", "TFX1O1"], "--like TFX1O1: no such check; did you mean 'TFX"),
        (["TFX901", "new", "--into", "gone"], "gone: no such folder"),
        (["TFX901", "new", "--tests", "gone"], "gone: no such folder"),
        (["TFX901"], "the following arguments are required: NAME"),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(folder: Path, fxlint: Call, words: list[str], says: str) -> None:
    said = fxlint("new-check", *words)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert says in said.err
    assert list(folder.iterdir()) == []
