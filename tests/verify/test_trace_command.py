"""``fxlint trace`` and ``fxlint demo`` as they are typed: what is printed, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fxlint.base.finding import Certainty, Edit, Finding, Fix, Safety, Severity
from fxlint.cli import main
from fxlint.report import trial_json, trial_text
from fxlint.report.colours import Paint
from fxlint.verify.outcome import Confronted, Fate, Judged, Repairs, Run, Trial, Verdict
from fxlint.verify.protocol import (
    Failure,
    GraphFacts,
    Incident,
    IncidentKind,
    Opaque,
    Place,
    Stage,
    Status,
    Step,
    WorkerReport,
)  # fmt: skip
from fxlint.verify.runner import Reported

NET = """
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        assert x.shape[0] > 1, "a batch"
        return x.reshape(len(x), -1)
class Fine(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0], -1)
def inputs():
    return (torch.ones(2, 3, 4),)
"""

FACTORY = """
import torch
import wheel
def make():
    return wheel.Net()
def inputs():
    return (torch.ones(2, 3, 4),)
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "pyproject.toml").write_text('[tool.fxlint.models]\nnet = "net.py:Net"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_break_is_predicted_met_repaired_and_verified(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["trace", "net"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("net: Net, torch ")
    assert lines[1].startswith("as it is   broken: net.py:6: TraceError: symbolically traced variables cannot be used")
    (repaired,) = (line for line in lines if line.startswith("repaired"))
    assert "verified" in repaired
    assert [line.split() for line in lines if "confirmed    net.py" in line] == [
        ["confirmed", "net.py:6:", "TFX103:", "the", "truth", "of", "a", "Proxy", "was", "asked"],
        ["confirmed", "net.py:7:", "TFX201:", "len()", "of", "a", "Proxy"],
    ]
    assert (shop / "net.py").read_text() == NET


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that lies apart from the project, as an installed one does, and a factory that only imports it."""
    installed, project = tmp_path / "site-packages", tmp_path / "project"
    write(installed / "wheel" / "__init__.py", "from .net import Net\n")
    write(installed / "wheel" / "net.py", NET.replace("class Fine", "class Other"))
    write(project / "factory.py", FACTORY)
    monkeypatch.syspath_prepend(str(installed))
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.chdir(project)
    return installed / "wheel" / "net.py"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_class_that_an_imported_package_defines_is_predicted(wheel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["trace", "factory.py"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert f"predicted  for wheel.net.Net with its default arguments, the others unknown, from {wheel}" in lines
    assert [line.split()[0:3:2] for line in lines if f"{wheel}:" in line and line.startswith("  confirmed")] == [
        ["confirmed", "TFX103:"], ["confirmed", "TFX201:"],
    ]  # fmt: skip
    assert any(line.startswith("repaired   verified") for line in lines)
    assert wheel.read_text() == NET.replace("class Fine", "class Other")


def test_a_class_of_the_project_is_not_looked_for_elsewhere(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main.run(["trace", "net", "--output-format", "json"])
    assert json.loads(capsys.readouterr().out)["elsewhere"] is None


def test_what_traces_as_it_is_is_not_repaired(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["trace", "net.py:Fine", "--output-format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], [run["title"] for run in found["runs"]], found["lines"]) == ("verified", ["as it is"], [])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["net.py:Gone"], "net.py:Gone: building the model failed: "),
        (["gone.py:Net"], "gone.py:Net: there is no file gone.py"),
        (["Net"], "(models in the configuration: net)"),
        (["net", "--inputs", "batch"], "--inputs batch: wanted is"),
        (["net", "--timeout", "0"], "--timeout 0: a time in seconds above 0"),
        (["net", "--memory", "-1"], "--memory -1: a size in MiB"),
        (["net", "--output-format", "xml"], "--output-format xml: known are text, json"),
        (["net", "--python", "no-such-python"], "--python no-such-python: cannot be used: No such file"),
        (["net", "--config", "gone.toml"], "gone.toml"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(shop: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main.run(["trace", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert message in printed.err


def test_a_fault_of_the_static_half_is_told_beside_the_facts(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fxlint.cli import trace
    from fxlint.driver import Result

    monkeypatch.setattr(trace, "_predictions", lambda request, registry: Result((), {}, errors=("internal error in net.py",)))
    assert main.run(["trace", "net.py:Fine"]) == 2
    printed = capsys.readouterr()
    assert "verified" in printed.out
    assert printed.err == "fxlint: internal error in net.py\n"


def test_an_interpreter_without_torch_is_one_line(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import subprocess
    import sys

    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "bare"], check=True)
    assert main.run(["trace", "net", "--python", str(shop / "bare" / "bin" / "python")]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("fxlint: error: torch is not installed for ")
    assert printed.err.endswith("pip install 'fxlint[trace]'\n")


def test_demo_without_torch_goes_as_far_as_the_repair(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else find(name, *rest))
    before = Path.cwd()
    assert main.run(["demo"]) == 2
    printed = capsys.readouterr()
    assert "\n+        batch = tokens.shape[0]\n" in printed.out
    assert "pip install 'fxlint[trace]'" in printed.err
    assert Path.cwd() == before


def test_demo_ends_in_a_verified_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["demo"]) == 0
    out = capsys.readouterr().out
    assert "\nThe repaired model: verified (" in out
    for code in ("TFX101", "TFX103", "TFX201", "TFX202", "TFX301", "TFX501"):
        assert f"{code}: " in out
    assert "missed" not in out
    assert "refuted" not in out


PLACE = Place("net.py", 3, 5, 3, 9, "Net.forward", "if x:")
FINDING = Finding(
    code="TFX101", name="n", path="net.py", start=0, end=1, row=3, column=5, end_row=3, end_column=9, message="m", severity=Severity.ERROR,
    certainty=Certainty.MUST,
)  # fmt: skip


def trial() -> Trial:
    failure = Failure(Stage.TRACE, "TraceError", "control flow", (PLACE,))
    broken = WorkerReport(
        "2.13.0", "Net", "eval", True, failure, concolic="ran to the end", incidents=(Incident(IncidentKind.BOOL, PLACE, "", 1),)
    )
    steps = (Step("lint", Status.PASSED), Step("same gradients", Status.SKIPPED, "none"))
    good = WorkerReport("2.13.0", "Net", "eval", True, graph=GraphFacts(9, 8, (Opaque("net.f", "wrapped function", 2),)), steps=steps)
    return Trial(
        "net",
        Run("as it is", Reported(broken, 1.0, "", ""), Judged(Verdict.BROKEN, "net.py:3: TraceError: control flow")),
        Run("repaired", Reported(good, 1.0, "", ""), Judged(Verdict.VERIFIED, "2 steps passed", ("a note",))),
        Repairs((Fix("wrap f", Safety.SAFE, (Edit("net.py", 0, 0, "x"),)),), ("Inner",), (FINDING,), {"/base/net.py": "repaired"}),
        (Confronted(Fate.CONFIRMED, "net.py", 3, FINDING, "asked"), Confronted(Fate.MISSED, "net.py", 8, None, "len() of a Proxy")),
    )


def test_the_text_of_a_trial() -> None:
    assert trial_text.render(trial(), "/base", Paint()) == (
        "net: Net, torch 2.13.0, traced in eval mode\n"
        "as it is   broken: net.py:3: TraceError: control flow\n"
        "           with real values at hand the trace ran to the end; symbolic_trace would stop at:\n"
        "             net.py:3: the truth of a Proxy was asked: if x:\n"
        "repaired   verified: 2 steps passed\n"
        "           note: a note\n"
        "           9 nodes, 2 of 8 calls opaque (25 %): net.f (wrapped function, 2)\n"
        "             skipped  same gradients: none\n"
        "repairs    1 safe, leaf Inner; 1 error left (in memory only: `fxlint fix` writes them)\n"
        "\n"
        "predicted by the static half, against what happened (the text as it is):\n"
        "  confirmed    net.py:3: TFX101: asked\n"
        "  missed       net.py:8: no finding: len() of a Proxy\n"
        "  1 confirmed, 1 missed\n"
    )


def test_the_json_of_a_trial() -> None:
    found = json.loads(trial_json.render(trial(), "/base"))
    assert found["verdict"] == "verified"
    assert found["runs"][0]["report"]["failure"]["chain"][0]["row"] == 3
    assert found["repairs"] == {
        "fixes": [{"message": "wrap f", "applicability": "safe"}],
        "leaf_classes": ["Inner"],
        "left": [{"code": "TFX101", "filename": "net.py", "row": 3}],
        "refuted": [],
        "files": [{"filename": "net.py", "text": "repaired"}],
    }
    assert found["lines"][1] == {"fate": "missed", "filename": "net.py", "row": 8, "code": None, "fact": "len() of a Proxy"}
