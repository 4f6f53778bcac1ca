"""Writing: all or nothing, also when the process is killed, and never through a read-only file."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fxlint.fixes.atomic import JOURNAL, WriteError, recover, write, write_all


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_with_its_mode_and_without_leftovers(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    path.chmod(0o751)
    write(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert names(tmp_path) == ["a.py"]


def test_a_symbolic_link_stays_one(tmp_path):
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "a.py"
    target.write_bytes(b"old")
    link = tmp_path / "link.py"
    link.symlink_to(target)
    write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_read_only_file_is_an_error_and_nothing_is_written(tmp_path):
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_bytes(b"a")
    second.write_bytes(b"b")
    second.chmod(0o444)
    with pytest.raises(WriteError, match=r"b\.py: cannot write: the file is read-only"):
        write_all({first: b"A", second: b"B"}, tmp_path / JOURNAL)
    assert (first.read_bytes(), second.read_bytes()) == (b"a", b"b")
    assert names(tmp_path) == ["a.py", "b.py"]


def test_several_files_are_written_and_the_journal_goes(tmp_path):
    files = {tmp_path / name: name.encode() for name in ("a.py", "b.py", "c.py")}
    for path in files:
        path.write_bytes(b"old")
    write_all(files, tmp_path / JOURNAL)
    assert [path.read_bytes() for path in files] == list(files.values())
    assert names(tmp_path) == ["a.py", "b.py", "c.py"]


def test_a_failure_between_two_files_takes_the_first_back(tmp_path, monkeypatch):
    from fxlint.fixes import atomic

    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_bytes(b"a")
    second.write_bytes(b"b")
    whole = atomic.write

    def fail(path, data):
        if path == second and data == b"B":
            raise WriteError("disk full")
        whole(path, data)

    monkeypatch.setattr(atomic, "write", fail)
    with pytest.raises(WriteError, match="disk full"):
        write_all({first: b"A", second: b"B"}, tmp_path / JOURNAL)
    assert (first.read_bytes(), second.read_bytes()) == (b"a", b"b")
    assert not (tmp_path / JOURNAL).exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from fxlint.fixes import atomic
folder, stop = Path(sys.argv[1]), int(sys.argv[2])
calls = 0
real = os.fsync
def fsync(descriptor):
    global calls
    calls += 1
    if calls == stop:
        os.kill(os.getpid(), signal.SIGKILL)
    real(descriptor)
os.fsync = fsync
atomic.write_all({folder / n: n.upper().encode() for n in ("a", "b", "c")}, folder / atomic.JOURNAL)
"""


@pytest.mark.parametrize("stop", range(1, 11))
def test_after_kill_9_all_files_are_old_or_all_are_new(stop, tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(name.encode())
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(stop)], env=environment, check=False)
    # Each write syncs twice (file, directory), the journal's removal once: nine in all, so that the tenth stop never comes.
    assert done.returncode == (-signal.SIGKILL if stop < 10 else 0)
    recover(tmp_path / JOURNAL)
    contents = [(tmp_path / name).read_bytes() for name in ("a", "b", "c")]
    assert contents in ([b"a", b"b", b"c"], [b"A", b"B", b"C"])
    assert not (tmp_path / JOURNAL).exists()


def journal(folder: Path, old: dict[str, str], new: dict[str, str], schema: int = 1) -> Path:
    from base64 import b64encode

    def coded(texts: dict[str, str]) -> dict[str, str]:
        return {name: b64encode(text.encode()).decode() for name, text in texts.items()}

    path = folder / JOURNAL
    path.write_text(json.dumps({"schema": schema, "old": coded(old), "new": coded(new)}))
    return path


def test_a_file_that_somebody_edited_since_is_left_alone(tmp_path):
    name = str(tmp_path / "a.py")
    Path(name).write_text("edited")
    assert recover(journal(tmp_path, {name: "old"}, {name: "new"})) == ()
    assert Path(name).read_text() == "edited"


def test_a_file_that_was_written_already_is_put_back(tmp_path):
    name = str(tmp_path / "a.py")
    Path(name).write_text("new")
    assert recover(journal(tmp_path, {name: "old"}, {name: "new"})) == (name,)
    assert Path(name).read_text() == "old"


def test_a_journal_reaches_no_file_outside_of_its_folder(tmp_path):
    (tmp_path / "in").mkdir()
    name = str(tmp_path / "a.py")
    Path(name).write_text("new")
    with pytest.raises(WriteError, match="lies outside"):
        recover(journal(tmp_path / "in", {name: "old"}, {name: "new"}))
    assert Path(name).read_text() == "new"


@pytest.mark.parametrize(
    ("text", "reason"), [("{", "cannot read the journal"), ("[]", "not a journal"), ('{"schema": 9}', "another version")]
)
def test_a_journal_that_is_none_is_an_error(text, reason, tmp_path):
    (tmp_path / JOURNAL).write_text(text)
    with pytest.raises(WriteError, match=reason):
        recover(tmp_path / JOURNAL)


def test_a_run_does_not_start_over_an_unfinished_one(tmp_path):
    files = {tmp_path / name: b"x" for name in ("a", "b")}
    for path in files:
        path.write_bytes(b"old")
    journal(tmp_path, {}, {})
    with pytest.raises(WriteError, match="an earlier run did not end"):
        write_all(files, tmp_path / JOURNAL)


def test_without_a_journal_there_is_nothing_to_recover(tmp_path):
    assert recover(tmp_path / JOURNAL) == ()
