"""The configuration that the README shows is valid."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import jsonschema

from fxlint.config.schema import schema

README = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")


def block(pattern: str) -> str:
    """The fenced block that ``pattern`` begins."""
    found = re.search(rf"```\w*\n(?P<text>{pattern}.*?)```", README, re.DOTALL)
    assert found is not None
    return found["text"]


def test_the_configuration_is_valid() -> None:
    table = tomllib.loads(block(r"\[tool\.fxlint\]\n"))["tool"]["fxlint"]
    jsonschema.validate(table, schema())
