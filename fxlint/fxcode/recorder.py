"""A small symbolic tracer over the IR: what fx would record for straight-line code.

Graph code asks it what a graph holds ("has `relu` a user?", "does this pattern occur?"). It answers only for code that it
understands completely; for anything else it gives up, and nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fxlint.fxcode import fxnames
from fxlint.fxcode.fxnames import FunctionCode
from fxlint.fxcode.graphnames import global_value, is_module_class, members
from fxlint.fxcode.graphvalues import Class, Const, Func, Lib, LibObject, Object, Place, Value
from fxlint.fxcode.recording import Bound, Fixed, Group, Record, Recorded, Recording, Ref, Sub
from fxlint.project.modules import Project, SourceFile
from fxlint.syntax import ir
from fxlint.syntax.body import Body

MAX_NODES = 300
MAX_DEPTH = 8
MAX_UNROLL = 32
OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul", "&": "and_", "|": "or_",
    "^": "xor", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne",
}
UNARY = {"-": "neg", "+": "pos", "~": "invert"}
# Functions that make a tensor out of numbers: with no Proxy among the arguments they run while tracing.
MAKERS = frozenset({"torch.tensor", "torch.zeros", "torch.ones", "torch.arange", "torch.full", "torch.eye", "torch.linspace"})


FOREIGN = "?"  # the path of a module that is no part of what is traced


class NotStraightError(Exception):
    """The code is not understood. ``truth`` is the place where it asks a Proxy for its truth, which fx cannot trace, ``module`` the
    place where a function calls a module that is no part of what is traced.
    """

    def __init__(self, truth: Place | None = None, module: Place | None = None) -> None:
        super().__init__()
        self.truth = truth
        self.module = module


@dataclass(slots=True)
class Recorder:
    """The nodes recorded so far."""

    project: Project
    records: list[Record] = field(default_factory=list)
    constants: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The function being read: its file, the body that holds its IR, and how deep the calls are."""

    source: SourceFile
    body: Body
    wraps: frozenset[str]
    depth: int = 0


def record_module(project: Project, module: Value, bound: Mapping[str, Value], wraps: frozenset[str]) -> Recording | None:
    """What tracing an instance of a project class (or a library container) records; None where it is not known."""
    recorder = Recorder(project)
    try:
        if isinstance(module, Object):
            forward = fxnames.method(project, module.code, "forward")
            if not isinstance(forward, FunctionCode):
                return None
            frame = Frame(forward.source, forward.body, wraps)
            _root(recorder, frame, forward.node, Sub(module, ""), bound)
        elif isinstance(module, Func) and module.code is not None and isinstance(module.node, ir.FuncDef):
            _root(recorder, Frame(module.code.source, module.body, wraps), module.node, None, bound)
        else:
            return None
    except (NotStraightError, RecursionError):
        return None
    return Recording(tuple(recorder.records), recorder.constants)


def record_function(project: Project, source: SourceFile, func: Func, wraps: frozenset[str]) -> Recording:
    """What tracing a function or lambda records. Raises NotStraightError where it is not known."""
    recorder = Recorder(project)
    frame = Frame(func.code.source if func.code else source, func.body, wraps)
    names: dict[str, Recorded] = {}
    for name, value in func.names.items():
        if isinstance(value, Const | Lib | Func | Class):
            names[name] = value
        elif isinstance(value, LibObject):
            names[name] = Sub(value, FOREIGN)
    if isinstance(func.node, ir.Lambda):
        scope: dict[str, Recorded] = {**names, **_placeholders(recorder, frame, func.node.params, {})}
        _output(recorder, frame, func.node.at, _eval(recorder, frame, scope, func.node.body))
    else:
        _root(recorder, frame, func.node, None, {}, names)
    return Recording(tuple(recorder.records), recorder.constants)


def _root(
    recorder: Recorder, frame: Frame, node: ir.FuncDef, receiver: Sub | None, bound: Mapping[str, Value],
    names: Mapping[str, Recorded] | None = None,
) -> None:
    params = node.params if receiver is None else node.params[1:]
    scope = {**(names or {}), **_placeholders(recorder, frame, params, bound)}
    if receiver is not None:
        scope[node.params[0].name] = receiver
    result = _block(recorder, frame, scope, node.body)
    _output(recorder, frame, node.at, Const(None) if result is None else result)


def _output(recorder: Recorder, frame: Frame, at: ir.At, result: Recorded) -> None:
    _add(recorder, frame, at, "output", "output", (result,), ())


def _placeholders(recorder: Recorder, frame: Frame, params: tuple[ir.Param, ...], bound: Mapping[str, Value]) -> dict[str, Recorded]:
    scope: dict[str, Recorded] = {}
    for param in params:
        if param.kind in ("*", "**"):
            raise NotStraightError
        value = bound.get(param.name)
        ref = _add(recorder, frame, param.at, "placeholder", param.name, (), ())
        scope[param.name] = value if isinstance(value, Const) else ref
    return scope


def _add(
    recorder: Recorder, frame: Frame, at: ir.At, op: str, target: str, args: tuple[Recorded, ...],
    kwargs: tuple[tuple[str, Recorded], ...], module: LibObject | None = None,
) -> Ref:
    if len(recorder.records) >= MAX_NODES:
        raise NotStraightError
    recorder.constants |= any(_holds(v, Fixed) for v in (*args, *(v for _, v in kwargs)))
    recorder.records.append(Record(op, target, args, kwargs, Place(frame.body, at), module))
    return Ref(len(recorder.records) - 1)


def _holds(value: Recorded, kind: type) -> bool:
    return isinstance(value, kind) or (isinstance(value, Group) and any(_holds(v, kind) for v in value.items))


def _block(recorder: Recorder, frame: Frame, scope: dict[str, Recorded], stmts: tuple[ir.Stmt, ...]) -> Recorded | None:
    """Runs statements; the value returned, or None where the end is reached."""
    for stmt in stmts:
        match stmt:
            case ir.Return():
                return Const(None) if stmt.value is None else _eval(recorder, frame, scope, stmt.value)
            case ir.Assign() if stmt.value is not None and len(stmt.targets) == 1:
                _assign(recorder, frame, scope, stmt.targets[0], _eval(recorder, frame, scope, stmt.value))
            case ir.AugAssign(target=ir.Name(id=name)):
                left = _eval(recorder, frame, scope, stmt.target)
                scope[name] = _binary(recorder, frame, stmt.at, OPERATORS.get(stmt.op), left, _eval(recorder, frame, scope, stmt.value))
            case ir.ExprStmt():
                _eval(recorder, frame, scope, stmt.value)
            case ir.For(target=ir.Name(id=name)) if not stmt.orelse:
                for item in _items(_eval(recorder, frame, scope, stmt.iter)):
                    scope[name] = item
                    result = _block(recorder, frame, scope, stmt.body)
                    if result is not None:
                        return result
            case ir.If():
                test = _eval(recorder, frame, scope, stmt.test)
                if not isinstance(test, Const):
                    raise NotStraightError(Place(frame.body, stmt.at) if isinstance(test, Ref) else None)
                result = _block(recorder, frame, scope, stmt.body if test.value else stmt.orelse)
                if result is not None:
                    return result
            case ir.Jump(kind="pass"):
                pass
            case _:
                raise NotStraightError
    return None


def _items(value: Recorded) -> tuple[Recorded, ...]:
    if isinstance(value, Group) and not value.keys and len(value.items) <= MAX_UNROLL:
        return value.items
    raise NotStraightError


def _assign(recorder: Recorder, frame: Frame, scope: dict[str, Recorded], target: ir.Expr, value: Recorded) -> None:
    match target:
        case ir.Name():
            scope[target.id] = value
        case ir.Display():
            for number, inner in enumerate(target.items):
                if isinstance(value, Ref):
                    item: Recorded = _add(recorder, frame, target.at, "call_function", "operator.getitem", (value, Const(number)), ())
                elif isinstance(value, Group) and len(value.items) == len(target.items):
                    item = value.items[number]
                else:
                    raise NotStraightError
                _assign(recorder, frame, scope, inner, item)
        case ir.Sub():
            base = _eval(recorder, frame, scope, target.base)
            if not isinstance(base, Fixed) or not isinstance(value, Ref):
                raise NotStraightError
            # Tensor.__setitem__ on a concrete tensor dispatches on the Proxy that is assigned, and is recorded
            _add(recorder, frame, target.at, "call_function", "torch.Tensor.__setitem__", (base, value), ())
        case _:
            raise NotStraightError


def _eval(recorder: Recorder, frame: Frame, scope: Mapping[str, Recorded], expr: ir.Expr) -> Recorded:
    match expr:
        case ir.Const():
            return Const(expr.value)
        case ir.Name():
            return scope[expr.id] if expr.id in scope else _global(recorder, frame, expr.id)
        case ir.Attr():
            return _attribute(recorder, frame, scope, expr)
        case ir.Call():
            return _call(recorder, frame, scope, expr)
        case ir.Binary():
            left = _eval(recorder, frame, scope, expr.left)
            return _binary(recorder, frame, expr.at, OPERATORS.get(expr.op), left, _eval(recorder, frame, scope, expr.right))
        case ir.Compare(ops=(op,), rights=(right,)):
            left = _eval(recorder, frame, scope, expr.left)
            return _compare(recorder, frame, expr.at, op, left, _eval(recorder, frame, scope, right))
        case ir.Unary(op="not"):
            value = _eval(recorder, frame, scope, expr.operand)
            if not isinstance(value, Const):
                raise NotStraightError(Place(frame.body, expr.at) if isinstance(value, Ref) else None)
            return Const(not value.value)
        case ir.Unary():
            value = _eval(recorder, frame, scope, expr.operand)
            if isinstance(value, Ref):
                return _add(recorder, frame, expr.at, "call_function", f"operator.{UNARY[expr.op]}", (value,), ())
            if isinstance(value, Const) and isinstance(value.value, int | float) and expr.op == "-":
                return Const(-value.value)
            raise NotStraightError
        case ir.Display(kind="tuple" | "list"):
            return Group(tuple(_eval(recorder, frame, scope, e) for e in expr.items))
        case ir.DictDisplay():
            if not all(isinstance(k, ir.Const) for k, _ in expr.items):
                raise NotStraightError
            keys = tuple(str(k.value) for k, _ in expr.items if isinstance(k, ir.Const))
            return Group(tuple(_eval(recorder, frame, scope, v) for _, v in expr.items), keys)
        case ir.Sub(index=(index,)) if not isinstance(index, ir.Slice):
            base, item = _eval(recorder, frame, scope, expr.base), _eval(recorder, frame, scope, index)
            if isinstance(base, Ref):
                return _add(recorder, frame, expr.at, "call_function", "operator.getitem", (base, item), ())
            if isinstance(base, Group) and isinstance(item, Const) and isinstance(item.value, int) and not base.keys:
                return base.items[item.value]
            raise NotStraightError
        case ir.IfExp() | ir.BoolOp():
            test = _eval(recorder, frame, scope, expr.test if isinstance(expr, ir.IfExp) else expr.left)
            if isinstance(expr, ir.IfExp) and isinstance(test, Const):
                return _eval(recorder, frame, scope, expr.body if test.value else expr.orelse)
            raise NotStraightError(Place(frame.body, expr.at) if isinstance(test, Ref) else None)
        case _:
            raise NotStraightError


def _global(recorder: Recorder, frame: Frame, name: str) -> Recorded:
    value = global_value(recorder.project, frame.source, name)
    if isinstance(value, Lib | Func | Class):
        return value
    raise NotStraightError


def _attribute(recorder: Recorder, frame: Frame, scope: Mapping[str, Recorded], expr: ir.Attr) -> Recorded:
    base = _eval(recorder, frame, scope, expr.base)
    match base:
        case Lib():
            return Lib(fxnames.canonical(f"{base.dotted}.{expr.name}"))
        case Ref() if expr.name in ("shape", "T", "ndim", "dtype", "device", "mT", "H"):
            return _add(recorder, frame, expr.at, "call_function", "getattr", (base, Const(expr.name)), ())
        case Ref() | Fixed():
            return Bound(base, expr.name)
        case Sub():
            return _member(recorder, frame, base, expr)
        case _:
            raise NotStraightError


def _member(recorder: Recorder, frame: Frame, base: Sub, expr: ir.Attr) -> Recorded:
    if not isinstance(base.module, Object):
        raise NotStraightError
    found = members(recorder.project, base.module.code)
    path = f"{base.path}.{expr.name}" if base.path else expr.name
    module = found.modules.get(expr.name)
    if isinstance(module, Object | LibObject):
        return Sub(module, path)
    if expr.name in found.tensors:
        return _add(recorder, frame, expr.at, "get_attr", path, (), ())
    value = found.plain.get(expr.name)
    if isinstance(value, Const) and found.complete:
        return value
    if isinstance(fxnames.method(recorder.project, base.module.code, expr.name), FunctionCode):
        return Bound(base, expr.name)
    raise NotStraightError


def _binary(recorder: Recorder, frame: Frame, at: ir.At, name: str | None, left: Recorded, right: Recorded) -> Recorded:
    if name is None:
        raise NotStraightError
    if isinstance(left, Ref) or isinstance(right, Ref):
        return _add(recorder, frame, at, "call_function", f"operator.{name}", (left, right), ())
    if isinstance(left, Fixed) or isinstance(right, Fixed):
        return Fixed()
    raise NotStraightError


def _compare(recorder: Recorder, frame: Frame, at: ir.At, op: str, left: Recorded, right: Recorded) -> Recorded:
    if op in ("is", "is not") and isinstance(right, Const) and right.value is None:
        same = isinstance(left, Const) and left.value is None
        return Const(same == (op == "is"))
    return _binary(recorder, frame, at, OPERATORS.get(op), left, right)


def _call(recorder: Recorder, frame: Frame, scope: Mapping[str, Recorded], expr: ir.Call) -> Recorded:
    if any(a.star for a in expr.args):
        raise NotStraightError
    func = _eval(recorder, frame, scope, expr.func)
    args = tuple(_eval(recorder, frame, scope, a.value) for a in expr.args if a.keyword is None)
    kwargs = tuple((a.keyword, _eval(recorder, frame, scope, a.value)) for a in expr.args if a.keyword is not None)
    traced = any(_holds(v, Ref) for v in (*args, *(v for _, v in kwargs)))
    match func:
        case Lib(dotted) if traced and dotted.startswith(("torch.", "math.", "operator.")):
            return _add(recorder, frame, expr.at, "call_function", dotted, args, kwargs)
        case Lib(name) if traced and f"{frame.source.path}:{name}" in frame.wraps:
            return _add(recorder, frame, expr.at, "call_function", f"wrapped:{name}", args, kwargs)
        case Lib(dotted) if dotted in MAKERS and not traced:
            return Fixed()
        case Lib("range") if len(args) == 1 and isinstance(args[0], Const) and isinstance(args[0].value, int):
            return Group(tuple(Const(i) for i in range(min(args[0].value, MAX_UNROLL + 1))))
        case Bound(receiver=Ref() as receiver):
            return _add(recorder, frame, expr.at, "call_method", func.name, (receiver, *args), kwargs)
        case Bound(receiver=Fixed() as receiver) if traced:
            return _add(recorder, frame, expr.at, "call_method", func.name, (receiver, *args), kwargs)
        case Bound(receiver=Sub() as receiver) if isinstance(receiver.module, Object):
            method = fxnames.method(recorder.project, receiver.module.code, func.name)
            assert isinstance(method, FunctionCode)
            return _enter(recorder, frame, method, (receiver, *args), kwargs)
        case Sub():
            return _call_module(recorder, frame, expr.at, func, args, kwargs)
        case Func() if func.code is not None and f"{func.code.source.path}:{func.code.name}" in frame.wraps and traced:
            return _add(recorder, frame, expr.at, "call_function", f"wrapped:{func.code.name}", args, kwargs)
        case Func() if func.code is not None:
            return _enter(recorder, frame, func.code, args, kwargs)
        case _:
            raise NotStraightError


def _call_module(
    recorder: Recorder, frame: Frame, at: ir.At, func: Sub, args: tuple[Recorded, ...], kwargs: tuple[tuple[str, Recorded], ...]
) -> Recorded:
    module = func.module
    if func.path == FOREIGN:
        raise NotStraightError(module=Place(frame.body, at))
    if isinstance(module, Object):
        forward = fxnames.method(recorder.project, module.code, "forward")
        if not isinstance(forward, FunctionCode) or not is_module_class(recorder.project, module.code):
            raise NotStraightError
        return _enter(recorder, frame, forward, (func, *args), kwargs)
    if module.dotted == "torch.nn.Sequential":
        if len(args) != 1:
            raise NotStraightError
        value: Recorded = args[0]
        for path, inner in _sequential(func):
            value = _call_module(recorder, frame, at, Sub(inner, path), (value,), ())
        return value
    return _add(recorder, frame, at, "call_module", func.path, args, kwargs, module)


def _sequential(func: Sub) -> Iterator[tuple[str, Object | LibObject]]:
    assert isinstance(func.module, LibObject)
    for number, inner in enumerate(func.module.args):
        if not isinstance(inner, Object | LibObject):
            raise NotStraightError
        yield (f"{func.path}.{number}" if func.path else str(number)), inner


def _enter(
    recorder: Recorder, frame: Frame, code: FunctionCode, args: tuple[Recorded, ...], kwargs: tuple[tuple[str, Recorded], ...]
) -> Recorded:
    if frame.depth >= MAX_DEPTH or code.node.decorators or code.node.is_generator or code.node.is_async:
        raise NotStraightError
    given = dict(kwargs)
    scope: dict[str, Recorded] = {}
    inner = replace(frame, source=code.source, body=code.body, depth=frame.depth + 1)
    for number, param in enumerate(code.node.params):
        if param.kind in ("*", "**"):
            raise NotStraightError
        if number < len(args):
            scope[param.name] = args[number]
        elif param.name in given:
            scope[param.name] = given[param.name]
        elif param.default is not None:
            scope[param.name] = _eval(recorder, inner, {}, param.default)
        else:
            raise NotStraightError
    result = _block(recorder, inner, scope, code.node.body)
    return Const(None) if result is None else result
