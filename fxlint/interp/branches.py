"""Decisions: what a condition does while tracing, and which arms run.

A Proxy as condition raises; the analysis goes on with both arms, as a repaired model would. A concrete condition that is not
known here splits the path, and what happens in an arm is under that condition.
"""

from __future__ import annotations

from fxlint.base.event import Assumption, AssumptionKind, EventKind
from fxlint.interp import buffers, expressions, guards, spelling, statements, textflow
from fxlint.interp.machine import Frame
from fxlint.interp.operators import attribute
from fxlint.interp.state import State, merge
from fxlint.interp.store import truth
from fxlint.syntax import ir
from fxlint.values.join import Truth, alternatives, join, union
from fxlint.values.values import FALSE, TRUE, Const, Lib, Proxy, Static, Union, Value

TRAINING = "training"
# Handlers of these classes swallow a TraceError, which is a ValueError.
CATCHES_TRACE_ERROR = frozenset({
    "builtins.ValueError", "builtins.Exception", "builtins.BaseException", "torch.fx.proxy.TraceError", "torch.fx.TraceError",
})


def condition(f: Frame, st: State, test: ir.Expr, construct: str, at: ir.At) -> tuple[Value, Truth]:
    """Evaluate a condition and say how it decides; a Proxy there is an event."""
    if isinstance(test, (ir.BoolOp,)) or (isinstance(test, ir.Unary) and test.op == "not"):
        value, truth_ = _compound(f, st, test, construct, at)
        return value, truth_
    value = expressions.evaluate(f, st, test)
    return value, decide(f, st, value, construct, test.at)


def _compound(f: Frame, st: State, test: ir.Expr, construct: str, at: ir.At) -> tuple[Value, Truth]:
    """``and``, ``or``, ``not`` inside a condition: each operand is asked for its truth, and the events stand at the operands."""
    match test:
        case ir.Unary(operand=operand):
            _, inner = condition(f, st, operand, "not" if construct == "assert" else construct, at)
            return Static("bool"), {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE}.get(inner, inner)
        case ir.BoolOp(op=op, left=left, right=right):
            stop = Truth.FALSE if op == "and" else Truth.TRUE
            left_value, first = condition(f, st, left, construct, at)
            if first is stop:
                if guards.eager_differs(f, left):
                    condition(f, st.under(guards.eager_arm(f, left)), right, construct, at)
                return left_value, stop
            arm = st if first is not Truth.EITHER else st.under(_assumption(f, left, left_value, op == "and"))
            right_value, second = condition(f, arm, right, construct, at)
            if arm is not st:
                st.store = arm.store
                st.env.update(arm.env)
            if Truth.RAISES in (first, second):
                return (left_value if first is Truth.RAISES else right_value), Truth.RAISES
            if second is stop or first is not Truth.EITHER:
                return right_value, second if first is not Truth.EITHER or second is not stop else Truth.EITHER
            return right_value, Truth.EITHER
        case _:
            value = expressions.evaluate(f, st, test)
            return value, decide(f, st, value, construct, test.at)


def decide(f: Frame, st: State, value: Value, construct: str, at: ir.At) -> Truth:
    """The truth of an evaluated condition. Emits PROXY_TRUTH where it is a Proxy, TRAINING where the mode decides."""
    value = union(attribute(f, at, v) for v in value.members) if isinstance(value, Union) else attribute(f, at, value)
    result = truth(f, st, value)
    if result is Truth.EITHER:
        textflow.reached(f, st, at, value)
        buffers.branched(f, st, at, value)
    if result is Truth.RAISES:
        proxies = [v for v in alternatives(value) if isinstance(v, Proxy)]
        f.emit(st, EventKind.PROXY_TRUTH, construct, at, value=proxies[0], subject=at)
    elif is_training(value) and result is Truth.EITHER:
        f.emit(st, EventKind.TRAINING, "branch", at, subject=at)
    return result


def is_training(value: Value) -> bool:
    """Whether the value is the training flag, or a bool made from it."""
    return any(isinstance(v, Static) and v.why == TRAINING for v in alternatives(value))


def _assumption(f: Frame, test: ir.Expr, value: Value, taken: bool) -> Assumption:
    if is_training(value) and isinstance(test, (ir.Attr, ir.Name)):
        return Assumption(AssumptionKind.TRAINING, "train" if taken else "eval")
    text = spelling.text_at(f.body, test.at)
    return Assumption(AssumptionKind.CONDITION, text if taken else f"not ({text})")


def arms(f: Frame, st: State, test: ir.Expr, value: Value, result: Truth) -> tuple[State | None, State | None]:
    """The states at the start of both arms, None for an arm that cannot run."""
    match result:
        case Truth.TRUE:
            return narrow(f, st, test, True), None
        case Truth.FALSE:
            return None, narrow(f, st, test, False)
        case Truth.RAISES:
            return narrow(f, st.copy(), test, True), narrow(f, st, test, False)
        case Truth.EITHER:
            first = st.under(_assumption(f, test, value, True))
            second = st.under(_assumption(f, test, value, False))
            return narrow(f, first, test, True), narrow(f, second, test, False)


def narrow(f: Frame, st: State, test: ir.Expr, taken: bool) -> State:
    """What a test on a plain name tells of it in the arm taken: alternatives that contradict it go."""
    match test:
        case ir.Unary(op="not", operand=operand):
            return narrow(f, st, operand, not taken)
        case ir.BoolOp(op=op, left=left, right=right) if (op == "and") == taken:
            return narrow(f, narrow(f, st, left, taken), right, taken)
        case ir.Compare(left=ir.Name(id=name), ops=(("is" | "is not" | "==" | "!=") as op,), rights=(ir.Const(value=constant),)):
            old = st.env.get(name)
            if isinstance(old, Union):
                keep = (op in ("is", "==")) == taken
                kept = [v for v in old.members if not isinstance(v, Const) or (v == Const(constant)) == keep]
                if constant is None and keep:
                    kept = [v for v in kept if isinstance(v, (Const, Static))]
                if kept:
                    st.env[name] = union(kept)
        case ir.Name(id=name):
            old = st.env.get(name)
            if isinstance(old, Union):
                wanted = (Truth.FALSE if taken else Truth.TRUE)
                kept = [v for v in old.members if truth(f, st, v) is not wanted]
                if kept:
                    st.env[name] = union(kept)
        case _:
            pass
    return st


def run_if(f: Frame, st: State, stmt: ir.If) -> State | None:
    """``if``/``elif``/``else``."""
    value, result = condition(f, st, stmt.test, "elif" if stmt.is_elif else "if", stmt.at)
    taken = stmt.body if result is Truth.TRUE else stmt.orelse if result is Truth.FALSE else ()
    if guards.ends_in_raise(taken) and guards.fatal(f, stmt.test):
        # Tracing stops here; the analysis goes on as a repaired model would.
        statements.run(f, st.copy(), taken)
        return statements.run(f, narrow(f, st, stmt.test, result is Truth.FALSE), stmt.orelse if result is Truth.TRUE else stmt.body)
    if result in (Truth.TRUE, Truth.FALSE) and guards.eager_differs(f, stmt.test):
        other = statements.run(f, st.under(guards.eager_arm(f, stmt.test)), stmt.orelse if result is Truth.TRUE else stmt.body)
        return merge(statements.run(f, narrow(f, st, stmt.test, result is Truth.TRUE), taken), other)
    first, second = arms(f, st, stmt.test, value, result)
    after_first = statements.run(f, first, stmt.body)
    after_second = statements.run(f, second, stmt.orelse)
    return merge(after_first, after_second)


def if_expression(f: Frame, st: State, expr: ir.IfExp) -> Value:
    """``a if test else b``."""
    value, result = condition(f, st, expr.test, "ternary", expr.at)
    if result in (Truth.TRUE, Truth.FALSE):
        traced, eager = (expr.body, expr.orelse) if result is Truth.TRUE else (expr.orelse, expr.body)
        if not guards.eager_differs(f, expr.test):
            return expressions.evaluate(f, st, traced)
        other = st.under(guards.eager_arm(f, expr.test))
        value = join(expressions.evaluate(f, st, traced), expressions.evaluate(f, other, eager))
        _take(st, merge(st, other))
        return value
    first, second = arms(f, st.copy(), expr.test, value, result)
    assert first is not None
    assert second is not None
    a = expressions.evaluate(f, first, expr.body)
    b = expressions.evaluate(f, second, expr.orelse)
    _take(st, merge(first, second))
    return join(a, b)


def _take(st: State, other: State | None) -> None:
    if other is not None:
        st.env, st.store = other.env, other.store


def negate(f: Frame, st: State, expr: ir.Unary) -> Value:
    """``not x`` as a value."""
    value, result = condition(f, st, expr.operand, "not", expr.at)
    if result is Truth.TRUE:
        return FALSE
    if result is Truth.FALSE:
        return TRUE
    return Static("bool", TRAINING if is_training(value) else "negation of unknown configuration")


def bool_op(f: Frame, st: State, expr: ir.BoolOp) -> Value:
    """``a and b``, ``a or b`` as a value."""
    left, result = condition(f, st, expr.left, expr.op, expr.at)
    stop = Truth.FALSE if expr.op == "and" else Truth.TRUE
    if result is stop:
        return left
    if result in (Truth.TRUE, Truth.FALSE):
        return expressions.evaluate(f, st, expr.right)
    arm = st.copy() if result is Truth.RAISES else st.under(_assumption(f, expr.left, left, expr.op == "and"))
    right = expressions.evaluate(f, narrow(f, arm, expr.left, expr.op == "and"), expr.right)
    _take(st, merge(st, arm))
    kept = [v for v in alternatives(left) if truth(f, st, v) is not (Truth.TRUE if expr.op == "and" else Truth.FALSE)]
    if expr.op == "or":
        kept = [v for v in kept if not (isinstance(v, Static) and v.type == "NoneType")]
    return join(union(kept), right)


def catches_trace_error(f: Frame, st: State, handler: ir.Handler) -> bool:
    """Whether an except clause would swallow the TraceError of a Proxy in a condition."""
    if handler.type is None:
        return True
    types = handler.type.items if isinstance(handler.type, ir.Display) else (handler.type,)
    for expr in types:
        value = expressions.evaluate(f, st, expr)
        if isinstance(value, Lib) and value.dotted in CATCHES_TRACE_ERROR:
            return True
    return False
