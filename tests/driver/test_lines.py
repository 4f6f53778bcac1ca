"""Logical lines: statements as rows."""

from __future__ import annotations

import tokenize
from io import StringIO
from pathlib import Path

import pytest

from fxlint.base.span import LineIndex
from fxlint.suppress import logical_lines

TOP = Path(__file__).resolve().parents[2]


def around(text: str, row: int) -> tuple[int, int]:
    return logical_lines(text, LineIndex.of(text)).around(row)


@pytest.mark.parametrize(
    ("text", "row", "rows"),
    [
        ("a\nb\nc", 2, (2, 2)),
        ("f(\n1,\n2)\nb\n", 2, (1, 3)),
        ("f(\n1,\n2)\nb\n", 4, (4, 4)),
        ("x = '''\n(\n'''\ny\n", 2, (1, 3)),
        ("x = '''\n(\n'''\ny\n", 4, (4, 4)),
        ("x = '('\ny\n", 1, (1, 1)),
        ("x = 1  # (\ny\n", 1, (1, 1)),
        ("x = 1 + \\\n  2\ny\n", 2, (1, 2)),
        ("x = 'a\\\nb'\ny\n", 3, (3, 3)),
        ("x = [\r\n1]\r\ny\r\n", 2, (1, 2)),
        ("x = [\r1]\ry\r", 3, (3, 3)),
        ("x = ')'\nf(\n)\n", 3, (2, 3)),
        ("x = \"\"\"a\\\"\"\"(\"\"\"\ny\n", 1, (1, 1)),
        ("x = (]\n)\ny", 3, (3, 3)),
    ],
)
def test_logical_line(text: str, row: int, rows: tuple[int, int]) -> None:
    assert around(text, row) == rows


@pytest.mark.parametrize(
    ("text", "row", "rows"),
    [
        ("@d(\n1,\n)\ndef f(): pass\nx\n", 1, (1, 4)),
        ("@d(\n1,\n)\ndef f(): pass\nx\n", 4, (1, 4)),
        ("x\n@d\n\n# why\n  @e\nclass A(\n  B):\n  y\n", 5, (2, 7)),
        ("x\n@d\n\n# why\n  @e\nclass A(\n  B):\n  y\n", 4, (2, 7)),
        ("x\n@d\n\n# why\n  @e\nclass A(\n  B):\n  y\n", 8, (8, 8)),
        ("x\n@d\n\n# why\n  @e\nclass A(\n  B):\n  y\n", 1, (1, 1)),
        ("# why\ndef f(): pass\n", 2, (2, 2)),
        ("# why\ndef f(): pass\n", 1, (1, 1)),
        ("x = a \\\n  @ b\ny\n", 2, (1, 2)),
        ("x\n@d", 2, (2, 2)),
    ],
)
def test_decorators_and_what_they_decorate_are_one_header(text: str, row: int, rows: tuple[int, int]) -> None:
    assert logical_lines(text, LineIndex.of(text)).header(row) == rows


@pytest.mark.parametrize("path", sorted((TOP / "fxlint").rglob("*.py")), ids=lambda path: str(path.relative_to(TOP)))
def test_logical_lines_are_those_of_tokenize(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = logical_lines(text, LineIndex.of(text))
    first = None
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        first = token.start[0] if first is None else first
        if token.type == tokenize.NEWLINE:
            assert lines.around(first) == (first, token.start[0])
            first = None
