"""The trace with real values: it meets every break on the path, in order, each at its line, and none where plain tracing meets none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HEAD = "import torch, math\nimport numpy as np\nfrom torch import nn, fx\nimport torch.nn.functional as F\n"
FIRST_ROW = HEAD.count("\n") + 2


def run(tmp_path: Path, body: str, extra: str = "") -> tuple[str, list[tuple[int, str]], str]:
    """How far the trace came, the incidents as (row of the body, kind), and what plain tracing raises ("" when it does not)."""
    import torch
    from torch import fx

    from fxlint.verify.concolic import investigate
    from fxlint.verify.load import import_file

    file = tmp_path / f"concolic_{abs(hash((body, extra)))}.py"
    file.write_text(HEAD + "def f(x):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + extra)
    before = list(sys.path)
    try:
        function = import_file(file, {}).f
    finally:
        sys.path[:] = before
    torch.manual_seed(0)
    found = investigate(function, ((torch.rand(4, 6),), {}), (), {})
    sys.modules.pop(file.stem, None)
    try:
        fx.symbolic_trace(function)
        plain = ""
    except Exception as error:  # noqa: BLE001 (tracing may raise anything)
        plain = str(error)
    rows = [(incident.place.row - FIRST_ROW + 1 if incident.place else 0, incident.kind.value) for incident in found.incidents]
    return found.outcome, rows, plain


BREAKS = [
    ("if x.sum() > 0:\n    x = x + 1\nreturn x", [(1, "bool")]),
    ("assert x.shape[0] > 1\nn = len(x)\nreturn x * n", [(1, "bool"), (2, "len")]),
    ("for row in x:\n    pass\nreturn x + int(x.shape[0] / 2)", [(1, "iter"), (3, "int")]),
    ("y = float(x.shape[0])\nz = range(x.shape[1])\nreturn x * y + z[1]", [(1, "float"), (2, "index")]),
    ("y = x.clone()\ny[0] = 1\nreturn y if 3 in x.shape else x", [(2, "setitem"), (3, "contains")]),
    ("y = torch.zeros(x.shape[0], 6)\nreturn x + y", [(1, "torch argument")]),
    ("y = torch.ones(9, 6)[: x.shape[0]]\nreturn x + y", [(1, "torch argument")]),
    ("x = np.sqrt(x)\nreturn x.reshape(*x.shape)", [(1, "array"), (2, "iter")]),
    ("text = f'{x.shape[0]:d}'\nreturn x * len(text)", [(1, "format")]),
    ("y = round(x.shape[0])\nreturn x * y", [(1, "round")]),
    ("def g(**k):\n    return k\nreturn g(**x.view(4, 6).split(2)[0].new_zeros(1))", [(3, "raised")]),
    ("y = torch.finfo(x.dtype).max\nreturn x * 0 + y", [(1, "torch argument")]),
    ("y = x.max(0)\nfor part in reversed(y):\n    x = x + part\nreturn x", [(2, "reversed")]),
    ("a = sorted(x.shape)\nreturn x + a[0]", [(1, "iter"), (1, "bool")]),
]


@pytest.mark.parametrize(("body", "wanted"), BREAKS)
def test_every_break_is_met_at_its_line(tmp_path: Path, body: str, wanted: list[tuple[int, str]]) -> None:
    outcome, found, plain = run(tmp_path, body)
    assert found == wanted
    assert plain != ""
    assert outcome == "ran to the end" or wanted[-1][1] == "raised"


FINE = [
    "a, b = x.shape\nreturn x.reshape(b, a)",
    "return x * math.sqrt(x.shape[0])",
    "return torch.cat([x, x], dim=0).reshape(-1, x.shape[1])",
    "y = torch.zeros((x.shape[0], 6))\nreturn x + y",
    "return F.softmax(x, dim=-1).view(x.size(0), -1)",
    "return x[:, None, : x.shape[1] // 2]",
    "return torch.arange(6)[x.long()]",
    "print(f'{x}')\nreturn x",
    "return {x.shape[0]: 1} and x",
    "return x.new_zeros(x.shape) + torch.full_like(x, 2.0)",
    "if x is not None:\n    x = x + 1\nreturn x",
]


@pytest.mark.parametrize("body", FINE)
def test_what_traces_meets_nothing(tmp_path: Path, body: str) -> None:
    outcome, found, plain = run(tmp_path, body)
    assert (outcome, found, plain) == ("ran to the end", [], "")


def test_isinstance_is_silent_and_noted(tmp_path: Path) -> None:
    _, found, plain = run(tmp_path, "if isinstance(x, torch.Tensor):\n    x = x + 1\nif torch.is_tensor(x):\n    x = x + 1\nreturn x")
    assert (found, plain) == ([(1, "isinstance"), (3, "isinstance")], "")


def test_breaks_in_helpers_and_torch_are_put_at_the_users_line(tmp_path: Path) -> None:
    body = "x = g(x)\nreturn F.grid_sample(x[None, None], x.reshape(*x.shape)[None, :, :2, None].expand(1, 4, 2, 2))"
    _, found, _ = run(tmp_path, body, extra="def g(x):\n    return x * len(x)\n")
    assert found[0] == (4, "len")
    assert found[1] == (2, "iter")


def test_a_repeated_break_counts_as_one(tmp_path: Path) -> None:
    _, found, _ = run(tmp_path, "for i in range(3):\n    x = x * len(x)\nreturn x")
    assert found == [(2, "len")]


def test_torch_is_left_as_it_was(tmp_path: Path) -> None:
    import torch

    names = ("zeros", "cat", "is_tensor", "finfo")
    before = [getattr(torch, name) for name in names] + [torch.Tensor.__getitem__, torch.Tensor.__dict__.get("view")]
    run(tmp_path, "return x.nothing_such_method(3)")
    assert [getattr(torch, name) for name in names] + [torch.Tensor.__getitem__, torch.Tensor.__dict__.get("view")] == before
