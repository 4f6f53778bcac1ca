"""What parent and child say to each other, as data, and how it is framed on the pipe.

The parent sends one ``Request`` and closes its pipe. The child answers frames on a pipe of its own: ``Progress`` before each
stage, ``WorkerReport`` at the end. A frame is ``FXLINT <nonce> <length>\\n`` and ``length`` bytes of JSON. The nonce is drawn by the
parent for each run and only the request holds it, so nothing that the model prints can be taken for a frame.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fxlint.verify.codec import DecodeError, decode, encode

MAGIC = b"FXLINT"
LARGEST_FRAME = 64 * 1024 * 1024  # bytes; a longer one is foreign


class Stage(StrEnum):
    """What the child was doing, in the order in which it does it."""

    START = "start"
    IMPORT = "import"
    BUILD = "build"
    INPUTS = "inputs"
    EAGER = "eager"
    TRACE = "trace"
    RETRACE = "retrace"
    COMPARE = "compare"
    CONCOLIC = "concolic"


class ReferenceRole(StrEnum):
    """What the child does with the file of eager observations: the run of the user's own text writes it, the repaired one reads it."""

    NONE = "none"
    WRITE = "write"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Overlay:
    """The text that the import system serves for ``path`` (absolute, resolved) instead of what is on disk."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """A module, by its dotted name, that is found at ``path`` (absolute) where the import system by itself would not find it."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What the child may use: ``seconds`` of wall time, ``memory`` in MiB of address space (0: no limit), the others in bytes."""

    seconds: float = 120.0
    memory: int = 8192
    output: int = 16 * 1024 * 1024
    file_size: int = 2 * 1024 * 1024 * 1024
    kept: int = 64 * 1024  # bytes of stdout, and of stderr, that are kept for the report


@dataclass(frozen=True, slots=True)
class Request:
    """One model to build, trace and compare."""

    location: str  # absolute path of a file, or dotted name of a module
    is_file: bool
    attribute: str  # dotted name inside the module; "" means make()
    inputs: str = ""  # "module:function" or "/abs/path.py:function"; "" means inputs() of the target's module, if any
    search_path: tuple[str, ...] = ()  # goes in front of sys.path
    overlays: tuple[Overlay, ...] = ()
    module_files: tuple[ModuleFile, ...] = ()
    leaf_classes: tuple[str, ...] = ()  # "Class" or "module.Class": modules that stay one node
    reference: str = ""  # path of the file of observations
    reference_role: ReferenceRole = ReferenceRole.NONE
    seed: int = 0
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a file, 1-based rows, 1-based columns in characters, end column exclusive; column 0 where it is not known."""

    path: str
    row: int
    column: int
    end_row: int
    end_column: int
    function: str
    text: str  # the source line at ``row``, stripped


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception that ended a stage. ``chain`` is the user's frames, outermost first; the last is where it was raised."""

    stage: Stage
    error: str  # class of the exception
    message: str  # first line of its text
    chain: tuple[Place, ...] = ()


class IncidentKind(StrEnum):
    """What was asked of a Proxy that plain tracing cannot answer; the comment is what torch raises (``isinstance`` is silent)."""

    BOOL = "bool"  # symbolically traced variables cannot be used as inputs to control flow
    ITER = "iter"  # Proxy object cannot be iterated
    KEYS = "keys"  # 'Attribute' object is not iterable, or "keys must be strings"
    LEN = "len"  # 'len' is not supported in symbolic tracing by default
    INT = "int"  # int() argument must be a string, a bytes-like object or a real number, not 'Proxy'
    FLOAT = "float"  # float() argument must be a string or a real number, not 'Proxy'
    COMPLEX = "complex"  # complex() first argument must be a string or a number, not 'Proxy'
    INDEX = "index"  # 'Proxy' object cannot be interpreted as an integer
    ROUND = "round"  # type Proxy doesn't define __round__ method
    CONTAINS = "contains"  # Proxy object cannot be iterated ("x in proxy")
    SETITEM = "setitem"  # 'Proxy' object does not support item assignment
    DELITEM = "delitem"  # 'Proxy' object does not support item deletion
    FORMAT = "format"  # unsupported format string passed to Proxy.__format__
    REVERSED = "reversed"  # len() and item access behind reversed()
    ARRAY = "array"  # numpy was given a Proxy
    WITH = "with"  # 'Proxy' object does not support the context manager protocol
    TORCH_ARGUMENT = "torch argument"  # f(): argument 'size' must be tuple of ints, not Proxy
    TYPE = "isinstance"  # silent: isinstance answers for Proxy, not for the value
    RAISED = "raised"  # any other exception in a submodule, or in the root


@dataclass(frozen=True, slots=True)
class Incident:
    """One place at which plain tracing would have stopped (or, for ``isinstance``, gone another way); found with real values at hand."""

    kind: IncidentKind
    place: Place | None
    detail: str
    hits: int


class Status(StrEnum):
    """How one step of the proof ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the proof: what was tried, how it ended, and the first difference or the reason for skipping it."""

    name: str
    status: Status
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Opaque:
    """A user's module kept as a leaf, or a wrapped function: ``count`` nodes of the graph hide what it does."""

    target: str
    kind: str  # "leaf module" or "wrapped function"
    count: int


@dataclass(frozen=True, slots=True)
class GraphFacts:
    """What was traced: all nodes, those that compute (calls), and the opaque ones among these."""

    nodes: int
    calls: int
    opaque: tuple[Opaque, ...]


@dataclass(frozen=True, slots=True)
class Executed:
    """The rows of one of the user's files that ran while tracing, sorted."""

    path: str
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a model is defined: the dotted name of its class, the class's file, and the user's files of the classes of all its modules."""

    name: str
    path: str
    sources: tuple[str, ...]  # sorted; bases of these classes count too


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """Everything that the child found out about one text of the model."""

    torch_version: str
    model: str = ""  # qualified name of the class or function that was traced
    mode: str = ""  # "train" or "eval": the mode in which the factory left the model, and in which it was traced
    has_inputs: bool = False
    failure: Failure | None = None
    plain_failure: Failure | None = None  # of symbolic_trace(model), where a trace with `defaults` held fared otherwise
    defaults: tuple[str, ...] = ()  # parameters that were held at their defaults (concrete_args) for what follows
    graph: GraphFacts | None = None
    steps: tuple[Step, ...] = ()
    concolic: str = "not needed"  # how far the trace with real values came, or why it did not run
    incidents: tuple[Incident, ...] = ()
    executed: tuple[Executed, ...] = ()
    notes: tuple[str, ...] = ()
    definition: Definition | None = None  # None for a function, and for a class without a file of the user's
    wrapper: str = ""  # source of the module through which the root was traced, "" for none
    kept_whole: str = ""  # class of the root where it is one leaf below that wrapper
    both_modes: bool = False  # traced once in each mode: a call runs the graph of the mode that it is in


@dataclass(frozen=True, slots=True)
class Progress:
    """The child begins ``stage``."""

    stage: Stage


def request_bytes(request: Request, nonce: str) -> bytes:
    """What the parent writes to the child: the request and the nonce of its answers."""
    return json.dumps({"nonce": nonce, "request": encode(request)}).encode()


def read_request(data: bytes) -> tuple[Request, str]:
    """The request and the nonce in ``data``; raises DecodeError or ValueError."""
    message = json.loads(data)
    return decode(Request, message["request"]), decode(str, message["nonce"])


def frame(message: Progress | WorkerReport, nonce: str) -> bytes:
    """One message of the child as bytes for its pipe."""
    payload = json.dumps({"kind": type(message).__name__, "body": encode(message)}).encode()
    return b"%s %s %d\n%s" % (MAGIC, nonce.encode(), len(payload), payload)


class FrameReader:
    """Collects the bytes of the child's pipe and cuts them into messages; bytes that belong to no frame are counted in ``foreign``."""

    def __init__(self, nonce: str) -> None:
        self._head = re.compile(rb"%s %s (\d{1,9})\n" % (MAGIC, re.escape(nonce.encode())))
        self._longest_head = len(MAGIC) + len(nonce) + 12
        self._buffer = b""
        self.foreign = 0

    def feed(self, data: bytes) -> list[Progress | WorkerReport]:
        """The messages that ``data`` completes, in order."""
        self._buffer += data
        messages: list[Progress | WorkerReport] = []
        while (head := self._head.search(self._buffer)) is not None:
            self._drop(head.start())
            start, length = head.end() - head.start(), int(head.group(1))
            if length > LARGEST_FRAME:
                self._drop(start)
                continue
            if len(self._buffer) < start + length:
                return messages
            payload = self._buffer[start : start + length]
            self._buffer = self._buffer[start + length :]
            message = _message(payload)
            if message is None:
                self.foreign += len(payload)
            else:
                messages.append(message)
        if len(self._buffer) > self._longest_head:  # the head of a frame may still be on its way
            self._drop(len(self._buffer) - self._longest_head)
        return messages

    def _drop(self, count: int) -> None:
        self.foreign += count
        self._buffer = self._buffer[count:]


def _message(payload: bytes) -> Progress | WorkerReport | None:
    try:
        data: Any = json.loads(payload)
        match data:
            case {"kind": "Progress", "body": body}:
                return decode(Progress, body)
            case {"kind": "WorkerReport", "body": body}:
                return decode(WorkerReport, body)
            case _:
                return None
    except (ValueError, DecodeError):
        return None
