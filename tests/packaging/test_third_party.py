"""Checks that other packages bring: a small package is installed, and its check is one like any other."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fxlint.examples import problems

HERE = Path(__file__).parent
NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        print("forward")
        return x * len(x)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that house-rules is installed in by pip."""
    target = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source")
    for path in (HERE / "house_rules").rglob("*"):
        if path.is_file() and path.suffix in (".py", ".toml") and "build" not in path.parts:
            copy = source / path.relative_to(HERE / "house_rules")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "net.py"
    path.write_text(NET, encoding="utf-8")
    return path


def run(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run([sys.executable, "-m", *words], cwd=folder, env=environment, capture_output=True, text=True)


def codes(site: Path, net: Path, *words: str) -> list[str]:
    done = run(site, net.parent, "fxlint", "check", "--output-format", "json", *words, net.name)
    assert done.stderr == ""
    return [row["code"] for row in json.loads(done.stdout)]


def test_the_check_reports_beside_the_others(installed: Path, net: Path) -> None:
    assert codes(installed, net) == ["TFX512", "TFX901", "TFX201"]
    assert codes(installed, net, "--select", "TFX9") == ["TFX901"]
    assert codes(installed, net, "--ignore", "TFX901", "--ignore", "TFX5") == ["TFX201"]


def test_its_page_is_shown(installed: Path, net: Path) -> None:
    assert run(installed, net.parent, "fxlint", "rule", "no-print").stdout.startswith("TFX901 no-print: `print` in a model.")
    listed = run(installed, net.parent, "fxlint", "rule", "--all").stdout.splitlines()
    assert listed[-1].split() == ["TFX901", "error", "no-print", "a", "print", "in", "a", "model"]


def test_comments_silence_it_and_sarif_has_its_rule(installed: Path, net: Path) -> None:
    (document,) = json.loads(run(installed, net.parent, "fxlint", "check", "--output-format", "sarif", net.name).stdout)["runs"]
    assert "TFX901" in [rule["id"] for rule in document["tool"]["driver"]["rules"]]
    net.write_text(NET.replace('print("forward")', 'print("forward")  # noqa: TFX901, TFX512'), encoding="utf-8")
    assert codes(installed, net) == ["TFX201"]


def test_flake8_reports_it(installed: Path, net: Path) -> None:
    done = run(installed, net.parent, "flake8", "--isolated", "--select", "TFX9", net.name)
    assert done.stdout == "net.py:7:9: TFX901 models of this house do not print\n"


def test_a_package_that_cannot_be_loaded_is_named_and_the_others_go_on(installed: Path, net: Path, tmp_path: Path) -> None:
    info = tmp_path / "site" / "broken_rules-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-rules\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[fxlint.checks]\nbroken = broken_rules.check\n", encoding="utf-8")
    done = run(tmp_path / "site", net.parent, "fxlint", "check", "--output-format", "concise", net.name)
    assert done.stderr.startswith("fxlint: check broken (broken_rules.check) cannot be used: ModuleNotFoundError: ")
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["TFX512", "TFX201"]
    assert done.returncode == 2


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


FIXED = """fixed=\"\"\"\nclass M(nn.Module):\n    def forward(self, x):\n"""
CHECK = HERE / "house_rules" / "house_rules" / "tfx901_no_print.py"


def test_its_examples_are_reported_where_they_are_marked() -> None:
    assert problems(module(CHECK)) == ()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('print("forward")  # <- here', 'print("forward")', "it has no example with a `# <- here`"),
        ('print("forward")  # <- here\n        return x * 2', 'print("forward")  # <- here\n        return x * 2  # <- here',
         "example 'a print of a text': reported on rows 7, marked are 7, 8"),
        ('print("built")', 'print("built")  # <- here', "it has fewer than two examples without a `# <- here`"),
        ('warnings.warn("forward")', 'print("forward")', "example 'near miss: a warning': reported on rows 9, marked are none"),
        (FIXED, FIXED + "        print()\n",
         "example 'a print of a text', repaired: reported on rows 7, marked are none"),
        ("## When to ignore", "## When", "its docstring lacks the heading '## When to ignore'"),
        ('code="TFX901"', 'code="HR901"', "code 'HR901' is not TFX and three digits"),
        ("return Report(", "return event.nothing(", "TFX901 failed on "),
    ],
)
def test_mistakes_are_told(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = CHECK.read_text("utf-8")
    assert old in text
    changed = tmp_path / "changed.py"
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert says in "\n".join(problems(module(changed)))
