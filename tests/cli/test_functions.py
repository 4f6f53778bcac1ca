"""``[tool.fxlint.functions]``: what the configuration says of functions stands in place of their source, and of what is assumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call, write

HEAD = "import torch\nfrom torch import nn\n"
NET = HEAD + '''\
from mylib.ops import gather


class Net(nn.Module):
    def forward(self, x):
        y = gather(x, 2)
        if {condition}:
            return x
        return -x
'''
OWN = HEAD + '''\


def gather(x, n):
    if x.sum() > 0:
        return x
    return x * n


class Net(nn.Module):
    def forward(self, x):
        return gather(x, 2) {use}
'''


def found(fxlint: Call, *words: str) -> list[tuple[int, str, str]]:
    said = fxlint("check", "--output-format", "json", *words)
    assert said.err == ""
    return [(row["location"]["row"], row["code"], row["certainty"]) for row in json.loads(said.out)]


def say(folder: Path, word: str, name: str = "mylib.ops.gather") -> None:
    write(folder / "fxlint.toml", f'[functions]\n"{name}" = "{word}"\n')


def test_an_unknown_function_is_assumed_to_give_a_proxy(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.format(condition="y.sum() > 0"))
    assert found(fxlint) == [(9, "TFX101", "may")]


@pytest.mark.parametrize(
    ("word", "rows"),
    [
        ("wrap", [(9, "TFX101", "must")]),
        ("proxy", [(9, "TFX101", "must")]),
        ("breaks", [(8, "TFX311", "must"), (9, "TFX101", "must")]),
        ("static", []),
    ],
)
def test_a_function_outside_the_project(folder: Path, fxlint: Call, word: str, rows: list[tuple[int, str, str]]) -> None:
    write(folder / "net.py", NET.format(condition="y.sum() > 0"))
    say(folder, word)
    assert found(fxlint) == rows


@pytest.mark.parametrize(
    ("word", "rows"),
    [
        ("wrap", []),
        ("proxy", []),
        ("breaks", [(13, "TFX311", "must")]),
        ("static", []),
    ],
)
def test_a_function_of_the_project_is_not_entered(folder: Path, fxlint: Call, word: str, rows: list[tuple[int, str, str]]) -> None:
    write(folder / "net.py", OWN.format(use=""))
    assert found(fxlint) == [(6, "TFX101", "must")]
    say(folder, word, "net.gather")
    assert found(fxlint) == rows


def test_what_a_described_function_of_the_project_returns(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", OWN.format(use="if len(gather(x, 3)) else x"))
    for word, codes in (("wrap", ["TFX201"]), ("proxy", ["TFX201"]), ("static", [])):
        say(folder, word, "net.gather")
        assert sorted(code for _, code, _ in found(fxlint)) == codes


def test_a_call_without_a_proxy_runs_as_it_is_written(folder: Path, fxlint: Call) -> None:
    text = OWN.format(use="").replace("gather(x, 2)", "x * gather(torch.ones(2), 2)")
    write(folder / "net.py", text)
    for word in ("wrap", "proxy", "breaks"):
        say(folder, word, "net.gather")
        assert found(fxlint) == []


def test_only_the_function_named_is_described(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET.format(condition="y.sum() > 0"))
    say(folder, "static", "mylib.ops.gather_all")
    assert found(fxlint) == [(9, "TFX101", "may")]
    say(folder, "static", "mylib.gather")
    assert found(fxlint) == [(9, "TFX101", "may")]


def test_a_method_of_the_project(folder: Path, fxlint: Call) -> None:
    text = HEAD + '''\


class Net(nn.Module):
    def scale(self, x):
        return x if x.sum() > 0 else -x

    def forward(self, x):
        return self.scale(x)
'''
    write(folder / "net.py", text)
    assert [code for _, code, _ in found(fxlint)] == ["TFX105"]
    say(folder, "proxy", "net.Net.scale")
    assert found(fxlint) == []
    say(folder, "wrap", "net.Net.scale")  # a node takes no module as an argument
    assert [code for _, code, _ in found(fxlint)] == ["TFX308"]
