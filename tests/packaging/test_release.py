"""What a release is made of: the version, the change log, what the metadata says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from fxlint import __version__

TOP = Path(__file__).resolve().parents[2]
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")  # https://keepachangelog.com


def test_the_version_is_semantic() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_the_change_log_keeps_its_form() -> None:
    text = (TOP / "CHANGELOG.md").read_text("utf-8")
    assert text.startswith("# Changelog\n")
    releases = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert releases[0] == "[Unreleased]"
    assert [line for line in releases[1:] if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", line)] == []
    assert [line for line in re.findall(r"^### (.*)$", text, re.MULTILINE) if line not in KINDS] == []
    entries = text[text.index("### ") :].splitlines()
    assert [line for line in entries if line and not line.startswith(("## ", "### ", "- ", "  "))] == []


def test_classifiers_tell_the_truth() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    listed = [line.rpartition(" :: ")[2] for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert listed[0] == oldest
    assert "Typing :: Typed" in project["classifiers"]
    assert (TOP / "fxlint" / "py.typed").is_file()
    assert not any(line.startswith("License ::") for line in project["classifiers"])  # the licence is an SPDX expression
    assert project["license"] == "MIT"
    assert (TOP / "LICENSE").read_text("utf-8").startswith("MIT License")
