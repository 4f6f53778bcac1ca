"""Each bad input ends in one clear line on stderr (or one finding) and the right exit code; never in a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import NET, Call, write


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["check", "nowhere.py"], "nowhere.py: no such file or folder"),
        (["check", "net.py", "nowhere"], "nowhere: no such file or folder"),
        (["check", "--select", "TFX9"], "--select TFX9: no such code"),
        (["check", "--select", "E501"], "--select E501: no such code"),
        (["check", "--ignore", "TFX1O1"], "did you mean 'TFX"),
        (["check", "--output-format", "xml"], "--output-format xml: no such format; known are full, concise, grouped, json"),
        (["check", "--torch-version", "1.13"], "wrong torch version '1.13'"),
        (["check", "--torch-version", "new"], "wrong torch version 'new'"),
        (["check", "--config", "none.toml"], "--config none.toml: no such file"),
        (["check", "--config", "net.py", "--isolated"], "--config with a file and --isolated exclude each other"),
        (["check", "--config", "net.py"], "net.py: not valid TOML"),
        (["check", "--config", "a.toml", "--config", "selct=[]"], "--config a.toml: no such file, and no KEY=VALUE"),
        (["check", "--config", "selct=[]"], "--config selct=[]: unknown key 'selct'; did you mean 'select'?"),
        (["check", "--config", "select=3"], "--config select=3: select must be a list of strings, not 3"),
        (["check", "--config", "extend=a.toml"], "only a file can extend another one"),
        (["check", "--config", "a b=3"], "not a file, nor `key = value`"),
        (["check", "--config", "fxlint.toml", "--config", "net.py"], "one configuration file at a time"),
        (["config", "selct"], "config selct: no such key; did you mean 'select'?"),
        (["config", "select", "--schema"], "give a KEY or --schema, not both"),
        (["check", "--stdin-filename", "net.py"], "--stdin-filename goes with the path -"),
        (["check", "--frobnicate"], "unrecognized arguments: --frobnicate"),
        (["chek"], "invalid choice: 'chek'"),
        (["rule"], "give one CODE, or --all"),
        (["rule", "TFX1O1"], "did you mean 'TFX"),
        (["rule", "TFX101", "--all"], "give one CODE, or --all"),
        (["explain", "net.py"], "give one FILE:LINE"),
        (["explain", "net.py:zero"], "give one FILE:LINE"),
        (["explain", "gone.py:3"], "gone.py: no such file"),
    ],
    ids=lambda value: "-".join(value).replace("--", "") if isinstance(value, list) else None,
)
def test_usage_error(folder: Path, fxlint: Call, words: list[str], says: str) -> None:
    write(folder / "net.py", NET)
    said = fxlint(*words)
    assert (said.code, said.out) == (2, "")
    assert says in said.err
    assert said.err.startswith("fxlint")
    assert said.err.count("\n") == 1


def test_root_that_no_file_holds_is_told(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    said = fxlint("check", "--root", "Nowhere", "--root", "Net", "net.py")
    assert said.err == "fxlint: note: --root Nowhere: no module class or function of that name in the files given\n"
    assert said.code == 1
    assert fxlint("check", "--root", "Nowhere", "net.py").code == 0


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("[tool.fxlint]\nselct = ['TFX1']\n", "unknown key 'selct'; did you mean 'select'?"),
        ("[tool.fxlint]\nzzz = 1\n", "unknown key 'zzz'; known are extend, select, ignore"),
        ("[tool.fxlint]\nselect = 'TFX1'\n", "select must be a list of strings, not 'TFX1'"),
        ("[tool.fxlint]\nselect = [1]\n", "select must be a list of strings"),
        ("[tool.fxlint]\nselect = ['TFX9']\n", "pyproject.toml: select TFX9: no such code"),
        ("[tool.fxlint]\nunsafe-fixes = 1\n", "unsafe-fixes must be true or false"),
        ("[tool.fxlint]\ntorch-version = '2.1'\n", "torch-version must be a version"),
        ("[tool.fxlint]\ntorch-version = 2.6\n", "torch-version must be a version"),
        ("[tool.fxlint]\noutput-format = 'xml'\n", "output-format must be one of full, concise, grouped, json"),
        ("[tool.fxlint]\nper-file-ignores = ['a']\n", "per-file-ignores must be a table of lists of strings"),
        ("[tool.fxlint]\nper-file-ignores = {'a' = 'TFX1'}\n", "per-file-ignores must be a table of lists of strings"),
        ("[tool.fxlint]\nper-file-ignores = {'a' = ['TFX9']}\n", "pyproject.toml: per-file-ignores TFX9: no such code"),
        ("[tool.fxlint.severity]\nTFX1 = 'fatal'\n", "severity must be a table of code prefixes, each with one of error, warning, info"),
        ("[tool.fxlint.severity]\nE5 = 'error'\n", "severity must be a table of code prefixes"),
        ("[tool.fxlint.severity]\nTFX9 = 'error'\n", "pyproject.toml: severity TFX9: no such code"),
        ("[tool.fxlint]\nfollow-imports = 'all'\n", "follow-imports must be one of project, none, installed"),
        ("[tool.fxlint]\ntracer = 'a b'\n", "tracer must be the dotted name of a class"),
        ("[tool.fxlint]\ntracer = 'gone.Tracer'\n", "tracer: no file of the project defines gone.Tracer"),
        ("[tool.fxlint.functions]\n'a.b' = 'leaf'\n", "functions must be a table of dotted names of functions, each with one of wrap,"),
        ("[tool.fxlint.functions]\n'a b' = 'wrap'\n", "functions must be a table of dotted names of functions"),
        ("[tool.fxlint]\nextend = 3\n", "extend must be the name of a file, not 3"),
        ("[tool.fxlint]\nextend = 'gone.toml'\n", "gone.toml, which is no file"),
        ("[tool.fxlint]\nextend = 'pyproject.toml'\n", "extend goes round in a circle"),
        ("[tool.fxlint]\nmodels = ['a']\n", "models must be a table of strings"),
        ("[tool]\nfxlint = 3\n", "[tool.fxlint] is not a table"),
        ("[tool.fxlint\n", "not valid TOML"),
        ("tool = 3\n", "[tool] is not a table"),
    ],
)
def test_broken_configuration(folder: Path, fxlint: Call, table: str, says: str) -> None:
    write(folder / "net.py", NET)
    write(folder / "pyproject.toml", table)
    said = fxlint("check", "net.py")
    assert (said.code, said.out) == (2, "")
    assert says in said.err
    assert said.err.count("\n") == 1
    assert fxlint("check", "--isolated", "net.py").code == 1


def test_configuration_that_is_no_text(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    (folder / "fxlint.toml").write_bytes(b"\xff\xfe")
    said = fxlint("check", "net.py")
    assert (said.code, "not UTF-8" in said.err) == (2, True)


@pytest.mark.parametrize(
    ("data", "row", "says"),
    [
        (b"def f(:\n    pass\n", 1, "invalid syntax"),
        (b"x = 1\nif x:\n", 2, "expected an indented block"),
        (b"x = 1\n\x00\n", 2, "null byte"),
        (b"x = 1\ny = '\xff'\n", 2, "cannot be decoded as utf-8"),
        (b"# -*- coding: klingon -*-\n", 1, "unknown encoding"),
        (b"\x7fELF\x02\x01\x01\x00\x00", 1, "null byte"),
    ],
    ids=["syntax", "indent", "null", "bytes", "cookie", "binary"],
)
def test_unreadable_file_is_a_finding_and_others_go_on(folder: Path, fxlint: Call, data: bytes, row: int, says: str) -> None:
    write(folder / "net.py", NET)
    (folder / "bad.py").write_bytes(data)
    said = fxlint("check", "--output-format", "concise", ".")
    first, second = said.out.splitlines()
    assert first.startswith(f"bad.py:{row}:")
    assert " TFX001 error: " in first
    assert says in first
    assert second.startswith("net.py:7:12: TFX101 error: ")
    assert (said.code, said.err) == (1, "")


def test_unreadable_stdin_is_a_finding(fxlint: Call) -> None:
    said = fxlint("check", "-", "--output-format", "concise", stdin=b"\xff")
    assert said.out.startswith("-:1:1: TFX001 error: cannot be decoded as utf-8")
    assert said.code == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET).chmod(0)
    said = fxlint("check", "net.py", "--output-format", "concise")
    assert "TFX001 error: cannot be read: Permission denied" in said.out


def test_check_that_raises_is_named_and_the_others_go_on(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from fxlint import registry

    def fail(_event: object) -> None:
        raise KeyError("heads")

    real = registry.load()
    broken = replace(real.checks["TFX101"], check=replace(real.checks["TFX101"].check, code="TFX999"), report=fail)
    monkeypatch.setattr(registry, "load", lambda: registry.build([*real.checks.values(), broken]))
    write(folder / "net.py", NET)
    said = fxlint("check", "net.py", "--output-format", "concise")
    assert said.out.startswith("net.py:7:12: TFX101 error: ")
    assert said.err == f"fxlint: TFX999 failed on {folder / 'net.py'}:7: KeyError 'heads' (please report)\n"
    assert said.code == 2


def test_internal_error_is_one_line(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:

    def fail(*_: object) -> None:
        raise RuntimeError("broke\nin two lines")

    monkeypatch.setattr("fxlint.interp.entry.analyse", fail)
    write(folder / "net.py", NET)
    said = fxlint("check", "net.py", "--output-format", "json")
    assert said.out == "[]\n"
    assert said.err == f"fxlint: internal error in {folder}: RuntimeError broke in two lines (please report)\n"
    assert said.code == 2
    monkeypatch.setenv("FXLINT_DEBUG", "1")
    assert "Traceback" in fxlint("check", "net.py").err


def test_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    write(folder / "net.py", NET)
    command = f"{sys.executable} -m fxlint rule --all --output-format json | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[\n", "")
