"""The driver of the interpreter: the caches, the budgets and the queue of events. The only mutable part of it.

Functions of the interpreter take a ``Frame`` (one activation of one function) and a ``State`` (one path through it).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fxlint.base.event import Assumption, AssumptionKind, EventKind, Facet, either
from fxlint.interp.state import Object, State
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir
from fxlint.syntax.body import Body
from fxlint.values.values import ClassInfo, Code, Function, Member, Origin, Proxy, Ref, Unknown, Value

if TYPE_CHECKING:
    from fxlint.interp.tracing import Sites, Tracing

MAX_DEPTH = 40
MAX_UNROLL = 64
MAX_CONTEXTS = 48
MAX_CALLS = 6000


@dataclass(frozen=True, slots=True)
class RawFrame:
    """A call on the way to an event: the call expression, who calls whom, and where each argument came from in the caller."""

    body: Body
    at: ir.At
    caller: Code
    callee: Code
    callee_class: str
    arguments: tuple[tuple[str, Origin], ...]


@dataclass(frozen=True, slots=True)
class RawEvent:
    """An event as seen from the function that holds it, or, with a ``stack``, from a caller of that function."""

    kind: EventKind
    construct: str
    body: Body
    at: ir.At
    code: Code
    owner_class: str
    subject: tuple[Body, ir.At] | None
    facet: Facet
    callee: str
    detail: str
    origin: Origin | None
    assumptions: frozenset[Assumption]
    stack: tuple[RawFrame, ...] = ()


EventKey = tuple[EventKind, str, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What one call does: its value, the new objects that the value reaches, and its events. Valid for equal keys."""

    value: Value
    fragment: dict[int, Object]
    events: tuple[RawEvent, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What ``__init__`` of a class makes of certain arguments: the fields, and the new objects that they reach."""

    fields: dict[str, Value]
    buffers: frozenset[str]
    fragment: dict[int, Object]


@dataclass(frozen=True, slots=True)
class FuncInfo:
    """A function ready to run: its IR and the names it binds and reads."""

    body: Body
    func: ir.FuncDef
    bound: frozenset[str]
    reads: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]


@dataclass(slots=True)
class Machine:
    """Everything that outlives one call."""

    project: Project
    torch_version: tuple[int, ...]
    tracing: Tracing
    funcs: dict[Code, FuncInfo | None] = field(default_factory=dict)
    codes: dict[tuple[str, int], Code] = field(default_factory=dict)
    nested: dict[tuple[int, int], Code] = field(default_factory=dict)
    lambdas: dict[int, ir.FuncDef] = field(default_factory=dict)
    classes: dict[tuple[str, int], ClassInfo | None] = field(default_factory=dict)
    setters: set[str] = field(default_factory=set)  # names of properties that some class of the project lets be assigned
    global_values: dict[tuple[str, str], Value | None] = field(default_factory=dict)
    members: dict[Member, Value] = field(default_factory=dict)
    global_store: dict[int, Object] = field(default_factory=dict)
    wraps: dict[str, frozenset[str]] = field(default_factory=dict)
    defaults: dict[tuple[Code, str], Value] = field(default_factory=dict)
    summaries: dict[object, Summary] = field(default_factory=dict)
    decorated: dict[Function, Value] = field(default_factory=dict)
    templates: dict[object, Template] = field(default_factory=dict)
    shapes: dict[object, int] = field(default_factory=dict)
    shape_of: dict[int, tuple[Object, int]] = field(default_factory=dict)
    shape_numbers: dict[object, int] = field(default_factory=dict)
    exact_only: set[Code] = field(default_factory=set)
    written: set[str] = field(default_factory=set)  # buffers that the graph of the present root writes
    constructing: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)  # allocation numbers of objects made outside any trace
    contexts: Counter[object] = field(default_factory=Counter)
    active: list[Frame] = field(default_factory=list)
    running: set[object] = field(default_factory=set)
    unknowns: Counter[str] = field(default_factory=Counter)
    building: int = 0  # where `active` goes on below a builder function that is executed, 0 where none is
    made_by: dict[int, tuple[object, ...]] = field(default_factory=dict)  # by which calls a builder made a module: its class and codes
    model_ways: set[tuple[object, ...]] = field(default_factory=set)  # those by which models were made that builders returned
    configurations: dict[ClassInfo, set[tuple[str, object]]] = field(default_factory=dict)
    handed_back: dict[Code, int | None] = field(default_factory=dict)
    decorating: int = 0  # depth of decorators that are being applied
    entered: set[ClassInfo] = field(default_factory=set)
    covered: set[tuple[int, ir.At]] = field(default_factory=set)  # statements executed in a trace: identity of the body, node
    settled: frozenset[tuple[int, ir.At]] = frozenset()  # statements of which no more events are wanted
    watch: tuple[str, int] | None = None  # a file and a row whose names are revealed
    reveals: dict[tuple[str, int, str], list[str]] = field(default_factory=dict)
    root: Ref | None = None  # the module object that is being traced
    declared: dict[str, str] = field(default_factory=dict)  # what the configuration says of functions, by dotted name
    tracer: str = ""  # the class that traces roots whose own code does not say how, as "module.Class"
    sites: Sites | None = None  # where calls that trace are noted, while they are looked for
    patched_tracings: dict[object, Tracing] = field(default_factory=dict)
    binds_math: dict[str, bool] = field(default_factory=dict)
    next_id: int = 1
    next_global: int = -1
    calls: int = 0
    steps: int = 0  # calls executed for the current root
    max_steps: int = MAX_CALLS
    unresolved: int = 0
    recorded: int = 0  # how often something was recorded; only a growth of it means anything

    @property
    def minor_version(self) -> tuple[int, int]:
        """The version of torch without what follows the second number."""
        return self.torch_version[0], self.torch_version[1] if len(self.torch_version) > 1 else 0

    def new_id(self) -> int:
        """A fresh allocation number."""
        self.next_id += 1
        return self.next_id

    def unknown(self, reason: str, *, proxy: bool = False) -> Unknown:
        """An unknown value, counted by its reason."""
        self.unknowns[reason] += 1
        return Unknown(reason, proxy)


@dataclass(slots=True)
class Loop:
    """The paths that left one loop body early."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """One activation of a function. ``base`` is the first allocation number of the call: lower ones belong to callers."""

    machine: Machine
    code: Code
    info: FuncInfo | None
    body: Body
    source: SourceFile
    depth: int = 0
    base: int = 0
    tracing: bool = False
    receiver: Value | None = None
    holder: ClassInfo | None = None
    receiver_class: ClassInfo | None = None
    captured: dict[str, Value] = field(default_factory=dict)
    events: dict[EventKey, RawEvent] = field(default_factory=dict)
    returns: list[tuple[Value, State]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    at: ir.At = 0  # the statement being executed
    tested: bool = False  # a test on the type of a Proxy was met
    guarded: int = 0  # depth of `try` bodies whose handler would catch a TraceError
    impure: bool = False

    def emit(
        self, st: State, kind: EventKind, construct: str, at: ir.At, *, value: Value | None = None, subject: ir.At | None = None,
        callee: str = "", detail: str = "", extra: Assumption | None = None,
    ) -> None:
        """Record an event at node ``at``; ``value`` is the operand that gives facet, origin and, if assumed, certainty."""
        if not self.tracing or kind in self.machine.tracing.prevented:
            return
        proxy = value if isinstance(value, Proxy) else None
        if (id(self.body), self.at) in self.machine.settled:
            return
        self.tested = self.tested or kind is EventKind.SPECIALISED_TYPE
        assumptions = set(st.conditions)
        if proxy is not None and proxy.assumed:
            assumptions.add(Assumption(AssumptionKind.ASSUMED_PROXY, proxy.assumed))
        if extra is not None:
            assumptions.add(extra)
        origin = proxy.origin if proxy is not None else getattr(value, "origin", None)
        self.add(RawEvent(
            kind, construct, self.body, at, self.code, self.receiver_class.qualname if self.receiver_class else "",
            None if subject is None else (self.body, subject), proxy.facet if proxy is not None else Facet.UNKNOWN,
            callee, detail, origin, frozenset(assumptions)))

    @property
    def is_root(self) -> bool:
        """Whether this is the function that is traced."""
        return self.tracing and self.depth == 1

    def add(self, event: RawEvent) -> None:
        """Keep an event; of two at one place the one that assumes less, and less still where they need the two sides of one condition."""
        key = (event.kind, event.construct, id(event.body), event.at)
        old = self.events.get(key)
        if old is None:
            self.events[key] = event
        elif old.assumptions:
            needed = either(old.assumptions, event.assumptions)
            kept = event if len(event.assumptions) < len(old.assumptions) else old
            self.events[key] = kept if needed == kept.assumptions else replace(kept, assumptions=needed)

    def wrote(self, ref: Ref) -> None:
        """Note a write to an object; every active call that did not allocate it can no longer be summarised."""
        for frame in self.machine.active:
            if ref.id < frame.base:
                frame.impure = True
