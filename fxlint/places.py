"""Rows, columns and silencing comments of the files of one project, kept while its findings are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fxlint.base.span import LineIndex
from fxlint.project.modules import Project
from fxlint.suppress import Lines, Marks, logical_lines, mentions_marks
from fxlint.suppress.unused import Unused, unused


class Places:
    """Where things stand in the files of a project, and which comments have silenced something so far."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._index: dict[str, LineIndex] = {}
        self._lines: dict[str, Lines] = {}
        self._marks: dict[str, Marks] = {}
        self._used: dict[str, set[tuple[int, str]]] = {}

    def text(self, path: str) -> str | None:
        """The text of ``path``; None where it cannot be read or parsed."""
        return self._project.text(path)

    def index(self, path: str) -> LineIndex:
        """The lines of ``path``, a file that can be read."""
        if path not in self._index:
            text = self.text(path)
            assert text is not None, f"an event in {path}, which could not be read"
            self._index[path] = LineIndex.of(text)
        return self._index[path]

    def lines(self, path: str) -> Lines:
        """The logical lines of ``path``."""
        if path not in self._lines:
            self._lines[path] = logical_lines(self.text(path) or "", self.index(path))
        return self._lines[path]

    def marks(self, path: str) -> Marks:
        """The silencing comments of ``path``."""
        if path not in self._marks:
            text = self.text(path)
            self._marks[path] = Marks() if text is None or not mentions_marks(text) else Marks.of(text, self.index(path), self.lines(path))
        return self._marks[path]

    def silenced(self, path: str, row: int, code: str, *, noqa: bool, own: bool) -> bool:
        """Whether comments silence ``code`` on the statement of ``row``; with ``noqa`` those of flake8 count, with ``own`` fxlint's."""
        if not self.marks(path).marks:
            return False
        counted = False
        for number, prefix in self.marks(path).covering(code, *self.lines(path).header(row)):
            self._used.setdefault(path, set()).add((number, prefix))
            counted |= own if self.marks(path).marks[number].is_own else noqa
        return counted

    def unused(self, path: str, codes: tuple[str, ...], judged: Callable[[str], bool]) -> Iterator[Unused]:
        """The comments of ``path`` that have silenced nothing, as ``fxlint.suppress.unused`` tells; to be asked when all else was."""
        if self.marks(path).marks:
            used = frozenset(self._used.get(path, ()))
            yield from unused(self.text(path) or "", self.marks(path), used, codes, judged)
