"""Arguments of a call, and how they are bound to parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fxlint.syntax import ir
from fxlint.values.join import union
from fxlint.values.values import Const, Value


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call. ``rest`` denotes further positional ones of unknown number, ``extra`` unknown keyword ones."""

    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    rest: Value | None = None
    extra: Value | None = None

    def all(self) -> Iterator[Value]:
        """Every argument value."""
        yield from self.positional
        for _, value in self.keywords:
            yield value
        if self.rest is not None:
            yield self.rest
        if self.extra is not None:
            yield self.extra

    def get(self, position: int, name: str) -> Value | None:
        """The argument at a position or under a keyword, None where it is not given."""
        if position < len(self.positional):
            return self.positional[position]
        return self.keyword(name)

    def keyword(self, name: str) -> Value | None:
        """The argument under a keyword, None where it is not given."""
        for key, value in self.keywords:
            if key == name:
                return value
        return None

    def before(self, *values: Value) -> Arguments:
        """The same arguments with further ones in front."""
        return Arguments((*values, *self.positional), self.keywords, self.rest, self.extra)


@dataclass(frozen=True, slots=True)
class BoundArguments:
    """Parameters with their values; ``var_positional``/``var_keywords`` are what ``*args`` and ``**kwargs`` collect."""

    values: dict[str, Value]
    var_positional: tuple[str, tuple[Value, ...], Value | None] | None
    var_keywords: tuple[str, tuple[tuple[str, Value], ...], Value | None] | None
    error: str = ""


def bind(params: tuple[ir.Param, ...], args: Arguments, default: Callable[[ir.Param], Value]) -> BoundArguments:
    """Bind as Python does. ``error`` says why the call raises TypeError, "" where it does not (or it cannot be told)."""
    values: dict[str, Value] = {}
    positional = list(args.positional)
    keywords = dict(args.keywords)
    error = ""
    star: tuple[str, tuple[Value, ...], Value | None] | None = None
    double: tuple[str, tuple[tuple[str, Value], ...], Value | None] | None = None
    for param in params:
        match param.kind:
            case "posonly" | "pos":
                if positional:
                    values[param.name] = positional.pop(0)
                    if param.kind == "pos" and param.name in keywords:
                        del keywords[param.name]
                        error = error or f"got multiple values for argument '{param.name}'"
                elif param.kind == "pos" and param.name in keywords:
                    values[param.name] = keywords.pop(param.name)
                elif args.rest is not None:
                    values[param.name] = args.rest if param.default is None else union((args.rest, default(param)))
                else:
                    error = _default(param, args, default, values) or error
            case "*":
                star = (param.name, tuple(positional), args.rest)
                positional = []
            case "kw":
                if param.name in keywords:
                    values[param.name] = keywords.pop(param.name)
                else:
                    error = _default(param, args, default, values) or error
            case "**":
                double = (param.name, tuple(keywords.items()), args.extra)
                keywords = {}
            case _:
                raise AssertionError(param.kind)
    if positional:
        error = f"takes {len(args.positional) - len(positional)} positional arguments but {len(args.positional)} were given"
    elif keywords:
        error = f"got an unexpected keyword argument '{next(iter(keywords))}'"
    return BoundArguments(values, star, double, error)


def _default(param: ir.Param, args: Arguments, default: Callable[[ir.Param], Value], values: dict[str, Value]) -> str:
    if args.extra is not None:
        values[param.name] = args.extra if param.default is None else union((args.extra, default(param)))
        return ""
    if param.default is not None:
        values[param.name] = default(param)
        return ""
    values[param.name] = Const(None)
    return f"missing a required argument: '{param.name}'"
