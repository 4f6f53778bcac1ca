"""Messages between parent and child: what goes in comes out, and what is foreign stays out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fxlint.verify.codec import DecodeError, decode, encode
from fxlint.verify.protocol import (
    Executed,
    Failure,
    FrameReader,
    GraphFacts,
    Incident,
    IncidentKind,
    Limits,
    ModuleFile,
    Opaque,
    Overlay,
    Place,
    Progress,
    ReferenceRole,
    Request,
    Stage,
    Status,
    Step,
    WorkerReport,
    frame,
    read_request,
    request_bytes,
)  # fmt: skip

PLACE = Place("net.py", 3, 5, 3, 9, "Net.forward", "assert é")
REPORT = WorkerReport(
    "2.13.0", "Net", "eval", True, Failure(Stage.TRACE, "TraceError", "no", (PLACE,)), None, ("mask",),
    GraphFacts(4, 2, (Opaque("ops.f", "wrapped function", 1),)), (Step("lint", Status.PASSED),), "ran to the end",
    (Incident(IncidentKind.LEN, PLACE, "", 2), Incident(IncidentKind.RAISED, None, "x", 1)), (Executed("net.py", (1, 2)),), ("note",),
)  # fmt: skip
REQUEST = Request(
    "pkg.mod", False, "make", "x.py:inputs", ("here",), (Overlay("p", "text\r\n"),), (ModuleFile("m", "m.py"),), ("A",), "ref",
    ReferenceRole.READ, 3, Limits(1.5, 2),
)  # fmt: skip


def test_report_and_request_survive_the_way() -> None:
    assert decode(WorkerReport, json.loads(json.dumps(encode(REPORT)))) == REPORT
    assert read_request(request_bytes(REQUEST, "n")) == (REQUEST, "n")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"model": 3}, "value.model"),
        ({"has_inputs": 1}, "value.has_inputs"),
        ({"defaults": "mask"}, "value.defaults"),
        ({"steps": [{"name": "a", "status": "unheard of", "detail": ""}]}, r"value.steps\[0\].status"),
        ({"executed": [{"path": "a", "rows": [1, True]}]}, r"value.executed\[0\].rows\[1\]"),
        ({"extra": 1}, "extra"),
        ({"graph": []}, "value.graph"),
    ],
)
def test_wrong_shapes_are_named(change: dict[str, object], path: str) -> None:
    with pytest.raises(DecodeError, match=path):
        decode(WorkerReport, {**encode(REPORT), **change})


def test_a_missing_field_is_named() -> None:
    data = encode(REPORT)
    del data["torch_version"]
    with pytest.raises(DecodeError, match="torch_version"):
        decode(WorkerReport, data)


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="set"):
        encode({1, 2})


def test_frames_in_any_pieces() -> None:
    data = frame(Progress(Stage.IMPORT), "n1") + frame(REPORT, "n1")
    for size in (1, 7, len(data)):
        reader = FrameReader("n1")
        got = [message for start in range(0, len(data), size) for message in reader.feed(data[start : start + size])]
        assert got == [Progress(Stage.IMPORT), REPORT]
        assert reader.foreign == 0


def test_frames_with_another_nonce_are_foreign() -> None:
    forged = frame(replace(REPORT, model="forged"), "guessed")
    reader = FrameReader("real")
    got = reader.feed(b"hello\n" + forged) + reader.feed(frame(Progress(Stage.TRACE), "real") + b"bye " * 30)
    assert got == [Progress(Stage.TRACE)]
    assert reader.foreign >= len(forged) + len(b"hello\n")


@pytest.mark.parametrize("payload", [b"not json", b'{"kind": "Other", "body": {}}', b'{"kind": "Progress", "body": {"stage": 1}}', b"[]"])
def test_a_frame_that_says_nothing_known_is_foreign(payload: bytes) -> None:
    reader = FrameReader("n")
    assert reader.feed(b"FXLINT n %d\n%s" % (len(payload), payload)) == []
    assert reader.foreign == len(payload)


def test_a_frame_without_end_is_not_waited_for() -> None:
    reader = FrameReader("n")
    assert reader.feed(b"FXLINT n 999999999\n" + frame(Progress(Stage.TRACE), "n")) == [Progress(Stage.TRACE)]
