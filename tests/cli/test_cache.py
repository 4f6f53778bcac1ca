"""Options of the cache, through the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

NET = "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return len(x)\n"


def fxlint(folder: Path, *options: str, **variables: str) -> str:
    """What `fxlint check .` prints in ``folder``."""
    command = [sys.executable, "-m", "fxlint", "check", "--isolated", "--output-format", "concise", *options, "."]
    done = subprocess.run(command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    return done.stdout


def kept(folder: Path) -> int:
    """How many analyses a folder holds."""
    return len(list(folder.glob("*.json")))


def test_where_analyses_are_kept(tmp_path: Path) -> None:
    project, stated, variable = tmp_path / "project", tmp_path / "stated", tmp_path / "variable"
    project.mkdir()
    (project / "net.py").write_text(NET)
    first = fxlint(project, "--cache-dir", str(stated), FXLINT_CACHE_DIR=str(variable))
    assert "TFX201" in first
    assert (kept(stated), kept(variable)) == (1, 0)
    assert fxlint(project, FXLINT_CACHE_DIR=str(variable)) == first
    assert (kept(stated), kept(variable)) == (1, 1)
    assert fxlint(project, "--no-cache", FXLINT_CACHE_DIR=str(tmp_path / "none")) == first
    assert not (tmp_path / "none").exists()
    assert sorted(path.name for path in project.iterdir()) == ["net.py"]  # nothing in the project itself
