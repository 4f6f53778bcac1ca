"""Finding and importing what a target names. Runs in the child: importing is running the user's code."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from fxlint.verify.overlay import with_overlay


class TargetError(Exception):
    """The target names something that is not there, or that is not a model; the text says what is wanted."""


def module_name(path: Path) -> tuple[str, Path]:
    """The dotted name under which ``path`` (a file) is imported, and the folder that must be on ``sys.path`` for it.

    A file of a package (a folder with ``__init__.py``) is imported as part of it, so that its relative imports work.
    """
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or path.parent.name, folder


def import_file(path: Path, texts: dict[str, str]) -> ModuleType:
    """The module of the file ``path``, from the overlay ``texts`` where it has one. Raises whatever the file raises."""
    name, folder = module_name(path)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    known = sys.modules.get(name)
    if known is not None and Path(getattr(known, "__file__", None) or "").resolve() == path:
        return known
    if "." in name:
        module = importlib.import_module(name)
        if Path(getattr(module, "__file__", None) or "").resolve() == path:
            return module
    elif known is not None or name in sys.stdlib_module_names:  # a file called random.py must not stand in for the library's
        name = f"fxlint_target_{name}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{path} is not a Python file")
    spec = with_overlay(spec, texts) or spec
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def import_location(location: str, is_file: bool, texts: dict[str, str]) -> ModuleType:
    """The module at ``location``: the absolute path of a file, or a dotted name."""
    return import_file(Path(location).resolve(), texts) if is_file else importlib.import_module(location)


def attribute(module: ModuleType, dotted: str) -> object:
    """What ``dotted`` names inside ``module``; raises TargetError, naming the first part that is missing."""
    value: object = module
    for part in dotted.split("."):
        try:
            value = getattr(value, part)
        except AttributeError as error:
            where = getattr(module, "__file__", None) or module.__name__
            raise TargetError(f"{where} has no {dotted!r} ({part!r} is missing)") from error
    return value
