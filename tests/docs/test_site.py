"""The documentation as a site: every link and every page of the navigation exists."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("material", reason="mkdocs-material is not installed")

TOP = Path(__file__).resolve().parents[2]


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {path.relative_to(TOP / "docs").with_suffix(".html").as_posix() for path in (TOP / "docs").rglob("*.md")}
    built = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    assert {page.replace("README", "index") for page in pages} <= built
    assert not list(tmp_path.rglob("*.py"))
    assert "TFX201" in (tmp_path / "checks" / "index.html").read_text(encoding="utf-8")
