"""Writing ``# noqa`` comments for findings, so that a project starts with a clean report."""

from __future__ import annotations

from collections.abc import Iterable

from fxlint.base.span import LineIndex
from fxlint.suppress.lines import logical_lines
from fxlint.suppress.marks import Form, Marks


def with_noqa(text: str, findings: Iterable[tuple[int, str]]) -> str:
    """``text`` with a comment on the last row of each statement where a finding (its offset in characters, its code) starts.

    Codes are added to a ``# noqa`` that lists some. All else stays as it is, line ends included.
    """
    index = LineIndex.of(text)
    lines = logical_lines(text, index)
    rows: dict[int, set[str]] = {}
    for offset, code in findings:
        rows.setdefault(lines.around(index.place(offset)[0])[1], set()).add(code)
    listed = {mark.row: mark for mark in Marks.of(text, index, lines).marks if mark.form is Form.NOQA and mark.codes and mark.removable}
    for row in sorted(rows, reverse=True):
        codes = sorted(rows[row])
        mark = listed.get(row)
        if mark is not None:
            text = text[: mark.end] + "".join(f",{code}" for code in codes if code not in mark.codes) + text[mark.end :]
            continue
        start = index.starts[row - 1]
        end = index.starts[row] if row < len(index.starts) else len(text)
        kept = text[start:end].rstrip("\r\n")
        ending = text[start + len(kept) : end]
        text = text[:start] + kept.rstrip() + f"  # noqa: {','.join(codes)}" + ending + text[end:]
    return text
