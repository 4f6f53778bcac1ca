"""The checks of the families 1xx to 4xx divide the events among themselves: each event has one check that speaks for it."""

from __future__ import annotations

import pytest

from fxlint.api import Check, Event, EventKind, Facet, FixKind, FixRequest, Site
from fxlint.fixes.rewrites.table import REWRITES
from fxlint.registry import Loaded, load

REGISTRY = load()
FIRST_FOUR = tuple(one for one in REGISTRY.checks.values() if one.check.code[3] in "1234")
FACTORIES = ("torch.zeros", "torch.tensor")  # one kind, two checks, told apart by the function called


def events(check: Check) -> list[Event]:
    """Every event that ``check`` declares to take, with each facet."""
    constructs = check.constructs or ("",)
    callees = FACTORIES if EventKind.FACTORY_SIZE in check.events else ("numpy.sqrt",)
    return [
        Event(kind, construct, Site("model.py", 0, 1), subject="x", facet=facet, callee=callee)
        for kind in check.events
        for construct in constructs
        for facet in Facet
        for callee in callees
    ]


def speakers(event: Event) -> list[str]:
    return [one.check.code for one in REGISTRY.takers(event) if one.report(event) is not None]


EVENTS = tuple(dict.fromkeys(event for one in FIRST_FOUR if one.check.constructs for event in events(one.check)))


@pytest.mark.parametrize("facet", [pytest.param(facet, id=facet.name) for facet in Facet])
def test_every_event_has_one_speaker(facet: Facet) -> None:
    found = {(e.kind.value, e.construct): speakers(e) for e in EVENTS if e.facet is facet}
    assert {event: codes for event, codes in found.items() if len(codes) != 1} == {}


@pytest.mark.parametrize(("callee", "code"), [("torch.zeros", "TFX302"), ("torch.tensor", "TFX304"), ("torch.rand", "TFX302")])
def test_factories_are_told_apart_by_what_they_read(callee: str, code: str) -> None:
    assert speakers(Event(EventKind.FACTORY_SIZE, "", Site("model.py", 0, 1), subject="n", callee=callee)) == [code]


def test_a_number_read_from_data_is_reported_once_and_by_its_own_check() -> None:
    for kind, construct in ((EventKind.PROXY_NUMBER, "int"), (EventKind.PROXY_ITER, "for"), (EventKind.PROXY_LEN, "len")):
        assert speakers(Event(kind, construct, Site("model.py", 0, 1), subject="x.item()", facet=Facet.NUMBER)) == ["TFX209"]
        assert speakers(Event(kind, construct, Site("model.py", 0, 1), subject="n", facet=Facet.SIZE_ITEM)) != ["TFX209"]


@pytest.mark.parametrize("loaded", [pytest.param(one, id=one.check.code) for one in FIRST_FOUR])
def test_words_and_wishes_are_complete(loaded: Loaded) -> None:
    """Messages are one line that names the operand; help is there; wishes are known, transparent ones first."""
    order = list(FixKind)
    for event in events(loaded.check):
        report = loaded.report(event)
        if report is None:
            continue
        assert "`" in report.message
        assert "\n" not in report.message + report.help
        assert report.help
        wishes = tuple(loaded.fix(event) or ()) if loaded.fix else ()
        assert all(isinstance(wish, FixRequest) for wish in wishes)
        assert [order.index(wish.kind) for wish in wishes] == sorted(order.index(wish.kind) for wish in wishes)
        assert {wish.rule for wish in wishes if wish.kind is FixKind.REWRITE} <= REWRITES.keys()
        assert {wish.rule for wish in wishes if wish.kind is not FixKind.REWRITE} <= {""}
