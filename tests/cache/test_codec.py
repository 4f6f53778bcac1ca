"""Records on their way to JSON and back."""

from __future__ import annotations

import json

import pytest

from fxlint.base.analysis import Analysis, Unknown
from fxlint.base.event import Assumption, AssumptionKind, Event, EventKind, Facet, Frame, Site, Step
from fxlint.cache.codec import FormatError, decode, encode

SITE = Site("a/b.py", 3, 9)
EVENT = Event(
    EventKind.PROXY_LEN, "len", SITE, subject="x\ud800", subject_site=SITE, facet=Facet.SIZE, steps=(Step(SITE, "x", "input"),),
    assumptions=frozenset({Assumption(AssumptionKind.CONDITION, "a"), Assumption(AssumptionKind.TRAINING, "train")}), roots=("Net",),
    stack=(Frame(SITE, "Net.forward", "helper", "c.py"),))
ANALYSIS = Analysis((EVENT,), (Unknown("recursion", 2),), ("Net",), reveals=(("a.py", 1, "x: Proxy"),), proxy_calls=3)


def test_a_record_comes_back_as_it_was() -> None:
    assert decode(Analysis, json.loads(json.dumps(encode(ANALYSIS)))) == ANALYSIS


def test_sets_are_written_in_one_order() -> None:
    one = encode(frozenset({Assumption(AssumptionKind.CONDITION, "b"), Assumption(AssumptionKind.CONDITION, "a")}))
    assert one == [["condition", "a"], ["condition", "b"]]


@pytest.mark.parametrize(("kind", "data"), [
    (Site, ["a.py", 1]),  # a field short
    (Site, ["a.py", "1", 2]),
    (Site, ["a.py", True, 2]),  # bool is not int here
    (Site, {"path": "a.py"}),
    (Site, None),
    (Assumption, ["no-such-kind", "a"]),
    (Assumption, [["condition"], "a"]),
    (Unknown, ["reason", 1.0]),
])
def test_what_does_not_fit_is_refused(kind: type, data: object) -> None:
    with pytest.raises(FormatError):
        decode(kind, data)


def test_what_has_no_form_cannot_be_kept() -> None:
    with pytest.raises(TypeError, match="dict cannot be kept"):
        encode({})
