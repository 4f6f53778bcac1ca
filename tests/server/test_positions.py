"""Places in the protocol's units, texts that moved, and the comment that silences."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls")

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from fxlint.base.span import Span
from fxlint.server.actions import silenced
from fxlint.server.positions import Encoding, Positions, line_edits, moved

TEXT = st.text(st.sampled_from("ab \n\r\u00e9\U0001f600\x0c\u2028"))
LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "d"])).map("".join)


@given(TEXT, st.sampled_from(list(Encoding)), st.data())
def test_there_and_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    positions = Positions.of(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    row = positions.index.place(offset)[0]
    if offset <= positions.end_of_row(row):  # between the two characters of a line end there is no position
        assert positions.offset(positions.position(offset)) == offset


def test_positions_behind_the_end() -> None:
    positions = Positions.of("ab\r\nc", Encoding.Utf16)
    assert positions.offset(types.Position(0, 99)) == 2
    assert positions.offset(types.Position(1, 99)) == positions.offset(types.Position(7, 0)) == 5


@given(LINES, LINES)
def test_edits_of_lines_make_the_new_text(old: str, new: str) -> None:
    text = old
    for span, content in reversed(line_edits(old, new)):
        text = text[: span.start] + content + text[span.end :]
    assert text == new
    assert old != new or line_edits(old, new) == ()


@given(LINES, LINES, st.data())
def test_what_moved_is_still_the_same_text(old: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    there = moved(old, new)(Span(start, end))
    if there is not None:
        assert new[there.start : there.end] == old[start:end]


def test_moved() -> None:
    move = moved("a\nbb\nc\n", "new\na\nbb!\nc\n")
    assert move(Span(0, 1)) == Span(4, 5)
    assert move(Span(2, 4)) is None  # its line was changed
    assert move(Span(0, 3)) is None  # one of its lines was changed
    assert move(Span(5, 6)) == Span(10, 11)


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("x = 1", "x = 1  # noqa: TFX101"),
        ("x = 1   ", "x = 1  # noqa: TFX101"),
        ("x = 1  # why", "x = 1  # why  # noqa: TFX101"),
        ("x = 1  # noqa: E501", "x = 1  # noqa: E501,TFX101"),
        ("x = 1  # noqa:E501, W1 (long)", "x = 1  # noqa:E501, W1,TFX101 (long)"),
    ],
)
def test_the_comment_that_silences(line: str, becomes: str) -> None:
    text = f"a\n{line}\r\nb"
    span, new = silenced(Positions.of(text, Encoding.Utf16), 2, "TFX101")
    assert text[: span.start] + new + text[span.end :] == f"a\n{becomes}\r\nb"
