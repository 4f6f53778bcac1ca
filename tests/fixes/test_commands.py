"""fxlint fix, fxlint tracer and the codemods, as their users start them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fxlint.cli.main import run
from fxlint.fixes.atomic import JOURNAL

NET = """\
import math

import torch
from torch import nn

from ops import clip


class Net(nn.Module):
    def forward(self, x):
        assert x.dim() == 2, "two"
        n = len(x)
        k = int(x.shape[1] / 2)
        j = int(x.shape[1] * 0.7)
        x = clip(x, 0.5)
        return x[:, :k] * n * j / math.sqrt(float(k))
"""
OPS = """\
import torch


def clip(x, limit):
    n = x.norm()
    return x * (limit / n) if n > limit else x
"""
FIXED_NET = """\
import math

import torch
from torch import nn

from ops import clip

torch.fx.wrap("clip")


@torch.fx.wrap
def _to_int(value):
    return int(value)


class Net(nn.Module):
    def forward(self, x):
        torch._assert(x.dim() == 2, "two")
        n = x.shape[0]
        k = x.shape[1] // 2
        j = _to_int(x.shape[1] * 0.7)
        x = clip(x, 0.5)
        return x[:, :k] * n * j / math.sqrt(k)
"""
BRANCH = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            y = x
        else:
            y = -x
        return y
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def package(folder):
    (folder / "net.py").write_text(NET)
    (folder / "ops.py").write_text(OPS)
    return folder


def fix(*words):
    return run(["fix", "--isolated", "--no-cache", *words])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_both_files_are_repaired_at_once_and_a_second_run_changes_nothing(package, capsys):
    assert fix(".") == 0
    assert (package / "net.py").read_text() == FIXED_NET
    assert (package / "ops.py").read_text() == OPS.replace("def clip", "@torch.fx.wrap\ndef clip")
    assert "repaired 6 findings in 2 files; 0 findings left" in capsys.readouterr().err
    before = contents(package)
    assert fix(".") == 0
    assert contents(package) == before
    assert fix("--diff", ".") == 0
    assert capsys.readouterr().out == ""


def test_the_repaired_model_traces_and_agrees(package):
    fix(".")
    code = (
        "import torch, net\nm = net.Net()\ng = torch.fx.symbolic_trace(m)\ng.graph.lint()\n"
        "for x in (torch.randn(4, 6), torch.randn(3, 8) / 99):\n    assert torch.equal(g(x), m(x))\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=package, check=True)


def test_diff_shows_and_writes_nothing(package, capsys):
    before = contents(package)
    assert fix("--diff", ".") == 1
    out = capsys.readouterr().out
    assert contents(package) == before
    assert "-        n = len(x)\n" in out
    assert "+        n = x.shape[0]\n" in out
    assert out.startswith("--- net.py\n+++ net.py\n@@ ")
    applied = subprocess.run(["patch", "-p0"], input=out, text=True, cwd=package, check=False, capture_output=True)
    assert applied.returncode == 0
    assert (package / "net.py").read_text() == FIXED_NET


def test_a_repair_of_a_file_that_was_not_given_is_told_and_not_written(package, capsys):
    assert fix("ops.py") == 1
    assert (package / "ops.py").read_text() == OPS
    error = capsys.readouterr().err
    assert "ops.py:6:31: TFX105: not repaired, since files that were not given would change (net.py, ops.py)" in error


@pytest.mark.parametrize(("words", "changed"), [(["--select", "TFX201"], "x.shape[0]"), (["--ignore", "TFX1,TFX202"], "x.shape[0]")])
def test_only_what_is_selected_is_repaired(words, changed, package):
    fix(*words, ".")
    text = (package / "net.py").read_text()
    assert changed in text
    assert "assert x.dim() == 2" in text
    assert "torch._assert" not in text


def test_what_may_change_numbers_waits_to_be_asked_for(folder, capsys):
    (folder / "net.py").write_text(BRANCH)
    assert fix("net.py") == 1
    assert (folder / "net.py").read_text() == BRANCH
    assert "1 more repair with --unsafe-fixes" in capsys.readouterr().err
    assert fix("--unsafe-fixes", "net.py") == 0
    assert "y = torch.where(x.sum() > 0, x, -x)\n" in (folder / "net.py").read_text()


def test_a_silenced_finding_is_not_repaired(folder):
    (folder / "net.py").write_text(BRANCH.replace("> 0:", "> 0:  # noqa: TFX101"))
    assert fix("--unsafe-fixes", "net.py") == 0
    assert "torch.where" not in (folder / "net.py").read_text()


def test_bytes_outside_of_the_edits_stay(folder):
    data = b"\xef\xbb\xbfimport torch\r\nclass N(torch.nn.Module):\r\n\tdef forward(self, x):\n\t\treturn x * len(x)  # \xc3\xa9"
    (folder / "net.py").write_bytes(data)
    assert fix("net.py") == 0
    assert (folder / "net.py").read_bytes() == data.replace(b"len(x)", b"x.shape[0]")


def test_a_read_only_file_is_one_clear_line(package, capsys):
    (package / "ops.py").chmod(0o444)
    before = contents(package)
    assert fix(".") == 2
    assert "ops.py: cannot write: the file is read-only" in capsys.readouterr().err
    assert contents(package) == before


def test_an_unfinished_run_is_undone_first(package, capsys):
    import base64
    import json

    def coded(text):
        return base64.b64encode(text.encode()).decode()

    path = str(package / "ops.py")
    (package / JOURNAL).write_text(json.dumps({"schema": 1, "old": {path: coded(OPS)}, "new": {path: coded("broken = 1\n")}}))
    (package / "ops.py").write_text("broken = 1\n")
    assert fix("--diff", ".") == 1
    assert (package / "ops.py").read_text() == OPS
    assert "put back ops.py" in capsys.readouterr().err


def test_standard_input_cannot_be_repaired(folder, capsys):
    assert fix("-") == 2
    assert "fix does not read standard input" in capsys.readouterr().err


# ---------------------------------------------------------------- fxlint tracer

DEEP = """\
import torch
from torch import nn


def pick(x):
    return x if x.sum() > 0 else -x


class Gate(nn.Module):
    def forward(self, x):
        return x if x.mean() > 0 else x * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate()

    def forward(self, x):
        return pick(self.gate(x))
"""


def test_the_tracer_that_is_written_traces(folder, capsys):
    (folder / "deep.py").write_text(DEEP)
    assert run(["tracer", "deep.py:Net", "-o", "net_tracer.py"]) == 0
    assert "wrote net_tracer.py: NetTracer leaves 2 classes and functions alone" in capsys.readouterr().out
    code = (
        "import torch, deep, net_tracer\nm = deep.Net()\ng = net_tracer.trace(m)\n"
        "assert [n.name for n in g.graph.nodes] == ['x', 'gate', 'pick', 'output']\n"
        "for x in (torch.ones(3), -torch.ones(3)):\n    assert torch.equal(g(x), m(x))\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=folder, check=True)
    assert run(["tracer", "deep:Net", "-o", "net_tracer.py"]) == 0


def test_a_function_of_a_package_is_imported_by_its_whole_name_and_once(folder, capsys):
    (folder / "pets").mkdir()
    (folder / "pets" / "__init__.py").write_text("")
    (folder / "pets" / "ops.py").write_text("def pick(x):\n    y = x if x.sum() > 0 else -x\n    return y if y.mean() > 0 else y * 2\n")
    net = "import torch\nfrom .ops import pick\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return pick(x)\n"
    (folder / "pets" / "net.py").write_text(net)
    assert run(["tracer", "pets/net.py:Net", "-o", "t.py"]) == 0
    assert "leaves 1 class or function alone" in capsys.readouterr().out
    assert (folder / "t.py").read_text().count("from pets.ops import pick\n") == 1
    code = "import torch, t\nfrom pets.net import Net\nx = torch.ones(3)\nassert torch.equal(t.trace(Net())(x), Net()(x))\n"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=folder, check=True)


def test_what_breaks_in_the_root_is_not_covered(folder, capsys):
    (folder / "net.py").write_text(BRANCH)
    assert run(["tracer", "net.py:Net", "-o", "t.py"]) == 1
    assert "not covered: net.py:7" in capsys.readouterr().err


def test_a_file_of_somebody_else_is_not_overwritten(folder, capsys):
    (folder / "deep.py").write_text(DEEP)
    assert run(["tracer", "deep.py:Net", "-o", "deep.py"]) == 2
    assert "--force overwrites it" in capsys.readouterr().err
    assert (folder / "deep.py").read_text() == DEEP
    (folder / "mine.py").write_text("mine = 1\n")
    assert run(["tracer", "deep.py:Net", "-o", "mine.py", "--force"]) == 0
    assert "class NetTracer" in (folder / "mine.py").read_text()


@pytest.mark.parametrize("target", ["gone.py:Net", "gone.module:Net", "gone"])
def test_a_target_that_is_not_there(target, folder, capsys):
    assert run(["tracer", target, "-o", "t.py"]) == 2
    assert "no such file" in capsys.readouterr().err


def test_a_class_that_is_not_there(folder, capsys):
    (folder / "deep.py").write_text(DEEP)
    assert run(["tracer", "deep.py:Gone", "-o", "t.py"]) == 2
    assert "Gone" in capsys.readouterr().err
    assert not (folder / "t.py").exists()


# ---------------------------------------------------------------- libcst's own tool


def codemod(command, *paths, cwd):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    words = [sys.executable, "-m", "libcst.tool", "codemod", "--no-format", "-x", f"fxlint.codemods.fix.{command}", *paths]
    return subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_the_codemod_runs_under_the_tool_of_libcst(folder):
    (folder / "net.py").write_text(NET.replace("from ops import clip\n", "").replace("        x = clip(x, 0.5)\n", ""))
    (folder / "branch.py").write_text(BRANCH)
    done = codemod("FixCommand", "net.py", "branch.py", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "j = _to_int(x.shape[1] * 0.7)\n" in (folder / "net.py").read_text()
    assert (folder / "branch.py").read_text() == BRANCH
    assert codemod("UnsafeFixCommand", "branch.py", cwd=folder).returncode == 0
    assert "torch.where" in (folder / "branch.py").read_text()
    before = contents(folder)
    assert codemod("UnsafeFixCommand", "net.py", "branch.py", cwd=folder).returncode == 0
    assert contents(folder) == before
