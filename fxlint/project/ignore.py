"""Patterns of .gitignore files and of the ``exclude`` key.

The usual forms: ``*``, ``?``, ``[..]``, ``**``, a leading ``/``, a trailing ``/``, ``!``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line: what it matches (a path relative to its folder, with ``/``), whether it takes back, whether it means folders only."""

    regex: re.Pattern[str]
    negated: bool
    folders_only: bool


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns that hold below ``folder``, in order: the last one that matches decides."""

    folder: str
    patterns: tuple[Pattern, ...]

    @classmethod
    def of(cls, folder: str, lines: Sequence[str]) -> Patterns:
        """The patterns of ``lines``; blank lines and comments are left out."""
        made = (pattern(line) for line in lines)
        return cls(folder, tuple(one for one in made if one is not None))


def pattern(line: str) -> Pattern | None:
    """The pattern of one line of a .gitignore file, None for a blank line or a comment."""
    text = line.rstrip("\r\n").rstrip(" ")
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text[1:] if negated else text
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text  # a pattern with a slash counts from its folder, one without matches at any depth
    return Pattern(re.compile(("" if anchored else "(?:.*/)?") + _translate(text.lstrip("/")) + r"\Z", re.DOTALL), negated, folders_only)


def _translate(text: str) -> str:
    out: list[str] = []
    position = 0
    while position < len(text):
        if text.startswith("**/", position):
            out.append("(?:.*/)?")
            position += 3
        elif text.startswith("**", position):
            out.append(".*")
            position += 2
        elif text[position] == "*":
            out.append("[^/]*")
            position += 1
        elif text[position] == "?":
            out.append("[^/]")
            position += 1
        elif text[position] == "[" and "]" in text[position + 2 :]:
            end = text.index("]", position + 2)
            inside = text[position + 1 : end].replace("\\", r"\\")
            out.append("[" + ("^" + inside[1:] if inside.startswith("!") else inside) + "]")
            position = end + 1
        else:
            out.append(re.escape(text[position]))
            position += 1
    return "".join(out)


def read_patterns(folder: str) -> Patterns | None:
    """The .gitignore of ``folder``; None where there is none, or none that can be read."""
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as stream:
            return Patterns.of(folder, stream.readlines())
    except OSError:
        return None


def covers(group: Patterns, path: str) -> bool:
    """Whether ``group`` names the file at the absolute ``path``, or a folder above it."""
    inside = os.path.join(group.folder, "")
    if not path.startswith(inside):
        return False
    parts = path.removeprefix(inside).split(os.sep)
    return any(
        ignored(os.path.join(group.folder, *parts[:depth]), depth < len(parts), (group,)) for depth in range(1, len(parts) + 1))


def ignored(path: str, is_folder: bool, rules: Sequence[Patterns]) -> bool:
    """Whether the last pattern that matches ``path`` says to leave it out. Folders above it have been asked before."""
    verdict = False
    for group in rules:
        relative = os.path.relpath(path, group.folder).replace(os.sep, "/")
        for one in group.patterns:
            if (is_folder or not one.folders_only) and one.regex.match(relative):
                verdict = not one.negated
    return verdict
