"""Rounds of repairs: what goes wrong with one is no matter of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from fxlint import driver
from fxlint.base.analysis import AnalysisSettings
from fxlint.base.finding import Edit, Finding, Fix, Safety
from fxlint.driver import Request
from fxlint.registry import Registry, load
from fxlint.rounds import Repaired, repair
from fxlint.selection import Selection

MODEL = """import torch

class NAME(torch.nn.Module):
    def forward(self, x):
        return x * len(x)
"""


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load()


def repaired(folder: Path, registry: Registry, spoil: str, monkeypatch: pytest.MonkeyPatch) -> Repaired:
    """The repairs of two files, of which that in bad.py puts ``spoil`` in front of its file besides."""
    for name in ("bad", "good"):
        (folder / f"{name}.py").write_text(MODEL.replace("NAME", name.title()))
    real = driver._propose

    def proposed(event: object, requests: object, project: object) -> Fix | None:
        fix = real(event, requests, project)  # type: ignore[arg-type]  # handed on as it is
        path = str(folder / "bad.py")
        if fix is None or fix.edits[0].path != path:
            return fix
        return Fix(fix.message, Safety.SAFE, (Edit(path, 0, 0, spoil), *fix.edits))

    monkeypatch.setattr(driver, "_propose", proposed)
    files = tuple(sorted(str(path) for path in folder.glob("*.py")))
    request = Request(files, Selection(), AnalysisSettings(), fixes=True)
    return repair([request], registry, lambda path: Path(path).read_text(), unsafe=False)


def names(findings: tuple[Finding, ...]) -> list[str]:
    return [Path(finding.path).name for finding in findings]


def test_a_repair_after_which_a_file_would_not_parse_is_left_out(
    tmp_path: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = repaired(tmp_path, registry, "def (:\n", monkeypatch)
    assert names(done.applied) == ["good.py"]
    assert names(done.broken) == names(done.result.findings) == ["bad.py"]
    assert list(done.texts) == [str(tmp_path / "good.py")]


def test_a_repair_that_makes_findings_is_left_out(tmp_path: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    worse = "".join(MODEL.replace("NAME", name) for name in "ABCD")
    done = repaired(tmp_path, registry, worse, monkeypatch)
    assert names(done.applied) == ["good.py"]
    assert names(done.result.findings) == ["bad.py"]
    assert done.broken == ()


def test_repairs_that_do_no_harm_are_all_applied(tmp_path: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    done = repaired(tmp_path, registry, "# a comment\n", monkeypatch)
    assert sorted(names(done.applied)) == ["bad.py", "good.py"]
    assert done.result.findings == done.broken == ()
