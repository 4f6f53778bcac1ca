"""Markdown as tests of the interpreter: each section with Python blocks is a small project, with what is expected of it.

A block belongs to the nearest heading above it. A line that is nothing but a file name in backquotes and a colon names the file of
the blocks that follow; blocks without a name form ``test.py``. Blocks of one name are one file. A ``toml`` block sets ``roots``,
``torch`` (a version) and ``real`` (false where the section cannot be run). In front of every file stands one line that imports torch,
fx, nn and F.

``reveal_fx(x)  # revealed: TEXT`` says what ``x`` denotes there ("nothing" where no path comes by). ``# event: KIND construct`` says
which events fall on the line, several separated by ``;``, each with its assumptions in brackets where it rests on some.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = "/mdtest"
PRELUDE = "import torch; from torch import fx, nn; import torch.nn.functional as F\n"
_HEADING = re.compile(r"(#+) +(.+)")
_FILE = re.compile(r"`([\w./]+\.py)`:")
_FENCE = re.compile(r"```(\w*)")
_REVEALED = re.compile(r"#\s*revealed:\s*(.+?)\s*(?=#\s*event:|$)")
_EVENT = re.compile(r"#\s*event:\s*(.+?)\s*(?=#\s*revealed:|$)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a test file: its text, and its row in the Markdown file."""

    text: str
    row: int


@dataclass(frozen=True, slots=True)
class Section:
    """One test. ``files`` maps a file's name to its lines, the prelude not counted."""

    name: str
    markdown: Path
    row: int
    files: dict[str, tuple[Line, ...]]
    roots: tuple[str, ...] = ()
    torch: str = "2.13.0"
    real: bool = True

    def texts(self) -> dict[str, str]:
        """The files as the analysis gets them: path to text."""
        return {f"{FOLDER}/{name}": PRELUDE + "".join(f"{line.text}\n" for line in lines) for name, lines in self.files.items()}

    def expected(self) -> dict[tuple[str, str], list[str]]:
        """What the comments ask for: (place in the Markdown file, "revealed" or "event") to texts."""
        out: dict[tuple[str, str], list[str]] = {}
        for lines in self.files.values():
            for line in lines:
                for kind, pattern in (("revealed", _REVEALED), ("event", _EVENT)):
                    found = pattern.search(line.text)
                    silent = found is None and kind == "revealed" and "reveal_fx(" in line.text
                    assert not silent, f"{self.markdown.name}:{line.row}: say what is revealed"
                    if found is not None and found.group(1) != "nothing":
                        texts = found.group(1).split("; ") if kind == "event" else [found.group(1)]
                        out[f"{self.markdown.name}:{line.row}", kind] = sorted(texts)
        return out

    def place(self, path: str, row: int) -> str:
        """A 1-based row of an analysed file as a place in the Markdown file."""
        return f"{self.markdown.name}:{self.files[path.removeprefix(f'{FOLDER}/')][row - 2].row}"


def read(markdown: Path) -> list[Section]:
    """The sections of a Markdown file that hold Python blocks."""
    out: list[Section] = []
    titles: list[str] = []
    start = 1
    name = ""
    files: dict[str, list[Line]] = {}
    options: dict[str, object] = {}
    language: str | None = None
    toml: list[str] = []

    def close() -> None:
        if files:
            roots = options.get("roots", [])
            assert isinstance(roots, list)
            frozen = {key: tuple(lines) for key, lines in files.items()}
            version, real = str(options.get("torch", "2.13.0")), options.get("real") is not False
            out.append(Section(" - ".join(titles), markdown, start, frozen, tuple(roots), version, real))

    for row, text in enumerate(markdown.read_text(encoding="utf-8").splitlines(), 1):
        fence = _FENCE.fullmatch(text)
        heading = _HEADING.fullmatch(text)
        file = _FILE.fullmatch(text)
        if language is not None:
            if fence is not None and not fence.group(1):
                if language == "toml":
                    options = tomllib.loads("\n".join(toml))
                language = None
            elif language == "py":
                files.setdefault(name, []).append(Line(text, row))
            elif language == "toml":
                toml.append(text)
        elif fence is not None:
            language, toml = fence.group(1) or "text", []
        elif heading is not None:
            close()
            level = len(heading.group(1))
            titles = [*titles[: level - 1], heading.group(2)]
            start, name, files, options = row, "test.py", {}, {}
        elif file is not None:
            name = file.group(1)
    assert language is None, f"{markdown}: a block is not closed"
    close()
    return out
