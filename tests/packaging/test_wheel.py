"""What the wheel holds, built from the tracked files alone."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (TOP / name).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in tracked():
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((TOP / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet", "-w", str(out), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return zipfile.ZipFile(built)


def test_packages_are_the_directories() -> None:
    listed = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    folders = {str(Path(name).parent).replace("/", ".") for name in tracked() if name.startswith("fxlint/") and name.endswith(".py")}
    assert sorted(listed) == sorted(folders | {"fxlint.checks"})


def test_wheel_holds_every_module_and_every_data_file(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    wanted = {name for name in tracked() if name.startswith("fxlint/")}
    wanted |= {"fxlint/" + name for name in tracked() if name.startswith("checks/")}
    assert held == wanted


def test_metadata(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    text = wheel.read(name).decode()
    required = [line.removeprefix("Requires-Dist: ") for line in text.splitlines() if line.startswith("Requires-Dist: ")]
    assert [line for line in required if "extra ==" not in line] == ["libcst>=1.8"]
    assert "Provides-Extra: trace" in text
    entries = wheel.read(name.replace("METADATA", "entry_points.txt")).decode()
    assert "fxlint = fxlint.__main__:main" in entries
    assert "TFX = fxlint.flake8_plugin:Plugin" in entries


def test_installed_wheel_finds_its_checks(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    code = "import fxlint.registry as r; got = r.load(); print(r.__file__, len(got.checks), got.problems)"
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
                          capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    file, count, problems = done.stdout.split(" ", 2)
    assert file.startswith(str(tmp_path))
    assert int(count) == sum(name.startswith("checks/tfx") for name in tracked())
    assert problems.strip() == "()"
