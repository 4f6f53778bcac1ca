"""Draw docs/images/terminal.svg: what a terminal shows when the commands of ``SHOWN`` are really typed, in colour.

``python docs/picture.py`` writes it. Needs rich (which import-linter brings) and torch.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

PICTURE = Path(__file__).resolve().parent / "images" / "terminal.svg"
COLUMNS = 112
NET = """\
import torch
from torch import nn


class Flat(nn.Module):
    def forward(self, x):
        assert x.dim() > 1, "a batch is wanted"
        return x.reshape(len(x), -1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flat = Flat()
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.flat(x))


def inputs():
    return torch.rand(4, 2, 8)
"""
SHOWN = ("fxlint check net.py", "fxlint fix net.py", "fxlint trace net.py:Net")
# rich's own template fetches a font from the net; this one takes what the reader has.
_SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""


def typed(command: str, folder: Path) -> str:
    """What ``command`` prints in ``folder`` on a terminal, both streams, with escape codes."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FXLINT_") and name != "NO_COLOR"}
    done = subprocess.run(
        command.split(), cwd=folder, env={**kept, "PATH": path, "FORCE_COLOR": "1"}, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout.replace("+cpu", "")


def screen() -> list[str]:
    """The lines of the whole session."""
    with tempfile.TemporaryDirectory(prefix="fxlint-picture-") as folder:
        (Path(folder) / "net.py").write_text(NET, encoding="utf-8")
        parts = [f"\x1b[1;32m$\x1b[0m {command}\n{typed(command, Path(folder))}" for command in SHOWN]
    return "\n".join(parts).splitlines()


def drawn(lines: list[str]) -> str:
    """The picture of ``lines``."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(Text.from_ansi(line), soft_wrap=False, highlight=False)
    return console.export_svg(title="fxlint", code_format=_SVG, unique_id="fxlint")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(drawn(screen()), encoding="utf-8", newline="\n")
