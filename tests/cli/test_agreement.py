"""``check FILE``, ``check .``, standard input and flake8 say the same about a file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Call, write

FILES = {
    "pkg/__init__.py": "from .net import Net\n",
    "pkg/ops.py": '''\
def scaled(x, limit):
    if x.shape[0] > limit:
        return x * 2
    return x


def quiet(x, limit):
    if x.shape[0] > limit:  # noqa: TFX101
        return x * 2
    return x


def unused(x):
    return x if x.sum() > 0 else -x
''',
    "pkg/net.py": '''\
import torch
from torch import nn

from .ops import quiet, scaled


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, mask=None):
        x = quiet(scaled(self.linear(x), 3), 2)
        if mask is not None and mask.sum() > 0:
            x = x * mask
        while x.mean() > 1:  # fxlint: ignore[TFX102]
            x = x / 2
        assert x.dim() == 2
        return x
''',
    "train.py": '''\
from pkg import Net


def main(x):
    net = Net()
    return net(x)
''',
}
ROW = re.compile(r"(?P<path>[^:]+):(?P<row>\d+):(?P<column>\d+): (?P<code>TFX\d+) (?P<message>.*)")
Row = tuple[str, int, int, str, str]


@pytest.fixture
def package(folder: Path) -> Path:
    """A package of two files and a script beside it."""
    for name, text in FILES.items():
        write(folder / name, text)
    return folder


def rows(said: str) -> list[Row]:
    return [(r["filename"], r["location"]["row"], r["location"]["column"], r["code"], r["message"]) for r in json.loads(said)]


def flake8(folder: Path, *words: str, stdin: str | None = None) -> list[Row]:
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "TFX", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=stdin)
    assert (done.stderr, done.returncode in (0, 1)) == ("", True)
    found = [ROW.fullmatch(line) for line in done.stdout.splitlines()]
    assert None not in found, done.stdout
    return sorted(
        (m["path"].removeprefix("./"), int(m["row"]), int(m["column"]), m["code"], m["message"]) for m in found if m is not None
    )


def test_all_ways_agree(package: Path, fxlint: Call) -> None:
    whole = rows(fxlint("check", ".", "--output-format", "json").out)
    assert {(path, code) for path, _, _, code, _ in whole} >= {("pkg/ops.py", "TFX101"), ("pkg/net.py", "TFX103")}
    assert flake8(package, ".") == whole
    for name, text in FILES.items():
        own = [row for row in whole if row[0] == name]
        assert rows(fxlint("check", name, "--output-format", "json").out) == own
        assert rows(fxlint("check", "-", "--stdin-filename", name, "--output-format", "json", stdin=text.encode()).out) == own
        assert flake8(package, "--stdin-display-name", name, "-", stdin=text) == own


def test_a_file_that_is_left_out_changes_nothing_in_the_others(package: Path, fxlint: Call) -> None:
    write(package / "fxlint.toml", 'exclude = ["extra.py"]\n')
    user = FILES["pkg/net.py"].replace(".ops", "pkg.ops").replace("class Net", "class Extra").replace("quiet(scaled", "unused(scaled")
    write(package / "extra.py", user.replace("quiet, scaled", "scaled, unused"))
    whole = rows(fxlint("check", ".", "--output-format", "json").out)
    both = rows(fxlint("check", "pkg/ops.py", "extra.py", "--output-format", "json").out)
    assert "extra.py" in {row[0] for row in both}
    assert [row for row in both if row[0] == "pkg/ops.py"] == [row for row in whole if row[0] == "pkg/ops.py"]


def test_a_helper_is_judged_by_the_roots_that_reach_it(package: Path, fxlint: Call) -> None:
    found = rows(fxlint("check", "pkg/ops.py", "--output-format", "json").out)
    assert [row[1] for row in found] == [2]


def test_flake8_can_lift_its_own_comments(package: Path) -> None:
    assert [row[1] for row in flake8(package, "--disable-noqa", "pkg/ops.py")] == [2, 8]


def test_flake8_follows_the_configuration(package: Path) -> None:
    write(package / "fxlint.toml", 'ignore = ["TFX1"]\n')
    assert not [row for row in flake8(package, ".") if row[3].startswith("TFX1")]


def test_flake8_has_options_of_its_own(package: Path) -> None:
    assert flake8(package, "--fxlint-root", "Nowhere", "pkg/net.py") == []
    assert flake8(package, "--fxlint-root", "Nowhere,Net", "pkg/net.py") == flake8(package, "pkg/net.py") != []
    write(package / "other.toml", 'severity = { TFX1 = "info" }\n')
    other = flake8(package, "--fxlint-config", "other.toml", "pkg/net.py")
    assert "TFX103" not in [row[3] for row in other]
    assert "TFX103" in [row[3] for row in flake8(package, "--fxlint-config", "other.toml", "--fxlint-show-info", "pkg/net.py")]
    write(package / "fxlint.toml", 'ignore = ["TFX103"]\n')
    assert "TFX103" not in [row[3] for row in flake8(package, "pkg/net.py")]
    assert "TFX103" in [row[3] for row in flake8(package, "--fxlint-isolated", "pkg/net.py")]
    ((_, _, _, code, message), *_) = flake8(package, "--fxlint-torch-version", "1.13", "pkg/net.py")
    assert (code, "wrong torch version '1.13'" in message) == ("TFX002", True)
    ((_, _, _, code, message), *_) = flake8(package, "--fxlint-config", "gone.toml", "pkg/net.py")
    assert (code, "--fxlint-config gone.toml: no such file" in message) == ("TFX002", True)


def test_options_may_stand_in_the_configuration_of_flake8(package: Path) -> None:
    write(package / "other.toml", 'ignore = ["TFX103"]\n')
    write(package / ".flake8", "[flake8]\nselect = TFX\nfxlint-config = other.toml\nfxlint-root = Net\n")
    command = [sys.executable, "-m", "flake8", "pkg"]
    done = subprocess.run(command, cwd=package, capture_output=True, text=True)
    assert done.stderr == ""
    assert "TFX101" in done.stdout
    assert "TFX103" not in done.stdout


def test_flake8_is_told_of_a_broken_configuration(package: Path) -> None:
    write(package / "fxlint.toml", "selct = []\n")
    ((path, row, column, code, message),) = flake8(package, "pkg/net.py")
    assert (path, row, column, code) == ("pkg/net.py", 1, 1, "TFX002")
    assert "unknown key 'selct'; did you mean 'select'?" in message


def test_flake8_skips_a_unit_without_torch(folder: Path) -> None:
    from fxlint import flake8_plugin

    write(folder / "a.py", "def f(x):\n    return x\n")
    assert flake8(folder, ".") == []
    flake8_plugin.KEPT.studies.clear()
    import ast

    text = (folder / "a.py").read_text("utf-8")
    assert flake8_plugin.findings(str(folder / "a.py"), text, ast.parse(text)) is None
