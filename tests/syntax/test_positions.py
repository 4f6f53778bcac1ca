"""The places that fxlint counts are those that libcst's own PositionProvider computes, for every node of every kind."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from fxlint.base.errors import FxlintError
from fxlint.base.span import LineIndex
from fxlint.syntax.positions import ranges

STDLIB = Path(sysconfig.get_path("stdlib"))
FILES = ["ast.py", "dataclasses.py", "asyncio/tasks.py", "test/test_patma.py", "test/test_fstring.py", "test/test_genericclass.py"]

SNIPPETS = [
    "",
    "\n",
    "x",
    "x\n",
    "\n\nx = 1  # é🙂\n",
    "if a:\r\n\tb\r\nelif c: d\r\nelse:\r\n\te\r\n",
    "class A(\n  B,\n  metaclass=M\n):\n  '''é\n🙂'''\n  @d\n  async def f(self, *a: int, **k) -> x: return (yield)\n",
    "try:\n  pass\nexcept* E as e:\n  pass\nfinally:\n  del a, (b, c)\n",
    "with (a as b, c): \\\n  pass\n",
    "match x:\n  case [1, *_] | {'a': b, **c} if d:\n    pass\n  case A(x, y=1) as z: pass\n",
    "x = f'{a!r:>{b}}' 'c' r'd'[1:2, ::3, *e]\n",
    "type X[T: int, *Ts, **P] = list[T]\n",
    "def f[T](a, /, b=1, *, c): pass\n",
    "lambda *a, b=1, **c: (d := [*e, {**f}, {g for g in h if i}])\n",
    "if a:\n    b\n  # a dedented comment\n    # and one more\n\n\nc\n",
    "\tx = 1; \\\n  y = 2;\n".lstrip(),
]


def check(text: str) -> None:
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    lines = LineIndex.of(text)
    found = ranges(wrapper.module, len(text))
    provided = wrapper.resolve(PositionProvider)
    assert found.keys() == provided.keys()
    for node, (start, end) in found.items():
        place = provided[node]
        if text[-1:] == "\n" or not isinstance(node, cst.Module | cst.TrailingWhitespace | cst.Newline):
            # the provider does not take back the newline that the text lacks
            assert lines.place(start) == (place.start.line, place.start.column + 1), node
            assert lines.place(end) == (place.end.line, place.end.column + 1), node


@pytest.mark.parametrize("text", SNIPPETS)
def test_every_node_of_a_snippet(text: str) -> None:
    check(text)


@pytest.mark.parametrize("name", FILES)
def test_every_node_of_a_file(name: str) -> None:
    check((STDLIB / name).read_bytes().decode())


def test_a_text_that_libcst_does_not_give_back_is_an_error() -> None:
    text = "\fx = 1\n"  # libcst 1.9 drops a form feed at the very start
    with pytest.raises(FxlintError, match="gives back 6 characters of a text of 7"):
        ranges(cst.parse_module(text), len(text))
