"""Settings: what `[tool.fxlint]` in pyproject.toml, or fxlint.toml, says, checked key by key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from fxlint.base.errors import ConfigError, UsageError

# The formats of `fxlint check`, each with the module of fxlint.report that writes it.
OUTPUT_FORMATS: Mapping[str, str] = {
    "full": "full",
    "concise": "concise",
    "grouped": "grouped",
    "json": "json_list",
    "json-lines": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "rdjson": "rdjson",
}
NEWEST_TORCH = "2.13.0"  # the newest torch that the library tables were run on

Value: TypeAlias = str | bool | tuple[str, ...] | tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a configuration file can say. ``directory`` is the folder of that file, None where there is none."""

    directory: Path | None = None
    select: tuple[str, ...] = ()  # code prefixes; () means all
    ignore: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()  # classes or functions, dotted or bare; () means: discover them
    torch_version: str = NEWEST_TORCH
    exclude: tuple[str, ...] = ()  # glob patterns, as in .gitignore
    models: tuple[tuple[str, str], ...] = ()  # (name, "module:factory" or "path.py:Class") pairs for `fxlint trace`
    output_format: str = "full"
    unsafe_fixes: bool = False
    show_info: bool = False


def _text(value: object) -> Value:
    if isinstance(value, str):
        return value
    raise TypeError("a string")


def _flag(value: object) -> Value:
    if isinstance(value, bool):
        return value
    raise TypeError("true or false")


def _texts(value: object) -> Value:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise TypeError("a list of strings")


def _pairs(value: object) -> Value:
    if isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
        return tuple(sorted(value.items()))
    raise TypeError("a table of strings")


def _format(value: object) -> Value:
    if isinstance(value, str) and value in OUTPUT_FORMATS:
        return value
    raise TypeError("one of " + ", ".join(OUTPUT_FORMATS))


def _version(value: object) -> Value:
    if isinstance(value, str):
        try:
            return torch_version(value)
        except UsageError as error:
            raise TypeError('a version such as "2.4" or "2.13.0", 2.4 or newer') from error
    raise TypeError('a version such as "2.4" or "2.13.0"')


KEYS: Mapping[str, Callable[[object], Value]] = {
    "select": _texts,
    "ignore": _texts,
    "roots": _texts,
    "torch-version": _version,
    "exclude": _texts,
    "models": _pairs,
    "output-format": _format,
    "unsafe-fixes": _flag,
    "show-info": _flag,
}


def torch_version(text: str) -> str:
    """``text`` where it is a torch version that fxlint knows about; raises UsageError otherwise."""
    match = re.fullmatch(r"2\.(\d+)(\.\d+)?", text)
    if match is None or int(match[1]) < 4:
        raise UsageError(f'wrong torch version {text!r}: give one such as "2.4" or "2.13.0", 2.4 or newer')
    return text


def find(start: Path) -> Path | None:
    """The configuration file that governs ``start`` (a folder): the nearest fxlint.toml, or pyproject.toml with `[tool.fxlint]`, upward.

    Raises ConfigError for a file on the way that cannot be read as TOML.
    """
    for folder in (start, *start.parents):
        own = folder / "fxlint.toml"
        if own.is_file():
            return own
        shared = folder / "pyproject.toml"
        if shared.is_file() and _table(shared) is not None:
            return shared
    return None


def load(path: Path) -> Settings:
    """The settings that ``path`` holds. Raises ConfigError where it cannot be read, or holds an unknown key or a wrong type."""
    table = _table(path)
    if table is None:
        raise ConfigError(f"{path}: no [tool.fxlint] table")
    read: dict[str, Value] = {}
    for key, value in table.items():
        reader = KEYS.get(key)
        if reader is None:
            raise ConfigError(f"{path}: unknown key {key!r}{nearest(key, tuple(KEYS))}")
        try:
            read[key.replace("-", "_")] = reader(value)
        except TypeError as error:
            raise ConfigError(f"{path}: {key} must be {error}, not {value!r}") from error
    return replace(Settings(directory=path.parent), **read)  # type: ignore[arg-type]  # each reader answers its field's type


def nearest(word: str, known: tuple[str, ...]) -> str:
    """``; did you mean 'x'?`` for the known word nearest to ``word``, or the list of all where none is near."""
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else "; known are " + ", ".join(known)


def _table(path: Path) -> dict[str, object] | None:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    if path.name != "pyproject.toml":
        return document
    tool = document.get("tool", {})
    if not isinstance(tool, dict):
        raise ConfigError(f"{path}: [tool] is not a table")
    table = tool.get("fxlint")
    if table is None or isinstance(table, dict):
        return table
    raise ConfigError(f"{path}: [tool.fxlint] is not a table")
