"""Colours and the bar: on terminals, and as NO_COLOR and FORCE_COLOR say. Run on a real pseudo-terminal."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from fxlint.cli import progress
from tests.cli.conftest import FINE, NET, Call, write


def on_terminal(folder: Path, *words: str, **environment: str) -> str:
    """What ``fxlint`` writes to a terminal."""
    leader, follower = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "TERM")}
    command = [sys.executable, "-m", "fxlint", *words]
    whole = {**plain, "TERM": "xterm", **environment}
    with subprocess.Popen(command, cwd=folder, stdout=follower, stderr=follower, env=whole) as process:
        os.close(follower)
        said = b""
        while True:
            try:
                more = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            said += more
        process.wait()
    os.close(leader)
    return said.decode()


@pytest.mark.parametrize(
    ("environment", "words", "coloured"),
    [
        ({}, (), True),
        ({"NO_COLOR": "1"}, (), False),
        ({"NO_COLOR": ""}, (), True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, (), False),
        ({"TERM": "dumb"}, (), False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, (), True),
        ({}, ("--color", "never"), False),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({}, ("--output-format", "json"), False),
    ],
    ids=str,
)
def test_colours_on_a_terminal(folder: Path, environment: dict[str, str], words: tuple[str, ...], coloured: bool) -> None:
    write(folder / "net.py", NET)
    assert ("\x1b[31m" in on_terminal(folder, "check", "net.py", *words, **environment)) == coloured


def test_colours_elsewhere(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "net.py", NET)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in fxlint("check", "net.py").out
    assert "\x1b[31m" in fxlint("check", "net.py", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31m" in fxlint("check", "net.py").out
    assert "\x1b" not in fxlint("check", "net.py", "-o", "report.txt").out + (folder / "report.txt").read_text("utf-8")


def test_a_short_run_shows_no_bar(folder: Path) -> None:
    write(folder / "fine.py", FINE)
    assert on_terminal(folder, "check", "fine.py", NO_COLOR="1") == "nothing to report\r\n"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_long_run_draws_a_bar_and_wipes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.5, 1.5, 1.55, 2.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    stream = Terminal()
    with progress.bar(stream) as tell:
        tell(0, 40)  # too early
        tell(10, 40)
        tell(11, 40)  # too soon after the last
        tell(20, 40)
    drawn = stream.getvalue().split("\r\x1b[K")
    assert drawn == ["", f"tracing {'#' * 7}{'.' * 23} 10/40 roots", f"tracing {'#' * 15}{'.' * 15} 20/40 roots", ""]


def test_no_bar_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    with progress.bar(stream) as tell:
        tell(1, 2)
    assert stream.getvalue() == ""


def test_the_bar_hears_of_every_root(folder: Path, monkeypatch: pytest.MonkeyPatch, fxlint: Call) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(progress, "untold", lambda done, total: told.append((done, total)))
    write(folder / "net.py", NET + "\n\n" + NET.replace("Net", "Other"))
    fxlint("check", "net.py")
    assert told == [(0, 2), (1, 2)]
