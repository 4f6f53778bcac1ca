"""``fxlint baseline``: findings that a project lives with, and new ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import FINE, NET, Call, write

FILE = "fxlint-baseline.json"


@pytest.fixture
def project(folder: Path, fxlint: Call) -> Path:
    """Two files with a finding each, and their baseline."""
    write(folder / "a.py", NET)
    write(folder / "b" / "b.py", NET)
    assert fxlint("baseline", "write").out == f"{FILE}: 2 findings\n"
    return folder


def new(fxlint: Call, *words: str) -> list[tuple[str, int, str]]:
    said = fxlint("baseline", "check", "--output-format", "json", *words)
    rows = [(row["filename"], row["location"]["row"], row["code"]) for row in json.loads(said.out)]
    assert said.code == bool(rows)
    return rows


def test_known_findings_are_not_told(project: Path, fxlint: Call) -> None:
    said = fxlint("baseline", "check")
    assert (said.code, said.out, said.err) == (0, "nothing to report\n", f"fxlint: 0 new, 2 in {FILE}\n")
    assert fxlint("check").code == 1


def test_lines_may_move(project: Path, fxlint: Call) -> None:
    write(project / "a.py", "# one\n\n# two\n" + NET.replace("        if x.sum()", "        x = x + 1\n        if  x.sum()"))
    assert new(fxlint) == []


def test_new_findings_are_told(project: Path, fxlint: Call) -> None:
    write(project / "a.py", NET.replace("        return -x", "        return -x * len(x)"))
    write(project / "c.py", NET)
    assert new(fxlint) == [("a.py", 9, "TFX201"), ("c.py", 7, "TFX101")]
    assert fxlint("baseline", "check").err == f"fxlint: 2 new, 2 in {FILE}\n"
    assert fxlint("baseline", "check", "--exit-zero").code == 0


def test_a_second_one_on_an_equal_line_is_new(project: Path, fxlint: Call) -> None:
    block = "        if x.sum() > 0:\n            return x\n"
    write(project / "a.py", NET.replace(block, block + block))
    assert new(fxlint) == [("a.py", 9, "TFX101")]


def test_another_function_is_another_place(project: Path, fxlint: Call) -> None:
    write(project / "a.py", NET.replace("class Net", "class Other"))
    assert new(fxlint) == [("a.py", 7, "TFX101")]


def test_what_is_gone_is_told_and_forgotten(project: Path, fxlint: Call) -> None:
    write(project / "a.py", FINE)
    said = fxlint("baseline", "check")
    assert (said.code, said.err) == (0, f"fxlint: 0 new, 1 in {FILE}; 1 gone: `fxlint baseline write` forgets it\n")
    assert "gone" not in fxlint("baseline", "check", "b").err  # of files that were not looked at nothing is known
    assert fxlint("baseline", "write").out == f"{FILE}: 1 finding\n"
    (project / "b" / "b.py").unlink()
    assert "1 gone" in fxlint("baseline", "check").err


def test_the_file_is_sorted_and_the_same_from_everywhere(project: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (project / FILE).read_text("utf-8")
    document = json.loads(text)
    assert [entry["file"] for entry in document["findings"]] == ["a.py", "b/b.py"]
    assert document["findings"][0] == {"file": "a.py", "code": "TFX101", "function": "Net.forward", "line": "if x.sum() > 0:", "count": 1}
    assert fxlint("baseline", "write", "b", "a.py").code == 0
    assert (project / FILE).read_text("utf-8") == text
    monkeypatch.chdir(project / "b")
    assert fxlint("baseline", "check", "--baseline", f"../{FILE}", "..").code == 0


def test_files_that_cannot_be_parsed(folder: Path, fxlint: Call) -> None:
    write(folder / "bad.py", "def f(:\n")
    assert fxlint("baseline", "write", "--baseline", "kept.json").out == "kept.json: 1 finding\n"
    assert fxlint("baseline", "check", "--baseline", "kept.json").code == 0
    assert "kept.json: no such file" not in fxlint("baseline", "check", "--baseline", "kept.json").err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "no such file; `fxlint baseline write` makes it"),
        ("{", "not a baseline: "),
        ("[]", "not a baseline of this version of fxlint"),
        ('{"version": 9, "findings": []}', "not a baseline of this version of fxlint"),
        ('{"version": 1, "findings": [{"file": "a"}]}', "not a baseline: KeyError"),
        ('{"version": 1, "findings": [3]}', "not a baseline: TypeError"),
    ],
)
def test_a_broken_baseline_is_one_line(folder: Path, fxlint: Call, text: str | None, says: str) -> None:
    write(folder / "a.py", NET)
    if text is not None:
        write(folder / FILE, text)
    said = fxlint("baseline", "check")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert says in said.err


def test_nothing_is_written_after_an_internal_error(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:

    def fail(*_: object) -> None:
        raise RuntimeError("broke")

    monkeypatch.setattr("fxlint.interp.entry.analyse", fail)
    write(folder / "a.py", NET)
    said = fxlint("baseline", "write")
    assert (said.code, said.out) == (2, "")
    assert f"{FILE} was not written" in said.err
    assert not (folder / FILE).exists()


def test_the_action_is_asked_for(fxlint: Call) -> None:
    assert fxlint("baseline").code == fxlint("baseline", "rewrite").code == 2
