"""Repairs shown as lines: what a diff of the whole text would show, at the cost of the lines touched."""

from __future__ import annotations

import difflib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxlint.base.finding import Edit, Fix, Safety
from fxlint.fixes.editor import apply_edits
from fxlint.report.change import diff
from fxlint.report.colours import PLAIN


def shown(text: str, *edits: tuple[int, int, str]) -> list[str]:
    return diff(Fix("f", Safety.SAFE, tuple(Edit("a.py", *edit) for edit in edits)), {"a.py": text}, "", PLAIN)


@pytest.mark.parametrize(
    ("text", "edits", "lines"),
    [
        ("a\nb\nc\n", [(2, 3, "x")], ["- b", "+ x"]),
        ("a\nb\nc\n", [(0, 0, "new\n")], ["+ new"]),
        ("a\nb\nc\n", [(2, 4, "")], ["- b"]),
        ("a\r\nb\r\nc\r\n", [(3, 4, "x\r\ny")], ["- b", "+ x", "+ y"]),
        ("a\nb", [(3, 3, "c")], ["- b", "+ bc"]),
        ("a b\nc\n", [(2, 3, "z"), (0, 1, "y")], ["- a b", "+ y z"]),
        ("a\nb\nc\nd\n", [(0, 1, "x"), (6, 7, "y")], ["- a", "+ x", "- d", "+ y"]),
        ("--a\n", [(2, 3, "b")], ["- --a", "+ --b"]),
        ("a\nb\n", [(1, 2, ""), ], ["- a", "- b", "+ ab"]),
        ("a\nb\nc\n", [(0, 1, "a")], []),
    ],
)
def test_lines(text: str, edits: list[tuple[int, int, str]], lines: list[str]) -> None:
    assert shown(text, *edits) == lines


def test_files_are_named_where_there_are_several() -> None:
    fix = Fix("f", Safety.SAFE, (Edit("/x/b.py", 0, 1, "z"), Edit("/x/a.py", 0, 0, "import z\n")))
    assert diff(fix, {"/x/b.py": "q\n", "/x/a.py": "y\n"}, "/x", PLAIN) == ["a.py:", "+ import z", "b.py:", "- q", "+ z"]
    assert diff(fix, {"/x/b.py": "q\n"}, "/x", PLAIN) == ["a.py:", "+ import z", "b.py:", "- q", "+ z"]


@given(st.lists(st.sampled_from(["a", "b", "", "--x"]), min_size=1, max_size=8), st.data())
def test_what_is_shown_makes_the_new_text_of_the_old(lines: list[str], data: st.DataObject) -> None:
    """Taking the removed lines out of the old text and putting the added ones in gives as many lines as the new text has."""
    text = "\n".join(lines) + "\n"
    bounds = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True)))
    edit = (bounds[0], bounds[1], data.draw(st.sampled_from(["", "z", "z\n", "\n"])))
    new = apply_edits(text, [Edit("a.py", *edit)])
    said = shown(text, edit)
    removed = [line[2:] for line in said if line.startswith("-")]
    added = [line[2:] for line in said if line.startswith("+")]
    assert len(text.split("\n")) - len(removed) + len(added) == len(new.split("\n"))
    whole = list(difflib.unified_diff(text.split("\n"), new.split("\n"), n=0, lineterm=""))[2:]
    assert (said == []) == (not [line for line in whole if not re.match("@@", line)])
