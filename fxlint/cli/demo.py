"""``fxlint demo``: check, fix and trace a small model package that ships with fxlint, on copies in a temporary folder.

Every step is a command that you can type yourself, and is printed before it runs. The steps up to the repair need no torch.
Exit codes: 0 the repaired model is verified; 1 it is not; 2 torch is missing, or a step failed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from fxlint.base.errors import FxlintError

NAME = "demo_models"
BROKEN, REPAIRED = "before", "after"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    subparsers.add_parser("demo", help="check, fix and trace a small model package", allow_abbrev=False, description=__doc__)


def run(args: argparse.Namespace) -> int:
    """Run the steps; answers 0, 1 or 2."""
    del args
    from fxlint.verify.outcome import Verdict
    from fxlint.verify.runner import TORCH_HINT

    started = time.monotonic()
    with _workplace() as folder:
        print(f"A small image classifier in two files, which torch.fx cannot trace; copies of it are in {folder}.")
        _say("1. What would break, or be silently changed? No torch is needed, and nothing of the model is run.")
        _command("check", "--isolated", "--output-format", "concise", BROKEN)
        _say("2. Repair the second copy, and show what changes.")
        _command("fix", "--isolated", "--diff", REPAIRED)
        _command("fix", "--isolated", REPAIRED)
        if importlib.util.find_spec("torch") is None:
            raise FxlintError(f"the next steps trace the model for real and need torch, which is not installed: {TORCH_HINT}")
        _say("3. Was that right? Trace the first copy for real, as it is and with the repairs in memory; compare with the predictions.")
        _command("trace", "--isolated", f"{BROKEN}/{NAME}/model.py")
        _say("4. And the second copy, as `fxlint fix` left it.")
        verdict = _verdict("trace", "--isolated", "--no-fix", f"{REPAIRED}/{NAME}/model.py")
    _say(f"The repaired model: {verdict} ({time.monotonic() - started:.0f} s).")
    return 0 if verdict is Verdict.VERIFIED else 1


@contextlib.contextmanager
def _workplace() -> Iterator[str]:
    """A temporary folder with the two copies, as the working directory, so that reports show short names."""
    before = Path.cwd()
    models = Path(__file__).resolve().parents[1] / NAME
    with tempfile.TemporaryDirectory(prefix="fxlint-demo-") as folder:
        for name in (BROKEN, REPAIRED):
            shutil.copytree(models, Path(folder, name, NAME), ignore=shutil.ignore_patterns("__pycache__"))
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def _say(text: str) -> None:
    print(f"\n{text}")


def _show(words: tuple[str, ...]) -> None:
    print(f"\n$ fxlint {shlex.join(words)}", flush=True)


def _command(*words: str) -> None:
    """Run a command; findings (exit code 1) are what it is there for. Raises FxlintError where it fails otherwise."""
    from fxlint.cli import main

    _show(words)
    code = main.run(words)
    sys.stdout.flush()
    if code not in (0, 1):
        raise FxlintError(f"`fxlint {shlex.join(words)}` ended with exit code {code}")


def _verdict(*words: str) -> object:
    """Run a trace command; its verdict says more than its exit code (a model may be right with optional arguments left out)."""
    from fxlint.cli import trace
    from fxlint.registry import load
    from fxlint.report import colours, trial_text

    _show(words)
    parser = argparse.ArgumentParser()
    trace.add(parser.add_subparsers())
    registry = load()
    trial = trace.examine(trace.wanted(parser.parse_args(words), registry), registry)
    sys.stdout.write(trial_text.render(trial, str(Path.cwd()), colours.paint_for(sys.stdout)))
    return trial.final.judged.verdict
