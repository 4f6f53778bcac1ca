"""Where kept analyses stand: one file for each question, in the user's cache folder.

The folder is the user's and never that of the project: what is read from it is believed, and a checkout may be a stranger's.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

VARIABLE = "FXLINT_CACHE_DIR"
MOST_ENTRIES = 256
TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of fxlint and may be deleted.\n"


def standard() -> Path:
    """The cache folder: FXLINT_CACHE_DIR, else ``fxlint`` in the place that the platform has for caches."""
    stated = os.environ.get(VARIABLE)
    if stated:
        return Path(os.path.abspath(stated))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "fxlint" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "fxlint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fxlint"


def digest(data: bytes) -> str:
    """The fingerprint of a file's bytes, or of anything else that an entry depends on."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read(folder: Path, name: str) -> bytes | None:
    """The entry called ``name``, None where there is none that can be read."""
    try:
        data = (folder / name).read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        os.utime(folder / name)  # the entries used last are kept longest
    return data


def write(folder: Path, name: str, data: bytes) -> bool:
    """Keep an entry; it appears whole or not at all, whoever else writes. False where the folder does not take it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tag = folder / "CACHEDIR.TAG"
        if not tag.exists():
            tag.write_text(TAG, "utf-8")
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(temporary, folder / name)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        return False
    _prune(folder)
    return True


def _prune(folder: Path) -> None:
    """Drop what was used longest ago where there are too many entries."""
    with suppress(OSError):
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(".json")]
        if len(entries) <= MOST_ENTRIES:
            return
        entries.sort(key=lambda entry: entry.stat().st_mtime_ns)
        for entry in entries[: len(entries) - MOST_ENTRIES]:
            with suppress(OSError):
                os.unlink(entry.path)
