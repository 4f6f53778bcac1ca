"""The analysis of one file's graph code: what it may look up, what it has found. The only mutable part of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fxlint.base.event import Assumption, AssumptionKind, Event, EventKind, Site, Step
from fxlint.fxcode.fxnames import ClassCode
from fxlint.fxcode.graphvalues import GraphFacts, Object, Place, Root, State, Value
from fxlint.fxcode.recorder import record_module
from fxlint.fxcode.recording import Recording
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir
from fxlint.syntax.body import Body

Predicted = Callable[[str], tuple[tuple[str, str], ...] | None]
"""From the name of a class to the (op, target) pairs that tracing an instance records, None where that is not known."""

MAX_CALLS = 6  # depth of calls that are followed
MAX_ENTERED = 600  # calls that are followed in one file


@dataclass(frozen=True, slots=True)
class Activation:
    """One activation of one function: its IR, the file, its name, the class whose method it is, and the calls that led to it."""

    source: SourceFile
    body: Body
    owner: str
    holder: ClassCode | None = None
    receiver: Value | None = None
    stack: tuple[tuple[str, int], ...] = ()
    method: str = ""  # the hook of an Interpreter or Transformer that this is


@dataclass(slots=True)
class Reading:
    """What the analysis of a file has found so far."""

    project: Project
    source: SourceFile
    predicted: Predicted
    wraps: frozenset[str]
    root: Value | None = None  # what the file's own models are, where there is exactly one
    events: dict[tuple[EventKind, str, str, int], Event] = field(default_factory=dict)
    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)
    entered: set[str] = field(default_factory=set)
    calls: int = 0  # calls followed so far
    recordings: dict[object, Recording | None] = field(default_factory=dict)
    returned: list[tuple[int, State, Value]] = field(default_factory=list)
    deferred: list[tuple[Activation, Value, State]] = field(default_factory=list)
    classes: list[ClassCode] = field(default_factory=list)  # classes that functions define, not read yet

    def number(self, act: Activation, at: ir.At, what: str = "") -> int:
        """The number of what a place of an activation makes: the same each time that the place is passed."""
        return self.numbers.setdefault((act.stack, act.body.path, act.body.offset, at, what), len(self.numbers))


def emit(
    reading: Reading, act: Activation, kind: EventKind, construct: str, place: Place | ir.At, *, subject: str = "", detail: str = "",
    callee: str = "", assumed: str = "", steps: tuple[Step, ...] = (),
) -> None:
    """Keeps one event. ``assumed`` names what had to be taken for granted, for events that are only likely."""
    where = place if isinstance(place, Place) else Place(act.body, place)
    span = where.body.span(where.at)
    site = Site(where.body.path, span.start, span.end)
    assumptions = frozenset({Assumption(AssumptionKind.ASSUMED_PROXY, assumed)}) if assumed else frozenset()
    key = (kind, construct, site.path, site.start)
    kept = reading.events.get(key)
    if kept is None or (kept.assumptions and not assumptions):
        reading.events[key] = Event(
            kind, construct, site, subject=subject, callee=callee, detail=detail, steps=steps, assumptions=assumptions, owner=act.owner,
            owner_class=act.holder.name if act.holder else "",
        )


def text(act: Activation, at: ir.At) -> str:
    """The source text of a node, on one line."""
    span = act.body.span(at)
    return " ".join(act.body.text[span.start - act.body.offset : span.end - act.body.offset].split())


def recording(reading: Reading, facts: GraphFacts) -> Recording | None:
    """What the graph held when it was traced; None where that is not known."""
    traced = reading.root if isinstance(facts.traced, Root) and reading.root is not None else facts.traced
    key = (traced, facts.bound)
    if key not in reading.recordings:
        bound: Mapping[str, Value] = dict(facts.bound)
        reading.recordings[key] = record_module(reading.project, traced, bound, reading.wraps)
    return reading.recordings[key]


def operations(reading: Reading, facts: GraphFacts) -> tuple[tuple[str, str], ...] | None:
    """The (op, target) of each node that the graph held when it was traced: recorded, or predicted for the class of what was traced."""
    known = recording(reading, facts)
    if known is not None:
        return tuple((r.op, r.target) for r in known.records)
    traced = reading.root if isinstance(facts.traced, Root) and reading.root is not None else facts.traced
    return reading.predicted(traced.code.name) if isinstance(traced, Object) and not facts.bound else None
