"""``fxlint fix --verify``: what the proof confirms is written, what it refutes is taken back; which repairs fall under suspicion."""

from __future__ import annotations

from pathlib import Path

import pytest

from fxlint.base.finding import Certainty, Edit, Finding, Fix, Safety, Severity
from fxlint.cli.main import run
from fxlint.verify.outcome import suspects
from fxlint.verify.protocol import Failure, Place, Stage, WorkerReport
from fxlint.verify.runner import Reported

NET = """\
import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x):
        y = x * 1
        z = y
        y[:, 0] = 0.0
        return y + z


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {inner}

    def forward(self, x):
        return self.inner(x) * len(x)


def make():
    return Net()


def inputs():
    return (torch.ones(3, 4),)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_verified_is_written_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = folder / "net.py"
    net.write_text(NET.replace("{inner}", "self.inner = nn.Identity()"))
    command = ["fix", "--verify", "net.py", "--isolated"]
    assert run([*command, "--diff"]) == 1
    assert "+        return self.inner(x) * x.shape[0]" in capsys.readouterr().out
    assert "len(x)" in net.read_text()
    assert run(command) == 0
    assert "return self.inner(x) * x.shape[0]\n" in net.read_text()
    assert "verified" in capsys.readouterr().err
    written = net.read_bytes()
    assert run(command) == 0
    assert net.read_bytes() == written


def test_a_refuted_repair_is_taken_back_and_the_others_stay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = folder / "net.py"
    net.write_text(NET.replace("{inner}", "self.inner = Inner()"))
    assert run(["fix", "--verify", "net.py", "--isolated", "--unsafe-fixes"]) == 0
    text = net.read_text()
    assert "        y[:, 0] = 0.0\n" in text
    assert "x.shape[0]" in text
    told = capsys.readouterr().err
    assert "taken back, since the model did not come out equal with it: Replace the item assignment" in told
    assert "leaf rules for Inner" in told


def test_nothing_is_written_where_nothing_is_verified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = NET.replace("{inner}", "self.inner = nn.Identity()").replace("return self", "self.seen = x\n        return self")
    (folder / "net.py").write_text(text)
    assert run(["fix", "--verify", "net.py", "--isolated"]) == 1
    assert (folder / "net.py").read_text() == text
    assert "refuted" in capsys.readouterr().err


def test_paths_and_a_target_do_not_go_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "net.py").write_text("x = 1\n")
    assert run(["fix", "net.py", "--verify", "net.py:Net"]) == 2
    assert "give no paths" in capsys.readouterr().err


def finding(owner: str, message: str, safety: Safety = Safety.SAFE) -> Finding:
    fix = Fix(message, safety, (Edit("net.py", 0, 0, "x"),))
    return Finding("TFX101", "proxy-in-if", "net.py", 0, 1, 1, 1, 1, 2, "broken", Severity.ERROR, Certainty.MUST, owner=owner, fix=fix)


def reported(function: str) -> Reported:
    place = Place("net.py", 3, 1, 3, 2, function, "raise")
    return Reported(WorkerReport("2.13.0", failure=Failure(Stage.EAGER, "ValueError", "no", (place,))), 1.0, "", "")


def test_the_repairs_of_the_function_that_fails_are_suspected_first() -> None:
    by_owner, by_helper, other = finding("Net.forward", "a"), finding("Net.run", "Move it into `_choose`"), finding("Net.late", "b")
    unsafe = finding("Net.late", "c", Safety.UNSAFE)
    applied = (by_owner, by_helper, other, unsafe)
    assert suspects(applied, reported("forward")) == (by_owner,)
    assert suspects(applied, reported("_choose")) == (by_helper,)
    assert suspects(applied, reported("elsewhere")) == (unsafe,)
    assert suspects((by_owner, other), reported("elsewhere")) == (by_owner, other)
    assert suspects((), reported("forward")) == ()
