"""Whole files in, the events of their roots out."""

from __future__ import annotations

from textwrap import dedent

from fxlint.base.analysis import AnalysisSettings
from fxlint.interp.entry import analyse
from fxlint.project.modules import Project

HEAD = """
import math
import torch
import torch.nn as nn
import torch.fx as fx

"""
IF = "proxy-truth/ternary"
THROUGH = "foreign-call/nn-function"


def every(text: str) -> list[str]:
    """The events of all roots that are found."""
    return _events(text, (), {})


def events(text: str, *roots: str, **others: str) -> list[str]:
    """The events of the named roots (M) of ``main.py``, as "kind/construct", in source order."""
    return _events(text, roots or ("M",), others)


def _events(text: str, roots: tuple[str, ...], others: dict[str, str]) -> list[str]:
    project = Project.of([("main.py", HEAD + dedent(text)), *((f"{n}.py", dedent(t)) for n, t in others.items())])
    done = analyse(project, AnalysisSettings(roots=roots))
    assert not done.failures
    return [f"{e.kind.value}/{e.construct}" for e in done.events if not e.kind.value.startswith(("tracer-hook", "wrap"))]
