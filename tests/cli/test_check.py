"""``fxlint check``: exit codes, formats, selection, silencing, standard input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import FINE, NET, Call, write


def test_exit_codes(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    write(folder / "fine.py", FINE)
    assert (fxlint("check", "fine.py").code, fxlint("check", "net.py").code, fxlint("check", "--exit-zero", "net.py").code) == (0, 1, 0)


def test_nothing_to_report(folder: Path, fxlint: Call) -> None:
    write(folder / "fine.py", FINE)
    assert fxlint("check").out == "nothing to report\n"
    assert fxlint("check", "--output-format", "json").out == "[]\n"
    assert fxlint("check", "--output-format", "concise").out == ""


def test_folder_without_python(folder: Path, fxlint: Call) -> None:
    write(folder / "notes.txt", NET)
    assert fxlint("check", "--output-format", "json") == fxlint("check", "--output-format", "json", ".")
    assert fxlint("check", "--output-format", "json").out == "[]\n"


def test_no_files_are_told_of(folder: Path, fxlint: Call) -> None:
    said = fxlint("check", "--output-format", "json")
    assert (said.code, said.out, said.err) == (0, "[]\n", "fxlint: no Python files were found under the paths given\n")
    write(folder / "fine.py", FINE)
    assert fxlint("check").err == ""


def test_text_shows_frame_chain_help_and_count(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    lines = fxlint("check", "net.py").out.splitlines()
    assert lines[0].startswith("net.py:7:12: TFX101 error: ")
    assert lines[1:4] == ["  |", "7 |         if x.sum() > 0:", "  |            ^^^^^^^^^^^"]
    assert any(line.startswith("  help: ") for line in lines)
    assert "    -> 7: `x.sum() > 0`" in "\n".join(lines)
    assert lines[-1].startswith("found 1 error")
    assert "\x1b" not in "".join(lines)


def test_json_has_the_shape_of_ruff(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    (row,) = json.loads(fxlint("check", "--output-format", "json", "net.py").out)
    assert row["code"] == "TFX101"
    assert row["filename"] == "net.py"
    assert row["location"] == {"row": 7, "column": 12}
    assert row["end_location"] == {"row": 7, "column": 23}
    assert row["noqa_row"] == 7
    assert (row["severity"], row["certainty"], row["assumes"]) == ("error", "must", [])
    assert any(root.endswith("Net") for root in row["roots"])
    assert {"message", "fix", "url", "trace"} <= set(row)
    for step in row["trace"]:
        assert set(step) == {"filename", "location", "end_location", "text", "note"}
        assert step["location"]["row"] in (6, 7)


def test_columns_count_characters(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.replace("if x.sum() > 0:", "if '\N{GRINNING FACE}é' and x.sum() > 0:"))
    rows = json.loads(fxlint("check", "--output-format", "json", "--select", "TFX1", "net.py").out)
    assert rows
    assert all(row["end_location"]["column"] == 31 for row in rows if row["location"]["column"] == 20)


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ([], ["TFX101"]),
        (["--select", "TFX1"], ["TFX101"]),
        (["--select", "TFX2"], []),
        (["--select", "tfx101,TFX2"], ["TFX101"]),
        (["--ignore", "TFX1"], []),
        (["--ignore", "TFX1", "--select", "TFX101"], ["TFX101"]),
        (["--ignore", "TFX101", "--select", "TFX1"], []),
        (["--ignore", "TFX101", "--select", "TFX101"], []),
        (["--select", "ALL"], ["TFX101"]),
    ],
)
def test_select_and_ignore(folder: Path, fxlint: Call, words: list[str], codes: list[str]) -> None:
    write(folder / "net.py", NET)
    assert [row["code"] for row in json.loads(fxlint("check", "--output-format", "json", *words, "net.py").out)] == codes


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("# noqa", True),
        ("# NOQA", True),
        ("# noqa: TFX101", True),
        ("# noqa: E501,TFX101", True),
        ("# noqa: TFX1", True),
        ("# noqa: E501", False),
        ("# noqa: TFX102", False),
        ("# no qa", False),
        ("# fxlint: ignore", True),
        ("# fxlint: ignore[TFX101]", True),
        ("# fxlint: ignore[TFX102, TFX101] since it is a demo", True),
        ("# fxlint: ignore[TFX102]", False),
        ("# fxlint", False),
    ],
)
def test_comments_that_silence(folder: Path, fxlint: Call, comment: str, silent: bool) -> None:
    write(folder / "net.py", NET.replace("> 0:", f"> 0:  {comment}"))
    assert fxlint("check", "net.py", "--select", "TFX1").code == (0 if silent else 1)


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("if x.sum() > (\n            0\n        ):  # noqa", True),
        ("if x.sum() > (  # noqa\n            0\n        ):", True),
        ("if x.sum() > (\n            0  # fxlint: ignore\n        ):", True),
        ("if x.sum() > \\\n            0:  # noqa", True),
        ("if x.sum() > 0:\n            # noqa\n            pass", False),
        ("# noqa\n        if x.sum() > 0:", False),
        ("y = 0  # noqa\n        if x.sum() > 0:", False),
    ],
)
def test_a_comment_counts_on_any_line_of_the_statement(folder: Path, fxlint: Call, text: str, silent: bool) -> None:
    write(folder / "net.py", NET.replace("if x.sum() > 0:", text))
    assert fxlint("check", "net.py", "--select", "TFX1").code == (0 if silent else 1)


def test_a_whole_file_is_silenced_as_by_flake8(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", "# flake8: noqa\n" + NET)
    write(folder / "other.py", "x = 1  # flake8: noqa\n" + NET)
    assert [row["filename"] for row in json.loads(fxlint("check", "--output-format", "json").out)] == ["other.py"]


def test_stdin_stands_for_a_file(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", FINE)
    said = fxlint("check", "-", "--stdin-filename", "net.py", "--output-format", "concise", stdin=NET.encode())
    assert said.out.startswith("net.py:7:12: TFX101 error: ")
    assert fxlint("check", "-", "--output-format", "concise", stdin=NET.encode()).out.startswith("-:7:12: TFX101 error: ")
    assert fxlint("check", "-", "--stdin-filename", "sub/new.py", "--output-format", "concise", stdin=NET.encode()).code == 1
    assert fxlint("check", "-", stdin=FINE.encode()).code == 0


@pytest.mark.parametrize("data", ["\ufeff" + NET, NET.replace("\n", "\r\n"), NET.replace("\n", "\r")], ids=["bom", "crlf", "cr"])
def test_places_do_not_depend_on_bom_or_line_ends(folder: Path, fxlint: Call, data: str) -> None:
    write(folder / "net.py", data)
    assert fxlint("check", "net.py", "--output-format", "concise").out.startswith("net.py:7:12: TFX101 error: ")


def test_latin_1_by_cookie(folder: Path, fxlint: Call) -> None:
    (folder / "net.py").write_bytes(("# coding: latin-1\n" + NET.replace("> 0", "> len('\xe9\xe9')")).encode("latin-1"))
    assert fxlint("check", "net.py", "--output-format", "concise", "--select", "TFX1").out.startswith("net.py:8:12: TFX101 error: ")


def test_configuration_selects_and_excludes(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    write(folder / "old" / "net.py", NET)
    write(folder / "fxlint.toml", 'exclude = ["old/"]\noutput-format = "concise"\n')
    assert [line.split(":")[0] for line in fxlint("check").out.splitlines()] == ["net.py"]
    write(folder / "fxlint.toml", 'ignore = ["TFX101"]\n')
    assert fxlint("check").code == 0
    assert fxlint("check", "--isolated", "net.py").code == 1


def test_gitignore_and_environments_are_left_out(folder: Path, fxlint: Call) -> None:
    for name in ("kept.py", "build/lib.py", ".venv/x.py", "env/pyvenv.cfg", "env/y.py", "node_modules/z.py"):
        write(folder / name, NET)
    write(folder / ".gitignore", "/build/\n")
    rows = json.loads(fxlint("check", "--output-format", "json").out)
    assert [row["filename"] for row in rows] == ["kept.py"]
    assert fxlint("check", "build/lib.py").code == 1  # a file that is named is taken


def test_order_of_paths_does_not_matter(folder: Path, fxlint: Call) -> None:
    for name in ("b.py", "a.py", "c/d.py"):
        write(folder / name, NET)
    one = fxlint("check", "--output-format", "json", "b.py", "c", "a.py").out
    assert one == fxlint("check", "--output-format", "json", "a.py", "b.py", "c/d.py", "a.py").out
    assert [row["filename"] for row in json.loads(one)] == ["a.py", "b.py", "c/d.py"]


def test_paths_may_stand_between_options(folder: Path, fxlint: Call) -> None:
    for name in ("a.py", "b.py", "c.py"):
        write(folder / name, NET)
    said = fxlint("check", "a.py", "--output-format", "concise", "b.py", "--select", "TFX1", "c.py")
    assert [line.split(":")[0] for line in said.out.splitlines()] == ["a.py", "b.py", "c.py"]
    assert "unrecognized arguments: --frob (see " in fxlint("check", "a.py", "--select", "TFX1", "b.py", "--frob").err


def test_rule_prints_the_page_and_the_list(fxlint: Call) -> None:
    page = fxlint("rule", "TFX101").out
    assert page.startswith("TFX101 proxy-in-if: ")
    assert "## When to ignore" in page
    assert fxlint("rule", "proxy-in-if").out == page
    listed = fxlint("rule", "--all").out.splitlines()
    assert [line.split()[0] for line in listed] == sorted(line.split()[0] for line in listed)
    records = json.loads(fxlint("rule", "--all", "--output-format", "json").out)
    assert [row["code"] for row in records] == [line.split()[0] for line in listed]
    assert fxlint("rule", "tfx001").out.startswith("TFX001 unreadable-file")


def test_explain_tells_the_chain_of_a_line(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.replace("> 0:", "> 0:  # noqa"))
    said = fxlint("explain", "net.py:7")
    assert "how it gets here:" in said.out
    assert said.code == 0
    assert fxlint("explain", "net.py:1").code == 1


def test_explain_tells_what_names_denote(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.replace("        if x", "        n = [x, x.shape[0]]\n        if x"))
    said = fxlint("explain", "net.py:7")
    assert "n: list[Proxy[tensor], Proxy[size item]]" in said.out
    assert "x: Proxy[tensor]" in said.out
    assert said.code == 0


def test_explain_tells_where_the_analysis_gave_up(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.replace("        if x", "        y = nowhere(x)\n        if x"))
    said = fxlint("explain", "--show-unknown", "net.py:7")
    assert "y: Proxy[value, assumed of nowhere]" in said.out
    assert "gave up" in said.err
    assert "unresolved name" in said.err


def test_a_root_that_a_package_imports_from_its_files(folder: Path, fxlint: Call) -> None:
    write(folder / "pkg/__init__.py", "from .net import Net\n")
    write(folder / "pkg/net.py", NET)
    said = fxlint("check", "--root", "Net", "--output-format", "concise", "pkg")
    assert (said.code, said.err) == (1, "")
    assert [line.split()[1] for line in said.out.splitlines()] == ["TFX101"]
