"""Programs in, events out: what the tests of the interpreter have in common."""

from __future__ import annotations

from fxlint.base.analysis import AnalysisSettings
from fxlint.base.event import Event
from fxlint.interp.entry import analyse
from fxlint.project.modules import Project

PREAMBLE = "import torch\nimport torch.fx as fx\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
PATH = "/program/model.py"


def events(program: str) -> tuple[Event, ...]:
    """The events of tracing class ``M`` of a program that begins below ``PREAMBLE``."""
    project = Project.of([(PATH, PREAMBLE + program)])
    analysis = analyse(project, AnalysisSettings(roots=("M",), torch_version="2.13.0"))
    assert analysis.failures == ()
    assert analysis.roots
    return analysis.events


def seen(program: str) -> list[tuple[str, str, int]]:
    """Kind, construct and line (1-based, in ``program``) of each event, in order of place."""
    text = PREAMBLE + program
    skipped = PREAMBLE.count("\n")
    return [(e.kind.value, e.construct, text.count("\n", 0, e.site.start) + 1 - skipped) for e in events(program)]


def forward(body: str, init: str = "") -> str:
    """A module ``M`` whose forward takes ``x`` and has this body; ``init`` are lines of ``__init__``, of which the first is line 4."""
    lines = ["class M(nn.Module):", "    def __init__(self):", "        super().__init__()"]
    lines.extend(f"        {line}" for line in init.splitlines())
    return "\n".join([*lines, "    def forward(self, x):", *(f"        {line}" for line in body.splitlines()), ""])
