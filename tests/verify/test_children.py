"""The child process: whatever the user's code does, one clear verdict comes back, and nothing is left running.

Most cases need a child each, and each child imports torch: they are started side by side, once, and looked at one by one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fxlint.verify.outcome import Judged, Verdict, judge
from fxlint.verify.protocol import Limits, Overlay, Request
from fxlint.verify.runner import Death, Died, Reported, run

MODEL = """
import os, sys, time
import torch
from torch import nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        {init}
    def forward(self, x):
        {forward}
        return x + 1
def inputs():
    return (torch.ones(2, 3),)
{end}
"""


def source(init: str = "pass", forward: str = "pass", end: str = "") -> str:
    return MODEL.format(init=init, forward=forward, end=end)


SHORT = Limits(seconds=12.0, memory=8192)
SPOOF = """
import json
body = dict(torch_version="9", model="forged", mode="", has_inputs=True, failure=None, plain_failure=None, defaults=[], graph=None,
            steps=[dict(name="same output", status="passed", detail="")], concolic="", incidents=[], executed=[], notes=[])
text = json.dumps(dict(kind="WorkerReport", body=body)).encode()
frame = b"FXLINT " + b"0" * 32 + b" %d\\n" % len(text) + text
print(frame.decode())
for descriptor in range(3, 256):
    try:
        os.write(descriptor, frame)
    except OSError:
        pass
"""
# name: (what the file holds, limits)
CASES: Mapping[str, tuple[str, Limits]] = {
    "good": (source(), SHORT),
    "spoof": (source("assert 0, 'real'") + SPOOF, SHORT),
    "import": ("import torch\nimport nothing_of_that_name\n", SHORT),
    "syntax": ("import torch\nclass M(\n", SHORT),
    "constructor": (source("raise ValueError('no such size')"), SHORT),
    "leaves": (source("sys.exit(3)"), SHORT),
    "exits": (source(forward="os._exit(5)"), SHORT),
    "killed": (source("os.kill(os.getpid(), 9)"), SHORT),
    "crashes": (source(forward="import ctypes; ctypes.string_at(0)"), SHORT),
    "hangs": (source(forward="time.sleep(600)"), Limits(seconds=6.0)),
    "grandchild": (source("import subprocess; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"), SHORT),
    "memory": (source("self.a = torch.zeros(2**32)"), Limits(seconds=12.0, memory=6000)),
    "floods": (source("\n        while True: print('x' * 10000)"), Limits(seconds=12.0, output=2 * 1024 * 1024)),
    "noisy": (source(forward="print('y' * 300_000)"), SHORT),
    "no inputs": (source().replace("def inputs", "def other"), SHORT),
}


def start(folder: Path, name: str, overlay: str | None = None, python: str = sys.executable) -> Reported | Died:
    text, limits = CASES[name]
    place = folder / name.replace(" ", "_")
    (place / "tmp").mkdir(parents=True)
    file = place / f"child_{place.name}.py"
    file.write_text(text)
    overlays = () if overlay is None else (Overlay(str(file.resolve()), overlay),)
    attribute = "M"
    return run(Request(str(file.resolve()), True, attribute, overlays=overlays, limits=limits), place / "tmp", python)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Reported | Died]]:
    folder = tmp_path_factory.mktemp("children")
    with ThreadPoolExecutor(max_workers=2) as pool:
        waiting = {name: pool.submit(start, folder, name) for name in CASES}
        yield {name: future.result() for name, future in waiting.items()}


def judged(outcomes: Mapping[str, Reported | Died], name: str) -> Judged:
    return judge(outcomes[name])


def test_a_good_model_is_verified(outcomes: Mapping[str, Reported | Died]) -> None:
    assert judged(outcomes, "good").verdict is Verdict.VERIFIED


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("import", ("importing the target failed", "child_import.py:2", "ModuleNotFoundError: No module named 'nothing_of_that_name'")),
        ("syntax", ("importing the target failed", "child_syntax.py:2", "SyntaxError")),
        ("constructor", ("building the model failed", "child_constructor.py:8", "ValueError: no such size")),
        ("leaves", ("building the model failed", "SystemExit: 3")),
        ("exits", ("ended itself with exit status 5", "while the model ran in eager mode")),
        ("killed", ("killed by SIGKILL", "while the model was being built")),
        ("crashes", ("killed by SIGSEGV", "while the model ran in eager mode")),
        ("hangs", ("stopped after 6 s", "while the model ran in eager mode", "--timeout")),
        ("memory", ("building the model failed", "can't allocate memory", "--memory")),
        ("floods", ("printed more than 2 MiB", "while the model was being built")),
    ],
)
def test_bad_behaviour_ends_in_one_clear_line(outcomes: Mapping[str, Reported | Died], name: str, parts: tuple[str, ...]) -> None:
    verdict = judged(outcomes, name)
    assert verdict.verdict is Verdict.UNUSABLE
    assert "\n" not in verdict.line
    for part in parts:
        assert part in verdict.line


def test_printed_frames_and_foreign_bytes_change_nothing(outcomes: Mapping[str, Reported | Died]) -> None:
    outcome = outcomes["spoof"]
    assert isinstance(outcome, Reported)
    assert outcome.report.model == ""
    assert outcome.foreign > 0
    assert "AssertionError: real" in judged(outcomes, "spoof").line
    assert any("were ignored" in note for note in judged(outcomes, "spoof").notes)


def test_much_output_is_drained_and_cut(outcomes: Mapping[str, Reported | Died]) -> None:
    outcome = outcomes["noisy"]
    assert isinstance(outcome, Reported)
    assert "more bytes]" in outcome.stdout
    assert len(outcome.stdout) < 70_000


def test_without_inputs_the_rest_is_checked(outcomes: Mapping[str, Reported | Died]) -> None:
    assert judged(outcomes, "no inputs").verdict is Verdict.TRACES


def test_grandchildren_do_not_outlive_the_run(outcomes: Mapping[str, Reported | Died]) -> None:
    outcome = outcomes["grandchild"]
    assert isinstance(outcome, Reported)
    assert outcome.seconds < 12
    deadline = time.monotonic() + 5
    while _sleepers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _sleepers() == []


def _sleepers() -> list[str]:
    if not Path("/proc").is_dir():
        pytest.skip("processes are listed by /proc")
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"import time; time.sleep(600)" in words:
                found.append(entry.name)
    return found


def test_the_overlay_is_what_runs_and_the_file_stays(tmp_path: Path) -> None:
    repaired = source(forward="import inspect; assert 'x * 2' in inspect.getsource(type(self)); x = x * 2")
    outcome = start(tmp_path, "constructor", overlay=repaired)
    assert judge(outcome).verdict is Verdict.VERIFIED
    files = sorted(path.name for path in (tmp_path / "constructor").iterdir())
    assert files == ["child_constructor.py", "tmp"]  # and no __pycache__
    assert "no such size" in (tmp_path / "constructor" / "child_constructor.py").read_text()


def test_only_listed_variables_reach_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fxlint.verify.runner import environment

    monkeypatch.setenv("A_SECRET", "x")
    monkeypatch.setenv("TORCH_HOME", "y")
    found = environment(tmp_path)
    assert "A_SECRET" not in found
    assert (found["TORCH_HOME"], found["TMPDIR"]) == ("y", str(tmp_path))


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter that sees no site-packages: libcst and torch are missing."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")


def test_missing_torch_is_one_line(tmp_path: Path, bare_python: str) -> None:
    outcome = start(tmp_path, "good", python=bare_python)
    assert isinstance(outcome, Died)
    assert outcome.death is Death.NO_TORCH
    assert "torch is not installed" in outcome.line
    assert "pip install 'fxlint[trace]'" in outcome.line
