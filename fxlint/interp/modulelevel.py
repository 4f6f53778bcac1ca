"""Running single statements of module and class level, when a name that they bind is asked for."""

from __future__ import annotations

from fxlint.base.errors import ReadError
from fxlint.interp import calls, expressions, foreign, statements
from fxlint.interp.arguments import Arguments
from fxlint.interp.machine import Frame, FuncInfo, Machine
from fxlint.interp.names import func_info
from fxlint.interp.state import State
from fxlint.project.modules import SourceFile
from fxlint.syntax import ir
from fxlint.syntax.body import Body
from fxlint.syntax.outline import StatementOutline
from fxlint.values.values import Class, ClassInfo, Code, Function, Lib, Member, NativeMethod, Unknown, Value


def statement_value(m: Machine, source: SourceFile, what: StatementOutline, name: str) -> Value:
    """The value that one module-level statement gives ``name``."""
    try:
        body = m.project.body(source.path, what.start, what.end)
    except ReadError:
        return m.unknown("statement that libcst cannot parse")
    st = run_detached(m, source, body, body.stmts, "<module>")
    value = st.env.get(name) if st is not None else None
    return value if value is not None else m.unknown("module-level statement that binds nothing")


def member_value(m: Machine, info: ClassInfo, member: Member) -> Value:
    """What a class body's assignment (or nested class) gives a name."""
    if member not in m.members:
        m.members[member] = Unknown("class attribute in terms of itself")
        m.members[member] = _member_value(m, info, member)
    return m.members[member]


def _member_value(m: Machine, info: ClassInfo, member: Member) -> Value:
    if member.code is not None:
        return Function(member.code)
    if member.inline is not None:
        body, stmt = member.inline
        stmts: tuple[ir.Stmt, ...] = (stmt,)
    else:
        try:
            body = m.project.body(info.source.path, member.start, member.end)
        except ReadError:
            return m.unknown("statement that libcst cannot parse")
        stmts = body.stmts
    st = run_detached(m, info.source, body, stmts, info.qualname, info)
    value = st.env.get(member.name) if st is not None else None
    return value if value is not None else m.unknown("class attribute without a value")


def detached_frame(m: Machine, source: SourceFile, body: Body, name: str, holder: ClassInfo | None = None) -> Frame:
    """A frame outside any trace, for code of module or class level."""
    code = Code(source, name, name, body.offset, body.offset + len(body.text), holder)
    info = FuncInfo(body, ir.FuncDef(0, name, (), (), None, (), False, False), frozenset(), frozenset(), frozenset(), frozenset())
    captured = dict(holder.captured) if holder is not None else {}
    return Frame(m, code, info, body, source, depth=1, base=m.next_id + 1, holder=holder, captured=captured)


def run_detached(
    m: Machine, source: SourceFile, body: Body, stmts: tuple[ir.Stmt, ...], name: str, holder: ClassInfo | None = None
) -> State | None:
    """Run statements outside any trace; the objects that they make become the machine's."""
    f = detached_frame(m, source, body, name, holder)
    m.active.append(f)
    try:
        st = statements.run(f, State(), stmts)
    finally:
        m.active.pop()
    if st is not None:
        m.global_store.update(st.store.flat())
    return st


def decorated_value(m: Machine, source: SourceFile, plain: Function) -> Value:
    """What a module-level name holds after the decorators of the project were applied to its function.

    A decorator of a library, or one whose result is not known to be callable, is taken to leave the function as it is.
    """
    info = func_info(m, plain.code)
    if info is None:
        return plain
    f = detached_frame(m, source, info.body, "<module>")
    st = State()
    value: Value = plain
    m.active.append(f)
    m.decorating += 1
    try:
        for decorator in reversed(info.func.decorators):
            function = expressions.evaluate(f, st, decorator)
            if isinstance(function, (Function, Class)) or (isinstance(function, Lib) and function.dotted in foreign.MAKERS):
                result = calls.call(f, st, decorator.at, function, Arguments((value,)))
                if isinstance(result, (Function, Class, NativeMethod)):
                    value = result
    finally:
        m.decorating -= 1
        m.active.pop()
    m.global_store.update(st.store.flat())
    return value
