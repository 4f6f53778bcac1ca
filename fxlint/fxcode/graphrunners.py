"""Subclasses of Interpreter and Transformer: the methods that fx calls, with what, and what they must give back."""

from __future__ import annotations

from collections.abc import Iterator

from fxlint.base.event import EventKind
from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import ClassCode, FunctionCode
from fxlint.fxcode.graphapi import HOOKS
from fxlint.fxcode.graphreading import Activation, Reading, emit
from fxlint.fxcode.graphstmts import run_function
from fxlint.fxcode.graphvalues import UNKNOWN, HookValue, Node, Place, Runner, State, Value
from fxlint.syntax import ir, irwalk


def runner_kind(reading: Reading, cls: ClassCode) -> str:
    """Which of Transformer and Interpreter a class derives from, "" for other classes."""
    for base in fxnames.ancestry(reading.project, cls):
        if base == "torch.fx.Transformer":
            return "Transformer"
        if base == "torch.fx.Interpreter":
            return "Interpreter"
    return ""


def check_runner(reading: Reading, cls: ClassCode, kind: str) -> None:
    """Reads every method of a subclass."""
    receiver = Runner(kind, cls)
    for stmt in cls.node.body:
        if not isinstance(stmt, ir.FuncDef) or stmt.is_generator or stmt.is_async:
            continue
        code = FunctionCode(cls.source, cls.body, stmt, f"{cls.name}.{stmt.name}", cls.path)
        is_hook = stmt.name in HOOKS or stmt.name == "run_node"
        act = Activation(cls.source, cls.body, code.name, cls, receiver, (), stmt.name if is_hook else "")
        if is_hook and not _fits(stmt):
            owner = cls.name.rpartition(".")[2]
            given = 4 if stmt.name in HOOKS else 2
            spread = "fx passes args and kwargs as two positional arguments, so `*args` holds both"
            refused = f"{owner}.{stmt.name}() takes {len(stmt.params)} positional arguments but {given} were given"
            detail = spread if _spreads(stmt) else refused
            place = stmt.params[-1].at if stmt.params else stmt.at
            emit(reading, act, EventKind.TRANSFORMER_NODE_API, "node-parameter", place, subject=stmt.name, detail=detail, callee=kind)
            continue
        if is_hook:
            _check_return(reading, act, stmt, kind)
            _check_recursion(reading, act, stmt)
        if stmt.name == "__init__":
            _check_init(reading, act, stmt, kind)
        names = dict(_parameters(stmt, receiver, is_hook))
        run_function(reading, act, State(names), stmt)


def _spreads(stmt: ir.FuncDef) -> bool:
    """``def call_function(self, target, *args, **kwargs)`` whose body takes ``args`` for the arguments of the node."""
    rest = next((p.name for p in stmt.params if p.kind == "*"), "")
    if not rest or [p.kind for p in stmt.params] != ["pos", "pos", "*", "**"] or stmt.name not in HOOKS:
        return False
    calls = [e for e in irwalk.all_exprs(stmt.body) if isinstance(e, ir.Call)]
    return any(isinstance(a.value, ir.Name) and a.value.id == rest and not a.star for e in calls for a in e.args)


def _fits(stmt: ir.FuncDef) -> bool:
    """Whether the method takes what fx passes: (self, target, args, kwargs), or (self, node) for run_node."""
    wanted = 4 if stmt.name in HOOKS else 2
    if _spreads(stmt):
        return False
    if any(p.kind == "*" for p in stmt.params) or any("staticmethod" in str(irwalk.dotted(d)) for d in stmt.decorators):
        return True
    plain = [p for p in stmt.params if p.kind in ("pos", "posonly")]
    needed = [p for p in plain if p.default is None]
    return len(needed) <= wanted <= len(plain)


def _parameters(stmt: ir.FuncDef, receiver: Runner, is_hook: bool) -> Iterator[tuple[str, Value]]:
    roles = ("self", "target", "args", "kwargs") if stmt.name in HOOKS else ("self", "node")
    for number, param in enumerate(stmt.params):
        if number == 0:
            yield param.name, receiver
        elif is_hook and number < len(roles) and param.kind in ("pos", "posonly"):
            value: Value = HookValue(roles[number], stmt.name, receiver)
            yield param.name, Node(-1, -1) if roles[number] == "node" else value
        else:
            yield param.name, UNKNOWN


def _check_return(reading: Reading, act: Activation, stmt: ir.FuncDef, kind: str) -> None:
    """A path that gives nothing back gives None, which is written into the graph."""
    for inner in irwalk.statements(stmt.body, nested=False):
        if isinstance(inner, ir.Return) and (inner.value is None or inner.value == ir.Const(-1, None)):
            emit(reading, act, EventKind.TRANSFORMER_NO_RETURN, "none", inner.at, subject=stmt.name, callee=kind)
    last = open_end(stmt.body)
    gives = any(isinstance(s, ir.Return) and s.value is not None for s in irwalk.statements(stmt.body, nested=False))
    # an Interpreter may be sure that nobody uses the value on one of its paths; what a Transformer gives stands in the graph
    assumed = f"the result of {stmt.name}" if gives and kind == "Interpreter" else ""
    if last is not None and (stmt.name != "output" or kind == "Transformer"):
        emit(reading, act, EventKind.TRANSFORMER_NO_RETURN, "end", _place(act, stmt, last), subject=stmt.name, callee=kind, assumed=assumed)


def _place(act: Activation, stmt: ir.FuncDef, last: ir.Stmt | None) -> Place:
    """The last call of the path that ends, where it is the call that should have been returned; else the first parameter's place."""
    if isinstance(last, ir.ExprStmt) and isinstance(last.value, ir.Call):
        return Place(act.body, last.at)
    return Place(act.body, stmt.params[0].at if stmt.params else stmt.at)


def open_end(stmts: tuple[ir.Stmt, ...]) -> ir.Stmt | None:
    """The last statement of a path on which control reaches the end of the block; None where each path returns or raises."""
    if irwalk.ends(stmts):
        return None
    last = stmts[-1]
    match last:
        case ir.If():
            for arm in (last.body, last.orelse):
                if arm and not irwalk.ends(arm):
                    return open_end(arm)
            return last
        case ir.With():
            return open_end(last.body)
        case ir.Try():
            return last if irwalk.ends(last.body) else open_end(last.body)
        case _:
            return last


def _check_recursion(reading: Reading, act: Activation, stmt: ir.FuncDef) -> None:
    """``self.call_function(target, ...)`` in call_function, with the very target that led here, never ends."""
    if stmt.name not in HOOKS or len(stmt.params) < 2:
        return
    target = stmt.params[1].name
    targets = [t for s in irwalk.statements(stmt.body) if isinstance(s, ir.Assign) for t in s.targets]
    rebound = any(isinstance(t, ir.Name) and t.id == target for t in targets)
    for guard, call in _calls(stmt.body, None, target):
        same = isinstance(call.args[0].value, ir.Name) and call.args[0].value.id == target and not rebound and guard != OTHERWISE
        again = guard is not None and call.args[0].value == guard
        if same or again:
            detail = "RecursionError: maximum recursion depth exceeded"
            emit(reading, act, EventKind.TRANSFORMER_NODE_API, "recursion", call.at, subject=stmt.name, detail=detail)


OTHERWISE = ir.Const(-1, ...)  # what the target is known to be where a condition on something else holds: nothing


def _calls(stmts: tuple[ir.Stmt, ...], guard: ir.Expr | None, target: str) -> Iterator[tuple[ir.Expr | None, ir.Call]]:
    """The calls of ``self.call_function`` and its sisters, each with what ``target`` is known to be there."""
    for stmt in stmts:
        for expr in (e for own in irwalk.own_exprs(stmt) for e in irwalk.expressions(own)):
            match expr:
                case ir.Call(func=ir.Attr(base=ir.Name(id="self"), name=name), args=args) if name in HOOKS and args and not args[0].star:
                    yield guard, expr
                case _:
                    pass
        match stmt:
            case ir.If(test=ir.Compare(left=ir.Name(id=name), ops=("is" | "==",), rights=(right,))) if name == target:
                yield from _calls(stmt.body, right, target)
                yield from _calls(stmt.orelse, OTHERWISE, target)
                if irwalk.ends(stmt.body):
                    guard = guard or OTHERWISE  # what follows runs for other targets only
            case ir.If():
                yield from _calls(stmt.body, OTHERWISE, target)
                yield from _calls(stmt.orelse, OTHERWISE, target)
                if irwalk.ends(stmt.body) or irwalk.ends(stmt.orelse):
                    guard = OTHERWISE
            case _:
                for block in irwalk.blocks(stmt):
                    yield from _calls(block, guard, target)


def _check_init(reading: Reading, act: Activation, stmt: ir.FuncDef, kind: str) -> None:
    """``__init__`` must hand the module to Interpreter's."""
    supers = [
        e for e in irwalk.all_exprs(stmt.body)
        if isinstance(e, ir.Call) and isinstance(e.func, ir.Attr) and e.func.name == "__init__"
    ]
    if not supers and not any(p.name == "module" and p.kind == "**" for p in stmt.params):
        detail = f"'{act.owner.split('.')[-2]}' object has no attribute 'graph'"
        place = stmt.params[0].at
        emit(reading, act, EventKind.TRANSFORMER_NODE_API, "missing-super", place, subject="__init__", detail=detail, callee=kind)
    for call in supers:
        if not call.args and isinstance(call.func, ir.Attr) and isinstance(call.func.base, ir.Call):
            detail = f"{kind}.__init__() missing 1 required positional argument: 'module'"
            emit(reading, act, EventKind.TRANSFORMER_NODE_API, "missing-super", call.at, subject="__init__", detail=detail, callee=kind)


