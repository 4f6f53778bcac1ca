from __future__ import annotations

import ast

import pytest

from fxlint.base.errors import ReadError
from fxlint.syntax import outline
from fxlint.syntax.outline import Binding, ClassOutline, FunctionOutline, ImportOutline, StatementOutline, build


def bound(text: str) -> list[tuple[str, str, str]]:
    return [(b.name, type(b.what).__name__.removesuffix("Outline"), b.guard) for b in build(text).bindings]


def function(text: str, qualname: str) -> FunctionOutline:
    def search(bindings: tuple[Binding, ...]) -> FunctionOutline | None:
        for binding in bindings:
            what = binding.what
            if isinstance(what, FunctionOutline) and what.qualname == qualname:
                return what
            if isinstance(what, ClassOutline) and (found := search(what.body)):
                return found
        return None

    found = search(build(text).bindings)
    assert found is not None
    return found


def cut(text: str, what: FunctionOutline | StatementOutline | ClassOutline) -> str:
    return text[what.start : what.end]


# ---------------------------------------------------------------- offsets

MODULE = '''"""Größe der Schicht: 日本語, 🙂."""
import torch

class Net(nn.Module):  # café 🙂🙂
    """Ünicode."""

    @property
    @register("größe", {
        "a": 1,
    })
    def forward(self, x):
        größe = """
dedented 🙂
"""
        return größe
    # a comment of nobody's

    async def last(self): return 1

def tail(): pass
'''


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("head", ["", "\ufeff", "\f\n", "# \u2028 \x85 \x0b \x1c no line ends\n"])
def test_offsets_are_characters_of_whole_lines(newline: str, head: str) -> None:
    text = (head + MODULE).replace("\n", newline)
    forward = cut(text, function(text, "Net.forward")).replace(newline, "\n")
    assert forward.startswith("    @property\n    @register")
    assert forward.endswith("\n        return größe\n")
    assert cut(text, function(text, "Net.last")) == "    async def last(self): return 1" + newline
    assert cut(text, function(text, "tail")) == "def tail(): pass" + newline


def test_the_last_line_may_lack_a_line_end() -> None:
    text = "def f():\n    return 1"
    assert cut(text, function(text, "f")) == text


def test_a_form_feed_ends_no_line() -> None:
    text = "x = 1\n\f\ndef f():\n\f    return 1\ny = 2\n"
    assert cut(text, function(text, "f")) == "def f():\n\f    return 1\n"
    assert function(text, "f").row == 3


def test_a_decorator_in_parentheses_starts_at_its_at_sign() -> None:
    text = "x = 1\n@(\n  wraps\n)\ndef f(): pass\n"
    found = function(text, "f")
    assert cut(text, found) == text.removeprefix("x = 1\n")
    assert (found.row, found.decorators) == (5, ("wraps",))


def test_statements_that_share_a_line_share_their_lines() -> None:
    text = "a = 1; b = (\n2); c = 3\nd = 4\n"
    found = {b.name: b.what for b in build(text).bindings}
    for name in "abc":
        what = found[name]
        assert isinstance(what, StatementOutline)
        assert cut(text, what) == "a = 1; b = (\n2); c = 3\n"
    assert isinstance(found["d"], StatementOutline)
    assert cut(text, found["d"]) == "d = 4\n"


def test_a_block_on_its_header_s_line_is_cut_with_the_header() -> None:
    text = "if x: a = 1\nelse: b = 2\nclass C: y = 3\n"
    a, b, c = (binding.what for binding in build(text).bindings)
    assert isinstance(a, StatementOutline)
    assert isinstance(b, StatementOutline)
    assert cut(text, a) == cut(text, b) == "if x: a = 1\nelse: b = 2\n"
    assert isinstance(c, ClassOutline)
    y = c.body[0].what
    assert isinstance(y, StatementOutline)
    assert cut(text, y) == "class C: y = 3\n"


# ---------------------------------------------------------------- what is bound


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = b = 1", ("a", "b")),
        ("a, (b, *c) = [d, e] = f()", ("a", "b", "c", "d", "e")),
        ("a: int = 1", ("a",)),
        ("a: int", ("a",)),
        ("a += 1", ("a",)),
        ("for i, j in x: pass", ("i", "j")),
        ("with f() as g, h() as (i, j): pass", ("g", "i", "j")),
        ("a = (b := 1)", ("a", "b")),
        ("print(c := 2)", ("c",)),
        ("if (m := f()): pass", ("m",)),
        ("match x:\n  case [a, *b]: pass\n  case {'k': c, **d}: pass\n  case E() as f: pass", ("a", "b", "c", "d", "f")),
        ("a = a = 1", ("a",)),
    ],
)
def test_names_of_a_statement(text: str, names: tuple[str, ...]) -> None:
    assert tuple(b.name for b in build(text).bindings) == names


@pytest.mark.parametrize("text", ["x.y = 1", "x['k'] = f", "del x", "f(x)", "assert x", "x.y += 1", "[f() for i in x]", "raise E"])
def test_statements_that_bind_nothing_are_kept_apart(text: str) -> None:
    found = build(text)
    assert found.bindings == ()
    assert [text[s.start : s.end] for s in found.statements] == [text]


@pytest.mark.parametrize("text", ["pass", "'docstring'", "...", "", "# only a comment\n"])
def test_what_does_nothing_is_not_listed(text: str) -> None:
    found = build(text)
    assert (found.bindings, found.statements) == ((), ())


def test_a_lambda_s_walrus_binds_nothing_outside_a_near_miss() -> None:
    assert bound("f = lambda: 1") == [("f", "Statement", "")]
    assert build("f(x == 1)  # ':=' only in a comment").bindings == ()


def test_imports() -> None:
    found = build("import a.b\nimport a.b as c\nfrom m import x as y, z\nfrom ..p import *\nfrom . import q\n").bindings
    assert [b.what for b in found] == [
        ImportOutline("a", "a", None, 0, 1),
        ImportOutline("c", "a.b", None, 0, 2),
        ImportOutline("y", "m", "x", 0, 3),
        ImportOutline("z", "m", "z", 0, 3),
        ImportOutline("*", "p", "*", 2, 4),
        ImportOutline("q", "", "q", 1, 5),
    ]


GUARDED = """
if TYPE_CHECKING:
    import a
elif X > 1:
    def b(): pass
else:
    class C: pass
try:
    import d
except (ImportError, E) as error:
    d = None
except:
    e = 1
else:
    f = 1
finally:
    g = 1
with no_grad() as h:
    def i(): pass
for j in names:
    k = j
    register(k)
while n:
    o = 1
match p:
    case 1:
        q = 1
"""


def test_guards_name_the_arm() -> None:
    assert bound(GUARDED) == [
        ("a", "Import", "if TYPE_CHECKING/body"),
        ("b", "Function", "if TYPE_CHECKING/orelse > if X > 1/body"),
        ("C", "Class", "if TYPE_CHECKING/orelse > if X > 1/orelse"),
        ("d", "Import", "try/body"),
        ("d", "Statement", "try/except (ImportError, E)"),
        ("e", "Statement", "try/except"),
        ("f", "Statement", "try/else"),
        ("g", "Statement", "try/finally"),
        ("h", "Statement", ""),
        ("i", "Function", "with no_grad() as h/body"),
        ("j", "Statement", ""),
        ("k", "Statement", "for j in names/body"),
        ("o", "Statement", "while n/body"),
        ("q", "Statement", "match p/case 1"),
    ]


def test_loops_are_statements_as_a_whole() -> None:
    assert [s.kind for s in build(GUARDED).statements] == ["For", "While"]
    inside = build("if a:\n    wrap('f')\n").statements
    assert [(s.kind, s.row) for s in inside] == [("Expr", 2)]


def test_classes_hold_what_their_bodies_bind() -> None:
    text = (
        "class A(m.B, C[int], metaclass=M):\n    x = 1\n    if x:\n        def f(self): pass\n"
        "    class D:\n        @s.m\n        def g(): pass\n"
    )
    (binding,) = build(text).bindings
    what = binding.what
    assert isinstance(what, ClassOutline)
    assert what.bases == ("m.B", "C[int]")
    assert [(b.name, b.guard) for b in what.body] == [("x", ""), ("f", "if x/body"), ("D", "")]
    assert function(text, "A.D.g").decorators == ("s.m",)
    assert not function(text, "A.f").is_async


# ---------------------------------------------------------------- comments


def test_noqa_rows() -> None:
    text = (
        "a = 1  # noqa: TFX101\r\nb = '#'  # type: ignore  # NOQA\n# noqa-like? yes\n"
        "c = 3  # fxlint: ignore[TFX2]  # noqa\nd = 4  # a noqa of words\n"
    )
    assert build(text).noqa == (
        (1, "# noqa: TFX101"),
        (2, "# NOQA"),
        (3, "# noqa-like? yes"),
        (4, "# fxlint: ignore[TFX2]  # noqa"),
    )


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a = 1\nb = (\n", (2, 5), "never closed"),
        ("x = 1\n\n  y = 2\n", (3, 2), "unexpected indent"),
        ("é = 1\nprint 'é'\n", (2, 1), "print"),
        ("a = 1\nb = '\0'\n", (2, 6), "NUL"),
        ("x = '\ud800'\n", (1, 1), "surrogates"),
        ("x = " + "(" * 10000 + ")" * 10000, (1, 205), "too many nested parentheses"),
        ("x = " + "-" * 100000 + "1", (1, 1), "MemoryError|RecursionError"),
    ],
)
def test_text_that_does_not_parse(text: str, place: tuple[int, int], words: str) -> None:
    with pytest.raises(ReadError, match=words) as caught:
        build(text)
    assert (caught.value.row, caught.value.column) == place


def test_no_warning_escapes(recwarn: pytest.WarningsRecorder) -> None:
    build("import re\nx = re.compile('\\d')\n")
    assert not recwarn.list


def test_a_tree_that_is_given_is_used() -> None:
    text = "def f(): pass\n"
    assert outline.build(text, ast.parse(text)) == outline.build(text)
    assert outline.build(text, ast.parse("")).bindings == ()
    assert outline.build(text, is_package=True).is_package
