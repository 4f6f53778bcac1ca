from __future__ import annotations

import gc

import pytest

from fxlint.base.errors import ReadError
from fxlint.syntax import body, ir


def read(text: str) -> body.Body:
    return body.read("model.py", text, 0, len(text))


def sites(node: object) -> list[tuple[str, ir.At]]:
    """Class name and number of each node below ``node``, in source order of the fields."""
    if isinstance(node, tuple):
        return [site for item in node for site in sites(item)]
    if not hasattr(node, "__dataclass_fields__"):
        return []
    own = [(type(node).__name__, getattr(node, "at"))] if hasattr(node, "at") else []  # noqa: B009  # the class is any of fifty
    return own + [site for name in node.__dataclass_fields__ if name != "at" for site in sites(getattr(node, name))]


def shown(text: str, start: int = 0) -> list[tuple[str, str]]:
    found = body.read("model.py", text, start, len(text))
    return [(kind, text[(span := found.span(at)).start : span.end]) for kind, at in sites(found.stmts)]


FORWARD = '''    @wraps(f)
    async def forward(self, x: Tensor, *, größe=(1, 2)):
        # 🙂 comment
\t# a dedented one
        text = """é
dedented 🙂
"""  ; y = x[..., :größe]
        if y:
\x20\x20\x20\x20\x20\x20\x20\x20\f
            return f"{x!r:>{y}}"
        elif (await x): pass
'''


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "class Ünïcode:\n    '''🙂'''\n", "\f\n"])
def test_places_in_an_indented_cut(newline: str, before: str) -> None:
    text = (before + FORWARD).replace("\n", newline)
    found = shown(text, len(before.replace("\n", newline)))
    for expected in [
        ("Name", "wraps"),
        ("Param", "größe"),
        ("Display", "1, 2"),
        ("Assign", 'text = """é\ndedented 🙂\n"""'.replace("\n", newline)),
        ("Assign", "y = x[..., :größe]"),
        ("Slice", ":größe"),
        ("FString", 'f"{x!r:>{y}}"'),
        ("Formatted", "{x!r:>{y}}"),
        ("If", "elif (await x): pass"),
        ("Await", "await x"),
        ("Jump", "pass"),
    ]:
        assert expected in found


@pytest.mark.parametrize("margin", ["", " ", "\t", "    ", "\f", "\f  ", "  \f", " \f\t", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_margins(margin: str, end: str) -> None:
    indent = margin.rpartition("\f")[2].strip("\ufeff")
    text = f"{margin}def f():\n{indent}\treturn x{end}"
    assert shown(text) == [("FuncDef", f"def f():\n{indent}\treturn x"), ("Return", "return x"), ("Name", "x")]


def test_offsets_are_those_of_the_file() -> None:
    text = "é = 1\ndef f():\n    return é\n"
    found = body.read("model.py", text, 6, len(text))
    (function,) = found.stmts
    assert isinstance(function, ir.FuncDef)
    span = found.span(function.at)
    assert text[span.start : span.end] == "def f():\n    return é"


def test_identical_cuts_are_lowered_once_and_keep_their_own_offsets() -> None:
    text = "def f(x):\n    return x\n"
    first = body.read("a.py", text, 0, len(text))
    second = body.read("b.py", "import a\n" + text, 9, 9 + len(text))
    assert first.stmts is second.stmts
    assert (first.span(0).start, second.span(0).start) == (0, 9)


def test_collection_is_as_it_was() -> None:
    assert gc.isenabled()
    with pytest.raises(ReadError):
        read("def f(:\n")
    assert gc.isenabled()
    gc.disable()
    try:
        read("gc_was_off = 1\n")
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("margin", ["", "    "])
def test_a_cut_that_libcst_refuses_is_placed_in_the_file(margin: str) -> None:
    # an annotation of a name in parentheses: valid Python that libcst 1.9 does not parse
    before = "import a\nclass C:\n"
    cut = f"{margin}def f():\n{margin}    (x): int\n{margin}    y\n"
    with pytest.raises(ReadError, match="libcst cannot parse") as caught:
        body.read("model.py", before + cut, len(before), len(before + cut))
    assert (caught.value.row, caught.value.column) == (4, len(margin) + 8)


def test_what_is_nested_too_deeply_is_an_error_and_no_crash() -> None:
    for source in ("-" * 1500 + "1", "a." * 1000 + "b", "lambda: " * 1000 + "1"):
        with pytest.raises(ReadError, match="too deeply nested"):
            read(f"x = {source}\n")


def test_long_sums_and_conditions_nest_without_recursion() -> None:
    for word, kind in (("+", ir.Binary), ("and", ir.BoolOp)):
        found = read(f"x = {f' {word} '.join(f'a{i}' for i in range(1000))}\n")
        (assign,) = found.stmts
        assert isinstance(assign, ir.Assign)
        links, value = 0, assign.value
        while isinstance(value, ir.Binary | ir.BoolOp):
            assert isinstance(value, kind)
            assert isinstance(value.right, ir.Name)
            links, value = links + 1, value.left
        assert (links, value) == (999, ir.Name(0, "a0"))


def test_places_that_libcst_cannot_compute_are_an_error() -> None:
    found = read(f"x = {' + '.join('1' * 1000)}\n")
    with pytest.raises(ReadError, match="too deeply nested to be placed"):
        found.span(0)
