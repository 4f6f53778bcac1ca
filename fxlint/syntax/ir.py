"""The intermediate representation: the Python that the interpreter understands, and nothing of its formatting.

Every node that can be the site of an event has ``at``: its number within one lowered body (a function, or one statement of
module or class level). ``Body.span(at)`` gives the characters it stands on, computed when asked for. Numbers never take part
in equality, so the IR lowered from libcst can be compared with the IR lowered from ``ast``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

At: TypeAlias = int



# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Name:
    """A name that is read (or, as a target, bound)."""

    at: At = field(compare=False)
    id: str


@dataclass(frozen=True, slots=True)
class Const:
    """A literal: number, string, bytes, None, True, False, Ellipsis. Adjacent plain strings are one literal."""

    at: At = field(compare=False)
    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash((Const, repr(self.value)))


@dataclass(frozen=True, slots=True)
class Attr:
    """``base.name``."""

    at: At = field(compare=False)
    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument of a call, in source order. ``star`` is "", "*" or "**"."""

    value: Expr
    keyword: str | None
    star: str


@dataclass(frozen=True, slots=True)
class Call:
    """``func(args)``."""

    at: At = field(compare=False)
    func: Expr
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Sub:
    """``base[index]``. ``x[a, b]`` and ``x[(a, b)]`` both have two entries and ``is_tuple``; ``x[a]`` has one."""

    at: At = field(compare=False)
    base: Expr
    index: tuple[Expr, ...]
    is_tuple: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """``lower:upper:step`` inside a subscript."""

    at: At = field(compare=False)
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(frozen=True, slots=True)
class Unary:
    """``op operand`` with op one of ``+ - ~ not``."""

    at: At = field(compare=False)
    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """``left op right`` with an arithmetic or bitwise operator, as written: ``+``, ``//``, ``@`` ..."""

    at: At = field(compare=False)
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class BoolOp:
    """``left op right`` with op ``and`` or ``or``; longer chains nest to the left."""

    at: At = field(compare=False)
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """``left op1 r1 op2 r2 ...``; ops as written (``is not``, ``not in``)."""

    at: At = field(compare=False)
    left: Expr
    ops: tuple[str, ...]
    rights: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IfExp:
    """``body if test else orelse``."""

    at: At = field(compare=False)
    test: Expr
    body: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class Lambda:
    """``lambda params: body``."""

    at: At = field(compare=False)
    params: tuple[Param, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class Display:
    """A tuple, list or set display; ``kind`` is "tuple", "list" or "set"."""

    at: At = field(compare=False)
    kind: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DictDisplay:
    """``{key: value, **mapping}``; the key of a ``**mapping`` is None."""

    at: At = field(compare=False)
    items: tuple[tuple[Expr | None, Expr], ...]


@dataclass(frozen=True, slots=True)
class Star:
    """``*value`` in a display, a subscript or as a target."""

    at: At = field(compare=False)
    value: Expr


@dataclass(frozen=True, slots=True)
class Gen:
    """One ``for target in iter if ...`` of a comprehension."""

    target: Expr
    iter: Expr
    ifs: tuple[Expr, ...]
    is_async: bool


@dataclass(frozen=True, slots=True)
class Comp:
    """A comprehension: ``kind`` is "list", "set", "dict" (two elts) or "generator"."""

    at: At = field(compare=False)
    kind: str
    elts: tuple[Expr, ...]
    gens: tuple[Gen, ...]


@dataclass(frozen=True, slots=True)
class Formatted:
    """``{value!conversion:spec}`` of an f-string; ``spec`` holds Const and Formatted parts."""

    at: At = field(compare=False)
    value: Expr
    conversion: str | None
    spec: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class FString:
    """An f-string (adjacent literals joined): Const text and Formatted parts."""

    at: At = field(compare=False)
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Walrus:
    """``target := value``."""

    at: At = field(compare=False)
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Yield:
    """``yield value`` or ``yield from value``."""

    at: At = field(compare=False)
    value: Expr | None
    is_from: bool


@dataclass(frozen=True, slots=True)
class Await:
    """``await value``."""

    at: At = field(compare=False)
    value: Expr


Expr: TypeAlias = (
    Name | Const | Attr | Call | Sub | Slice | Unary | Binary | BoolOp | Compare | IfExp | Lambda | Display | DictDisplay
    | Star | Comp | FString | Formatted | Walrus | Yield | Await
)

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter; ``kind`` is "posonly", "pos", "*", "kw" or "**"."""

    at: At = field(compare=False)
    name: str
    kind: str
    default: Expr | None
    annotation: Expr | None


@dataclass(frozen=True, slots=True)
class Assign:
    """``t1 = t2 = value``, or ``target: annotation = value`` (value may be None)."""

    at: At = field(compare=False)
    targets: tuple[Expr, ...]
    value: Expr | None
    annotation: Expr | None


@dataclass(frozen=True, slots=True)
class AugAssign:
    """``target op= value``; op without the ``=``."""

    at: At = field(compare=False)
    op: str
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class ExprStmt:
    """An expression as a statement."""

    at: At = field(compare=False)
    value: Expr


@dataclass(frozen=True, slots=True)
class Return:
    """``return value``."""

    at: At = field(compare=False)
    value: Expr | None


@dataclass(frozen=True, slots=True)
class If:
    """``if``; an ``elif`` is an If as the only statement of ``orelse`` with ``is_elif``."""

    at: At = field(compare=False)
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    is_elif: bool


@dataclass(frozen=True, slots=True)
class For:
    """``for target in iter``."""

    at: At = field(compare=False)
    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    is_async: bool


@dataclass(frozen=True, slots=True)
class While:
    """``while test``."""

    at: At = field(compare=False)
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class With:
    """``with item as target, ...``."""

    at: At = field(compare=False)
    items: tuple[tuple[Expr, Expr | None], ...]
    body: tuple[Stmt, ...]
    is_async: bool


@dataclass(frozen=True, slots=True)
class Handler:
    """``except type as name``."""

    at: At = field(compare=False)
    type: Expr | None
    name: str | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """``try``; ``is_star`` for ``except*``."""

    at: At = field(compare=False)
    body: tuple[Stmt, ...]
    handlers: tuple[Handler, ...]
    orelse: tuple[Stmt, ...]
    final: tuple[Stmt, ...]
    is_star: bool


@dataclass(frozen=True, slots=True)
class Raise:
    """``raise exc from cause``."""

    at: At = field(compare=False)
    exc: Expr | None
    cause: Expr | None


@dataclass(frozen=True, slots=True)
class Assert:
    """``assert test, msg``."""

    at: At = field(compare=False)
    test: Expr
    msg: Expr | None


@dataclass(frozen=True, slots=True)
class Delete:
    """``del a, b``."""

    at: At = field(compare=False)
    targets: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """``import a.b as c``: pairs of dotted name and alias."""

    at: At = field(compare=False)
    names: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class ImportFrom:
    """``from ..module import name as alias``; a star import has the one name ``*``."""

    at: At = field(compare=False)
    module: str
    level: int
    names: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Jump:
    """``pass``, ``break`` or ``continue``."""

    at: At = field(compare=False)
    kind: str


@dataclass(frozen=True, slots=True)
class Scope:
    """``global`` or ``nonlocal`` names."""

    at: At = field(compare=False)
    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FuncDef:
    """A function. ``is_generator`` when its own body yields."""

    at: At = field(compare=False)
    name: str
    params: tuple[Param, ...]
    decorators: tuple[Expr, ...]
    returns: Expr | None
    body: tuple[Stmt, ...]
    is_async: bool
    is_generator: bool


@dataclass(frozen=True, slots=True)
class ClassDef:
    """A class."""

    at: At = field(compare=False)
    name: str
    bases: tuple[Arg, ...]
    decorators: tuple[Expr, ...]
    body: tuple[Stmt, ...]


# --- match


@dataclass(frozen=True, slots=True)
class MatchValue:
    """``case 3:``, ``case Color.RED:``, ``case None:``."""

    at: At = field(compare=False)
    value: Expr


@dataclass(frozen=True, slots=True)
class MatchSequence:
    """``case [a, *rest]:``."""

    at: At = field(compare=False)
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class MatchStar:
    """``*rest`` in a sequence pattern; None for ``*_``."""

    at: At = field(compare=False)
    name: str | None


@dataclass(frozen=True, slots=True)
class MatchMapping:
    """``case {"k": p, **rest}:``."""

    at: At = field(compare=False)
    keys: tuple[Expr, ...]
    patterns: tuple[Pattern, ...]
    rest: str | None


@dataclass(frozen=True, slots=True)
class MatchClass:
    """``case Cls(p, attr=q):``."""

    at: At = field(compare=False)
    cls: Expr
    patterns: tuple[Pattern, ...]
    keywords: tuple[tuple[str, Pattern], ...]


@dataclass(frozen=True, slots=True)
class MatchAs:
    """``case pattern as name:``; ``case name:``; ``case _:`` has neither."""

    at: At = field(compare=False)
    pattern: Pattern | None
    name: str | None


@dataclass(frozen=True, slots=True)
class MatchOr:
    """``case a | b:``."""

    at: At = field(compare=False)
    patterns: tuple[Pattern, ...]


Pattern: TypeAlias = MatchValue | MatchSequence | MatchStar | MatchMapping | MatchClass | MatchAs | MatchOr


@dataclass(frozen=True, slots=True)
class Case:
    """``case pattern if guard: body``."""

    at: At = field(compare=False)
    pattern: Pattern
    guard: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """``match subject:``."""

    at: At = field(compare=False)
    subject: Expr
    cases: tuple[Case, ...]


Stmt: TypeAlias = (
    Assign | AugAssign | ExprStmt | Return | If | For | While | With | Try | Raise | Assert | Delete | Import | ImportFrom
    | Jump | Scope | FuncDef | ClassDef | Match
)
