"""The marker, ``--fxlint`` and its ini options, in a scratch project and a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

NETS = """
import torch
from torch import nn

class Fine(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0], -1)

class Branches(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x
"""

TESTS = """
import pytest
import torch
from nets import Branches, Fine
from fxlint.testing import assert_traceable

@pytest.fixture
def size():
    return 3

@pytest.mark.traceable
def test_fine(size):
    return Fine(), (torch.ones(size, 2, 2),)

@pytest.mark.traceable(timeout=90)
def test_branches():
    return Branches(), torch.ones(3)

@pytest.mark.traceable
def test_forgotten():
    Fine()

@pytest.mark.traceable(inptus=None)
def test_misspelt():
    return Fine()

@pytest.mark.traceable
def test_its_own_failure():
    assert 1 == 2

def test_called():
    assert_traceable(Branches, torch.ones(3))
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers", "-W", "error", *words]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, cwd=folder, env=outside, capture_output=True, text=True, timeout=300)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "nets.py").write_text(NETS, encoding="utf-8")
    (tmp_path / "test_nets.py").write_text(TESTS, encoding="utf-8")
    models = '[tool.fxlint.models]\nfine = "nets:Fine"\nbranches = "nets.py:Branches"\nnowhere = "nets:Gone"\n'
    (tmp_path / "pyproject.toml").write_text(f'{models}\n[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8")
    return tmp_path


def outcomes(report: Path) -> dict[str, str]:
    """The text of each test's failure by its name, "" for one that passed."""
    cases = ET.parse(report).getroot().iter("testcase")
    return {case.attrib["name"]: "".join(part.text or "" for part in case if part.tag == "failure") for case in cases}


def test_marked_functions_and_configured_models(project: Path) -> None:
    done = run(project, "--fxlint", "--junitxml", "report.xml")
    assert done.returncode == 1, done.stdout + done.stderr
    seen = outcomes(project / "report.xml")
    assert [name for name, failure in seen.items() if not failure] == ["test_fine", "fine"]
    lines = seen["test_branches"].splitlines()
    assert lines[0].startswith("Branches: Branches, torch ")
    assert lines[1].startswith("as it is   broken: nets.py:11: TraceError: symbolically traced variables cannot be used as inputs")
    assert "confirmed    nets.py:11: TFX105" in seen["test_branches"]
    assert "a function marked traceable returns a model" in seen["test_forgotten"]
    assert "traceable takes the keywords inputs, inputs2, leaf, memory, timeout" in seen["test_misspelt"]
    assert "assert 1 == 2" in seen["test_its_own_failure"]
    assert "AssertionError: nets.Branches: Branches, torch " in seen["test_called"]
    assert "fxlint/testing.py" not in seen["test_called"]  # the frames are the test's alone
    assert seen["branches"].startswith("branches: Branches, torch ")
    assert "as it is   broken: nets.py:11: TraceError" in seen["branches"]
    assert seen["nowhere"].startswith("nowhere: building the model failed: ")
    assert seen["nowhere"].endswith("nets.py has no 'Gone' ('Gone' is missing)")


def test_without_the_option_no_model_is_a_test(project: Path) -> None:
    done = run(project, "--collect-only", "-q")
    assert "fxlint::" not in done.stdout
    assert "test_fine" in done.stdout


def test_the_ini_option_names_the_models(project: Path) -> None:
    done = run(project, "--fxlint", "--collect-only", "-q", "-o", "fxlint_models=nets:Fine\nnets:Branches", "nets.py")
    assert [line for line in done.stdout.splitlines() if "fxlint" in line] == ["fxlint::nets:Fine", "fxlint::nets:Branches"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "fxlint_timeout=soon"], "fxlint_timeout: a number is wanted, not 'soon'"),
        (["-o", "fxlint_memory=-1"], "fxlint_memory: a number of at least 0 is wanted, not '-1'"),
        (["-o", "fxlint_memory=1.5"], "fxlint_memory: a number is wanted, not '1.5'"),
    ],
)
def test_a_wrong_limit_is_one_line(project: Path, options: list[str], said: str) -> None:
    done = run(project, *options)
    assert done.returncode == 4
    assert said in done.stderr


def test_no_model_to_test(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n", encoding="utf-8")
    done = run(tmp_path, "--fxlint", "--rootdir", str(tmp_path))
    assert done.returncode == 4
    assert "--fxlint: neither fxlint_models nor [tool.fxlint.models] names a model" in done.stderr
