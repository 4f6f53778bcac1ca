"""Silencing comments that silence nothing: what is said of them, and the edit that takes them away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fxlint.suppress.marks import WORDS, Form, Mark, Marks

_PREFIX = "TFX"
ABOUT_FILES = "TFX0"  # findings about files and comments, which come about by other ways


@dataclass(frozen=True, slots=True)
class Unused:
    """A comment of which some codes, or all, silence nothing. ``edit``: (start, end, content) in characters; None where none is offered."""

    mark: Mark
    message: str
    help: str
    edit: tuple[int, int, str] | None


def unused(
    text: str, marks: Marks, used: frozenset[tuple[int, str]], codes: tuple[str, ...], judged: Callable[[str], bool]
) -> Iterator[Unused]:
    """The comments of ``marks`` that silence nothing.

    ``used`` holds the numbers of marks with the prefix by which each silenced something; ``codes`` are all that exist. ``judged`` tells
    whether the checks of all codes with a prefix were run: of others nothing can be said. Bare ``# noqa`` and codes of other tools are left
    alone.
    """
    for number, mark in enumerate(marks.marks):
        if mark.form is Form.UNREADABLE:
            help_ = "write " + ", ".join(f"`# fxlint: {word}`" for word in WORDS) + ", each with codes in brackets or without"
            yield Unused(mark, f"`{text[mark.start : mark.end]}` silences nothing: it is no comment that fxlint knows", help_, None)
            continue
        if mark.form is Form.ENABLE or not mark.removable:
            continue
        if not mark.codes:
            if mark.is_own and (number, "") not in used and judged(""):
                message = f"`{text[mark.start : mark.end]}` silences nothing"
                yield Unused(mark, message, "take the comment away", _without(text, mark, ()))
            continue
        own = [prefix for prefix in dict.fromkeys(mark.codes) if mark.is_own or prefix.startswith(_PREFIX)]
        wrong = [prefix for prefix in own if not any(code.startswith(prefix) for code in codes)]
        idle = [
            prefix for prefix in own
            if prefix in wrong or ((number, prefix) not in used and not prefix.startswith(ABOUT_FILES) and judged(prefix))
        ]
        if idle:
            kept = tuple(prefix for prefix in mark.codes if prefix not in idle)
            words = " and ".join(f"{prefix}{', which does not exist' if prefix in wrong else ''}" for prefix in idle)
            yield Unused(mark, f"nothing to silence here: {words}", "take it out of the comment", _without(text, mark, kept))


def _without(text: str, mark: Mark, kept: tuple[str, ...]) -> tuple[int, int, str]:
    """The edit that leaves ``kept`` of the codes, and takes the whole comment where none is left."""
    piece = text[mark.start : mark.end]
    if kept:
        found = re.search(r"\[[^\]]*\]", piece) if mark.is_own else re.search(r"(?<=noqa:).*", piece, re.IGNORECASE)
        assert found is not None, "a mark with codes"
        content = f"[{', '.join(kept)}]" if mark.is_own else " " + ",".join(kept)
        return mark.start + found.start(), mark.start + found.end(), content
    end = re.compile(r"[^\r\n]*").match(text, mark.end)
    assert end is not None, "an expression that matches anything"
    rest = end[0].lstrip(" \t")
    if rest:  # other words follow: they stay a comment
        return mark.start, end.end() - len(rest), "" if rest.startswith("#") else "# "
    start = len(text[: mark.start].rstrip(" \t"))
    if start == 0 or text[start - 1] in "\r\n":  # the comment had the line for itself
        line = re.compile(r"\r\n|\r|\n|").match(text, mark.end)
        return start, end.end() if line is None else line.end(), ""
    return start, mark.end, ""
