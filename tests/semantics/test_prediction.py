"""Each program is traced by the installed torch; what tracing does is what the analysis predicts, at the row where it happens."""

from __future__ import annotations

import pytest
import torch

from fxlint.api import Outcome
from fxlint.base.finding import Severity
from fxlint.registry import Registry, load
from tests.examples.observe import Observation, Task, observe_all

from .reading import FOLDER, Program, findings, read, touched

PROGRAMS = [one for path in sorted(FOLDER.glob("*.txt")) for one in read(path)]
VERSION = torch.__version__.partition("+")[0]

each_program = pytest.mark.parametrize("one", [pytest.param(p, id=f"{p.family}: {p.title}") for p in PROGRAMS])


BATCH = 16


class Traces:
    """What torch does with each program; traced when first asked for, together with its neighbours in the same child process."""

    def __init__(self) -> None:
        self.seen: dict[Program, Observation] = {}
        plain = [one for one in PROGRAMS if "wrap" not in one.source + "".join(one.beside.values())]
        self.batches = {one: plain[i : i + BATCH] for i in range(0, len(plain), BATCH) for one in plain[i : i + BATCH]}

    def of(self, one: Program) -> Observation:
        """What was observed of a program. One that marks functions with wrap has a process of its own."""
        if one not in self.seen:
            batch = self.batches.get(one, [one])
            tasks = [Task(p.source, p.inputs, others=p.others, beside=p.beside) for p in batch]
            self.seen.update(zip(batch, observe_all(tasks), strict=True))
        return self.seen[one]


@pytest.fixture(scope="module")
def traces() -> Traces:
    return Traces()


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load()


def outcome(seen: Observation) -> str:
    if seen.outcome is Outcome.BREAKS:
        return "silent" if seen.traced else "breaks"
    return "silent" if seen.outcome is Outcome.SILENT else "fine"


@each_program
def test_tracing_is_as_predicted(one: Program, registry: Registry, traces: Traces) -> None:
    seen = traces.of(one)
    assert outcome(seen) == one.expected, seen.text
    said = findings(one, registry, VERSION)
    told = [f"{name}:{f.row} {f.code} {f.severity.value} {f.message}" for name, f in said]
    if one.expected == "fine":
        assert told == []
        return
    severities = (Severity.ERROR,) if one.expected == "breaks" else (Severity.ERROR, Severity.WARNING)
    places = one.marks | ({seen.place} if seen.place[0] and not seen.traced else set())
    assert places, seen.text
    assert touched(said, *severities) & places, (sorted(places), told, seen.text)


def test_titles_are_told_apart() -> None:
    names = [(one.family, one.title) for one in PROGRAMS]
    assert len(names) == len(set(names))
    assert {one.expected for one in PROGRAMS} == {"breaks", "silent", "fine"}
