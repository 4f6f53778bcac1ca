"""What a TARGET means, found out without importing it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fxlint.base.errors import UsageError
from fxlint.verify.targets import inputs_spec, resolve


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    package = tmp_path / "shop" / "models"
    package.mkdir(parents=True)
    (tmp_path / "loose.py").write_text("raise SystemExit('imported')\n")
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("raise SystemExit('imported')\n")
    (package / "net.py").write_text("raise SystemExit('imported')\n")
    return tmp_path


def test_a_file_of_a_package_is_imported_from_above_the_package(tree: Path) -> None:
    target = resolve("shop/models/net.py:Net.Inner", {}, tree, sys.path)
    assert (target.is_file, target.attribute, target.root) == (True, "Net.Inner", "shop.models.net.Net.Inner")
    assert target.search_path == (str(tree),)


def test_a_file_without_a_name_means_make(tree: Path) -> None:
    target = resolve("loose.py", {}, tree, sys.path)
    assert (target.attribute, target.root, target.search_path) == ("", "loose.make", (str(tree),))


def test_a_module_is_found_and_not_imported(tree: Path) -> None:
    before = set(sys.modules)
    target = resolve("shop.models.net:build", {}, tree, sys.path)
    assert (target.location, target.is_file, target.path) == ("shop.models.net", False, str(tree / "shop/models/net.py"))
    assert "shop" not in set(sys.modules) - before


def test_a_name_of_the_configuration(tree: Path) -> None:
    assert resolve("small", {"small": "shop.models.net:build"}, tree, sys.path).root == "shop.models.net.build"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gone.py:Net", "there is no file gone.py"),
        ("shop.gone:Net", "there is no module shop.gone"),
        ("loose.gone:Net", "there is no module loose.gone"),
        ("sys:exit", "there is no module sys"),
        ("shop.models.net", "wanted is"),
        ("Net", "configuration: small"),
        ("loose.py:a-b", "'a-b' is not a name"),
        ("shop models:Net", "wanted is"),
    ],
)
def test_what_is_wrong_is_said(tree: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(text, {"small": "x:y"}, tree, sys.path)


def test_inputs_are_named_by_absolute_path(tree: Path) -> None:
    assert inputs_spec("loose.py:batch", tree) == f"{tree / 'loose.py'}:batch"
    assert inputs_spec("shop.data:batch", tree) == "shop.data:batch"


@pytest.mark.parametrize("text", ["batch", "loose.py:", "gone.py:batch", "loose.py:a b"])
def test_inputs_that_name_nothing(tree: Path, text: str) -> None:
    with pytest.raises(UsageError, match="--inputs"):
        inputs_spec(text, tree)
