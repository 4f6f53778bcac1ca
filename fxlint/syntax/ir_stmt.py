"""The statements of the intermediate representation; ``fxlint.syntax.ir`` is where everyone takes them from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from fxlint.syntax.ir_expr import Arg, At, Expr, Param


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


# ---------------------------------------------------------------- match


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
    Assign
    | AugAssign
    | ExprStmt
    | Return
    | If
    | For
    | While
    | With
    | Try
    | Raise
    | Assert
    | Delete
    | Import
    | ImportFrom
    | Jump
    | Scope
    | FuncDef
    | ClassDef
    | Match
)
