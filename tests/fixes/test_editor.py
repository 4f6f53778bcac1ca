"""Edits: what may be applied together, and that every byte outside of them stays."""

from __future__ import annotations

import pytest

from fxlint.api import FixKind, FixRequest
from fxlint.base.errors import ReadError
from fxlint.base.event import Event, EventKind, Facet, Site
from fxlint.base.finding import Edit, Fix, Safety
from fxlint.fixes import propose
from fxlint.fixes.editor import OverlapError, apply_edits, by_path, compatible, reparse
from fxlint.project.decode import decode
from fxlint.project.modules import Project


def edit(start, end, content, path="a.py"):
    return Edit(path, start, end, content)


def fix(*edits):
    return Fix("", Safety.SAFE, edits)


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ([], "abcdef"),
        ([edit(0, 1, "X")], "Xbcdef"),
        ([edit(4, 6, ""), edit(0, 1, "XY")], "XYbcd"),
        ([edit(2, 2, "1"), edit(2, 2, "2")], "ab12cdef"),
        ([edit(2, 2, "1"), edit(2, 2, "1")], "ab1cdef"),
        ([edit(0, 2, "1"), edit(2, 4, "2")], "12ef"),
        ([edit(6, 6, "!")], "abcdef!"),
        ([edit(2, 4, "X"), edit(2, 2, "1")], "ab1Xef"),
    ],
)
def test_edits_apply_wherever_they_stand(edits, wanted):
    assert apply_edits("abcdef", edits) == wanted


@pytest.mark.parametrize(
    "edits", [[edit(0, 3, "X"), edit(2, 4, "Y")], [edit(0, 3, "X"), edit(0, 3, "Y")], [edit(1, 3, "X"), edit(2, 2, "Y")]]
)
def test_overlapping_edits_are_refused(edits):
    with pytest.raises(OverlapError, match="two edits change"):
        apply_edits("abcdef", edits)


@pytest.mark.parametrize("wrong", [edit(5, 9, ""), edit(-1, 2, ""), edit(3, 2, "")])
def test_edits_outside_of_the_text_are_refused(wrong):
    with pytest.raises(OverlapError, match="outside the text"):
        apply_edits("abcdef", [wrong])


def test_of_clashing_fixes_the_first_is_taken_and_the_others_wait():
    first, clash, free = fix(edit(0, 3, "X")), fix(edit(2, 4, "Y"), edit(5, 6, "Z")), fix(edit(5, 6, "W"))
    assert compatible([first, clash, free]) == (first, free)


def test_fixes_that_share_an_import_go_together():
    shared = edit(0, 0, "import torch\n")
    fixes = [fix(shared, edit(2, 3, "X")), fix(shared, edit(4, 5, "Y"))]
    assert compatible(fixes) == tuple(fixes)
    assert apply_edits("abcdef", by_path(fixes)["a.py"]) == "import torch\nabXdYf"


def test_fixes_of_other_files_never_clash():
    fixes = [fix(edit(0, 3, "X")), fix(edit(0, 3, "Y", "b.py"))]
    assert compatible(fixes) == tuple(fixes)


def test_a_text_that_is_no_python_any_more_is_refused():
    with pytest.raises(ReadError, match=r"a\.py:2: the repair would not parse"):
        reparse("a.py", "x = 1\ny = (\n")


LATIN = "# -*- coding: latin-1 -*-\nimport torch\n\ndef f(x):\n    # caf\xe9\n    return x * len(x)  # \xfc\n"


@pytest.mark.parametrize(
    "data",
    [
        b"import torch\ndef f(x):\n    return x * len(x)\n",
        b"import torch\r\ndef f(x):\r\n    return x * len(x)\r\n",
        b"import torch\rdef f(x):\r    return x * len(x)\r",
        b"import torch\r\ndef f(x):\n    y = 1\r\n    return x * len(x)\n# end\r\n",
        b"import torch\ndef f(x):\n    return x * len(x)",
        b"\xef\xbb\xbfimport torch\ndef f(x):\n    return x * len(x)\n",
        b"import torch\ndef f(x):\n\tif 1:\n\t    return x * len(x)\t\n\n\n",
        b"import torch\n\x0c\ndef f(x):\n    return x * len(x)   # a\n",
        "import torch\ndef f(x):\n    s = 'жæ\U0001f600'; return x * len(x)\n".encode(),
        LATIN.encode("latin-1"),
        b"import torch\nclass A: x = 1; y = 2\ndef f(x): return x * len(x)\n",
        b"if 1:\n  import torch\n  def f(x):\n    return x * len(x)\n",
    ],
)
def test_every_byte_outside_of_the_edit_stays(data):
    source = decode("/p/a.py", data)
    start = source.text.index("len(x)")
    event = Event(EventKind.PROXY_LEN, "len", Site("/p/a.py", start, start + 6), facet=Facet.TENSOR)
    fix = propose(event, (FixRequest(FixKind.REWRITE, "len-to-shape"),), Project.of([("/p/a.py", source.text)]))
    assert fix is not None
    assert source.encode(apply_edits(source.text, fix.edits)) == data.replace(b"len(x)", b"x.shape[0]")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_inserted_lines_end_as_the_others_do(newline):
    text = "import torch\ndef f(x):\n    return x * int(x)\n".replace("\n", newline)
    start = text.index("int(x)")
    event = Event(EventKind.PROXY_NUMBER, "int", Site("/p/a.py", start, start + 6))
    fix = propose(event, (FixRequest(FixKind.HOIST),), Project.of([("/p/a.py", text)]))
    assert fix is not None
    wanted = "import torch\n@torch.fx.wrap\ndef _to_int(x):\n    return int(x)\n\n\ndef f(x):\n    return x * _to_int(x)\n"
    assert apply_edits(text, fix.edits) == wanted.replace("\n", newline)
