"""The parent's side: start the child, feed it, drain it, end it. Never imports torch, never runs a line of the user's code.

The child leads a session and process group of its own, and the whole group is killed at the end, whatever happened. Only the variables
listed in ``PASSED_ON`` reach it. Its temporary folder is a new one; its working directory is the caller's, for models that read files.
"""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fxlint.verify.protocol import FrameReader, Limits, Progress, Request, Stage, WorkerReport, request_bytes

PASSED_ON = (
    "PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH",
    "SYSTEMROOT", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "TORCH_HOME", "XDG_CACHE_HOME", "HF_HOME", "HF_HUB_OFFLINE", "OMP_NUM_THREADS",
    "OMP_WAIT_POLICY", "MKL_NUM_THREADS",
)  # fmt: skip
NO_TORCH_EXIT = 77  # the child's exit status when torch cannot be imported
TORCH_HINT = "install it with: pip install 'fxlint[trace]'"
DRAIN_SECONDS = 0.5  # how long a grandchild that holds the pipes open is listened to after the child's end
# This very package is loaded by its path: the child may be another interpreter, which must not get this one's site-packages as well.
_BOOT = """
import importlib.util, sys
folder, read, write = sys.argv[1:4]
del sys.argv[1:]
spec = importlib.util.spec_from_file_location("fxlint", folder + "/__init__.py", submodule_search_locations=[folder])
sys.modules["fxlint"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["fxlint"])
from fxlint.verify.worker import main
main(int(read), int(write))
"""


class Death(StrEnum):
    """How a child ended that did not report."""

    TIMEOUT = "timeout"
    EXITED = "exited"
    KILLED = "killed"
    MEMORY = "memory"
    FLOODED = "flooded"
    NO_TORCH = "no torch"


@dataclass(frozen=True, slots=True)
class Reported:
    """The child came to its end; ``stdout`` and ``stderr`` are the first bytes that the model printed."""

    report: WorkerReport
    seconds: float
    stdout: str
    stderr: str
    foreign: int = 0  # bytes on the result pipe that were no frame of the child's: somebody wrote to it


@dataclass(frozen=True, slots=True)
class Died:
    """The child gave no report. ``line`` says in one line what happened and during which stage."""

    death: Death
    stage: Stage
    line: str
    seconds: float
    stdout: str
    stderr: str


_DOING = {
    Stage.START: "while Python and torch were starting",
    Stage.IMPORT: "while the target was being imported",
    Stage.BUILD: "while the model was being built",
    Stage.INPUTS: "while the inputs were being made",
    Stage.EAGER: "while the model ran in eager mode",
    Stage.TRACE: "while the model was being traced",
    Stage.RETRACE: "while the graph was being checked and the model traced again",
    Stage.COMPARE: "while the traced module was compared with the model",
    Stage.CONCOLIC: "while the model was traced with real values",
}


def search_path(python: str) -> tuple[str, ...]:
    """The ``sys.path`` of another interpreter, which is asked for it. Raises OSError where it cannot be started or gives no answer."""
    command = [python, "-P", "-c", "import json, sys; print(json.dumps(sys.path))"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL)
        return tuple(str(folder) for folder in json.loads(done.stdout))
    except (subprocess.SubprocessError, ValueError) as error:
        raise OSError(0, "it gives no answer as a Python would") from error


class _Capture:
    """Keeps the first ``kept`` bytes of a stream and counts all."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._data = bytearray()
        self.total = 0

    def feed(self, data: bytes) -> None:
        self.total += len(data)
        self._data += data[: max(0, self._kept - len(self._data))]

    def text(self) -> str:
        cut = self.total - len(self._data)
        tail = f"\n[{cut} more bytes]" if cut else ""
        return self._data.decode(errors="replace") + tail


def environment(temporary: Path) -> dict[str, str]:
    """The child's environment: what ``PASSED_ON`` lists, a fixed hash seed, no bytecode written beside the user's files."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {
        "OMP_WAIT_POLICY": "PASSIVE",  # idle threads of torch sleep: on a busy machine the spinning of each run slows all others
        **kept,
        "TMPDIR": str(temporary),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8:replace",
    }


def run(request: Request, temporary: Path, python: str = sys.executable) -> Reported | Died:
    """Run ``request`` in a child of the interpreter ``python``; ``temporary`` is an existing empty folder, the child's TMPDIR.

    Takes at most ``request.limits.seconds`` and a little more. Raises OSError when ``python`` cannot be started.
    """
    started = time.monotonic()
    nonce = secrets.token_hex(16)
    request_read, request_write = os.pipe()
    answer_read, answer_write = os.pipe()
    package = str(Path(__file__).resolve().parents[1])
    try:
        child = subprocess.Popen(
            [python, "-P", "-c", _BOOT, package, str(request_read), str(answer_write)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            pass_fds=(request_read, answer_write), env=environment(temporary), start_new_session=True,
        )  # fmt: skip
    except OSError:
        for descriptor in (request_read, request_write, answer_read, answer_write):
            os.close(descriptor)
        raise
    os.close(request_read)
    os.close(answer_write)
    try:
        return _attend(child, request, nonce, request_write, answer_read, started)
    finally:
        _kill_group(child)
        os.close(answer_read)
        for stream in (child.stdout, child.stderr):
            if stream is not None:
                stream.close()
        child.wait()


def _attend(
    child: subprocess.Popen[bytes], request: Request, nonce: str, request_write: int, answer_read: int, started: float
) -> Reported | Died:
    limits = request.limits
    pending = memoryview(request_bytes(request, nonce))
    reader = FrameReader(nonce)
    captures = {"stdout": _Capture(limits.kept), "stderr": _Capture(limits.kept)}
    stage = Stage.START
    report: WorkerReport | None = None
    death: Death | None = None
    assert child.stdout is not None
    assert child.stderr is not None
    os.set_blocking(request_write, False)
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ, "stdout")
        selector.register(child.stderr, selectors.EVENT_READ, "stderr")
        selector.register(answer_read, selectors.EVENT_READ, "answer")
        selector.register(request_write, selectors.EVENT_WRITE, "request")
        end = started + limits.seconds
        ended_at: float | None = None
        while selector.get_map():
            now = time.monotonic()
            if ended_at is None and child.poll() is not None:
                ended_at = now
            if ended_at is not None and now > ended_at + DRAIN_SECONDS:
                break
            if now > end and report is None:
                death = Death.TIMEOUT
                break
            if report is not None and ended_at is None and now > end:
                break
            for key, _ in selector.select(0.05):
                if key.data == "request":
                    pending = _send(selector, request_write, pending)
                    continue
                data = os.read(key.fd, 65536)
                if not data:
                    selector.unregister(key.fileobj)
                elif key.data == "answer":
                    for message in reader.feed(data):
                        if isinstance(message, Progress):
                            stage = message.stage
                        else:
                            report = message
                else:
                    captures[key.data].feed(data)
            if sum(capture.total for capture in captures.values()) > limits.output:
                death = Death.FLOODED
                break
            if report is not None and ended_at is None:  # the child has said all; it need not tidy up
                _kill_group(child)
        if request_write in {key.fd for key in selector.get_map().values()}:
            os.close(request_write)
    seconds = time.monotonic() - started
    stdout, stderr = captures["stdout"].text(), captures["stderr"].text()
    if report is not None and death is None:
        return Reported(report, seconds, stdout, stderr, reader.foreign)
    if death is None:
        death = _death_of(_status(child), stderr)
    return Died(death, stage, _line(death, stage, child, limits), seconds, stdout, stderr)


def _send(selector: selectors.BaseSelector, descriptor: int, pending: memoryview) -> memoryview:
    try:
        pending = pending[os.write(descriptor, pending) :]
    except BrokenPipeError:  # the child is gone; its status says why
        pending = pending[:0]
    if not pending:
        selector.unregister(descriptor)
        os.close(descriptor)
    return pending


def _status(child: subprocess.Popen[bytes]) -> int | None:
    """The exit status, once all pipes are closed; a child that closed them and lives on is not waited for."""
    try:
        return child.wait(timeout=2.0)
    except subprocess.TimeoutExpired:
        return None


def _death_of(status: int | None, stderr: str) -> Death:
    if status == NO_TORCH_EXIT and "No module named 'torch'" in stderr:
        return Death.NO_TORCH
    if status is not None and status < 0:
        return Death.TIMEOUT if -status == signal.SIGXCPU else Death.KILLED
    if "MemoryError" in stderr or "std::bad_alloc" in stderr:
        return Death.MEMORY
    return Death.EXITED


def _line(death: Death, stage: Stage, child: subprocess.Popen[bytes], limits: Limits) -> str:
    doing = _DOING[stage]
    match death:
        case Death.TIMEOUT:
            return f"stopped after {limits.seconds:g} s {doing} (raise the limit with --timeout)"
        case Death.FLOODED:
            return f"stopped {doing}: it printed more than {limits.output // (1024 * 1024)} MiB"
        case Death.NO_TORCH:
            return f"torch is not installed for {child.args[0] if isinstance(child.args, list) else 'this Python'}: {TORCH_HINT}"
        case Death.MEMORY:
            return f"ran out of memory {doing} (the limit is {limits.memory} MiB; raise it with --memory)"
        case Death.KILLED:
            number = -(child.returncode or 0)
            return f"the process was killed by {_signal_name(number)} {doing}"
        case Death.EXITED:
            how = "closed its pipes" if child.returncode is None else f"ended itself with exit status {child.returncode}"
            return f"the process {how} {doing}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    # The child leads its group (start_new_session), so its pid names the group, also after its own end while others of the group live.
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
