"""Which codes are wanted: ``select`` and ``ignore`` hold prefixes, and the longest that fits decides; some files leave out more."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fxlint.base.errors import UsageError
from fxlint.config import nearest
from fxlint.project.ignore import Patterns, covers


@dataclass(frozen=True, slots=True)
class FileIgnores:
    """Prefixes left out in the files that ``patterns`` name; ``others``: in all other files."""

    patterns: Patterns
    others: bool
    prefixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """Code prefixes in capitals. An empty ``select`` means all; where a select and an ignore are equally long, ignore wins."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    files: tuple[FileIgnores, ...] = ()

    def wants(self, code: str) -> bool:
        """Whether findings of ``code`` are shown in some file."""
        chosen = max((len(prefix) for prefix in self.select or ("",) if code.startswith(prefix)), default=-1)
        dropped = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=-1)
        return chosen > dropped

    def wants_in(self, code: str, path: str) -> bool:
        """Whether findings of ``code`` are shown in the file at the absolute ``path``."""
        if not self.wants(code):
            return False
        return not any(code.startswith(one.prefixes) and covers(one.patterns, path) != one.others for one in self.files)


def selection(
    select: Iterable[str], ignore: Iterable[str], codes: Iterable[str], folder: str = "",
    per_file: Sequence[tuple[str, tuple[str, ...]]] = (),
) -> Selection:
    """The selection that the lists (each item may hold commas) spell out; patterns of ``per_file`` count from ``folder``.

    Raises UsageError for a prefix that fits none of ``codes``.
    """
    known = tuple(codes)
    top = folder or os.getcwd()
    files = tuple(
        FileIgnores(Patterns.of(top, [pattern.removeprefix("!")]), pattern.startswith("!"), prefixes("per-file-ignores", items, known))
        for pattern, items in per_file
    )
    return Selection(prefixes("select", select, known), prefixes("ignore", ignore, known), files)


def check_prefix(where: str, text: str, known: tuple[str, ...]) -> str:
    """The prefix that ``text`` spells, in capitals. Raises UsageError that begins with ``where`` for one that fits no code."""
    prefix = "" if text.upper() == "ALL" else text.upper()
    if not any(code.startswith(prefix) for code in known):
        families = dict.fromkeys(code[:4] + "xx" for code in known)
        hint = nearest(prefix, known) if len(prefix) > 4 else "; known are " + ", ".join(families)
        raise UsageError(f"{where} {text}: no such code{hint}")
    return prefix


def prefixes(where: str, items: Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """The prefixes that ``items`` (each may hold commas) spell, as ``check_prefix`` does."""
    return tuple(dict.fromkeys(check_prefix(where, part, known) for item in items for part in item.replace(",", " ").split()))
