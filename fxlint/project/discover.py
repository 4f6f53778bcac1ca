"""From the paths of a command line to the files meant, and to the project that each of them belongs to.

Which files are *analysed* never depends on the paths given, only on where a file stands: in the folder of the configuration
file that governs it, else in its package and the loose files beside that package. So ``check FILE`` and ``check .`` agree.
A notebook is analysed by itself, with what it imports: no file imports a notebook.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fxlint.base.errors import UsageError
from fxlint.project.ignore import Patterns, ignored, read_patterns
from fxlint.project.notebook import SUFFIX

SKIPPED = frozenset({
    ".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", "__pycache__", "node_modules", ".eggs", ".mypy_cache", ".pytest_cache",
    ".ruff_cache", "__pypackages__", ".ipynb_checkpoints",
})  # folders that never hold a project's own source


@dataclass(frozen=True, slots=True)
class Unit:
    """Files that are analysed together: absolute paths, sorted. ``folder`` is where the unit starts."""

    folder: str
    files: tuple[str, ...]


def expand(paths: Sequence[str], exclude: Sequence[str] = (), base: str = "", *, gitignore: bool = True) -> tuple[str, ...]:
    """The absolute paths of the Python files meant by ``paths`` (files as they are, folders with all below), sorted, each once.

    A file that is named is taken whatever its suffix; ``exclude`` (patterns relative to ``base``) and, with ``gitignore``, .gitignore
    files hold for what is found in folders. Raises UsageError for a path that does not exist.
    """
    found: set[str] = set()
    for path in paths:
        whole = os.path.abspath(path)
        if os.path.isdir(whole):
            if not os.access(whole, os.R_OK | os.X_OK):
                raise UsageError(f"{path}: cannot be read: Permission denied")
            found.update(walk(whole, exclude, base, gitignore=gitignore))
        elif os.path.exists(whole):
            found.add(whole)
        else:
            raise UsageError(f"{path}: no such file or folder")
    return tuple(sorted(found))


def walk(folder: str, exclude: Sequence[str] = (), base: str = "", *, gitignore: bool = True) -> Iterator[str]:
    """The .py and .ipynb files below ``folder``, less what .gitignore files (from the repository's top down) and ``exclude`` name."""
    rules = [*read_above(folder)] if gitignore else []
    if exclude:
        rules.append(Patterns.of(base or folder, exclude))
    yield from _walk(folder, rules, gitignore)


def _walk(folder: str, rules: list[Patterns], gitignore: bool) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return  # a folder below the one asked for that cannot be listed holds nothing that Python could import either
    own = read_patterns(folder) if gitignore else None
    if own is not None:
        rules = [*rules, own]
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        if (is_folder and (entry.name in SKIPPED or entry.name.endswith(".egg-info"))) or ignored(entry.path, is_folder, rules):
            continue
        if is_folder:
            if not os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
                yield from _walk(entry.path, rules, gitignore)
        elif entry.name.endswith((".py", SUFFIX)) and os.path.isfile(entry.path):
            yield entry.path


def modules_below(folder: str, exclude: Sequence[str], *, gitignore: bool = True) -> list[str]:
    """The files below ``folder`` that can be imported."""
    return [path for path in walk(folder, exclude, folder, gitignore=gitignore) if not path.endswith(SUFFIX)]


def read_above(folder: str) -> tuple[Patterns, ...]:
    """The .gitignore files that stand above ``folder`` within its git repository, the outermost first."""
    above: list[str] = []
    here = folder
    while not os.path.exists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return ()
        above.append(parent)
        here = parent
    read = (read_patterns(place) for place in reversed(above))
    return tuple(patterns for patterns in read if patterns is not None)


def package_top(path: str) -> str:
    """The folder of the outermost package that holds ``path`` (an absolute path of a file), "" for a file outside packages."""
    folder, top = os.path.dirname(path), ""
    while os.path.exists(os.path.join(folder, "__init__.py")):
        top, parent = folder, os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return top


def home(path: str) -> str:
    """The folder that stands for the unit of ``path`` where no configuration file governs it.

    A loose file belongs to its folder, together with the packages that stand in it. A package belongs to the folder above it where
    that holds loose files too; by itself otherwise, and always in a folder of installed packages.
    """
    top = package_top(path)
    if not top:
        return os.path.dirname(path)
    parent = os.path.dirname(top)
    if os.path.basename(parent) in ("site-packages", "dist-packages") or not _loose(parent):
        return top
    return parent


def unit(folder: str, exclude: Sequence[str] = (), *, gitignore: bool = True) -> Unit:
    """The unit that starts at ``folder``, as ``home`` tells: a package with all below, or loose files and the packages beside them."""
    if os.path.exists(os.path.join(folder, "__init__.py")):
        return Unit(folder, tuple(sorted(modules_below(folder, exclude, gitignore=gitignore))))
    files = list(_loose(folder))
    if not os.path.isdir(folder):
        return Unit(folder, ())  # standard input may stand for a file of a folder that is yet to be made
    for entry in sorted(os.scandir(folder), key=lambda found: found.name):
        if os.path.isdir(entry.path) and os.path.exists(os.path.join(entry.path, "__init__.py")):
            files.extend(path for path in walk(entry.path, exclude, folder, gitignore=gitignore) if not path.endswith(SUFFIX))
    return Unit(folder, tuple(sorted(files)))


def governed(folder: str, exclude: Sequence[str], *, gitignore: bool = True) -> Unit:
    """The unit of a configuration file in ``folder``: all below it."""
    return Unit(folder, tuple(sorted(modules_below(folder, exclude, gitignore=gitignore))))


def units(
    files: Iterable[str], config_folder: str | None, exclude: Sequence[str] = (), *, gitignore: bool = True
) -> tuple[tuple[Unit, tuple[str, ...]], ...]:
    """The units that hold ``files``, each with those of the files that belong to it.

    Files that no walk finds (ignored ones that were named) are members of a unit of their own, which holds what stands there and them:
    what is found in the other files does not depend on whether they were named.
    """
    homes: dict[str, list[str]] = {}
    inside = None if config_folder is None else os.path.join(config_folder, "")
    out: list[tuple[Unit, tuple[str, ...]]] = []
    for path in files:
        if path.endswith(SUFFIX):
            out.append((Unit(os.path.dirname(path), (path,)), (path,)))
            continue
        folder = config_folder if config_folder is not None and inside is not None and path.startswith(inside) else home(path)
        homes.setdefault(folder, []).append(path)
    for folder, members in sorted(homes.items()):
        find = governed if folder == config_folder else unit
        found = find(folder, exclude, gitignore=gitignore)
        known = frozenset(found.files)
        walked, named = tuple(path for path in members if path in known), tuple(path for path in members if path not in known)
        if walked:
            out.append((found, walked))
        if named:
            out.append((Unit(folder, tuple(sorted({*known, *named}))), named))
    return tuple(out)


def _loose(folder: str) -> tuple[str, ...]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return ()
    return tuple(sorted(entry.path for entry in entries if entry.name.endswith(".py") and os.path.isfile(entry.path)))
