"""Silencing through the command line: forms of comments, comments that silence nothing, ``--add-noqa``, ``--ignore-noqa``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import FINE, NET, Call, write

BROKEN = '''\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        assert x.dim() == 2
        y = x.reshape(
            len(x),
            -1,
        )
        if x.sum() > 0:
            return y
        return -y
'''
LEFT = ("TFX103", "TFX201")


def rows(fxlint: Call, *words: str) -> list[dict[str, Any]]:
    said = fxlint("check", "--output-format", "json", *words)
    assert said.err == ""
    found: list[dict[str, Any]] = json.loads(said.out)
    return found


def codes(fxlint: Call, *words: str) -> list[str]:
    return [row["code"] for row in rows(fxlint, *words)]


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("import torch\n", "# fxlint: ignore-file\nimport torch\n", []),
        ("import torch\n", "import torch  # fxlint: ignore-file[TFX1] all of them\n", ["TFX201"]),
        ("import torch\n", "import torch\n# fxlint: ignore-file[TFX103,TFX2]\n", ["TFX101"]),
        ("import torch\n", "# flake8: noqa: TFX1\nimport torch\n", ["TFX201"]),
        ("    def forward", "    # fxlint: disable\n    def forward", []),
        ("        assert", "        # fxlint: disable[TFX103]\n        assert", ["TFX201", "TFX101"]),
        ("        if x", "        # fxlint: disable\n        z = 0\n        # fxlint: enable\n        if x", [*LEFT, "TFX003", "TFX101"]),
        ("            len(x),\n", "            len(x),  # fxlint: ignore\n", ["TFX103", "TFX101"]),
        ("            -1,\n", "            -1,  # fxlint: ignore[TFX201] fixed upstream\n", ["TFX103", "TFX101"]),
        ("            -1,\n", "            -1,  # fxlint: ignore[TFX101]\n", ["TFX103", "TFX201", "TFX003", "TFX101"]),
    ],
)
def test_forms(folder: Path, fxlint: Call, before: str, after: str, left: list[str]) -> None:
    write(folder / "net.py", BROKEN.replace(before, after, 1))
    assert codes(fxlint) == left


def test_a_decorator_carries_the_comment(folder: Path, fxlint: Call) -> None:
    text = NET.replace("    def forward", "    @torch.no_grad()  # fxlint: ignore[TFX507]\n    def forward")
    plain = [row["code"] for row in _checked(folder, fxlint, text.replace("  # fxlint: ignore[TFX507]", ""))]
    (other,) = [code for code in plain if code != "TFX101"]
    assert [row["code"] for row in _checked(folder, fxlint, text.replace("TFX507", other))] == ["TFX101"]


def _checked(folder: Path, fxlint: Call, text: str) -> list[dict[str, Any]]:
    write(folder / "net.py", text)
    return rows(fxlint)


# --- comments that silence nothing


def test_an_idle_comment_is_a_finding_with_a_repair(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", FINE.replace("return -x", "return -x  # noqa: TFX101, E501"))
    (row,) = rows(fxlint)
    assert (row["code"], row["severity"], row["message"]) == ("TFX003", "warning", "nothing to silence here: TFX101")
    assert (row["location"], row["end_location"]) == ({"row": 7, "column": 20}, {"row": 7, "column": 40})
    assert fxlint("fix").code == 0
    assert (folder / "net.py").read_text("utf-8") == FINE.replace("return -x", "return -x  # noqa: E501")


def test_a_misspelt_comment_is_a_finding(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.replace("> 0:", "> 0:  # fxlint: ignored[TFX101]"))
    first, second = rows(fxlint)
    assert (first["code"], second["code"]) == ("TFX101", "TFX003")
    assert "`# fxlint: ignored[TFX101]` silences nothing: it is no comment that fxlint knows" in second["message"]
    assert second["fix"] is None


def test_codes_that_do_not_exist(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.replace("> 0:", "> 0:  # fxlint: ignore[TFX101, TFX999]"))
    assert [row["message"] for row in rows(fxlint)] == ["nothing to silence here: TFX999, which does not exist"]


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("# noqa", ()),
        ("# noqa: E501", ()),
        ("# noqa: TFX101", ("--select", "TFX2,TFX003")),
        ("# noqa: TFX101", ("--ignore", "TFX1")),
        ("# noqa: TFX1", ("--ignore", "TFX102")),
        ("# fxlint: ignore", ("--ignore", "TFX5")),
        ("# noqa: TFX101", ("--root", "Other")),
        ("# noqa: TFX101", ("--ignore-noqa",)),
        ("# noqa: TFX101", ("--ignore", "TFX003")),
        ("# noqa: TFX101,TFX003", ()),
        ("# fxlint: ignore[TFX003,TFX101]", ()),
    ],
)
def test_nothing_is_said_where_nothing_is_known(folder: Path, fxlint: Call, comment: str, words: tuple[str, ...]) -> None:
    write(folder / "net.py", FINE.replace("return -x", f"return -x  {comment}"))
    assert json.loads(fxlint("check", "--output-format", "json", *words).out) == []


def test_a_bare_comment_does_not_silence_what_is_said_of_it(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", FINE.replace("return -x", "return -x  # fxlint: ignore"))
    assert [row["message"] for row in rows(fxlint)] == ["`# fxlint: ignore` silences nothing"]


def test_a_comment_that_silences_a_harmless_finding_is_used(folder: Path, fxlint: Call) -> None:
    write(folder / "fxlint.toml", '[severity]\nTFX101 = "info"\n')
    write(folder / "net.py", NET.replace("> 0:", "> 0:  # noqa: TFX101"))
    assert codes(fxlint) == []
    assert codes(fxlint, "--show-info") == []
    assert codes(fxlint, "--show-info", "--ignore-noqa") == ["TFX101"]


def test_a_line_comment_below_a_comment_on_the_file_is_used(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", "# fxlint: ignore-file[TFX101]\n" + NET.replace("> 0:", "> 0:  # noqa: TFX101"))
    assert codes(fxlint) == []


def test_nothing_is_said_after_an_internal_error(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from fxlint import registry

    def fail(_event: object) -> None:
        raise KeyError("heads")

    real = registry.load()
    broken = replace(real.checks["TFX101"], report=fail)
    monkeypatch.setattr(registry, "load", lambda: registry.build([*(one for c, one in real.checks.items() if c != "TFX101"), broken]))
    write(folder / "net.py", NET.replace("> 0:", "> 0:  # noqa: TFX101"))
    said = fxlint("check", "--output-format", "json")
    assert (said.code, said.out) == (2, "[]\n")


def test_flake8_says_the_same_of_idle_comments(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", BROKEN.replace("> 0:", "> 0:  # noqa: TFX101").replace("return -y", "return -y  # noqa: TFX102").replace(
        "== 2", "== 2  # fxlint: ignore[TFX103,TFX104]"))
    wanted = [(row["location"]["row"], row["code"]) for row in rows(fxlint)]
    done = subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", "--select", "TFX", "net.py"], cwd=folder, capture_output=True, text=True)
    found = [(int(line.split(":")[1]), line.split()[1]) for line in done.stdout.splitlines()]
    assert sorted(found) == sorted(wanted) == [(7, "TFX003"), (9, "TFX201"), (14, "TFX003")]


def test_the_page_of_the_check(fxlint: Call) -> None:
    assert fxlint("rule", "unused-suppression").out.startswith("TFX003 unused-suppression: ")


# --- --ignore-noqa and --add-noqa


def test_ignore_noqa_reports_all(folder: Path, fxlint: Call) -> None:
    text = "# fxlint: ignore-file[TFX2]\n" + BROKEN.replace("> 0:", "> 0:  # noqa").replace("== 2", "== 2  # fxlint: ignore")
    write(folder / "net.py", text)
    assert codes(fxlint) == []
    assert codes(fxlint, "--ignore-noqa") == ["TFX103", "TFX201", "TFX101"]


@pytest.mark.parametrize("change", [lambda s: s, lambda s: s.replace("\n", "\r\n"), lambda s: "\ufeff" + s], ids=["lf", "crlf", "bom"])
def test_add_noqa_silences_all_and_changes_nothing_else(folder: Path, fxlint: Call, change: Any) -> None:
    write(folder / "net.py", change(BROKEN.replace("> 0:", "> 0:  # noqa: E501")))
    write(folder / "fine.py", FINE)
    write(folder / "bad.py", "def f(:\n")
    said = fxlint("check", "--add-noqa")
    assert (said.code, said.out) == (0, "silenced 3 findings in 1 file\n")
    wanted = BROKEN.replace("== 2", "== 2  # noqa: TFX103").replace("        )\n", "        )  # noqa: TFX201\n").replace(
        "> 0:", "> 0:  # noqa: E501,TFX101")
    assert (folder / "net.py").read_bytes().decode() == change(wanted)
    assert codes(fxlint) == ["TFX001"]
    again = fxlint("check", "--add-noqa", "net.py")
    assert (again.code, again.out) == (0, "silenced 0 findings in 0 files\n")


def test_add_noqa_of_a_selection(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", BROKEN)
    assert fxlint("check", "--add-noqa", "--select", "TFX2").out == "silenced 1 finding in 1 file\n"
    assert codes(fxlint) == ["TFX103", "TFX101"]


def test_add_noqa_writes_no_standard_input(folder: Path, fxlint: Call) -> None:
    said = fxlint("check", "--add-noqa", "-", stdin=NET.encode())
    assert (said.code, said.out) == (2, "")
    assert "--add-noqa writes files" in said.err
