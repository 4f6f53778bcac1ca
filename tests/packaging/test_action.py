"""The steps of action.yml, run in order as a runner would, in a scratch repository; only the packages that pip would fetch are this
environment's.
"""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml

TOP = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((TOP / "action.yml").read_text("utf-8"))
NET = """\
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x
"""


def played(folder: Path, runner: Path, action_path: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """What the last step that ran said. ``given`` are inputs, with ``_`` for ``-``."""
    inputs = {name: str(each["default"]) for name, each in ACTION["inputs"].items()}
    inputs.update({name.replace("_", "-"): value for name, value in given.items()})
    context = {"github.action_path": str(action_path), **{f"inputs.{name}": value for name, value in inputs.items()}}
    site = sysconfig.get_path("purelib")
    others = [line for path in Path(site).glob("*.pth") for line in path.read_text("utf-8").splitlines() if os.path.isdir(line)]
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTEST_", "FXLINT_"))}
    outside |= {"PYTHONPATH": os.pathsep.join([site, *others]), "RUNNER_TEMP": str(runner)}
    outside |= {"PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # pip reads the second as "no isolation"
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # inputs reach a shell as variables only
        values = {name: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: context[found[1]], text) for name, text in step.get("env", {}).items()}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=folder, env={**outside, **values}, capture_output=True, text=True)
        if done.returncode:
            break
    return done


@pytest.fixture(scope="module")
def action_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository as a runner fetches it: the tracked files."""
    folder = tmp_path_factory.mktemp("action")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    for name in listed.split("\0"):
        if name and (TOP / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((TOP / name).read_bytes())
    return folder


def test_the_action(action_path: Path, tmp_path: Path) -> None:
    project, runner = tmp_path / "project", tmp_path / "runner"
    project.mkdir()
    runner.mkdir()
    (project / "net.py").write_text(NET, encoding="utf-8")
    done = played(project, runner, action_path)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error title=fxlint (TFX105 "), done.stdout + done.stderr
    assert ",file=net.py,line=6," in done.stdout
    assert played(project, runner, action_path, args="--ignore TFX105 --output-file report.txt", output_format="concise").returncode == 0
    assert (project / "report.txt").read_text("utf-8") == ""
    hostile = played(project, runner, action_path, paths="; touch made $(touch made) *.py")
    assert hostile.returncode == 2
    assert not (project / "made").exists()


def test_every_input_is_described_and_has_a_default() -> None:
    assert all(each["description"] and "default" in each for each in ACTION["inputs"].values())
