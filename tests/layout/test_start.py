"""Start-up: quick, and without what only some commands need."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from fxlint import __version__

TOP = Path(__file__).resolve().parents[2]
LIMIT = 0.2  # seconds of CPU for `fxlint --version`


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_version_is_quick() -> None:
    command = [sys.executable, "-m", "fxlint", "--version"]
    times = []
    for _ in range(3):
        before = cpu_seconds()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        times.append(cpu_seconds() - before)
        assert done.stdout == f"fxlint {__version__}\n"
    assert min(times) < LIMIT


def modules_after(statement: str) -> set[str]:
    code = f"import sys\ntry:\n    {statement}\nexcept SystemExit:\n    pass\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return set(done.stderr.splitlines()[-1].split())


def test_version_imports_neither_libcst_nor_the_engine() -> None:
    loaded = modules_after("from fxlint.cli.main import run; run(['--version'])")
    assert "fxlint.cli.main" in loaded
    assert not loaded & {"libcst", "torch", "ast", "fxlint.driver", "fxlint.registry"}


def test_flake8_loads_the_plugin_without_libcst() -> None:
    assert "libcst" not in modules_after("import fxlint.flake8_plugin")


def test_check_needs_no_torch(tmp_path: Path) -> None:
    for name in ("model.py", "blocks.py"):
        (tmp_path / name).write_bytes((TOP / "fxlint" / "demo_models" / name).read_bytes())
    loaded = modules_after(f"from fxlint.cli.main import run; run(['check', '--isolated', {str(tmp_path)!r}])")
    assert "fxlint.interp.entry" in loaded
    assert not loaded & {"torch", "numpy"}
