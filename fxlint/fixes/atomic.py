"""Writing: one file by temp file and rename, several by a journal, so that a repair is on disk as a whole or not at all."""

from __future__ import annotations

import base64
import glob
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fxlint.base.errors import FxlintError

JOURNAL = ".fxlint-journal"
JOURNAL_SCHEMA = 1
SUFFIX = ".fxlint"  # of temporary files


class WriteError(FxlintError):
    """A file that cannot be written; nothing was changed."""


def write(path: Path, data: bytes) -> None:
    """Replace the content of ``path``: a reader sees the old bytes or the new ones, never a part.

    A symbolic link stays one (its target is replaced); the mode is kept. Raises WriteError where the file or its directory is read-only.
    """
    target = Path(os.path.realpath(path))
    _require_writable(target)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=SUFFIX, dir=target.parent)
    except OSError as error:
        raise WriteError(f"{path}: cannot write into its directory: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        if target.exists():
            Path(name).chmod(stat.S_IMODE(target.stat().st_mode))
        Path(name).replace(target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise WriteError(f"{path}: cannot write: {error.strerror}") from error
    _sync_directory(target.parent)


def write_all(contents: Mapping[Path, bytes], journal: Path) -> None:
    """Replace the content of several files: all of them or none, also when the process is killed in between.

    The old bytes go into ``journal`` first; ``recover`` puts them back where the run never came to its end. A single file needs no journal.
    Raises WriteError, with every file as it was.
    """
    for path in contents:
        _require_writable(Path(os.path.realpath(path)))
        _require_inside(path.absolute(), journal)
    if len(contents) == 1:
        for path, data in contents.items():
            write(path, data)
        return
    if journal.exists():
        raise WriteError(f"{journal}: an earlier run did not end; start fxlint fix again to restore its files")
    record = {
        "schema": JOURNAL_SCHEMA,
        "old": {str(path.absolute()): base64.b64encode(path.read_bytes()).decode("ascii") for path in contents},
        "new": {str(path.absolute()): base64.b64encode(data).decode("ascii") for path, data in contents.items()},
    }
    write(journal, json.dumps(record).encode("ascii"))
    try:
        for path, data in contents.items():
            write(path, data)
    except WriteError:
        recover(journal)
        raise
    journal.unlink()
    _sync_directory(journal.parent)


def recover(journal: Path) -> tuple[str, ...]:
    """Undo a run that was killed between its files: the names of the files put back, () where there is nothing to do.

    A file that somebody edited since (neither the old nor the new bytes) is left alone. Raises WriteError for an unusable journal.
    """
    try:
        record = json.loads(journal.read_bytes())
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise WriteError(f"{journal}: cannot read the journal of an earlier run: {error}") from error
    try:
        if record["schema"] != JOURNAL_SCHEMA:
            raise WriteError(f"{journal}: written by another version of fxlint; remove it to go on")
        old = {Path(name): base64.b64decode(data) for name, data in record["old"].items()}
        new = {Path(name): base64.b64decode(data) for name, data in record["new"].items()}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise WriteError(f"{journal}: not a journal of fxlint; remove it to go on") from error
    for path in old:
        _require_inside(path, journal)
    restored = []
    for path, data in sorted(old.items()):
        if path.exists() and path.read_bytes() == new.get(path) != data:
            write(path, data)
            restored.append(str(path))
        for left in path.parent.glob(f".{glob.escape(path.name)}.*{SUFFIX}"):
            left.unlink(missing_ok=True)
    journal.unlink()
    return tuple(restored)


def _require_inside(path: Path, journal: Path) -> None:
    """A journal that somebody else left in a checkout must not reach files outside of it."""
    if not Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(journal.parent)):
        raise WriteError(f"{path}: lies outside {journal.parent}, where the journal {journal.name} is kept")


def _require_writable(target: Path) -> None:
    # The mode is asked as well as access(): the superuser may write anything, but who made a file read-only meant it.
    if target.exists() and not (os.access(target, os.W_OK) and target.stat().st_mode & 0o222):
        raise WriteError(f"{target}: cannot write: the file is read-only")
    if not os.access(target.parent, os.W_OK):
        raise WriteError(f"{target}: cannot write: its directory is read-only")


def _sync_directory(directory: Path) -> None:
    """Make a rename durable; some file systems do not let a directory be opened, and then the rename alone must do."""
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
