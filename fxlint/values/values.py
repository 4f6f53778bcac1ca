"""The values of the abstract interpreter. Each docstring says which run-time objects a value denotes *at trace time*.

All are frozen and hashable, and none knows the engine. Where a value came from (``origin``) and why it is not known (``why``)
never take part in equality, so that two calls with alike arguments share one summary.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from fxlint.base.event import Facet

if TYPE_CHECKING:
    from fxlint.project.modules import SourceFile
    from fxlint.syntax import ir
    from fxlint.syntax.body import Body


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where a value came from: one link of the chain back to an input. ``param`` names a parameter of the function being read."""

    body: Body | None
    at: ir.At
    note: str
    parent: Origin | None = None
    param: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """Exactly this Python object: a number, string, bytes, None, True, False or Ellipsis."""

    value: object

    def __eq__(self, other: object) -> bool:
        # 1 == True == 1.0 in Python, yet they are three different constants; nan is one constant, though it differs from itself.
        if not isinstance(other, Const):
            return False
        mine, its = self.value, other.value
        return mine is its or (type(mine) is type(its) and (mine == its or (mine != mine and its != its)))

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Static:
    """Any concrete Python object of type ``type`` ("int", "bool", "str", "dtype" ...; "" for any) that holds no Proxy.

    ``origin``: where a Proxy's text was taken, for a string that holds one and for a bool that such a string decides; else None.
    """

    type: str = ""
    why: str = field(default="", compare=False)
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Proxy:
    """Any ``torch.fx.Proxy``: what tracing hands around in place of the run-time value that ``facet`` describes.

    ``assumed`` names the unknown callee that is only taken to have returned a Proxy, "" where it surely is one. ``length`` is the
    number of elements of a TUPLE facet where it is known. ``role`` is "parameter" for a Parameter fetched from its module, "input" for an
    argument of the traced function itself.
    """

    facet: Facet = Facet.TENSOR
    origin: Origin | None = field(default=None, compare=False)
    assumed: str = ""
    length: int | None = None
    role: str = ""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A concrete tensor. ``kind``: "parameter", "buffer", "made" (while tracing), "plain" (made in ``__init__`` or at module level).

    ``registered``: false for a Parameter that no module owns. ``source`` names the buffer that its numbers come from ("" for none).
    """

    kind: str
    origin: Origin | None = field(default=None, compare=False)
    registered: bool = True
    source: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of exactly these elements.

    ``cls`` is the name of a named tuple's class, or "torch.Size"; ``names`` are its fields, if known.
    """

    items: tuple[Value, ...]
    cls: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Slice:
    """A ``slice`` object."""

    lower: Value
    upper: Value
    step: Value


@dataclass(frozen=True, slots=True)
class Ref:
    """The mutable object that was allocated as number ``id``; what it holds is in the store of the state."""

    id: int


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A function as written: where it stands and the class whose body holds it. Compared by identity.

    ``start``/``end`` are character offsets of whole lines of the file; one nested in another body has its IR in ``inline`` and 0 there.
    """

    source: SourceFile
    name: str
    qualname: str
    start: int
    end: int
    holder: ClassInfo | None = None
    decorators: tuple[str, ...] = ()
    inline: tuple[Body, ir.FuncDef] | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A Python function of the project. ``captured``: the values of enclosing locals that it reads; ``defaults`` when they were
    evaluated where it is nested.
    """

    code: Code
    captured: tuple[tuple[str, Value], ...] = ()
    defaults: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Wrapped:
    """What a module's global holds while tracing when ``torch.fx.wrap`` named it: a call with a Proxy is recorded, any other runs.

    ``auto``: the Tracer wraps it by itself (``autowrap_modules``, ``autowrap_functions``).
    """

    target: Value
    name: str
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """A method together with its receiver."""

    receiver: Value
    function: Value


@dataclass(frozen=True, slots=True)
class NativeMethod:
    """Method ``name`` of a receiver whose type Python or a library implements: a list, a string, a Proxy, a tensor.

    ``origin`` is where it is named.
    """

    receiver: Value
    name: str
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Partial:
    """``functools.partial(function, *args, **keywords)``."""

    function: Value
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True, eq=False)
class ClassInfo:
    """A class of the project. ``mro`` holds ClassInfo and dotted names of library classes, the class itself first. Compared by identity."""

    name: str
    qualname: str
    source: SourceFile
    members: dict[str, Member]
    ancestors: tuple[ClassInfo | str, ...] = ()
    decorators: tuple[str, ...] = ()
    captured: tuple[tuple[str, Value], ...] = ()
    bases_unknown: bool = False  # a base could not be resolved
    row: int = 0

    @property
    def mro(self) -> tuple[ClassInfo | str, ...]:
        """The method resolution order."""
        return (self, *self.ancestors)


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """What a class body binds a name to: a method (``code``), or the value of the statement at ``start``/``end`` (or of ``inline``).

    ``setter`` is what a property does when it is assigned.
    """

    name: str
    code: Code | None
    start: int = 0
    end: int = 0
    inline: tuple[Body, ir.Stmt] | None = None
    setter: Code | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the project."""

    info: ClassInfo


@dataclass(frozen=True, slots=True)
class Lib:
    """A module, function, class or object of a library, by its canonical dotted name; what it does is in ``fxlint.library``."""

    dotted: str


@dataclass(frozen=True, slots=True)
class ModuleFileValue:
    """A Python module of the project."""

    source: SourceFile


@dataclass(frozen=True, slots=True)
class Super:
    """``super()``: attribute look-up on ``receiver`` that starts after ``after`` in its class's resolution order."""

    receiver: Value
    after: ClassInfo


@dataclass(frozen=True, slots=True)
class Union:
    """Any object that one of these values denotes; flat, without doubles, at most 6."""

    members: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any object at all: the analysis gave up, for the reason given (its first cause). ``may_be_proxy`` when Proxies went in."""

    reason: str = field(default="", compare=False)
    may_be_proxy: bool = False
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Bottom:
    """No object: the expression never gives a value."""


Value: TypeAlias = (
    Const | Static | Proxy | Tensor | Tuple | Slice | Ref | Function | Wrapped | Bound | NativeMethod | Partial | Class | Lib
    | ModuleFileValue | Super | Union | Unknown | Bottom
)

# The kinds that hold no other value: what looks for something inside values need not look into these.
ATOMS: frozenset[type] = frozenset({Const, Static, Proxy, Tensor, Class, Lib, ModuleFileValue, Unknown, Bottom})

NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)
BOTTOM = Bottom()
