"""Run small programs under ``torch.fx``, in child processes, and say what happened, in the words of ``fxlint.api.Outcome``.

``torch.fx.wrap`` registers names for the whole process, and one bad name makes every later trace fail: so a program has a child of its
own, unless it surely leaves nothing behind. What a program is, and what counts as a difference, is told in ``watch``.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from fxlint.api import Outcome

from .watch import PREAMBLE, ExampleError, Observation, eager_result, load, program, watch

__all__ = ["PREAMBLE", "ExampleError", "Observation", "Task", "observe", "observe_all", "program"]

SECONDS = 60


@dataclass(frozen=True, slots=True)
class Task:
    """A program to observe, with what ``observe`` takes."""

    source: str
    inputs: str
    original: str = ""
    others: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)


def observe(source: str, inputs: str, original: str = "") -> Observation:
    """Trace ``source`` in a child process. With ``original``, its eager results must be those of ``original``, too.

    Raises ExampleError where the program (or the original) does not run in eager mode.
    """
    return observe_all((Task(source, inputs, original),))[0]


def observe_all(tasks: Sequence[Task]) -> list[Observation]:
    """Trace one program after the other in one child process: for programs that leave nothing behind in the process (no wrapped name).

    The ``others`` of a task are further inputs that the traced module must treat as eager execution does, errors included; ``beside`` are
    the texts of modules that the program imports, by the path of the file. Raises ExampleError as ``observe`` does.
    """
    gc.freeze()  # or the child's first collection copies every page of the parent
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            with os.fdopen(write, "w") as pipe:
                json.dump(_child(tasks), pipe)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(pid, 0)
    if not data:
        raise ExampleError("the child died")
    return [_told(*answer) for answer in json.loads(data)]


def _told(outcome: str, text: str, place: tuple[str, int], traced: bool) -> Observation:
    if outcome == "fault":
        raise ExampleError(text)
    return Observation(Outcome(outcome), text, (place[0], place[1]), traced)


def _child(tasks: Sequence[Task]) -> list[tuple[str, str, tuple[str, int], bool]]:
    torch.set_num_threads(1)
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    return [_answer(task) for task in tasks]


def _answer(task: Task) -> tuple[str, str, tuple[str, int], bool]:
    signal.alarm(SECONDS)
    torch.set_grad_enabled(True)
    path, modules = list(sys.path), set(sys.modules)
    with tempfile.TemporaryDirectory() as folder:
        try:
            for name, text in task.beside.items():
                Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, name).write_text(text)
            sys.path.insert(0, folder)
            reference = eager_result(load(folder, "original", task.original), task.inputs) if task.original else None
            seen = watch(folder, task.source, task.inputs, task.others, reference)
        except ExampleError as error:
            return "fault", str(error), ("", 0), False
        except BaseException as error:  # noqa: BLE001  # whatever is raised is what was observed
            return "fault", f"{type(error).__name__}: {error}", ("", 0), False
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - modules:
                if (getattr(sys.modules[name], "__file__", None) or "").startswith(folder):
                    del sys.modules[name]
    return seen.outcome.value, seen.text[:2000], seen.place, seen.traced
