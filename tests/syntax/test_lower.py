"""Lowering of what the running Python's own ``ast`` may not know yet, and of what the IR has no word for."""

from __future__ import annotations

import pytest

from fxlint.base.errors import ReadError
from fxlint.syntax import body, ir


def lowered(text: str) -> ir.Stmt:
    (statement,) = body.read("model.py", text, 0, len(text)).stmts
    return statement


def test_a_type_alias_is_an_assignment() -> None:
    assert lowered("type X[T] = list[T]\n") == lowered("X = list[T]\n")


@pytest.mark.parametrize(
    ("generic", "plain"),
    [("def f[T: int, *Ts, **P](x: T): pass\n", "def f(x: T): pass\n"), ("class A[T = int](B): pass\n", "class A(B): pass\n")],
)
def test_type_parameters_are_left_out(generic: str, plain: str) -> None:
    assert lowered(generic) == lowered(plain)


def test_quotes_may_nest_in_f_strings() -> None:
    assert lowered("""x = f"{f"{a["b"]}"}"\n""") == lowered("""x = f"{f'''{a['b']}'''}"\n""")


def test_an_unpacked_annotation_is_a_star() -> None:
    function = lowered("def f(*args: *Ts): pass\n")
    assert isinstance(function, ir.FuncDef)
    assert function.params == (ir.Param(0, "args", "*", None, ir.Star(0, ir.Name(0, "Ts"))),)


@pytest.mark.parametrize(
    ("text", "is_generator"),
    [
        ("def f():\n    x = yield\n", True),
        ("def f():\n    yield from g\n", True),
        ("def f():\n    def g(): yield\n    return g\n", False),
        ("def f():\n    return lambda: (yield)\n", False),
        ("def f(x=(yield)): pass\n", False),
        ("def f():\n    def g(x=(yield)): pass\n", True),
        ("def f():\n    @(yield)\n    def g(): pass\n", True),
        ("def f():\n    x = lambda: (yield)\n    yield x\n", True),
    ],
)
def test_a_generator_yields_in_its_own_body(text: str, is_generator: bool) -> None:
    function = lowered(text)
    assert isinstance(function, ir.FuncDef)
    assert function.is_generator is is_generator


@pytest.mark.parametrize(
    ("text", "is_tuple", "count"),
    [("x[a]\n", False, 1), ("x[a,]\n", True, 1), ("x[a, b]\n", True, 2), ("x[(a, b)]\n", True, 2), ("x[()]\n", True, 0),
     ("x[*a]\n", True, 1), ("x[:]\n", False, 1), ("x[:,]\n", True, 1), ("x[(a, b), c]\n", True, 2), ("x[[a, b]]\n", False, 1)],
)  # fmt: skip
def test_subscripts(text: str, is_tuple: bool, count: int) -> None:
    statement = lowered(text)
    assert isinstance(statement, ir.ExprStmt)
    assert isinstance(statement.value, ir.Sub)
    assert (statement.value.is_tuple, len(statement.value.index)) == (is_tuple, count)


def test_adjacent_strings_are_one() -> None:
    assert lowered("x = 'a' r'\\n' 'b'\n") == lowered("x = 'a\\\\nb'\n")
    assert lowered("x = 'a' f'{b}' '' 'c' f'd'\n") == lowered("x = f'a{b}cd'\n")
    assert lowered("x = 'a' f''\n") != lowered("x = 'a'\n")  # still an f-string, of one text
    assert lowered("x = b'a' b'b'\n") == lowered("x = b'ab'\n")


def test_constants_are_equal_only_with_their_types() -> None:
    assert lowered("x = 1\n") != lowered("x = True\n")
    assert lowered("x = 0.0\n") != lowered("x = 0\n")
    assert lowered("x = 1_0\n") == lowered("x = 10\n")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('x = t"{a}"\n', "TemplatedString expressions"),
        ("x = {**d for d in ds}\n", "StarredDictComp expressions"),
        ("lazy import x\n", "LazyImport statements"),
    ],
)
def test_what_the_ir_has_no_word_for_is_an_error(text: str, word: str) -> None:
    with pytest.raises(ReadError, match=f"{word} are not supported"):
        lowered(text)
