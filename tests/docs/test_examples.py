"""The commands that the pages show, typed again; and the script that types them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


examples = load("examples")


@pytest.mark.parametrize("page", [path.relative_to(DOCS).as_posix() for path in examples.pages([])])
def test_page(page: str) -> None:
    done = subprocess.run([sys.executable, str(DOCS / "examples.py"), "--check", page], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr + "\nif that is right, run: python docs/examples.py"


def test_every_guide_and_the_tutorial_are_played() -> None:
    played = {path.stem for path in examples.pages([])}
    assert {path.stem for path in (DOCS / "guides").glob("*.md")} - played == {"editors"}
    assert "tutorial" in played


def test_the_picture_shows_what_the_terminal_shows() -> None:
    picture = load("picture")
    drawn = picture.PICTURE.read_text(encoding="utf-8")
    texts = [line for line in picture.drawn(picture.screen()).splitlines() if "<text" in line]
    assert texts
    assert [line for line in texts if line not in drawn] == [], "run: python docs/picture.py"


PAGE = """\
```python title="a/b.py"
print("one")
```
```diff title="a/b.py"
-print("one")
+print("two", 1 / 3)
```
```console
$ python a/b.py
two 0.3...
$ echo x; echo y >&2
stale
$ printf '1\\n2\\n3\\n'
...
3
```
"""


def test_files_changes_and_commands(tmp_path: Path) -> None:
    assert examples.played(PAGE, tmp_path) == PAGE.replace("stale", "x\ny")


@pytest.mark.parametrize(
    ("shown", "output", "same"),
    [
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b\nc\n", False),
        ("...\nc\n", "c\n", True),
        ("...\nc\n", "a\nb\nc\n", True),
        ("a\n...\n", "b\n", False),
        ("", "", True),
        ("", "a\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_dots_stand_for_anything(shown: str, output: str, same: bool) -> None:
    assert examples.matches(shown, output) is same


def test_a_change_that_does_not_fit_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds 0 times what the page changes"):
        examples.played(PAGE.replace('-print("one")', '-print("none")'), tmp_path)
    with pytest.raises(ValueError, match="output without a command"):
        examples.played("```console\nx\n```\n", tmp_path)
