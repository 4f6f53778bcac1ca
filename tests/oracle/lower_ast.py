"""The same IR, lowered from ``ast``: a second opinion on everything that ``fxlint.syntax`` lowers from libcst."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fxlint.syntax import ir

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.MatMult: "@", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_UNARY = {ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not"}
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_CONVERSIONS = {-1: None, ord("r"): "r", ord("s"): "s", ord("a"): "a"}


@dataclass(slots=True)
class Oracle:
    """One lowering: the lines of the file as UTF-8 (ast counts bytes), and the ast node of each IR number."""

    lines: list[bytes]
    nodes: list[ast.AST] = field(default_factory=list)
    yields: bool = False

    @classmethod
    def of(cls, text: str) -> Oracle:
        normal = text.replace("\r\n", "\n").replace("\r", "\n")
        return cls([line.encode() for line in normal.split("\n")])

    def number(self, node: ast.AST) -> ir.At:
        self.nodes.append(node)
        return len(self.nodes) - 1

    # ------------------------------------------------------------ expressions

    def optional(self, node: ast.expr | None) -> ir.Expr | None:
        return None if node is None else self.expr(node)

    def exprs(self, nodes: Iterable[ast.expr]) -> tuple[ir.Expr, ...]:
        return tuple([self.expr(node) for node in nodes])

    def expr(self, node: ast.expr) -> ir.Expr:
        at = self.number(node)
        match node:
            case ast.Name():
                return ir.Name(at, node.id)
            case ast.Constant():
                return ir.Const(at, node.value)
            case ast.Attribute():
                return ir.Attr(at, self.expr(node.value), node.attr)
            case ast.Call():
                return ir.Call(at, self.expr(node.func), self.arguments(node.args, node.keywords))
            case ast.Subscript():
                is_tuple = isinstance(node.slice, ast.Tuple)
                index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                return ir.Sub(at, self.expr(node.value), self.exprs(index), is_tuple)
            case ast.Slice():
                return ir.Slice(at, self.optional(node.lower), self.optional(node.upper), self.optional(node.step))
            case ast.UnaryOp():
                return ir.Unary(at, _UNARY[type(node.op)], self.expr(node.operand))
            case ast.BinOp():
                return ir.Binary(at, _BINARY[type(node.op)], self.expr(node.left), self.expr(node.right))
            case ast.BoolOp():
                op = "and" if isinstance(node.op, ast.And) else "or"
                chain = self.expr(node.values[0])
                for value in node.values[1:-1]:  # ast keeps a chain flat, and gives no position to its beginning
                    chain = ir.BoolOp(self.number(ast.Module([], [])), op, chain, self.expr(value))
                return ir.BoolOp(at, op, chain, self.expr(node.values[-1]))
            case ast.Compare():
                ops = tuple(_COMPARE[type(op)] for op in node.ops)
                return ir.Compare(at, self.expr(node.left), ops, self.exprs(node.comparators))
            case ast.IfExp():
                return ir.IfExp(at, self.expr(node.test), self.expr(node.body), self.expr(node.orelse))
            case ast.Lambda():
                outer = self.yields
                params, body = self.parameters(node.args), self.expr(node.body)
                self.yields = outer
                return ir.Lambda(at, params, body)
            case ast.Tuple() | ast.List() | ast.Set():
                return ir.Display(at, type(node).__name__.lower(), self.exprs(node.elts))
            case ast.Dict():
                items = zip(node.keys, node.values, strict=True)
                return ir.DictDisplay(at, tuple([(self.optional(key), self.expr(value)) for key, value in items]))
            case ast.Starred():
                return ir.Star(at, self.expr(node.value))
            case ast.ListComp():
                return ir.Comp(at, "list", (self.expr(node.elt),), self.generators(node.generators))
            case ast.SetComp():
                return ir.Comp(at, "set", (self.expr(node.elt),), self.generators(node.generators))
            case ast.GeneratorExp():
                return ir.Comp(at, "generator", (self.expr(node.elt),), self.generators(node.generators))
            case ast.DictComp():
                return ir.Comp(at, "dict", (self.expr(node.key), self.expr(node.value)), self.generators(node.generators))
            case ast.JoinedStr():
                return ir.FString(at, self.exprs(node.values))
            case ast.FormattedValue():
                spec = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
                return ir.Formatted(at, self.expr(node.value), _CONVERSIONS[node.conversion], self.exprs(spec))
            case ast.NamedExpr():
                return ir.Walrus(at, self.expr(node.target), self.expr(node.value))
            case ast.Yield():
                self.yields = True
                return ir.Yield(at, self.optional(node.value), False)
            case ast.YieldFrom():
                self.yields = True
                return ir.Yield(at, self.expr(node.value), True)
            case ast.Await():
                return ir.Await(at, self.expr(node.value))
            case _:
                raise NotImplementedError(ast.dump(node))

    def arguments(self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> tuple[ir.Arg, ...]:
        both: list[ast.expr | ast.keyword] = sorted([*args, *keywords], key=lambda node: (node.lineno, node.col_offset))
        found = []
        for node in both:
            if isinstance(node, ast.keyword):
                found.append(ir.Arg(self.expr(node.value), node.arg, "" if node.arg else "**"))
            elif isinstance(node, ast.Starred):
                found.append(ir.Arg(self.expr(node.value), None, "*"))
            else:
                found.append(ir.Arg(self.expr(node), None, ""))
        return tuple(found)

    def generators(self, nodes: Sequence[ast.comprehension]) -> tuple[ir.Gen, ...]:
        return tuple([ir.Gen(self.expr(g.target), self.expr(g.iter), self.exprs(g.ifs), bool(g.is_async)) for g in nodes])

    def parameters(self, node: ast.arguments) -> tuple[ir.Param, ...]:
        positional = [(arg, "posonly") for arg in node.posonlyargs] + [(arg, "pos") for arg in node.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(node.defaults)) + list(node.defaults)
        params = [self.parameter(arg, kind, default) for (arg, kind), default in zip(positional, defaults, strict=True)]
        if node.vararg is not None:
            params.append(self.parameter(node.vararg, "*", None))
        params += [self.parameter(arg, "kw", default) for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
        if node.kwarg is not None:
            params.append(self.parameter(node.kwarg, "**", None))
        return tuple(params)

    def parameter(self, node: ast.arg, kind: str, default: ast.expr | None) -> ir.Param:
        return ir.Param(self.number(node), node.arg, kind, self.optional(default), self.optional(node.annotation))

    # ------------------------------------------------------------ statements

    def stmts(self, nodes: Iterable[ast.stmt]) -> tuple[ir.Stmt, ...]:
        return tuple([self.stmt(node) for node in nodes])

    def stmt(self, node: ast.stmt) -> ir.Stmt:
        at = self.number(node)
        match node:
            case ast.Assign():
                return ir.Assign(at, self.exprs(node.targets), self.expr(node.value), None)
            case ast.AnnAssign():
                return ir.Assign(at, (self.expr(node.target),), self.optional(node.value), self.expr(node.annotation))
            case ast.AugAssign():
                return ir.AugAssign(at, _BINARY[type(node.op)], self.expr(node.target), self.expr(node.value))
            case ast.Expr():
                return ir.ExprStmt(at, self.expr(node.value))
            case ast.Return():
                return ir.Return(at, self.optional(node.value))
            case ast.If():
                is_elif = self.starts_with(node, b"elif")
                return ir.If(at, self.expr(node.test), self.stmts(node.body), self.stmts(node.orelse), is_elif)
            case ast.For() | ast.AsyncFor():
                heads = self.expr(node.target), self.expr(node.iter)
                return ir.For(at, *heads, self.stmts(node.body), self.stmts(node.orelse), isinstance(node, ast.AsyncFor))
            case ast.While():
                return ir.While(at, self.expr(node.test), self.stmts(node.body), self.stmts(node.orelse))
            case ast.With() | ast.AsyncWith():
                items = tuple([(self.expr(item.context_expr), self.optional(item.optional_vars)) for item in node.items])
                return ir.With(at, items, self.stmts(node.body), isinstance(node, ast.AsyncWith))
            case ast.Try() | ast.TryStar():
                handlers = tuple([self.handler(handler) for handler in node.handlers])
                rest = self.stmts(node.orelse), self.stmts(node.finalbody)
                return ir.Try(at, self.stmts(node.body), handlers, *rest, isinstance(node, ast.TryStar))
            case ast.Raise():
                return ir.Raise(at, self.optional(node.exc), self.optional(node.cause))
            case ast.Assert():
                return ir.Assert(at, self.expr(node.test), self.optional(node.msg))
            case ast.Delete():
                return ir.Delete(at, self.exprs(node.targets))
            case ast.Import():
                return ir.Import(at, tuple((alias.name, alias.asname) for alias in node.names))
            case ast.ImportFrom():
                return ir.ImportFrom(at, node.module or "", node.level, tuple((alias.name, alias.asname) for alias in node.names))
            case ast.Pass() | ast.Break() | ast.Continue():
                return ir.Jump(at, type(node).__name__.lower())
            case ast.Global() | ast.Nonlocal():
                return ir.Scope(at, type(node).__name__.lower(), tuple(node.names))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self.function(at, node)
            case ast.ClassDef():
                bases = self.arguments(node.bases, node.keywords)
                return ir.ClassDef(at, node.name, bases, self.exprs(node.decorator_list), self.stmts(node.body))
            case ast.Match():
                return ir.Match(at, self.expr(node.subject), tuple([self.case(case) for case in node.cases]))
            case _:
                if sys.version_info >= (3, 12) and isinstance(node, ast.TypeAlias):
                    return ir.Assign(at, (self.expr(node.name),), self.expr(node.value), None)
                raise NotImplementedError(ast.dump(node))

    def function(self, at: ir.At, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Stmt:
        params, decorators, returns = self.parameters(node.args), self.exprs(node.decorator_list), self.optional(node.returns)
        outer = self.yields
        self.yields = False
        body = self.stmts(node.body)
        is_generator = self.yields
        self.yields = outer
        return ir.FuncDef(at, node.name, params, decorators, returns, body, isinstance(node, ast.AsyncFunctionDef), is_generator)

    def handler(self, node: ast.ExceptHandler) -> ir.Handler:
        return ir.Handler(self.number(node), self.optional(node.type), node.name, self.stmts(node.body))

    def starts_with(self, node: ast.stmt, word: bytes) -> bool:
        return self.lines[node.lineno - 1].startswith(word, node.col_offset)

    # ------------------------------------------------------------ match

    def case(self, node: ast.match_case) -> ir.Case:
        return ir.Case(self.number(node), self.pattern(node.pattern), self.optional(node.guard), self.stmts(node.body))

    def patterns(self, nodes: Iterable[ast.pattern]) -> tuple[ir.Pattern, ...]:
        return tuple([self.pattern(node) for node in nodes])

    def pattern(self, node: ast.pattern) -> ir.Pattern:
        at = self.number(node)
        match node:
            case ast.MatchValue():
                return ir.MatchValue(at, self.expr(node.value))
            case ast.MatchSingleton():
                return ir.MatchValue(at, ir.Const(at, node.value))
            case ast.MatchSequence():
                return ir.MatchSequence(at, self.patterns(node.patterns))
            case ast.MatchStar():
                return ir.MatchStar(at, node.name)
            case ast.MatchMapping():
                return ir.MatchMapping(at, self.exprs(node.keys), self.patterns(node.patterns), node.rest)
            case ast.MatchClass():
                keywords = zip(node.kwd_attrs, node.kwd_patterns, strict=True)
                keyed = tuple([(name, self.pattern(value)) for name, value in keywords])
                return ir.MatchClass(at, self.expr(node.cls), self.patterns(node.patterns), keyed)
            case ast.MatchAs():
                return ir.MatchAs(at, None if node.pattern is None else self.pattern(node.pattern), node.name)
            case ast.MatchOr():
                return ir.MatchOr(at, self.patterns(node.patterns))
            case _:
                raise NotImplementedError(ast.dump(node))
