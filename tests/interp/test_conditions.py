"""What a finding has to assume, where it is met in several ways."""

from __future__ import annotations

import textwrap

import pytest

from fxlint.base.analysis import AnalysisSettings
from fxlint.base.event import Assumption, AssumptionKind, EventKind, either
from fxlint.interp.entry import analyse
from fxlint.project.modules import Project

TRAIN, EVAL = Assumption(AssumptionKind.TRAINING, "train"), Assumption(AssumptionKind.TRAINING, "eval")
FLAG, NO_FLAG = Assumption(AssumptionKind.CONDITION, "self.flag"), Assumption(AssumptionKind.CONDITION, "not (self.flag)")
OTHER = Assumption(AssumptionKind.CONDITION, "self.other")


@pytest.mark.parametrize(("a", "b", "expected"), [
    ({TRAIN}, {EVAL}, set()),
    ({FLAG}, {NO_FLAG}, set()),
    ({FLAG, OTHER}, {NO_FLAG, OTHER}, {OTHER}),
    ({FLAG, OTHER}, {NO_FLAG}, {NO_FLAG}),
    ({FLAG}, {OTHER}, {FLAG}),
    ({FLAG}, {FLAG}, {FLAG}),
    ({FLAG}, set(), set()),
    ({TRAIN}, {NO_FLAG}, {TRAIN}),
    ({FLAG, TRAIN}, {NO_FLAG, EVAL}, {FLAG, TRAIN}),
])
def test_either(a: set[Assumption], b: set[Assumption], expected: set[Assumption]) -> None:
    assert either(frozenset(a), frozenset(b)) == expected


@pytest.mark.parametrize(("body", "expected"), [
    ("y = self.part(x) if self.training else self.part(x * 2)", set()),
    ("y = self.part(x) if self.training else x", {TRAIN}),
    ("y = self.part(x) if self.flag else self.part(-x)", set()),
    ("y = self.part(x) if self.flag else x", {FLAG}),
    ("y = self.part(x) if self.flag else self.part(-x) if self.other else x", {FLAG}),
])
def test_a_condition_of_which_both_sides_lead_there_is_none(body: str, expected: set[Assumption]) -> None:
    text = textwrap.dedent(f"""
        import torch
        class M(torch.nn.Module):
            def __init__(self, flag, other):
                super().__init__()
                self.flag, self.other = flag, other
            def part(self, x):
                return x + len(x)
            def forward(self, x):
                {body}
                return y
        """)
    done = analyse(Project.of([("m.py", text)]), AnalysisSettings(("M",), "2.13.0"))
    (found,) = [e for e in done.events if e.kind is EventKind.PROXY_LEN]
    assert found.assumptions == expected
