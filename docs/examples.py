"""Run what the pages show: files are written, changes made, commands typed, each page in a folder of its own, from top to bottom.

``python docs/examples.py`` writes the output of every command into the pages; with ``--check`` it writes nothing, shows what differs and
exits with 1. Names of pages, relative to docs/, choose some of them.

Fences with a title write that file (``diff`` fences change it: lines with ``-`` become those with ``+``). In ``console`` fences, ``$``
starts a command; what follows up to the next one is its output, both streams, without colours. ``...`` stands for any text within a line, a
line of ``...`` for any lines. ``pycon`` fences are left to doctest.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
_FENCE = re.compile(r"^```(?P<language>\w+)?(?P<options>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')
_LIMIT = 300  # seconds a command


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block of a page: its language, the file that its title names ("" for none), its text, and where that stands."""

    language: str
    title: str
    body: str
    start: int
    end: int


def fences(page: str) -> Iterator[Fence]:
    """The fenced blocks of a page, in order."""
    for found in _FENCE.finditer(page):
        title = _TITLE.search(found["options"])
        yield Fence(found["language"] or "", title[1] if title else "", found["body"], found.start("body"), found.end("body"))


def played(page: str, folder: Path) -> str:
    """``page`` with the outputs that its commands have in ``folder``; what matches already stays as it is. Raises ValueError."""
    out: list[str] = []
    position = 0
    for fence in fences(page):
        body = fence.body
        if fence.title:
            path = folder / fence.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(changed(path, body) if fence.language == "diff" else body, encoding="utf-8")
        elif fence.language == "console":
            body = "".join(typed(command, shown, folder) for command, shown in commands(body))
        out += [page[position : fence.start], body]
        position = fence.end
    return "".join(out) + page[position:]


def changed(path: Path, diff: str) -> str:
    """The text of ``path`` with the lines of ``diff`` exchanged. Raises ValueError where they do not stand there exactly once."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if not line.startswith("+"))
    new = "".join(line[1:] for line in lines if not line.startswith("-"))
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{path.name} holds {text.count(old)} times what the page changes:\n{old}")
    return text.replace(old, new)


def commands(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output shown. Raises ValueError for output that no command stands above."""
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)
    if parts[0]:
        raise ValueError(f"output without a command: {parts[0]}")
    for part in parts[1:]:
        command, _, shown = part.partition("\n")
        while command.endswith("\\"):
            more, _, shown = shown.partition("\n")
            command += f"\n{more}"
        yield command, shown


def typed(command: str, shown: str, folder: Path) -> str:
    """The command with its output: ``shown`` where that matches."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "GIT_", "FXLINT_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**outside, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["/bin/bash", "-c", command], cwd=folder, env=environment, text=True, timeout=_LIMIT, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    printed = done.stdout.replace(str(folder), "...").replace("+cpu", "")  # of torch's version: other builds do as well
    output = "\n".join(line.rstrip() for line in printed.splitlines())
    output += "\n" if output else ""
    return f"$ {command}\n{shown if matches(shown, output) else output}"


def matches(shown: str, output: str) -> bool:
    """Whether ``output`` is what ``shown`` says, ``...`` standing for anything."""
    parts = [r"(?:[^\n]*\n)*" if line.strip() == "..." else r"[^\n]*".join(map(re.escape, line.split("..."))) + r"\n"
             for line in shown.splitlines()]
    return re.fullmatch("".join(parts), output) is not None


def pages(names: list[str]) -> list[Path]:
    """The pages with something to run."""
    found = sorted(path for path in FOLDER.rglob("*.md") if "```console" in path.read_text(encoding="utf-8"))
    return [path for path in found if not names or path.relative_to(FOLDER).as_posix() in names]


def main(arguments: list[str]) -> int:
    """Play the pages; write what changed, or show it."""
    differs = False
    for path in pages([word for word in arguments if not word.startswith("-")]):
        before = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="fxlint-docs-") as folder:
            after = played(before, Path(folder).resolve())
        name = path.relative_to(FOLDER.parent).as_posix()
        if after == before:
            continue
        differs = True
        if "--check" in arguments:
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), name, f"{name}, played"))
        else:
            path.write_text(after, encoding="utf-8", newline="\n")
            sys.stdout.write(f"written: {name}\n")
    return int(differs and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
