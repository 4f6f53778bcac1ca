"""Notebooks as Python text and back: what becomes a comment, what stays, and that nothing but edited lines changes in the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxlint.base.errors import ReadError
from fxlint.project import jsontext
from fxlint.project.decode import decode
from fxlint.project.jsontext import Span
from fxlint.project.notebook import cell_of, cell_text, parse

Source = str | list[str]


def notebook(*sources: Source, metadata: object = None, **rest: object) -> str:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [{"text": ["§ é\n"]}], "source": source} for source in sources]
    document = {"cells": cells, "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": 5, **rest}
    return json.dumps(document, indent=1, ensure_ascii=False)


def hidden(source: str) -> list[str]:
    return parse(notebook(source)).python().splitlines()[1:]


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("%matplotlib inline", "pass  # IPython: %matplotlib inline"),
        ("!ls -l 'it", "pass  # IPython: !ls -l 'it"),
        ("?torch", "pass  # IPython: ?torch"),
        ("torch.relu??", "pass  # IPython: torch.relu??"),
        ("names = !ls", "names = None  # IPython: names = !ls"),
        ("found = %who_ls", "found = None  # IPython: found = %who_ls"),
        ("if True:\n    %time f()", "if True:\n    pass  # IPython:     %time f()"),
        ("!ls \\\n  -l\nx = 1", "pass  # IPython: !ls \\\npass  # IPython:   -l\nx = 1"),
    ],
)
def test_what_is_ipythons_becomes_a_comment(line: str, becomes: str) -> None:
    assert "\n".join(hidden(line)) == becomes


@pytest.mark.parametrize(
    "source",
    [
        "a = 7\nb = (a\n% 3)",
        "text = '''\n%magic\n!ls\n'''",
        'text = """a\n?"""',
        "a = b = 1\nc = a \\\n% b",
        "x = 1 != 2",
        "y = f'{1}' \"'\"",
        "await_me = 1  # is it?",
        "await something()",
        "async with a as b:\n    pass",
        "",
        "\n\n",
    ],
)
def test_python_stays(source: str) -> None:
    assert parse(notebook(source)).python() == f"# %% [1]\n{source}\n"


@pytest.mark.parametrize("magic", ["%%bash\nif [ 1 ]; then", "\n%%html\n<p>", "%%writefile a.py\nimport torch", "%%javascript\nlet a = 1"])
def test_a_cell_of_another_language_is_all_comment(magic: str) -> None:
    assert all(line.startswith("# IPython: ") for line in hidden(magic))


@pytest.mark.parametrize("magic", ["time", "timeit", "capture out", "prun"])
def test_a_cell_that_is_timed_is_python(magic: str) -> None:
    assert hidden(f"%%{magic}\nx = 1\n%who") == [f"# IPython: %%{magic}", "x = 1", "pass  # IPython: %who"]


def test_other_cells_and_other_languages_are_left_out() -> None:
    raw = json.dumps({"nbformat": 4, "cells": [
        {"cell_type": "markdown", "source": "x = ("}, {"cell_type": "raw", "source": []}, {"cell_type": "code", "source": ["x = 1"]},
    ]})  # fmt: skip
    assert parse(raw).python() == "# %% [3]\nx = 1\n"
    for metadata in ({"language_info": {"name": "R"}}, {"kernelspec": {"language": "julia"}}):
        assert parse(notebook("x <- (", metadata=metadata)).python() == ""
    for metadata in ({"language_info": {"name": "python"}}, {"kernelspec": {"language": "Python"}}, {"kernelspec": {}}):
        assert parse(notebook("x = 1", metadata=metadata)).python() == "# %% [1]\nx = 1\n"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("{", "not a notebook: Expecting"),
        ("[]", "not a notebook: it has no list of cells"),
        ('{"nbformat": 4}', "not a notebook: it has no list of cells"),
        ('{"nbformat": 4, "cells": [1]}', "not a notebook: it has no list of cells with types and sources"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}', "not a notebook: it has no list of cells with types"),
        ('{"nbformat": 3, "worksheets": []}', "a notebook of the old format 3: convert it with"),
        (notebook("x = 1", "y = 1\nx = ("), "cell 2, row 2: '(' was never closed"),
    ],
)
def test_what_cannot_be_read_is_told(raw: str, said: str) -> None:
    with pytest.raises(ReadError, match=said.replace("(", r"\(")):
        parse(raw)


def test_a_broken_cell_is_placed_in_the_file() -> None:
    with pytest.raises(ReadError) as told:
        parse(notebook("x = 1", "x = ("))
    assert '"x = ("' in notebook("x = 1", "x = (").splitlines()[told.value.row - 1]


def test_only_changed_lines_are_written() -> None:
    raw = notebook(["import torch\n", "x = '\u00e9'\n", "%who\n", "y = 1"], "z = 1\n%who", ["w"])
    raw = raw.replace('"y = 1"', '"y \\u003d 1"').replace("\n", "\r\n")
    changed = parse(raw).with_python(parse(raw).python().replace("import torch", "import torch\nimport math"))
    assert changed == raw.replace('    "import torch\\n",\r\n', '    "import torch\\n",\r\n    "import math\\n",\r\n')
    one_string = parse(raw).with_python(parse(raw).python().replace("z = 1", "z = 2"))
    assert one_string == raw.replace("z = 1", "z = 2")
    only_line = parse(raw).with_python(parse(raw).python().replace("w\n", "w\nv\n"))
    assert json.loads(only_line)["cells"][2]["source"] == ["w\n", "v"]


def test_escapes_are_kept_where_the_file_has_them() -> None:
    raw = json.dumps(json.loads(notebook(["x = '\u00e9'\n", "y"])), indent=1)
    assert json.dumps("x = '\u00e9'  # \u00e8\n") in parse(raw).with_python(parse(raw).python().replace("'\n", "'  # \u00e8\n"))


def test_what_is_put_on_top_belongs_to_the_first_cell() -> None:
    raw = notebook("x", "y")
    cells = json.loads(parse(raw).with_python("import torch\n" + parse(raw).python()))["cells"]
    assert [cell["source"] for cell in cells] == ["import torch\nx", "y"]


def test_a_lost_mark_is_an_error() -> None:
    raw = notebook("x", "y")
    with pytest.raises(ReadError, match="the marks between the cells of the notebook were changed"):
        parse(raw).with_python(parse(raw).python().replace("# %% [2]\n", ""))


def test_lines_that_look_like_fxlints_own() -> None:
    raw = notebook("# %% [2]\nx = 1", "y = 1")
    assert parse(raw).with_python(parse(raw).python().replace("x = 1", "x = 2")) == raw.replace("x = 1", "x = 2")
    taken = notebook("# IPython: x", "y = 1")
    with pytest.raises(ReadError, match="cell 1 holds a line that begins with '# IPython: '"):
        parse(taken).with_python(parse(taken).python() + "z\n")


def test_rows_of_cells() -> None:
    text = parse(notebook("a\nb", "", "c")).python()
    assert [cell_of(text, row) for row in range(1, 9)] == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    assert cell_of("import torch\n" + text, 1) == (0, 1)
    assert [cell_text(text, number) for number in (1, 2, 3, 4)] == ["a\nb\n", "\n", "c\n", ""]


def test_decode_and_encode(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + notebook("x = 1").encode()
    source = decode("n.ipynb", data)
    assert source.text == "# %% [1]\nx = 1\n"
    assert source.encode(source.text) == data
    assert source.encode(source.text.replace("1\n", "2\n")) == data.replace(b"x = 1", b"x = 2")


LINE = st.sampled_from(["x = 1", "%who", "    ", "", "f?", "n = !ls", "'''", "'''!x'''", "# %% [1]", "(", ")", "!a \\", "#'''"])


@given(st.lists(st.lists(LINE, max_size=5), min_size=1, max_size=4), st.booleans())
def test_a_notebook_survives_the_way(cells: list[list[str]], as_lists: bool) -> None:
    sources = ["\n".join(lines) for lines in cells]
    raw = notebook(*([text.splitlines(keepends=True) for text in sources] if as_lists else sources))
    try:
        parsed = parse(raw)
    except ReadError:
        return
    text = parsed.python()
    assert parsed.with_python(text) == raw
    assert text.count("\n") == sum(source.count("\n") + 2 for source in sources)
    edited = json.loads(parsed.with_python(text + "last = 1\n"))["cells"]
    assert ["".join(cell["source"]) for cell in edited] == [*sources[:-1], sources[-1] + "\nlast = 1"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_places_of_json_values(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    def same(part: object, span: Span) -> None:
        assert json.loads(jsontext.text_of(text, span)) == part
        if isinstance(part, dict):
            found = jsontext.members(text, span)
            assert list(found) == list(part)
            for key in part:
                same(part[key], found[key])
        elif isinstance(part, list):
            for item, place in zip(part, jsontext.items(text, span), strict=True):
                same(item, place)

    same(value, Span(0, len(text)))
