"""What a TARGET on the command line means, found out without running anything: a file and a name in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

from fxlint.base.errors import UsageError
from fxlint.verify.load import module_name


@dataclass(frozen=True, slots=True)
class Target:
    """A model to trace. ``path`` is the file that the static half reads; ``location`` is what the child imports."""

    text: str  # as the user wrote it
    location: str  # absolute path of a file, or dotted name of a module
    is_file: bool
    attribute: str  # "" means make()
    path: str
    root: str  # the dotted name of the root, factory or function, as --root takes it
    search_path: tuple[str, ...]


def resolve(text: str, models: Mapping[str, str], base: Path, installed: Sequence[str]) -> Target:
    """The target that ``text`` names: a key of ``models`` (from [tool.fxlint.models]), "path.py", "path.py:name" or "module:name".

    Relative paths and modules start at ``base``; ``installed`` is the ``sys.path`` of the interpreter that will import the target.
    Raises UsageError, saying what is missing.
    """
    spec = models.get(text, text)
    location, _, attribute = spec.rpartition(":") if ":" in spec else (spec, "", "")
    if location.endswith(".py"):
        path = (base / location).resolve()
        if not path.is_file():
            raise UsageError(f"{text}: there is no file {location}")
        return _target(text, str(path), True, attribute, path, base)
    if not attribute or not all(part.isidentifier() for part in location.split(".")):
        known = f" (models in the configuration: {', '.join(sorted(models))})" if models else ""
        raise UsageError(f"{text}: wanted is path.py:Class, path.py:function, path.py with make(), or module:factory{known}")
    found = _module_file(location, (str(base), *installed))
    if found is None:
        raise UsageError(f"{text}: there is no module {location}")
    return _target(text, location, False, attribute, found, base)


def _target(text: str, location: str, is_file: bool, attribute: str, path: Path, base: Path) -> Target:
    if attribute and not all(part.isidentifier() for part in attribute.split(".")):
        raise UsageError(f"{text}: {attribute!r} is not a name")
    module, folder = module_name(path)
    search = (str(folder),) if is_file else (str(base),)
    return Target(text, location, is_file, attribute, str(path), f"{module}.{attribute or 'make'}", search)


def _module_file(dotted: str, search: tuple[str, ...]) -> Path | None:
    """The source file of a module, without importing it or its packages."""
    places: list[str] | None = list(search)
    name = ""
    spec = None
    for part in dotted.split("."):
        name = f"{name}.{part}" if name else part
        spec = PathFinder.find_spec(name, places)
        if spec is None:
            return None
        places = list(spec.submodule_search_locations) if spec.submodule_search_locations is not None else []
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin).resolve()


def inputs_spec(text: str, base: Path) -> str:
    """``--inputs`` as the child takes it, with an absolute path. Raises UsageError for what names no function of a file or module."""
    location, _, name = text.rpartition(":")
    if not location or not name.isidentifier():
        raise UsageError(f"--inputs {text}: wanted is module:function or path.py:function")
    if not location.endswith(".py"):
        return text
    path = (base / location).resolve()
    if not path.is_file():
        raise UsageError(f"--inputs {text}: there is no file {location}")
    return f"{path}:{name}"
