"""What the child's import system finds besides the usual: candidate texts in place of files, and modules under names of the caller's.

A module whose file is in the overlay is compiled from the given text; ``inspect.getsource`` and tracebacks see that text too
(``get_source``, linecache), and no bytecode of it is written: the user's files stay as they are until a repair is proven.
"""

from __future__ import annotations

import importlib.util
import linecache
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from fxlint.verify.protocol import ModuleFile, Overlay


class OverlayLoader(SourceFileLoader):
    """Loads one module from a text instead of its file."""

    def __init__(self, fullname: str, path: str, text: str) -> None:
        super().__init__(fullname, path)
        self._text = text

    def get_source(self, fullname: str) -> str:
        """The text that is served."""
        del fullname
        return self._text

    def get_code(self, fullname: str) -> CodeType:
        """The text, compiled; the bytecode cache is neither read nor written."""
        del fullname
        code = compile(self._text, self.path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code


class OverlayFinder(MetaPathFinder):
    """Stands first on ``sys.meta_path`` and takes over the modules whose file has a text in the overlay."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of ``fullname`` with an OverlayLoader, or None when its file is not in the overlay."""
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        return with_overlay(spec, self._texts)


class FilesFinder(MetaPathFinder):
    """Stands last on ``sys.meta_path``: finds modules at the files that the caller loaded them from, whatever ``sys.path`` says.

    pytest, for one, gives test modules names under which nothing else could import them.
    """

    def __init__(self, files: dict[str, str], texts: dict[str, str]) -> None:
        self._files = files
        self._texts = texts

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of a named module, or of a package without a file of its own in which one of them lies; None for all else."""
        del path, target
        file = self._files.get(fullname)
        if file is None:
            holds_one = any(name.startswith(f"{fullname}.") for name in self._files)
            return ModuleSpec(fullname, None, is_package=True) if holds_one else None
        inside = [str(Path(file).parent)] if Path(file).name == "__init__.py" else None
        spec = importlib.util.spec_from_file_location(fullname, file, submodule_search_locations=inside)
        return spec and (with_overlay(spec, self._texts) or spec)


def with_overlay(spec: ModuleSpec, texts: dict[str, str]) -> ModuleSpec | None:
    """``spec`` with a loader that serves the overlay's text, or None when the overlay has none for it."""
    if spec.origin is None:
        return None
    text = texts.get(str(Path(spec.origin).resolve()))
    if text is None:
        return None
    loader = OverlayLoader(spec.name, spec.origin, text)
    inside = spec.submodule_search_locations
    return importlib.util.spec_from_file_location(spec.name, spec.origin, loader=loader, submodule_search_locations=inside)


def install(overlays: tuple[Overlay, ...], files: tuple[ModuleFile, ...] = ()) -> dict[str, str]:
    """Serve ``overlays`` and ``files`` from now on; answers the texts by resolved path."""
    texts = {overlay.path: overlay.text for overlay in overlays}
    if texts:
        sys.meta_path.insert(0, OverlayFinder(texts))
    if files:
        sys.meta_path.append(FilesFinder({file.name: file.path for file in files}, texts))
    for path, text in texts.items():
        # An entry without a modification time is one that linecache never compares with the disk.
        linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    return texts
