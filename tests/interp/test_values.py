"""Laws of values: joins, folding against Python, argument binding against real calls, and merging of states."""

from __future__ import annotations

import operator
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from fxlint.base.event import Assumption, AssumptionKind, Facet
from fxlint.interp.arguments import Arguments, bind
from fxlint.interp.state import Mapping, Object, Sequence, State, Store, join_objects, merge
from fxlint.syntax import ir
from fxlint.values import fold
from fxlint.values.join import UNION_LIMIT, Truth, alternatives, join, union
from fxlint.values.values import BOTTOM, Bottom, Const, Lib, Proxy, Ref, Static, Tensor, Tuple, Union, Unknown, Value

constants = st.one_of(
    st.integers(-5, 5), st.booleans(), st.none(), st.sampled_from([0.0, -0.0, 0.5, 1.0, float("inf"), float("nan")]),
    st.text("ab", max_size=2), st.binary(max_size=1))
atoms = st.one_of(
    constants.map(Const), st.sampled_from(["", "int", "bool"]).map(Static), st.sampled_from(list(Facet)).map(Proxy),
    st.sampled_from(["parameter", "buffer", "made"]).map(Tensor), st.integers(1, 3).map(Ref),
    st.sampled_from(["torch.relu", "math.pi"]).map(Lib),
    st.booleans().map(lambda held: Unknown("", held)), st.just(BOTTOM))
single = st.one_of(atoms, st.lists(atoms.filter(lambda v: v != BOTTOM), max_size=2).map(lambda items: Tuple(tuple(items))))
values = st.one_of(single, st.lists(single, min_size=2, max_size=4).map(union))


def members(value: Value) -> frozenset[Value]:
    """The alternatives of a value, in no order."""
    return frozenset(alternatives(value))


def covers(wide: Value, narrow: Value) -> bool:
    """Whether ``wide`` denotes all that ``narrow`` denotes, as far as their forms tell."""
    return all(any(_covers_one(w, n) for w in alternatives(wide)) for n in alternatives(narrow))


def _covers_one(wide: Value, narrow: Value) -> bool:
    match wide, narrow:
        case Unknown(may_be_proxy=held), _:
            return held or not isinstance(narrow, Proxy)
        case Static(type=name), Const(value):
            return name in ("", type(value).__name__)
        case Static(type=name), Static(type=other):
            return name in ("", other)
        case Proxy(facet=facet), Proxy(facet=other):
            return facet is Facet.UNKNOWN or facet is other
        case Tuple(items=items), Tuple(items=others):
            return len(items) == len(others) and all(covers(a, b) for a, b in zip(items, others, strict=True))
        case _:
            return wide == narrow


@given(values)
def test_join_is_idempotent(value: Value) -> None:
    assert join(value, value) == value
    assert join(value, BOTTOM) == value
    assert join(BOTTOM, value) == value


@given(values, values)
def test_join_is_commutative_up_to_order(a: Value, b: Value) -> None:
    one, other = join(a, b), join(b, a)
    # Tuples are joined item by item, whose unions have an order of their own: compare by what they cover.
    assert covers(one, other)
    assert covers(other, one)


@given(values, values)
def test_join_covers_both(a: Value, b: Value) -> None:
    both = join(a, b)
    assert covers(both, a)
    assert covers(both, b)


@given(values, values, values)
def test_join_is_monotone(a: Value, b: Value, c: Value) -> None:
    assume(len(alternatives(a)) + len(alternatives(b)) + len(alternatives(c)) <= UNION_LIMIT)
    assert covers(join(join(a, b), c), join(a, c))


@given(st.lists(values, max_size=6))
def test_a_union_is_flat_small_and_without_doubles(parts: list[Value]) -> None:
    whole = union(parts)
    if isinstance(whole, Union):
        assert 2 <= len(whole.members) <= UNION_LIMIT
        assert len(set(whole.members)) == len(whole.members)
        assert not any(isinstance(m, (Union, Bottom)) for m in whole.members)
        assert sum(isinstance(m, Proxy) for m in whole.members) <= 1
    assert isinstance(whole, Bottom) == all(isinstance(p, Bottom) for p in parts)


def test_a_proxy_that_is_sure_makes_the_join_sure() -> None:
    assert join(Proxy(Facet.TENSOR, assumed="f"), Proxy(Facet.TENSOR)) == Proxy(Facet.TENSOR)
    assert join(Proxy(Facet.TENSOR, assumed="f"), Proxy(Facet.SIZE, assumed="g")) == Proxy(Facet.UNKNOWN, assumed="f")


@given(constants, constants)
def test_constants_are_equal_as_objects_are(a: Any, b: Any) -> None:
    alike = type(a) is type(b) and (a == b or repr(a) == repr(b))
    assert (Const(a) == Const(b)) == alike
    if alike:
        assert hash(Const(a)) == hash(Const(b)) or a != a


@given(constants)
def test_truth_agrees_with_python(value: Any) -> None:
    assert fold.truth(Const(value)) is (Truth.TRUE if value else Truth.FALSE)


@given(st.lists(constants.map(Const), max_size=3))
def test_truth_of_tuples_agrees_with_python(items: list[Const]) -> None:
    assert fold.truth(Tuple(tuple(items))) is (Truth.TRUE if items else Truth.FALSE)


@given(st.sampled_from(sorted(fold.BINARY)), constants, constants)
def test_binary_agrees_with_python(op: str, a: Any, b: Any) -> None:
    got = fold.binary(op, Const(a), Const(b))
    try:
        wanted = fold.BINARY[op](a, b)
    except ZeroDivisionError:
        assert got == BOTTOM
        return
    except (TypeError, ValueError, OverflowError):
        assert not isinstance(got, Const)
        return
    assert covers(got, Const(wanted)) or isinstance(wanted, complex)


@given(st.sampled_from(sorted(fold.COMPARE)), constants, constants)
def test_compare_agrees_with_python(op: str, a: Any, b: Any) -> None:
    got = fold.compare(op, Const(a), Const(b))
    try:
        wanted = fold.COMPARE[op](a, b)
    except TypeError:
        assert got == Static("bool")
        return
    assert got == Const(wanted)


@given(st.sampled_from(["is", "is not"]), constants, constants)
def test_identity_is_never_claimed_against_python(op: str, a: Any, b: Any) -> None:
    got = fold.compare(op, Const(a), Const(b))
    if a is None or b is None or isinstance(a, bool) or isinstance(b, bool):
        assert got == Const((a is b) == (op == "is"))
    elif isinstance(got, Const):
        # Whether equal numbers and texts are one object is not defined; unequal ones never are.
        assert got == Const(op == "is not")
        assert Const(a) != Const(b)


@given(st.sampled_from(["-", "+", "~"]), constants)
def test_unary_agrees_with_python(op: str, value: Any) -> None:
    functions: dict[str, Any] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
    got = fold.unary(op, Const(value))
    try:
        wanted = functions[op](value)
    except TypeError:
        assert not isinstance(got, Const)
        return
    assert got == Const(wanted)


@given(values, values, st.sampled_from(["+", "==", "is"]))
def test_operators_of_unions_cover_those_of_members(a: Value, b: Value, op: str) -> None:
    function = fold.compare if op in ("==", "is") else fold.binary
    whole = function(op, a, b)
    assert all(covers(whole, function(op, x, y)) for x in alternatives(a) for y in alternatives(b))


DEFAULT = ir.Const(0, "default")
PREFIX = {"posonly": "p", "pos": "a", "*": "rest", "kw": "k", "**": "more"}


@st.composite
def signatures(draw: st.DrawFn) -> tuple[ir.Param, ...]:
    """The parameters of a function that Python accepts."""
    out: list[ir.Param] = []
    optional = False
    for kind, most in (("posonly", 2), ("pos", 2), ("*", 1), ("kw", 2), ("**", 1)):
        for i in range(draw(st.integers(0, most))):
            has_default = kind not in ("*", "**") and (draw(st.booleans()) or (optional and kind != "kw"))
            optional = optional or (has_default and kind != "kw")
            out.append(ir.Param(0, f"{PREFIX[kind]}{i}", kind, DEFAULT if has_default else None, None))
    return tuple(out)


def called(params: tuple[ir.Param, ...], positional: range, keywords: dict[str, str]) -> dict[str, Any]:
    """The locals of a real function of these parameters after a real call. Raises TypeError."""
    kinds = [p.kind for p in params]
    parts = []
    for i, param in enumerate(params):
        if param.kind == "kw" and "*" not in kinds and "kw" not in kinds[:i]:
            parts.append("*")
        parts.append(f"{param.kind if param.kind in ('*', '**') else ''}{param.name}" + ("='default'" if param.default is not None else ""))
        if param.kind == "posonly" and kinds[i + 1:i + 2] != ["posonly"]:
            parts.append("/")
    scope: dict[str, Any] = {}
    exec(f"def function({', '.join(parts)}): return locals()", scope)
    found: dict[str, Any] = scope["function"](*positional, **keywords)
    return found


@given(signatures(), st.integers(0, 5), st.lists(st.sampled_from(["p0", "a0", "a1", "k0", "k1", "z"]), unique=True, max_size=4))
def test_binding_agrees_with_calling(params: tuple[ir.Param, ...], count: int, names: list[str]) -> None:
    args = Arguments(tuple(Const(i) for i in range(count)), tuple((name, Const(name)) for name in names))
    bound = bind(params, args, lambda p: Const("default"))
    try:
        wanted = called(params, range(count), {name: name for name in names})
    except TypeError:
        assert bound.error
        return
    assert not bound.error
    got: dict[str, Any] = {name: value.value for name, value in bound.values.items() if isinstance(value, Const)}
    if bound.var_positional is not None:
        got[bound.var_positional[0]] = tuple(v.value for v in bound.var_positional[1] if isinstance(v, Const))
    if bound.var_keywords is not None:
        got[bound.var_keywords[0]] = {k: v.value for k, v in bound.var_keywords[1] if isinstance(v, Const)}
    assert got == wanted


@given(signatures(), st.integers(0, 3))
def test_arguments_of_unknown_number_never_fail(params: tuple[ir.Param, ...], count: int) -> None:
    given_ = min(count, sum(p.kind in ("posonly", "pos") for p in params))
    args = Arguments(tuple(Const(i) for i in range(given_)), (), Proxy(), Proxy())
    bound = bind(params, args, lambda p: Const("default"))
    assert not bound.error
    assert set(bound.values) == {p.name for p in params if p.kind not in ("*", "**")}


objects = st.one_of(
    st.lists(single.filter(lambda v: v != BOTTOM), max_size=3).map(lambda items: Sequence("list", tuple(items))),
    single.map(lambda v: Sequence("list", None, v)),
    st.dictionaries(st.sampled_from(["a", "b"]).map(Const), single.filter(lambda v: v != BOTTOM)).map(
        lambda entries: Mapping("dict", tuple(entries.items()))))
tables = st.dictionaries(st.integers(1, 3), objects)
locals_ = st.dictionaries(st.sampled_from(["x", "y"]), values)
conditions = st.lists(st.sampled_from([Assumption(AssumptionKind.CONDITION, c) for c in "pq"]), unique=True).map(tuple)
states = st.builds(State, locals_, st.builds(Store, tables, tables), conditions)


@st.composite
def arms(draw: st.DrawFn) -> tuple[State, State]:
    """Two paths that have nothing in common, or that fork from one."""
    first, second = draw(states), draw(states)
    if draw(st.booleans()):
        second = State(second.env, first.store.fork(), second.conditions)
        for arm in (first, second):
            for number, obj in draw(tables).items():
                arm.store[number] = obj
    return first, second


@given(states)
def test_merging_a_path_with_one_that_ended(state: State) -> None:
    assert merge(state, None) is state
    assert merge(None, state) is state
    assert merge(state, state) is state
    assert merge(None, None) is None


@given(arms())
def test_merge_covers_both_paths(pair: tuple[State, State]) -> None:
    a, b = pair
    both = merge(a, b)
    assert both is not None
    for path in (a, b):
        assert all(covers(both.env[name], value) for name, value in path.env.items())
    assert set(both.conditions) == set(a.conditions) & set(b.conditions)
    left, right = a.store.flat(), b.store.flat()
    assert set(both.store.flat()) == set(left) | set(right)
    for number, obj in both.store.flat().items():
        here, there = left.get(number), right.get(number)
        assert obj == (join_objects(here, there) if here and there and here is not there else here or there)


@given(arms())
def test_merge_leaves_its_arguments_alone(pair: tuple[State, State]) -> None:
    before = [(dict(path.env), path.store.flat(), path.conditions) for path in pair]
    merge(*pair)
    assert [(path.env, path.store.flat(), path.conditions) for path in pair] == before


@given(states, tables)
def test_a_fork_is_not_seen_by_the_path_it_comes_from(state: State, writes: dict[int, Object]) -> None:
    before = state.store.flat()
    copy = state.copy()
    for number, obj in writes.items():
        copy.store[number] = obj
    assert state.store.flat() == before
    assert copy.store.flat() == {**before, **writes}


@given(objects, objects)
def test_joined_objects_hold_what_either_holds(a: Object, b: Object) -> None:
    both = join_objects(a, b)
    if type(a) is type(b) and isinstance(a, (Sequence, Mapping)) and isinstance(b, (Sequence, Mapping)):
        assert isinstance(both, (Sequence, Mapping))
        assert covers(both.any(), a.any())
        assert covers(both.any(), b.any())


@given(objects)
def test_joining_an_object_with_itself_changes_nothing(obj: Object) -> None:
    assert join_objects(obj, obj) is obj


def test_lists_of_different_length_join_to_one_of_unknown_length() -> None:
    both = join_objects(Sequence("list", (Const(1),)), Sequence("list", (Const(1), Proxy())))
    assert both == Sequence("list", None, Union((Const(1), Proxy())))


def test_a_key_of_one_path_alone_is_not_sure() -> None:
    both = join_objects(Mapping("dict", ((Const("a"), Proxy()),)), Mapping("dict", ()))
    assert isinstance(both, Mapping)
    assert both.get(Const("a")) == Proxy()
    assert not both.complete
