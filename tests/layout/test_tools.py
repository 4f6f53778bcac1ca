"""Ruff, mypy and import-linter are tests like any other: one command is the truth."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "--no-cache", "."], ["mypy"], ["lint-imports", "--no-cache"]],
    ids=["ruff", "mypy", "import-linter"],
)
def test_tool_has_nothing_to_say(command: list[str]) -> None:
    done = subprocess.run([str(TOOLS / command[0]), *command[1:]], cwd=TOP, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
