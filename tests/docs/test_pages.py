"""The pages of docs/checks say what the files in checks/ say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]


def generate(top: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(top / "docs" / "generate.py"), *options], capture_output=True, text=True, cwd=TOP)


def test_the_pages_are_up_to_date() -> None:
    done = generate(TOP, "--check")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr + "\nrun: python docs/generate.py"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("generate.py", "reference.py"):
        (folder / name).write_bytes((TOP / "docs" / name).read_bytes())
    return tmp_path


def test_pages_are_written_replaced_and_removed(copied: Path) -> None:
    pages = copied / "docs" / "checks"
    assert generate(copied, "--check").returncode == 1
    assert not pages.exists()
    assert generate(copied).returncode == 0
    written = {path.name: path.read_bytes() for path in pages.iterdir()}
    assert {"TFX101.md", "README.md"} <= written.keys()
    (pages / "TFX101.md").write_text("something else")
    (pages / "TFX999.md").write_text("a check that is gone")
    assert generate(copied, "--check").stdout == "out of date: docs/checks/TFX101.md\nout of date: docs/checks/TFX999.md\n"
    assert generate(copied).returncode == 0
    assert {path.name: path.read_bytes() for path in pages.iterdir()} == written


def test_a_page_shows_what_was_observed() -> None:
    text = (TOP / "docs" / "checks" / "TFX101.md").read_text(encoding="utf-8")
    assert "Raises `symbolically traced variables cannot be used as inputs to control flow`." in text
    assert "        if x.sum() > 0:  # TFX101\n" in text
    assert "Traces, and computes the same:" in text
    assert "# <- here" not in text
