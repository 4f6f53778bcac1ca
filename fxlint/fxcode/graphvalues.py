"""Values and facts of the analysis of graph code: functions that run *after* tracing, and handle what tracing made.

Here nothing is a Proxy of an input: values are GraphModules, Graphs and Nodes. What is known of each graph is kept apart, in
``GraphFacts`` under the graph's number, since a GraphModule, its graph and its nodes are aliases of one mutable thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fxlint.fxcode.fxnames import ClassCode, FunctionCode
from fxlint.syntax import ir
from fxlint.syntax.body import Body


@dataclass(frozen=True, slots=True)
class Place:
    """A node of the IR and the body that holds it."""

    body: Body
    at: ir.At


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any object."""


@dataclass(frozen=True, slots=True)
class Const:
    """Exactly this number, string, boolean or None."""

    value: object


@dataclass(frozen=True, slots=True)
class Lib:
    """A module, class or function of a library, by its canonical dotted name."""

    dotted: str


@dataclass(frozen=True, slots=True, eq=False)
class Func:
    """A function or lambda as written, with the values of the names around it when it was made."""

    body: Body
    node: ir.FuncDef | ir.Lambda
    names: Mapping[str, Value] = field(default_factory=dict)
    code: FunctionCode | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the project."""

    code: ClassCode


@dataclass(frozen=True, slots=True)
class Object:
    """An instance of a project class. ``mode`` is "train" or "eval" where a call in sight has set it, "" otherwise."""

    code: ClassCode
    args: tuple[Value, ...] = ()
    mode: str = ""


@dataclass(frozen=True, slots=True)
class LibObject:
    """An instance of a library class, made by a call in sight: ``nn.ReLU()``."""

    dotted: str
    args: tuple[Value, ...] = ()
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Root:
    """The parameter ``name`` of a function, whatever it is: a model that is handed in."""

    name: str


@dataclass(frozen=True, slots=True)
class Part:
    """Attribute ``name`` of an object that is not looked into: a submodule, a parameter, a state dict."""

    owner: Value
    name: str


@dataclass(frozen=True, slots=True)
class TracerObject:
    """A ``torch.fx.Tracer`` or an instance of a subclass. ``traced`` numbers the graph it made last, -1 for none."""

    code: ClassCode | None
    traced: int = -1


@dataclass(frozen=True, slots=True)
class GraphModule:
    """A ``torch.fx.GraphModule`` over graph number ``graph``."""

    graph: int


@dataclass(frozen=True, slots=True)
class Graph:
    """The ``torch.fx.Graph`` of number ``graph``."""

    graph: int


@dataclass(frozen=True, slots=True)
class Nodes:
    """Nodes of a graph: its live linked list, or (``live`` false) a list, tuple or other copy of it."""

    graph: int
    live: bool
    op: str = ""
    target: Value = field(default_factory=Unknown)


@dataclass(frozen=True, slots=True)
class Node:
    """A ``torch.fx.Node``: number ``key`` of its graph. ``op`` is "" and ``target`` Unknown where no test has told them."""

    graph: int
    key: int
    op: str = ""
    target: Value = field(default_factory=Unknown)
    made: bool = False  # created by a call in sight
    among: bool = False  # stands for each node of a loop in turn
    live: bool = False  # of a loop over the live list of the graph


@dataclass(frozen=True, slots=True)
class NodeField:
    """``node.args``, ``node.kwargs``, ``node.op``, ``node.target``, ``node.name`` or ``node.users``."""

    node: Node
    name: str


@dataclass(frozen=True, slots=True)
class NodeItem:
    """One entry of ``node.args`` or ``node.kwargs``, at any depth: a Node, an immutable list or dict, or a constant."""

    node: Node


@dataclass(frozen=True, slots=True)
class FxProxy:
    """A ``torch.fx.Proxy``."""

    graph: int = -1


@dataclass(frozen=True, slots=True)
class Runner:
    """An Interpreter or a Transformer, over graph number ``graph`` (-1 where it is not known)."""

    kind: str  # "Interpreter" or "Transformer"
    code: ClassCode | None
    graph: int = -1


@dataclass(frozen=True, slots=True)
class HookValue:
    """What a method of a Runner is called with: ``name`` is "target", "args", "kwargs" or "node"; ``method`` the overridden method."""

    name: str
    method: str
    runner: Runner


@dataclass(frozen=True, slots=True)
class SuperOf:
    """``super()`` in a method of ``holder``, called on ``receiver``."""

    holder: ClassCode
    receiver: Value


@dataclass(frozen=True, slots=True)
class Matches:
    """The list of matches that ``replace_pattern`` gives back; ``instead`` is the call whose result took the name of the module."""

    instead: Place | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """``receiver.name``, not called yet."""

    receiver: Value
    name: str


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple, list, set or dict display with these entries; ``kind`` as in ``ir.Display``, or "dict" (values only, ``keys`` beside)."""

    kind: str
    items: tuple[Value, ...]
    keys: tuple[Value, ...] = ()


Value: TypeAlias = (
    Unknown | Const | Lib | Func | Class | Object | LibObject | Root | Part | TracerObject | GraphModule | Graph | Nodes | Node
    | NodeField | NodeItem | FxProxy | Runner | HookValue | SuperOf | Matches | Method | Items
)

UNKNOWN = Unknown()
NOTHING = Const(None)


@dataclass(frozen=True, slots=True)
class Pending:
    """A mistake that later code may still repair: reported when the graph is compiled, run, returned, or the function ends."""

    kind: str  # the construct of the event
    place: Place
    name: str  # the name of a module or attribute that is missing, or the text of the node at fault
    key: int = -1  # the node whose arguments must change


@dataclass(frozen=True, slots=True)
class GraphFacts:
    """What is known of one graph at one point of the code."""

    traced: Value = UNKNOWN  # what was traced to make it
    owned: bool = False  # a GraphModule holds it
    fresh: bool = False  # made by Graph(): it starts empty
    edited: Place | None = None  # the last edit since its code was generated
    compiled: Place | None = None  # the edit after which recompile() was called
    anchor: tuple[str, int] = ("end", -1)  # where new nodes go: "end", or "before"/"after" with a node's key; "unknown" with -1
    bare: Place | None = None  # the statement that moved the insertion point for good
    outputs: int = 0  # output nodes that were surely made by calls in sight
    closed: bool = False  # an output node may have been made
    declared: bool = False  # known from the annotation of a parameter alone
    free: frozenset[int] = frozenset()  # nodes whose users were given another node
    rewired: bool = False  # arguments of some node were changed by hand
    uses: frozenset[tuple[int, int]] = frozenset()  # (user, used), for nodes made in sight
    placed: frozenset[tuple[int, int]] = frozenset()  # (node, new node) for nodes made in sight under inserting_after(node)
    modules: frozenset[str] = frozenset()  # names of modules and attributes that were added
    plain: tuple[str, ...] = ()  # plain attributes that were set on the GraphModule
    bound: tuple[tuple[str, Value], ...] = ()  # concrete_args
    mode: str = ""  # "train" or "eval" where known
    unpicklable: bool = False  # a lambda is the target of one of its nodes
    pending: tuple[Pending, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """One point of one function: the values of its names, what is known of each graph, and whether code after it runs."""

    names: Mapping[str, Value] = field(default_factory=dict)
    graphs: Mapping[int, GraphFacts] = field(default_factory=dict)
    ended: bool = False

    def bind(self, name: str, value: Value) -> State:
        """The state after ``name = value``."""
        return replace(self, names={**self.names, name: value})

    def facts(self, graph: int) -> GraphFacts:
        """What is known of graph number ``graph``."""
        return self.graphs.get(graph, NO_FACTS)

    def put(self, graph: int, facts: GraphFacts) -> State:
        """The state with other facts of one graph."""
        return replace(self, graphs={**self.graphs, graph: facts})


NO_FACTS = GraphFacts(owned=False, anchor=("unknown", -1))


def join(a: State, b: State) -> State:
    """What holds whichever of two paths was taken."""
    if a.ended or b.ended:
        return replace(b if a.ended else a, ended=a.ended and b.ended)
    names = {name: join_values(a.names.get(name), b.names.get(name)) for name in [*a.names, *(n for n in b.names if n not in a.names)]}
    graphs = {g: join_facts(a.facts(g), b.facts(g)) if g in a.graphs and g in b.graphs else (a.graphs.get(g) or b.facts(g))
              for g in [*a.graphs, *(n for n in b.graphs if n not in a.graphs)]}
    return State(names, graphs)


def join_values(a: Value | None, b: Value | None) -> Value:
    """A value that denotes what either denotes. A name that one path does not bind holds what the other binds."""
    if a is None or b is None:
        return (b if a is None else a) or UNKNOWN
    if a == b:
        return a
    if isinstance(a, Node) and isinstance(b, Node) and a.graph == b.graph and a.key == b.key:
        return Node(a.graph, a.key, a.op if a.op == b.op else "", a.target if a.target == b.target else UNKNOWN, a.made, a.among, a.live)
    if isinstance(a, TracerObject) and isinstance(b, TracerObject) and a.code is b.code:
        return replace(a, traced=max(a.traced, b.traced))
    return UNKNOWN


def _join_edits(a: GraphFacts, b: GraphFacts) -> Place | None:
    """What is still to be compiled. ``if changed: gm.recompile()``: a path that skips the call is taken for one without that edit."""
    if a.edited is not None and b.edited is not None:
        return b.edited
    done, other = (a, b) if a.edited is None else (b, a)
    return None if done.compiled is not None and done.compiled == other.edited else other.edited


def join_facts(a: GraphFacts, b: GraphFacts) -> GraphFacts:
    """Edits and pending mistakes of either path count; what repairs them must have happened on both to be forgotten."""
    return GraphFacts(
        traced=join_values(a.traced, b.traced),
        owned=a.owned or b.owned,
        fresh=a.fresh and b.fresh,
        edited=_join_edits(a, b),
        compiled=b.compiled or a.compiled,
        anchor=a.anchor if a.anchor == b.anchor else ("unknown", -1),
        bare=a.bare or b.bare,
        outputs=min(a.outputs, b.outputs),
        closed=a.closed or b.closed,
        declared=a.declared or b.declared,
        free=a.free | b.free,
        rewired=a.rewired or b.rewired,
        uses=a.uses | b.uses,
        placed=a.placed & b.placed,
        modules=a.modules | b.modules,
        plain=(*a.plain, *(p for p in b.plain if p not in a.plain)),
        bound=a.bound if a.bound == b.bound else (),
        mode=a.mode if a.mode == b.mode else "",
        unpicklable=a.unpicklable or b.unpicklable,
        pending=(*a.pending, *(p for p in b.pending if p not in a.pending)),
    )
