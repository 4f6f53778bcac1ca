"""The hooks, run by the real pre-commit in a scratch repository. The environment it would build from an index is this one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

TOP = Path(__file__).resolve().parents[2]
NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
"""


def hooks() -> list[dict[str, object]]:
    return list(yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text("utf-8")))


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    identity = {f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    outside = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**outside, **identity, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment["PRE_COMMIT_HOME"] = str(folder.parent / "pre-commit")
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository whose hooks are those of .pre-commit-hooks.yaml, run from this environment ("system" in place of "python")."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    local = [{**hook, "language": "system", "entry": f"{sys.executable} -m {hook['entry']}"} for hook in hooks()]
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": local}]}), encoding="utf-8")
    (folder / "net.py").write_text(NET, encoding="utf-8")
    assert run(folder, "git", "init", "-q").returncode == 0
    assert run(folder, "git", "add", ".").returncode == 0
    return folder


def test_hooks_are_valid() -> None:
    from pre_commit.clientlib import load_manifest

    assert [hook["id"] for hook in load_manifest(TOP / ".pre-commit-hooks.yaml")] == ["fxlint", "fxlint-fix"]
    assert all(hook["require_serial"] and hook["language"] == "python" for hook in hooks())
    assert not any("additional_dependencies" in hook for hook in hooks())  # the core needs no torch


def test_hook_fails_on_a_finding_and_passes_without(repository: Path) -> None:
    done = run(repository, sys.executable, "-m", "pre_commit", "run", "fxlint")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "net.py:7:12: TFX101 error: " in done.stdout
    (repository / "net.py").write_text(NET.replace("> 0:", "> 0:  # noqa: TFX101"), encoding="utf-8")
    run(repository, "git", "add", ".")
    assert run(repository, sys.executable, "-m", "pre_commit", "run", "fxlint").returncode == 0


def test_hook_leaves_out_what_the_configuration_excludes(repository: Path) -> None:
    (repository / "fxlint.toml").write_text('exclude = ["net.py"]\n', encoding="utf-8")
    done = run(repository, sys.executable, "-m", "pre_commit", "run", "fxlint")
    assert done.returncode == 0, done.stdout + done.stderr


def test_fix_hook_rewrites_the_file(repository: Path) -> None:
    (repository / "net.py").write_text(NET.replace("if x.sum() > 0:\n            return x", "assert x.dim() == 2"), encoding="utf-8")
    run(repository, "git", "add", ".")
    done = run(repository, sys.executable, "-m", "pre_commit", "run", "fxlint-fix")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "torch._assert(x.dim() == 2" in (repository / "net.py").read_text("utf-8")
