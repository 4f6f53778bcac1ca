"""Notebooks as they are checked and repaired from the command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from fxlint.cli import main
from fxlint.config import OUTPUT_FORMATS

CLASS = ["class Net(nn.Module):\n", "    def forward(self, x):\n", "        return x.reshape(len(x), -1)  # §\n"]


def cell(*lines: str, kind: str = "code") -> dict[str, object]:
    rest = {"outputs": [{"output_type": "stream", "text": ["1\n"]}], "execution_count": 7} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {"tags": ["kept"]}, **rest, "source": list(lines)}


def write(path: Path, *cells: dict[str, object]) -> str:
    text = json.dumps({"cells": cells, "metadata": {"x": 1.50}, "nbformat": 4, "nbformat_minor": 5}, indent=2, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return text


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    first = cell("%matplotlib inline\n", "import torch\n", "from torch import nn\n", "from blocks import Block")
    write(tmp_path / "model.ipynb", cell("# A model\n", kind="markdown"), first, cell(*CLASS), cell("!ls\n", "Net(), Block()"))
    (tmp_path / "blocks.py").write_text(
        "from torch import nn\nclass Block(nn.Module):\n    def forward(self, x):\n        return x if x.sum() > 0 else -x\n", "utf-8"
    )
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main.run(["check", *words])
    return capsys.readouterr().out


def test_a_finding_is_placed_by_its_cell(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = check(capsys, "model.ipynb")
    assert out.startswith("model.ipynb:cell 3:3:26: TFX201 error: `len(x)` of a Proxy")
    assert "3 |         return x.reshape(len(x), -1)  # §\n" in out
    assert "cell 3:2: `x`" in out
    assert out.count("TFX") == 1  # what stands in blocks.py is told when that file is asked about
    assert check(capsys, ".", "--output-format", "concise").splitlines()[1:] == check(
        capsys, "model.ipynb", "--output-format", "concise"
    ).splitlines()


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_every_format_names_the_cell(name: str, shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = check(capsys, "model.ipynb", "--output-format", name)
    assert "cell 3:3:26" in out or "cell 3, row 3: `len(x)`" in out or json.loads(out if out[0] == "[" else f"[{out}]")[0]["cell"] == 3


def test_json_counts_rows_in_the_cell(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = json.loads(check(capsys, "model.ipynb", "--output-format", "json"))
    assert (finding["cell"], finding["location"], finding["noqa_row"]) == (3, {"row": 3, "column": 26}, 3)
    assert finding["fix"]["edits"][0]["location"] == {"cell": 3, "row": 3, "column": 26}
    assert finding["trace"][0]["location"] == {"cell": 3, "row": 2, "column": 23}


def test_a_repair_changes_one_line_of_the_file(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (shop / "model.ipynb").read_text("utf-8")
    assert main.run(["fix", "--diff", "model.ipynb"]) == 1
    assert "-        return x.reshape(len(x), -1)  # §\n+        return x.reshape(x.shape[0], -1)  # §\n" in capsys.readouterr().out
    assert main.run(["fix", "model.ipynb"]) == 0
    assert (shop / "model.ipynb").read_text("utf-8") == before.replace("len(x)", "x.shape[0]")


def test_an_import_goes_into_a_cell(shop: Path) -> None:
    body = '        assert x.dim() == 2, "m"\n', "        return x\n", "await something()"
    class_ = cell("import torch.nn as nn\n", "class Net(nn.Module):\n", "    def forward(self, x):\n", *body)
    write(shop / "other.ipynb", cell("# head", kind="markdown"), cell("%load_ext x"), class_)
    assert main.run(["fix", "other.ipynb"]) == 0
    cells = json.loads((shop / "other.ipynb").read_text("utf-8"))["cells"]
    assert cells[1]["source"] == ["%load_ext x"]
    assert cells[2]["source"][:2] == ["import torch.nn as nn\n", "import torch\n"]
    assert cells[2]["source"][4] == '        torch._assert(x.dim() == 2, "m")\n'


def test_comments_silence(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (shop / "model.ipynb").read_text("utf-8")
    (shop / "model.ipynb").write_text(text.replace("# §", "# noqa: TFX201"), encoding="utf-8")
    assert "TFX" not in check(capsys, "model.ipynb")


def test_a_cell_that_is_no_python(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(shop / "broken.ipynb", cell("x = 1"), cell("y = 1\n", "x = ("))
    out = check(capsys, "broken.ipynb", "--output-format", "concise")
    assert out.endswith(": TFX001 error: cell 2, row 2: '(' was never closed\n")


def test_standard_input(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    data = (shop / "model.ipynb").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    assert "unsaved.ipynb:cell 3:3:26: TFX201" in check(capsys, "-", "--stdin-filename", "unsaved.ipynb", "--output-format", "concise")


def test_checkpoints_are_left_out(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / ".ipynb_checkpoints").mkdir()
    (shop / "model.ipynb").rename(shop / ".ipynb_checkpoints" / "model.ipynb")
    assert ".ipynb" not in check(capsys, ".", "--output-format", "concise")


def test_explain_takes_a_cell(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["explain", "model.ipynb:3:3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("model.ipynb:cell 3:3:26: TFX201")
    assert "  x: " in out
    assert main.run(["explain", "model.ipynb:3:1"]) == 1
    assert capsys.readouterr().out.startswith("model.ipynb:3:1: nothing happens to a traced value here")
    for place, said in (("1:1", "the notebook has no code cell 1"), ("3:5", "cell 3 of the notebook has no row 5")):
        assert main.run(["explain", f"model.ipynb:{place}"]) == 2
        assert said in capsys.readouterr().err
