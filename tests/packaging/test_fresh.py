"""A user's first minutes: the source distribution built into a wheel, installed in a fresh environment without torch, and used there.

The environment has what the wheel asks for and nothing else: the distributions are linked from this one, so no index is needed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        assert x.dim() == 2
        return x * len(x)
"""


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (TOP / name).is_file()]


def build(kind: str, source: Path, out: Path) -> Path:
    """The file that setuptools builds of ``source``: "sdist" or "wheel"."""
    code = f"import setuptools.build_meta as backend; print(backend.build_{kind}({str(out)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source")
    for name in tracked():
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((TOP / name).read_bytes())
    return build("sdist", source, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    return build("wheel", folder, tmp_path_factory.mktemp("wheel"))


def needed(requirements: list[str]) -> set[str]:
    """The names of distributions that ``requirements`` ask for, with what these ask for, extras left out."""
    found: set[str] = set()
    queue = list(requirements)
    while queue:
        text = queue.pop()
        name = re.split(r"[^\w.-]", text, maxsplit=1)[0]
        if "extra ==" in text or name in found:
            continue
        try:
            more = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            assert ";" in text, f"{name} is needed and not installed here"  # for another system or Python
            continue
        found.add(name)
        queue.extend(more)
    return found


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with fxlint[flake8]."""
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        listed = archive.read(next(name for name in archive.namelist() if name.endswith("/METADATA"))).decode()
    asked = re.findall(r"^Requires-Dist: (.*)$", listed, re.MULTILINE)
    wanted = [line.partition(";")[0] for line in asked if "extra ==" not in line or 'extra == "flake8"' in line]
    assert sorted(re.split(r"[^\w-]", line)[0] for line in wanted) == ["flake8", "libcst"]
    for name in needed(wanted):
        for file in metadata.files(name) or []:
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not (site / top).exists():
                (site / top).symlink_to(Path(str(file.locate())).parents[len(file.parts) - 2] if len(file.parts) > 1 else file.locate())
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return python


def run(python: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(python.parent / words[0]), *words[1:]]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})


def test_the_source_distribution_builds_the_wheel_of_the_checkout(sdist: Path, wheel: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "constraints.txt", "docs/configuration.md"} <= held
    assert {name for name in tracked() if name.startswith("tests/packaging/")} <= held
    with zipfile.ZipFile(wheel) as built:
        modules = {name for name in built.namelist() if name.startswith("fxlint/")}
    assert modules == {name for name in tracked() if name.startswith("fxlint/")} | {
        "fxlint/" + name for name in tracked() if name.startswith("checks/")}


def test_there_is_no_torch(fresh: Path, tmp_path: Path) -> None:
    assert run(fresh, tmp_path, "python", "-c", "import torch").returncode == 1
    assert run(fresh, tmp_path, "python", "-c", "import fxlint, libcst; print(fxlint.__version__)").stdout == "0.1.0\n"


def test_check_fix_and_rule_work(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET, encoding="utf-8")
    said = run(fresh, tmp_path, "fxlint", "check", "--output-format", "concise")
    assert (said.returncode, said.stderr) == (1, "")
    assert [line.split()[1] for line in said.stdout.splitlines()] == ["TFX103", "TFX201"]
    assert run(fresh, tmp_path, "fxlint", "fix").returncode == 0
    assert "x.shape[0]" in (tmp_path / "net.py").read_text("utf-8")
    assert run(fresh, tmp_path, "fxlint", "check").stdout == "nothing to report\n"
    assert run(fresh, tmp_path, "fxlint", "rule", "TFX201").stdout.startswith("TFX201 len-of-proxy")
    assert run(fresh, tmp_path, "fxlint", "config", "--schema").returncode == 0


def test_trace_says_what_it_lacks(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET, encoding="utf-8")
    said = run(fresh, tmp_path, "fxlint", "trace", "net.py:Net")
    assert said.returncode == 2
    assert "torch" in said.stderr
    assert said.stderr.count("\n") == 1


def test_flake8_reports_on_a_sample_project(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("from .net import Net\n", encoding="utf-8")
    (tmp_path / "pkg" / "net.py").write_text(NET, encoding="utf-8")
    said = run(fresh, tmp_path, "python", "-m", "flake8", "--select", "TFX", ".")
    assert said.stderr == ""
    heads = [line[: line.index("TFX") + 6] for line in said.stdout.splitlines()]
    assert heads == ["./pkg/net.py:7:16: TFX103", "./pkg/net.py:8:20: TFX201"]
    assert "fxlint: 0.1.0" in run(fresh, tmp_path, "python", "-m", "flake8", "--version").stdout


def test_types_are_shipped(fresh: Path) -> None:
    (site,) = fresh.parents[1].glob("lib/python*/site-packages")
    assert (site / "fxlint" / "py.typed").is_file()
    assert (site / "fxlint" / "fxlint.schema.json").is_file()
