"""Small programs in, (row, kind, construct) of their events out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from fxlint.base.event import Event
from fxlint.base.span import LineIndex
from fxlint.project.modules import Project, SourceFile

MARK = "# <-"
PREAMBLE = "import torch\nimport torch.nn as nn\nimport torch.fx as fx\nimport torch.nn.functional as F\n"

Source = Callable[[SourceFile, Project], Iterator[Event]]


def programs(name: str) -> dict[str, str]:
    """The programs of a file in ``programs/``, by title."""
    sections = (Path(__file__).parent / "programs" / f"{name}.txt").read_text().split("\n=== ")[1:]
    return {title: program.rstrip("\n") + "\n" for title, _, program in (s.partition("\n") for s in sections)}


def events(read: Source, text: str, **others: str) -> list[Event]:
    """The events of ``main.py`` holding ``text`` (after the usual imports), beside further modules by name."""
    project = Project.of([("main.py", PREAMBLE + text), *((f"{name}.py", other) for name, other in others.items())])
    source = project.file("main.py")
    assert source is not None, project.problem("main.py")
    return list(read(source, project))


def found(read: Source, text: str, **others: str) -> list[tuple[int, str]]:
    """The rows of ``text`` (1-based) at which events stand, each with its construct."""
    lines = LineIndex.of(PREAMBLE + text)
    offset = PREAMBLE.count("\n")
    return [(lines.place(e.site.start)[0] - offset, e.construct) for e in events(read, text, **others)]


def marked(text: str) -> list[tuple[int, str]]:
    """What the program itself says: ``# <- construct`` at the end of a row."""
    rows = enumerate(text.splitlines(), 1)
    return [(row, word) for row, line in rows if MARK in line for word in line.split(MARK)[1].split()]
