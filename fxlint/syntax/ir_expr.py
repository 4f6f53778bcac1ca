"""The expressions of the intermediate representation; ``fxlint.syntax.ir`` is where everyone takes them from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

At: TypeAlias = int


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


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter; ``kind`` is "posonly", "pos", "*", "kw" or "**"."""

    at: At = field(compare=False)
    name: str
    kind: str
    default: Expr | None
    annotation: Expr | None


Expr: TypeAlias = (
    Name
    | Const
    | Attr
    | Call
    | Sub
    | Slice
    | Unary
    | Binary
    | BoolOp
    | Compare
    | IfExp
    | Lambda
    | Display
    | DictDisplay
    | Star
    | Comp
    | FString
    | Formatted
    | Walrus
    | Yield
    | Await
)
