"""Edits on texts: which may be applied together, what comes out, and whether it still is Python."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from fxlint.base.errors import FxlintError, ReadError
from fxlint.base.finding import Edit, Fix
from fxlint.project import notebook


class OverlapError(FxlintError):
    """Two edits that change the same characters in different ways."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with ``edits`` (all of one file) applied back to front.

    Equal edits count once, so two repairs may add the same import. Insertions at one place follow each other in the order given.
    Raises OverlapError where two edits overlap, and where an edit lies outside the text.
    """
    ordered = sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end))  # stable: insertions keep the order given
    for before, after in itertools.pairwise(ordered):
        if _clash(before, after):
            raise OverlapError(f"{after.path}: two edits change the characters {after.start} to {min(before.end, after.end)}")
    pieces = []
    position = 0
    for edit in ordered:
        if not 0 <= edit.start <= edit.end <= len(text):
            raise OverlapError(f"{edit.path}: an edit of the characters {edit.start} to {edit.end} lies outside the text")
        pieces += [text[position : edit.start], edit.content]
        position = edit.end
    return "".join(pieces) + text[position:]


def compatible(fixes: Sequence[Fix]) -> tuple[Fix, ...]:
    """The fixes that can be applied together: each in the order given, unless it clashes with one taken before."""
    taken: defaultdict[str, list[Edit]] = defaultdict(list)
    chosen = []
    for fix in fixes:
        if all(edit in taken[edit.path] or not any(_clash(edit, other) for other in taken[edit.path]) for edit in fix.edits):
            chosen.append(fix)
            for edit in fix.edits:
                taken[edit.path].append(edit)
    return tuple(chosen)


def by_path(fixes: Iterable[Fix]) -> Mapping[str, tuple[Edit, ...]]:
    """The edits of ``fixes`` by file, in the order given."""
    edits: defaultdict[str, list[Edit]] = defaultdict(list)
    for fix in fixes:
        for edit in fix.edits:
            edits[edit.path].append(edit)
    return {path: tuple(these) for path, these in sorted(edits.items())}


def reparse(path: str, text: str) -> None:
    """Raises ReadError where an edited text is no longer Python: a repair that would break a file is never written."""
    try:
        flags = notebook.COMPILE_FLAGS if path.endswith(notebook.SUFFIX) else 0
        compile(text, path, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        row = getattr(error, "lineno", None) or 1
        raise ReadError(f"{path}:{row}: the repair would not parse ({error}); nothing was written (please report)", row) from error


def _clash(first: Edit, second: Edit) -> bool:
    if first == second:
        return False
    for insertion, other in ((first, second), (second, first)):
        if insertion.start == insertion.end:
            return other.start < insertion.start < other.end
    return max(first.start, second.start) < min(first.end, second.end)
