"""A repair as lines taken away and lines added, for people: only the lines that its edits touch are compared."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fxlint.base.finding import Edit, Fix
from fxlint.report.colours import Paint
from fxlint.report.names import shown

_END = re.compile(r"\r\n|\r|\n")


def diff(fix: Fix, texts: Mapping[str, str], base: str, paint: Paint) -> list[str]:
    """The edits of a fix as a diff without context, file by file. Of a file whose text is not at hand only what is added is shown."""
    out: list[str] = []
    files = sorted({edit.path for edit in fix.edits})
    for path in files:
        edits = sorted((edit for edit in fix.edits if edit.path == path), key=lambda edit: (edit.start, edit.end))
        text = texts.get(path)
        if len(files) > 1 or text is None:
            out.append(f"{shown(path, base)}:")
        if text is None:
            out += [paint.green(f"+ {added}") for edit in edits for added in edit.content.splitlines()]
            continue
        for old, new in _pieces(text, edits):
            for tag, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
                if tag != "equal":
                    out += [paint.red(f"- {line}".rstrip()) for line in old[first:last]]
                    out += [paint.green(f"+ {line}".rstrip()) for line in new[start:end]]
    return out


def _pieces(text: str, edits: Sequence[Edit]) -> Iterator[tuple[list[str], list[str]]]:
    """The whole lines that edits touch, before and after; edits on the same lines together."""
    from fxlint.fixes.editor import apply_edits

    group: list[Edit] = []
    start = end = 0
    for edit in edits:
        first, last = _line_start(text, edit.start), _line_end(text, edit.end)
        if group and first >= end:
            yield _END.split(text[start:end]), _END.split(apply_edits(text[start:end], group))
            group = []
        if not group:
            start, end = first, last
        group.append(replace(edit, start=edit.start - start, end=edit.end - start))
        end = max(end, last)
    if group:
        yield _END.split(text[start:end]), _END.split(apply_edits(text[start:end], group))


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    found = _END.search(text, offset)
    return len(text) if found is None else found.end()
