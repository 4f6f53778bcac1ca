"""What running torch proves false: the finding stands on each row that relies on it, and code that relies on the truth stays quiet."""

from __future__ import annotations

import pytest

from fxlint.base.analysis import AnalysisSettings
from fxlint.driver import Request, Study, conclude
from fxlint.interp.entry import analyse
from fxlint.project.discover import Unit
from fxlint.project.modules import Project
from fxlint.registry import Registry, load
from fxlint.selection import Selection

from .reading import PREAMBLE, marked, programs

PATH = "/program/model.py"
BELIEFS = programs("false_beliefs")
RIGHT = "right: "


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load()


def reported(text: str, registry: Registry) -> list[tuple[int, str]]:
    """The row (1-based, in ``text``) and code of each finding."""
    settings = AnalysisSettings(torch_version="2.13.0")
    project = Project.of([(PATH, PREAMBLE + text)])
    study = Study(Unit("/program", (PATH,)), project, analyse(project, settings))
    result = conclude(study, (PATH,), Request((PATH,), Selection(), settings), registry)
    assert result.errors == ()
    return [(f.row - PREAMBLE.count("\n"), f.code) for f in result.findings]


@pytest.mark.parametrize("text", [pytest.param(t, id=n) for n, t in BELIEFS.items()])
def test_what_relies_on_it_is_reported(text: str, registry: Registry) -> None:
    assert reported(text, registry) == marked(text)
