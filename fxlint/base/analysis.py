"""What the analysis is told and what it answers, as data."""

from __future__ import annotations

from dataclasses import dataclass

from fxlint.base.event import Event

# Deep expressions (a sum of 900 terms) nest as deep in the interpreter; each level takes a few Python frames.
RECURSION_LIMIT = 12_000


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """What the analysis is told. ``roots`` replace discovery; ``torch_version`` as in "2.13.0".

    ``tracer`` (the dotted name of a class) traces the roots whose own code does not say how; ``functions`` are pairs of a dotted name and
    a word of ``fxlint.interp.declared.Declared``.
    ``watch``: a file and a 1-based row; what the names in statements that start there denote goes to ``Analysis.reveals``.
    """

    roots: tuple[str, ...] = ()
    torch_version: str = "2.14.1"
    watch: tuple[str, int] | None = None
    tracer: str = ""
    functions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A reason for giving up, and how often it occurred."""

    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that the analysis found. ``roots`` are the names of what was traced; ``failures`` are internal errors, one line each.

    ``reveals``: file, row and text of what ``reveal_fx`` was called with there, and "name: text" for what is watched; the texts of
    different contexts are joined by " / ".
    """

    events: tuple[Event, ...]
    unknowns: tuple[Unknown, ...]
    roots: tuple[str, ...]
    failures: tuple[str, ...] = ()
    reveals: tuple[tuple[str, int, str], ...] = ()
    proxy_calls: int = 0
    unresolved_calls: int = 0
