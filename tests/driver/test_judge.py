"""Severity, certainty and the words of conditions, from assumptions alone."""

from __future__ import annotations

import pytest

from fxlint.base.event import Assumption, AssumptionKind, Event, EventKind, Site
from fxlint.base.finding import Certainty, Severity
from fxlint.judge import Seen, condition, judge

OPTIONAL, CONDITION, TRAINING = AssumptionKind.OPTIONAL_ARGUMENT, AssumptionKind.CONDITION, AssumptionKind.TRAINING
ASSUMED = AssumptionKind.ASSUMED_PROXY


def seen(
    *assumptions: tuple[AssumptionKind, str], root: str = "Net", severity: Severity = Severity.ERROR, message: str = "it breaks"
) -> Seen:
    made = frozenset(Assumption(kind, text) for kind, text in assumptions)
    return Seen(Event(EventKind.PROXY_TRUTH, "if", Site("a.py", 0, 1), assumptions=made, roots=(root,)), message, "do this", severity)


def test_without_assumptions_it_must_break() -> None:
    verdict = judge([seen()])
    assert (verdict.severity, verdict.certainty, verdict.message, verdict.assumes) == (Severity.ERROR, Certainty.MUST, "it breaks", ())


def test_an_assumed_proxy_makes_it_a_warning_that_may() -> None:
    verdict = judge([seen((ASSUMED, "load"))])
    assert (verdict.severity, verdict.certainty) == (Severity.WARNING, Certainty.MAY)
    assert verdict.message == "it breaks, when what `load` returns is a Proxy"


@pytest.mark.parametrize("severity", [Severity.WARNING, Severity.INFO])
def test_an_assumed_proxy_never_makes_it_worse(severity: Severity) -> None:
    assert judge([seen((ASSUMED, "load"), severity=severity)]).severity is severity


def test_an_optional_argument_stays_an_error_and_is_named() -> None:
    verdict = judge([seen((OPTIONAL, "mask"))])
    assert (verdict.severity, verdict.certainty, verdict.assumes) == (Severity.ERROR, Certainty.MUST, ("mask",))
    assert verdict.message == "it breaks, when `mask` is traced"


@pytest.mark.parametrize(
    ("assumptions", "words"),
    [
        ([], ""),
        ([(OPTIONAL, "a"), (OPTIONAL, "b")], ", when `a` and `b` are traced"),
        ([(CONDITION, "self.x")], ", when `self.x`"),
        ([(TRAINING, "train")], ", when in train mode"),
        ([(CONDITION, "self.x"), (OPTIONAL, "a")], ", when `a` is traced and `self.x`"),
        ([(CONDITION, f"self.{name}") for name in "abcd"], ", when `self.a` and `self.b` and `self.c` and 1 more condition"),
    ],
)
def test_words_of_a_condition(assumptions: list[tuple[AssumptionKind, str]], words: str) -> None:
    assert condition([Assumption(kind, text) for kind, text in assumptions]) == words


def test_the_surest_way_speaks_for_all() -> None:
    verdict = judge([seen((ASSUMED, "load"), root="A"), seen((OPTIONAL, "mask"), root="B"), seen(root="C")])
    assert (verdict.message, verdict.certainty, verdict.assumes, verdict.roots) == ("it breaks", Certainty.MUST, (), ("A", "B", "C"))


def test_an_error_under_a_condition_goes_before_a_warning_without() -> None:
    verdict = judge([seen(severity=Severity.WARNING, message="it lies"), seen((CONDITION, "self.x"))])
    assert (verdict.severity, verdict.message) == (Severity.ERROR, "it breaks, when `self.x`")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((TRAINING, "train"), (TRAINING, "eval")),
        ((CONDITION, "self.x"), (CONDITION, "not (self.x)")),
        ((CONDITION, "not (a)"), (CONDITION, "a")),
    ],
)
def test_what_happens_in_both_cases_happens_always(one: tuple[AssumptionKind, str], other: tuple[AssumptionKind, str]) -> None:
    assert judge([seen(one), seen(other)]).message == "it breaks"
    assert judge([seen(one, (OPTIONAL, "m")), seen(other, (OPTIONAL, "m"))]).message == "it breaks, when `m` is traced"
    assert judge([seen(one, (OPTIONAL, "m")), seen(other, (OPTIONAL, "n"))]).message != "it breaks"
    assert judge([seen(one)]).message != "it breaks"


def test_both_cases_of_both_conditions() -> None:
    ways = [seen((CONDITION, a), (CONDITION, b)) for a in ("p", "not (p)") for b in ("q", "not (q)")]
    assert judge(ways).message == "it breaks"
    assert judge(ways[:3]).message != "it breaks"


def test_the_verdict_does_not_depend_on_the_order() -> None:
    ways = [seen((CONDITION, "b"), root="A"), seen((CONDITION, "a"), root="B"), seen((ASSUMED, "f"), root="C")]
    assert judge(ways) == judge(ways[::-1])
