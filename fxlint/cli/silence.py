"""``fxlint check --add-noqa``: a comment for every finding, so that a project starts with a clean report."""

from __future__ import annotations

from pathlib import Path

from fxlint.base.finding import Finding
from fxlint.driver import Result
from fxlint.project.decode import read
from fxlint.registry import UNREADABLE, UNUSED
from fxlint.suppress.add import with_noqa

_BEYOND_COMMENTS = (UNREADABLE.code, UNUSED.code)


def add_noqa(result: Result) -> tuple[int, int]:
    """Write comments for the findings of ``result``; answers how many were silenced, in how many files.

    A file that cannot be parsed has no place for a comment, and a comment that silences nothing needs none. Raises WriteError, ReadError.
    """
    from fxlint.fixes.atomic import write

    by_file: dict[str, list[Finding]] = {}
    for finding in result.findings:
        if finding.code not in _BEYOND_COMMENTS:
            by_file.setdefault(finding.path, []).append(finding)
    for path, findings in sorted(by_file.items()):
        source = read(Path(path), path)
        text = with_noqa(source.text, [(finding.start, finding.code) for finding in findings])
        write(Path(path), source.encode(text))
    return sum(map(len, by_file.values())), len(by_file)
