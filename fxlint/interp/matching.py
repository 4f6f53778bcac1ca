"""``match`` statements: literal patterns compare and ask for the truth, class and sequence patterns are wrong on a Proxy."""

from __future__ import annotations

from fxlint.base.event import Assumption, AssumptionKind, EventKind
from fxlint.interp import branches, expressions, iteration, spelling, statements
from fxlint.interp.machine import Frame
from fxlint.interp.operators import compare
from fxlint.interp.state import Mapping, Sequence, State, merge
from fxlint.interp.store import allocate, load, truth
from fxlint.syntax import ir
from fxlint.values.join import Truth
from fxlint.values.values import Const, Proxy, Ref, Tuple, Value


def run_match(f: Frame, st: State, stmt: ir.Match) -> State | None:
    """Try the cases in order; a case that cannot be decided runs beside those after it."""
    subject = expressions.evaluate(f, st, stmt.subject)
    out: State | None = None
    current: State | None = st
    for case in stmt.cases:
        if current is None:
            break
        arm = current.copy()
        result = _matches(f, arm, subject, case.pattern, stmt.subject.at)
        if result is not Truth.FALSE and case.guard is not None:
            _, guard = branches.condition(f, arm, case.guard, "match", case.guard.at)
            result = guard if result is Truth.TRUE or guard is Truth.FALSE else Truth.EITHER
        if result is Truth.FALSE:
            continue
        if result is Truth.EITHER:
            text = f"{spelling.text_at(f.body, stmt.subject.at)} matches {spelling.text_at(f.body, case.pattern.at)}"
            arm = arm.under(Assumption(AssumptionKind.CONDITION, text))
        out = merge(out, statements.run(f, arm, case.body))
        if result is Truth.TRUE:
            current = None
    return merge(out, current)


def _matches(f: Frame, st: State, value: Value, pattern: ir.Pattern, subject_at: ir.At) -> Truth:
    """Whether a pattern matches; a test of a Proxy's type is told at the subject, a comparison at the pattern."""
    match pattern:
        case ir.MatchAs(pattern=inner, name=name):
            result = Truth.TRUE if inner is None else _matches(f, st, value, inner, subject_at)
            if name is not None and result is not Truth.FALSE:
                st.env[name] = value
            return result
        case ir.MatchValue(value=expr):
            wanted = expressions.evaluate(f, st, expr)
            single = isinstance(wanted, Const) and (wanted.value is None or isinstance(wanted.value, bool))
            got = compare(f, st, pattern.at, "is" if single else "==", value, wanted, pattern.at, pattern.at)
            result = truth(f, st, got)
            if result is Truth.RAISES:
                f.emit(st, EventKind.PROXY_TRUTH, "match", pattern.at, value=got)
            return result
        case ir.MatchOr(patterns=patterns):
            results = [_matches(f, st, value, p, subject_at) for p in patterns]
            if Truth.TRUE in results:
                return Truth.TRUE
            return Truth.FALSE if all(r is Truth.FALSE for r in results) else Truth.EITHER
        case ir.MatchSequence(patterns=patterns):
            return _sequence(f, st, value, patterns, subject_at)
        case ir.MatchMapping():
            return _mapping(f, st, value, pattern, subject_at)
        case ir.MatchClass(patterns=patterns, keywords=keywords):
            if isinstance(value, Proxy):
                f.emit(st, EventKind.SPECIALISED_TYPE, "match-class", subject_at, value=value, subject=subject_at)
                return Truth.FALSE
            for inner in (*patterns, *(p for _, p in keywords)):
                _matches(f, st, f.machine.unknown("attribute matched by a class pattern"), inner, subject_at)
            return Truth.EITHER
        case ir.MatchStar():
            return Truth.TRUE


def _sequence(f: Frame, st: State, value: Value, patterns: tuple[ir.Pattern, ...], subject_at: ir.At) -> Truth:
    if isinstance(value, Proxy):
        f.emit(st, EventKind.SPECIALISED_TYPE, "match-class", subject_at, value=value, subject=subject_at)
        return Truth.FALSE
    obj = load(f, st, value) if isinstance(value, Ref) else value
    if isinstance(obj, Const):
        return Truth.FALSE
    starred = [i for i, p in enumerate(patterns) if isinstance(p, ir.MatchStar)]
    if not isinstance(obj, (Sequence, Tuple)) or obj.items is None:
        for pattern in patterns:
            _matches(f, st, f.machine.unknown("item matched by a sequence pattern"), pattern, subject_at)
        return Truth.EITHER
    items = obj.items
    if len(items) < len(patterns) - len(starred) or (not starred and len(items) != len(patterns)):
        return Truth.FALSE
    results = []
    shift = 0
    for i, pattern in enumerate(patterns):
        if isinstance(pattern, ir.MatchStar):
            shift = len(items) - len(patterns)
            if pattern.name is not None:
                st.env[pattern.name] = allocate(f, st, Sequence("list", items[i:i + shift + 1]))
        else:
            results.append(_matches(f, st, items[i + shift], pattern, subject_at))
    if Truth.FALSE in results:
        return Truth.FALSE
    return Truth.TRUE if all(r is Truth.TRUE for r in results) else Truth.EITHER


def _mapping(f: Frame, st: State, value: Value, pattern: ir.MatchMapping, subject_at: ir.At) -> Truth:
    if isinstance(value, Proxy):
        f.emit(st, EventKind.SPECIALISED_TYPE, "match-class", subject_at, value=value, subject=subject_at)
        return Truth.FALSE
    obj = load(f, st, value) if isinstance(value, Ref) else None
    result = Truth.TRUE if isinstance(obj, Mapping) else Truth.EITHER
    for key_expr, inner in zip(pattern.keys, pattern.patterns, strict=True):
        key = expressions.evaluate(f, st, key_expr)
        got = obj.get(key) if isinstance(obj, Mapping) and isinstance(key, Const) else None
        if got is None:
            if isinstance(obj, Mapping) and obj.complete and isinstance(key, Const):
                return Truth.FALSE
            got = f.machine.unknown("value matched by a mapping pattern")
            result = Truth.EITHER
        if _matches(f, st, got, inner, subject_at) is Truth.FALSE:
            return Truth.FALSE
    if pattern.rest is not None:
        items = iteration.elements(f, st, value, "list", pattern.at, pattern.at)
        st.env[pattern.rest] = allocate(f, st, Mapping("dict", (), f.machine.unknown("rest of a mapping pattern"), not items))
    return result
