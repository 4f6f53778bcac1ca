"""Configuration files: found, read, checked key by key, joined with those that they extend."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from fxlint.base.errors import ConfigError, UsageError
from fxlint.config.keys import EXTEND, KEYS
from fxlint.config.readers import Value
from fxlint.config.settings import Settings

_TABLES = ("per_file_ignores", "severity", "functions", "models")  # joined with those of an extended file, key by key


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
    """The settings that ``path`` holds, over those of the file that it extends.

    Raises ConfigError where one cannot be read, holds an unknown key or a wrong type, or where files extend one another in a circle.
    """
    return replace(_load(path, ()), directory=path.parent)


def override(settings: Settings, text: str) -> Settings:
    """``settings`` with one key replaced: ``text`` is `key = value`, the value as in TOML; quotes around a single word may be left out.

    Raises UsageError.
    """
    origin = f"--config {text}"
    key, _, value = text.partition("=")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        try:
            table = tomllib.loads(f"{key} = '''{value.strip()}'''")
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{origin}: not a file, nor `key = value`: {error}") from error
    if EXTEND in table:
        raise UsageError(f"{origin}: only a file can extend another one; give its name to --config")
    try:
        return _joined(settings, _read(table, origin))
    except ConfigError as error:
        raise UsageError(str(error)) from error


def nearest(word: str, known: tuple[str, ...]) -> str:
    """``; did you mean 'x'?`` for the known word nearest to ``word``, or the list of all where none is near."""
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else "; known are " + ", ".join(known)


def _load(path: Path, below: tuple[Path, ...]) -> Settings:
    table = _table(path)
    if table is None:
        raise ConfigError(f"{path}: no [tool.fxlint] table")
    base = Settings()
    if EXTEND in table:
        base = _load(_extended(path, table.pop(EXTEND), (*below, path)), (*below, path))
    return replace(_joined(base, _read(table, str(path))), files=(path, *base.files))


def _extended(path: Path, value: object, below: tuple[Path, ...]) -> Path:
    if not isinstance(value, str):
        raise ConfigError(f"{path}: {EXTEND} must be the name of a file, not {value!r}")
    other = Path(os.path.normpath(path.parent / os.path.expandvars(Path(value).expanduser())))
    if other in below:
        raise ConfigError(f"{path}: {EXTEND} goes round in a circle: " + " -> ".join(str(one) for one in (*below, other)))
    if not other.is_file():
        raise ConfigError(f"{path}: {EXTEND} names {other}, which is no file")
    return other


def _read(table: dict[str, object], origin: str) -> dict[str, Value]:
    read: dict[str, Value] = {}
    for name, value in table.items():
        key = KEYS.get(name)
        if key is None:
            raise ConfigError(f"{origin}: unknown key {name!r}{nearest(name, (EXTEND, *KEYS))}")
        try:
            read[key.field] = key.type.read(value)
        except TypeError as error:
            raise ConfigError(f"{origin}: {name} must be {error}, not {value!r}") from error
    return read


def _joined(base: Settings, read: dict[str, Value]) -> Settings:
    whole: dict[str, object] = dict(read)
    for field in _TABLES:
        if field in read:
            whole[field] = tuple(sorted({**dict(getattr(base, field)), **dict(read[field])}.items()))  # type: ignore[arg-type]
    return replace(base, **whole)  # type: ignore[arg-type]  # each reader answers its field's type


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
