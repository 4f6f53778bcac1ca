"""``assert_traceable`` on models that this very test module defines, under the name that pytest gives it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from fxlint.base.errors import FxlintError
from fxlint.cli import main
from fxlint.testing import assert_traceable


class Scale(nn.Module):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: torch.Tensor, shift: float = 0.0) -> torch.Tensor:
        return x * self.factor + shift


class Rows(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.reshape(len(x), -1)


class Typed(nn.Module):
    """Traces, and the graph takes the other arm: a Proxy is no Tensor."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if isinstance(x, torch.Tensor) else x


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x if x.sum() > 0 else -x


class Unpicklable(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.function = lambda x: x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


def build() -> nn.Module:
    return nn.Sequential(Inner(), Scale(2.0))


def test_a_built_model_with_named_arguments() -> None:
    assert_traceable(Scale(3.0), ((torch.ones(2),), {"shift": torch.ones(2)}), inputs2=((torch.ones(5),), {"shift": torch.ones(5)}))


def test_a_break_has_the_report_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AssertionError) as failed:
        assert_traceable(Rows(), torch.ones(2, 3))
    said = str(failed.value).splitlines()
    (tmp_path / "rows.py").write_text(Path(__file__).read_text("utf-8"), encoding="utf-8")
    same = "import torch\nfrom rows import Rows\ndef make():\n    return Rows()\ndef inputs():\n    return torch.ones(2, 3)\n"
    (tmp_path / "same.py").write_text(same, encoding="utf-8")
    assert main.run(["trace", "--isolated", str(tmp_path / "same.py")]) == 1
    typed = capsys.readouterr().out.splitlines()
    assert "RuntimeError: 'len' is not supported in symbolic tracing by default" in said[1]
    assert [after_name(line, "test_testing.py") for line in said[1:]] == [after_name(line, "rows.py") for line in typed[1:]]
    assert any("TFX201: len() of a Proxy" in line for line in said)
    assert any(line.startswith("repaired   verified: ") for line in said)


def after_name(line: str, name: str) -> str:
    """The line without what stands before the name of a file: the folders differ."""
    return line.rpartition(name)[2]


def test_a_silent_difference_fails() -> None:
    with pytest.raises(AssertionError, match="as it is   refuted: "):
        assert_traceable(Typed, torch.ones(2, 3))


def test_a_function_that_builds_the_model_and_a_leaf() -> None:
    with pytest.raises(AssertionError, match="symbolically traced variables cannot be used as inputs to control flow"):
        assert_traceable(build, torch.ones(3))
    assert_traceable(build, torch.ones(3), leaf=["Inner"])


def test_what_cannot_be_judged_is_no_failure_of_the_model() -> None:
    class Local(nn.Module):
        pass

    with pytest.raises(FxlintError, match="Local cannot be imported by another process: define it at the top level of a file"):
        assert_traceable(Local)
    with pytest.raises(FxlintError, match=r"the model cannot be handed to a process of its own: .*or give a function that builds it"):
        assert_traceable(Unpicklable(), torch.ones(2))
    with pytest.raises(FxlintError, match="inputs2 goes with inputs"):
        assert_traceable(Rows(), inputs2=torch.ones(2))
    with pytest.raises(FxlintError, match=r"there is no module nowhere\.at\.all"):
        assert_traceable("nowhere.at.all:make")
    with pytest.raises(FxlintError, match="running the model in eager mode failed"):
        assert_traceable(Rows(), "text")
