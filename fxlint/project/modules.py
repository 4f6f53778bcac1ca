"""The files of a project: read once, outlined once, found again by path or by dotted module name.

A project starts from the files it is given and grows by the files that these import. Which files may be followed is decided
by place alone: the package of the importing file, or its folder for files outside a package. Source is read, never imported.
"""

from __future__ import annotations

import os
import sys
import tokenize
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING

from fxlint.base.errors import ReadError
from fxlint.syntax import outline as outlines
from fxlint.syntax.outline import Binding, ModuleOutline

if TYPE_CHECKING:
    from fxlint.syntax.body import Body

# Packages that the tables describe: their sources are never followed, wherever they lie.
DESCRIBED = frozenset({"torch", "numpy", "einops", "math", "scipy", "typing", "typing_extensions"}) | frozenset(sys.stdlib_module_names)


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """One parsed file. ``module`` is its dotted name from the top of its package; ``index`` maps a bound name to its bindings."""

    path: str
    text: str
    module: str
    is_package: bool
    top: str  # the folder that holds its top-level package (or the file itself)
    outline: ModuleOutline
    index: Mapping[str, tuple[Binding, ...]]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that cannot be analysed, with why and where (1-based row and column)."""

    path: str
    reason: str
    row: int
    column: int


def environment() -> tuple[str, ...]:
    """The folders of installed packages of the environment that fxlint runs in."""
    return tuple(os.path.abspath(path) for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages"))


def read_text(path: str) -> str:
    """The decoded text of a file, by its BOM or coding cookie. Raises OSError, or ReadError where it cannot be decoded."""
    with open(path, "rb") as stream:
        data = stream.read()
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise ReadError(f"cannot decode: {error}") from error


@dataclass(slots=True)
class Project:
    """Loaded files and where further ones may be found. The only mutable thing below the interpreter: a cache that grows."""

    given: tuple[str, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, SourceFile | Unreadable | None] = field(default_factory=dict)
    read: Callable[[str], str] = read_text
    _modules: dict[tuple[str, str], SourceFile | None] = field(default_factory=dict)
    _exists: dict[str, bool] = field(default_factory=dict)
    _roots: dict[str, tuple[str, str]] = field(default_factory=dict)
    follow: str = "project"  # into which files imports are followed: "project", "none" (given files alone) or "installed"
    judged: dict[str, Unreadable | None] = field(default_factory=dict)  # what an earlier run on the same texts found wrong with a file
    trees: dict[str, object] = field(default_factory=dict)  # path -> ast.Module that the caller had already

    @classmethod
    def of(cls, files: Iterable[tuple[str, str | None]]) -> Project:
        """A project of the given (path, text) pairs; a text of None is read from disk when needed."""
        pairs = list(files)
        return cls(tuple(p for p, _ in pairs), {p: t for p, t in pairs if t is not None})

    def exists(self, path: str) -> bool:
        """Whether there is such a file, given or on disk."""
        known = self._exists.get(path)
        if known is None:
            known = self._exists[path] = path in self.texts or os.path.isfile(path)
        return known

    def file(self, path: str) -> SourceFile | None:
        """The file at ``path``, or None where it cannot be read or parsed (``problem`` tells why)."""
        if path not in self.files:
            self.files[path] = self._load(path)
        got = self.files[path]
        return got if isinstance(got, SourceFile) else None

    def text(self, path: str) -> str | None:
        """The text of a file; None where it cannot be read or parsed. Costs no outline where ``judged`` knows the file."""
        if path not in self.judged or path in self.files:
            source = self.file(path)
            return None if source is None else source.text
        if self.judged[path] is not None:
            return None
        if path not in self.texts:
            self.texts[path] = self.read(path)
        return self.texts[path]

    def looked_for(self) -> dict[str, bool]:
        """The paths that were looked for without being read, and whether there was a file."""
        return {path: found for path, found in self._exists.items() if path not in self.files}

    def problem(self, path: str) -> Unreadable | None:
        """Why ``file(path)`` is None."""
        if path in self.judged:
            return self.judged[path]
        self.file(path)
        got = self.files[path]
        return got if isinstance(got, Unreadable) else None

    def _load(self, path: str) -> SourceFile | Unreadable | None:
        try:
            text = self.texts.get(path)
            if text is None:
                text = self.read(path)
            is_package = os.path.basename(path) == "__init__.py"
            outline = outlines.build(text, self.trees.get(path), is_package=is_package)  # type: ignore[arg-type]  # ast stays in syntax
        except ReadError as error:
            return Unreadable(path, str(error), error.row, error.column)
        except OSError as error:
            return Unreadable(path, f"cannot read: {error.strerror or error}", 1, 1)
        index: dict[str, tuple[Binding, ...]] = {}
        for binding in outline.bindings:
            index[binding.name] = (*index.get(binding.name, ()), binding)
        top, module = self._place(path)
        return SourceFile(path, text, module, is_package, top, outline, index)

    def _place(self, path: str) -> tuple[str, str]:
        """The folder above the top-level package of a file, and the file's dotted module name."""
        folder, name = os.path.split(path)
        stem = name.removesuffix(".py")
        top, prefix = self._package(folder)
        parts = [p for p in (prefix, "" if stem == "__init__" else stem) if p]
        return top, ".".join(parts) or stem

    def _package(self, folder: str) -> tuple[str, str]:
        known = self._roots.get(folder)
        if known is None:
            if self.exists(os.path.join(folder, "__init__.py")) and os.path.basename(os.path.abspath(folder)):
                parent = os.path.dirname(folder) if folder not in ("", ".") else ".."
                top, prefix = self._package(parent)
                name = os.path.basename(os.path.abspath(folder))
                known = top, f"{prefix}.{name}" if prefix else name
            else:
                known = folder, ""
            self._roots[folder] = known
        return known

    def module(self, dotted: str, near: SourceFile) -> SourceFile | None:
        """The file of module ``dotted`` as ``near`` would import it, or None where it is not part of the project."""
        key = (near.top, dotted)
        if key not in self._modules:
            self._modules[key] = self._find(dotted, near)
        return self._modules[key]

    def _find(self, dotted: str, near: SourceFile) -> SourceFile | None:
        first = dotted.split(".", 1)[0]
        own = near.module.split(".", 1)[0]
        if not dotted or (first != own and first in DESCRIBED):
            return None
        folders = [near.top] if first == own or not self._is_library_folder(near.top, first) else []
        for folder in (*folders, *(environment() if self.follow == "installed" else ())):
            base = os.path.join(folder, *dotted.split("."))
            for path in (os.path.join(base, "__init__.py"), base + ".py"):
                if self.exists(path):
                    return self.file(path) if self.follow != "none" or path in self.given else None
        return None

    def _is_library_folder(self, folder: str, first: str) -> bool:
        """Whether ``folder`` holds installed packages, of which only those that were given are followed."""
        if os.path.basename(os.path.abspath(folder)) not in ("site-packages", "dist-packages"):
            return False
        prefix = os.path.join(folder, first)
        return not any(p == prefix + ".py" or p.startswith(prefix + os.sep) for p in self.given)

    def absolute(self, source: SourceFile, module: str, level: int) -> str:
        """The absolute dotted name that ``from <level dots><module> import ...`` means in ``source``."""
        if level == 0:
            return module
        parts = source.module.split(".")
        drop = level - 1 if source.is_package else level
        kept = parts[: len(parts) - drop] if drop else parts
        return ".".join([*kept, *([module] if module else [])])

    def body(self, path: str, start: int, end: int) -> Body:
        """The IR of one cut of a file; see ``fxlint.syntax.body``. Raises ReadError."""
        from fxlint.syntax import body as bodies  # libcst is loaded only where a function is looked into

        source = self.file(path)
        if source is None:
            raise ReadError(f"{path} is not readable")
        return bodies.read(path, source.text, start, end)
