"""How a trace is set up: which modules are leaves, what else the Tracer records, which arguments are fixed, and where that is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from fxlint.base.event import Event, EventKind
from fxlint.values.values import ClassInfo, Code, Ref, Value

Tell: TypeAlias = Callable[[int, int], None]
"""Hears of the progress: how many roots are done, and of how many."""


def untold(done: int, total: int) -> None:
    """A Tell that nobody listens to."""


class LeafRule(Enum):
    """Who says which modules stay one node."""

    DEFAULT = "default"  # torch's own rule
    METHOD = "method"  # ``is_leaf_module`` or ``call_module`` of a Tracer of the project
    UNKNOWN = "unknown"  # configuration that is not known: every module may be a leaf


@dataclass(frozen=True, slots=True, eq=False)
class Tracing:
    """One Tracer with the arguments of one ``trace``. Compared by identity: results of calls are shared within one alone.

    ``leaves`` are leaf classes besides those of the rule. ``modules`` and ``functions`` are what is wrapped in the globals of traced files:
    dotted names, paths of files, functions and classes. ``patched`` are the files whose globals the tracer has patched so far.
    """

    tracer: Ref | None = None  # the instance of a project class that traces
    rule: LeafRule = LeafRule.DEFAULT
    leaves: frozenset[ClassInfo | str] = frozenset()
    modules: frozenset[str] = frozenset({"math"})
    functions: frozenset[Code | ClassInfo | str] = frozenset()
    buffers: bool = False  # proxy_buffer_attributes
    shapes_constant: bool = False  # param_shapes_constant
    concrete: tuple[tuple[str, Value], ...] = ()  # values of concrete_args by parameter, or by position as "0", "1"
    concrete_open: bool = False  # concrete_args holds names that are not known
    prevented: frozenset[EventKind] = frozenset()  # what an overridden hook of the Tracer answers in place of raising
    patched: frozenset[str] = frozenset()

    @property
    def signature(self) -> object:
        """What two traces must agree in to find the same."""
        return (
            self.rule, self.tracer if self.rule is LeafRule.METHOD else None, self.leaves, self.modules, self.functions, self.buffers,
            self.shapes_constant, self.concrete, self.concrete_open, self.prevented)


PLAIN = Tracing()
"""What ``symbolic_trace(m)`` does."""


@dataclass(frozen=True, slots=True)
class TraceSite:
    """A call that traces: what, and how. ``root`` is a module object, a function, or what the analysis knows of it."""

    root: Value
    tracing: Tracing


@dataclass(slots=True)
class Sites:
    """What running the code around traces gave so far."""

    found: list[TraceSite] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
