"""All that a check may import: what it declares, what it is given, what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fxlint.base.event import Assumption, AssumptionKind, Event, EventKind, Facet, Frame, Site, Step
from fxlint.base.finding import Safety, Severity

__all__ = [
    "Assumption", "AssumptionKind", "Check", "Event", "EventKind", "Example", "Facet", "FixKind", "FixRequest", "Frame",
    "Outcome", "Report", "Safety", "Severity", "Site", "Step",
]


class Outcome(StrEnum):
    """What torch.fx does with an example, observed by the test suite, never assumed."""

    TRACES = "traces"  # traces, Graph.lint passes, the GraphModule agrees with the module, in values and state, on two calls
    BREAKS = "breaks"  # tracing (or running `use()`) raises
    SILENT = "silent"  # traces, but the GraphModule (or what `use()` returns) computes something else, or leaves other state or output


@dataclass(frozen=True, slots=True)
class Example:
    """A small program that the test suite really traces.

    ``source`` has ``import torch``, ``from torch import nn, fx``, ``import torch.nn.functional as F`` in front of it, and defines a
    class ``M`` (traced by ``fx.symbolic_trace(M())``), or ``trace(m)`` beside it (called in place of ``symbolic_trace``), or, for graph
    code, a function ``use()`` that returns ``(got, wanted)`` callables and an argument tuple. A trailing ``# <- here`` marks the line of
    the finding; an example without the mark must stay quiet for the check. ``inputs`` is an expression: the tuple of arguments.
    ``error`` is a part of the message of the exception, for BREAKS. ``fixed`` must trace and agree with what ``source`` computes in
    eager mode.
    """

    title: str
    source: str
    outcome: Outcome
    error: str = ""
    inputs: str = "(torch.randn(2, 4),)"
    fixed: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """What a check declares about itself. ``severity`` is that of a `must` finding: assumptions lower it (see the driver)."""

    code: str
    name: str
    summary: str  # one line, for tables
    events: tuple[EventKind, ...]
    severity: Severity
    examples: tuple[Example, ...]
    constructs: tuple[str, ...] = ()  # the Event.construct values it takes; () for all of its kinds


@dataclass(frozen=True, slots=True)
class Report:
    """What a check answers: the message (what happens, in torch's words) and the help (what to do)."""

    message: str
    help: str
    severity: Severity | None = None  # where it is not the check's own


class FixKind(StrEnum):
    """The four kinds of repair, the most transparent first."""

    REWRITE = "rewrite"
    WRAP = "wrap"
    HOIST = "hoist"
    LEAF = "leaf"


@dataclass(frozen=True, slots=True)
class FixRequest:
    """A repair that a check asks for; ``fxlint.fixes`` carries it out or declines.

    ``rule`` names a rewrite of ``fxlint/fixes/rewrites``; it is empty for the other kinds. ``facts`` are what the rewrite needs and
    the code alone does not tell, as (key, value) pairs; each rewrite documents its keys.
    """

    kind: FixKind
    rule: str = ""
    safety: Safety = Safety.SAFE
    facts: tuple[tuple[str, str], ...] = ()
