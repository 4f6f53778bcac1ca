"""Comments that silence: what they cover, which of them are idle, how they are written and taken away."""

from __future__ import annotations

import pytest

from fxlint.base.span import LineIndex
from fxlint.suppress import Form, Mark, Marks, logical_lines
from fxlint.suppress.add import with_noqa
from fxlint.suppress.unused import unused


def marks(text: str) -> tuple[Mark, ...]:
    index = LineIndex.of(text)
    return Marks.of(text, index, logical_lines(text, index)).marks


def silenced(text: str, code: str, row: int) -> bool:
    index = LineIndex.of(text)
    lines = logical_lines(text, index)
    return any(Marks.of(text, index, lines).covering(code, *lines.header(row)))


def test_marks_name_their_rows_and_codes() -> None:
    found = marks("a  # noqa\nb  # noqa: TFX101, E501\nc  # fxlint: ignore[tfx2]\nd  # noqa is a word\n")
    assert [(mark.form, mark.row, mark.codes) for mark in found] == [
        (Form.NOQA, 1, ()), (Form.NOQA, 2, ("TFX101", "E501")), (Form.IGNORE, 3, ("TFX2",)), (Form.NOQA, 4, ()),
    ]  # fmt: skip
    assert [mark.is_own for mark in found] == [False, False, True, False]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a  # noqa: TFX101 , E501 why\n", ["# noqa: TFX101 , E501"]),
        ("a  # noqa: TFX101, E501 why\n", ["# noqa: TFX101, E501"]),
        ("a  # fxlint: ignore[TFX1] since it is  # type: ignore\n", ["# fxlint: ignore[TFX1] since it is"]),
        ("a  # type: ignore # fxlint:ignore\r\nb", ["# fxlint:ignore"]),
        ("a = '# fxlint: ignore'\n", []),
        ("a = '# noqa'\n", ["# noqa"]),
        ("# fxlint: a word on fxlint: it ignores this\n", []),
        ("# fxlint: noqa\n# fxlint: ignored\n# fxlint: off[TFX1]\n", ["# fxlint: noqa", "# fxlint: ignored", "# fxlint: off[TFX1]"]),
        ("#fxlint:disable\n# FXLINT: Enable\n", ["#fxlint:disable", "# FXLINT: Enable"]),
        ("# flake8: noqa: TFX1\n", ["# flake8: noqa: TFX1"]),
    ],
)
def test_characters_of_marks(text: str, pieces: list[str]) -> None:
    assert [text[mark.start : mark.end] for mark in marks(text)] == pieces


def test_what_flake8_heeds_within_strings_is_not_taken_away() -> None:
    text = "a = '# noqa: TFX101'\nb  # noqa: TFX101\n# flake8: noqa: TFX2\n'''\n# flake8: noqa: TFX3\n'''\n"
    assert [mark.removable for mark in marks(text)] == [False, True, True, False]


BLOCKS = """\
a
# fxlint: disable[TFX1]
b
# fxlint: enable[TFX1]
c
class C:
    # fxlint: disable[TFX1] in this class
    d

    def e(self):
        f
# a comment at the margin ends nothing
    g
h
def i():
    j  # fxlint: disable
    k
    # fxlint: enable[TFX1]
    l
    # fxlint: enable
    m
"""


@pytest.mark.parametrize(
    ("name", "quiet"),
    [
        ("a", False), ("b", True), ("c", False), ("d", True), ("f", True), ("g", True), ("h", False), ("j", True), ("k", True),
        ("l", True), ("m", False),
    ],
)
def test_disable_holds_to_its_enable_or_to_the_end_of_its_block(name: str, quiet: bool) -> None:
    row = next(row for row, line in enumerate(BLOCKS.splitlines(), 1) if line.split("#")[0].strip() == name)
    assert silenced(BLOCKS, "TFX101", row) == quiet


def test_disable_of_other_codes_goes_on() -> None:
    text = "# fxlint: disable[TFX1]\n# fxlint: disable[TFX2]\n# fxlint: enable[TFX2]\na\n"
    assert (silenced(text, "TFX101", 4), silenced(text, "TFX201", 4)) == (True, False)


def test_disable_within_brackets_counts_from_its_statement() -> None:
    text = "def f():\n    g(\n# fxlint: disable\n  1)\n    h\ni\n"
    assert [silenced(text, "TFX101", row) for row in (2, 5, 6)] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "findings", "after"),
    [
        ("x = f(1)\n", [(0, "TFX101")], "x = f(1)  # noqa: TFX101\n"),
        ("x = f(\r\n  1)\r\ny\r\n", [(4, "TFX201"), (0, "TFX101")], "x = f(\r\n  1)  # noqa: TFX101,TFX201\r\ny\r\n"),
        ("x  # why  \n", [(0, "TFX101")], "x  # why  # noqa: TFX101\n"),
        ("x  # noqa: E501\n", [(0, "TFX101")], "x  # noqa: E501,TFX101\n"),
        ("x  # noqa: E501, F401 why\n", [(0, "TFX101")], "x  # noqa: E501, F401,TFX101 why\n"),
        ("x  # noqa:TFX101\n", [(0, "TFX101"), (0, "TFX201")], "x  # noqa:TFX101,TFX201\n"),
        ("x", [(0, "TFX101")], "x  # noqa: TFX101"),
        ("x = '''\na''' + f()\n", [(13, "TFX101")], "x = '''\na''' + f()  # noqa: TFX101\n"),
        ("x = f('# noqa: E501')\n", [(0, "TFX101")], "x = f('# noqa: E501')  # noqa: TFX101\n"),
        ("x; y\r", [(0, "TFX101"), (3, "TFX101")], "x; y  # noqa: TFX101\r"),
    ],
)
def test_comments_are_written_at_the_end_of_the_statement(text: str, findings: list[tuple[int, str]], after: str) -> None:
    assert with_noqa(text, findings) == after


CODES = ("TFX001", "TFX003", "TFX101", "TFX102", "TFX201")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x  # noqa: TFX101\n", "x\n"),
        ("x  # noqa: TFX101,E501\n", "x  # noqa: E501\n"),
        ("x  # noqa: E501,TFX101 F401 why\n", "x  # noqa: E501,F401 why\n"),
        ("x  # noqa: TFX101 since it is\n", "x  # since it is\n"),
        ("x  # noqa: TFX101  # type: ignore\n", "x  # type: ignore\n"),
        ("x  # type: ignore # noqa: TFX101\n", "x  # type: ignore\n"),
        ("x  # fxlint: ignore[TFX101, TFX2] why\r\ny\r\n", "x\r\ny\r\n"),
        ("x\n    # fxlint: disable\ny\n", "x\ny\n"),
        ("# fxlint: ignore-file", ""),
        ("# flake8: noqa: TFX1\nx\n", "x\n"),
        ("# flake8: noqa: E5,TFX1\nx\n", "# flake8: noqa: E5\nx\n"),
    ],
)
def test_what_is_left_when_a_comment_is_taken_away(text: str, after: str) -> None:
    index = LineIndex.of(text)
    (one,) = unused(text, Marks.of(text, index, logical_lines(text, index)), frozenset(), CODES, lambda _: True)
    assert one.edit is not None
    start, end, content = one.edit
    assert text[:start] + content + text[end:] == after


@pytest.mark.parametrize(
    "text",
    [
        "x  # noqa\n", "x  # noqa: E501\n", "# flake8: noqa\n", "x = '# noqa: TFX101'\n", "x  # fxlint: enable\n", "x  # noqa: TFX003\n",
        "x  # noqa: TFX001\n",
    ],
)
def test_of_some_comments_nothing_can_be_said(text: str) -> None:
    index = LineIndex.of(text)
    assert list(unused(text, Marks.of(text, index, logical_lines(text, index)), frozenset(), CODES, lambda _: True)) == []
