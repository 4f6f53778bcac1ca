"""A small project to check, and the command line called in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from fxlint.cli.main import run

NET = '''\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x
'''
FINE = NET.replace("        if x.sum() > 0:\n            return x\n", "")


@dataclass(frozen=True, slots=True)
class Said:
    """What a run of the command line answered."""

    code: int
    out: str
    err: str


Call = Callable[..., Said]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fxlint(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """``fxlint("check", "net.py")``, with ``stdin`` as bytes."""

    def call(*words: str, stdin: bytes = b"") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = run(words)
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return call


def write(path: Path, text: str) -> Path:
    """Write ``text`` as UTF-8, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path
