"""Random models, with odd bytes between their statements: `fix` keeps those bytes, gives text that parses, and is done after one run.

FXLINT_PROGRAMS=1000 looks at a thousand; 40 is what a test run can wait for.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fxlint.cli.main import run

STATEMENTS = (
    "x = x[:, : int(h / 2)]", "x = x * len(x)", "n = int(x.shape[1] * 0.7); x = x + n", "assert h == 4, f'{h} is odd'",
    "x = x.view(*x.shape)", "x = x * float(h)",
    "if x.sum() > 0:{end}    x = -x  # turned", "y = x * 2 if x.sum() > h else x", "x = np.abs(x)", "x[0] = 1.0",
    "x = nn.ReLU()(x)", "x = x + torch.zeros(h, w)", "for row in x:{end}    x = x + row", "if 1 < h < 9:{end}    x = x + 1",
    "x = helper(x)", "x = (x +{end}     len(x))", "with torch.no_grad():{end}    z = x.mean(){end}x = x - z", "x = self.layer(x)",
    "size = [d for d in x.shape]", "x = x * self.scale", "x = x.relu()",
)  # fmt: skip
NOISE = (
    "# plain", "#  trailing blanks   ", "#\ttab", "# Größe, 大小, 🙂", "", "# fxlint, noqa-like text: # noq",
    "x = x  ;  x = x", "_ = '''a\\tb'''", "#" * 150,
)  # fmt: skip
HEAD = """\
import numpy as np
import torch
from torch import nn


def helper(x):
    return x / 2 if x.norm() > 1 else x


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 6)
        self.scale = 2.0

    def forward(self, x):
        h, w = x.shape
"""


@given(
    body=st.lists(st.tuples(st.sampled_from(STATEMENTS), st.sampled_from(NOISE)), min_size=1, max_size=6),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    last=st.sampled_from(["", "\n", "\n\n\n", "\n# the end"]),
    is_unsafe=st.booleans(),
)
@settings(max_examples=int(os.environ.get("FXLINT_PROGRAMS", "40")), deadline=None, suppress_health_check=list(HealthCheck))
def test_odd_bytes_stay_and_one_run_is_enough(
    body: list[tuple[str, str]], end: str, mark: bytes, last: str, is_unsafe: bool
) -> None:
    lines = [line for statement, noise in body for line in (*statement.replace("{end}", "\n").split("\n"), noise)]
    written = HEAD + "".join(f"        {line}\n" if line else "\n" for line in lines) + "        return x"
    before = mark + (written + last).replace("\n", end).encode()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.py"
        path.write_bytes(before)
        command = ["fix", str(path), "--isolated", "--no-cache", *(["--unsafe-fixes"] if is_unsafe else [])]
        assert run(command) in {0, 1}
        after = path.read_bytes()
        ast.parse(after.decode("utf-8-sig"))
        assert after.startswith(mark)
        assert after.endswith(("return x" + last).replace("\n", end).encode())
        assert (b"\r\n" in after) is (end == "\r\n")
        assert after.replace(b"\r\n", b"").count(b"\n" if end == "\r\n" else b"\r") == 0
        rest = after
        for _, noise in body:
            line = f"        {noise}{end}".encode() if noise else end.encode()
            assert line in rest
            rest = rest.partition(line)[2]
        assert run(command) in {0, 1}
        assert path.read_bytes() == after
        assert sorted(os.listdir(folder)) == ["model.py"]
