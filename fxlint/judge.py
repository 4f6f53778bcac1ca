"""From what was assumed to how bad and how sure: severity, certainty and the condition in the message all derive from assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from fxlint.base.event import Assumption, AssumptionKind, Event
from fxlint.base.finding import Certainty, Severity

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
_SHOWN_CONDITIONS = 3


@dataclass(frozen=True, slots=True)
class Seen:
    """One way in which a check saw something at a place: the event, its message before conditions, its help, the severity of a `must`."""

    event: Event
    message: str
    help: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a place, whatever the number of roots and contexts it was seen from. ``event`` is the one to repair."""

    event: Event
    message: str
    help: str
    severity: Severity
    certainty: Certainty
    assumes: tuple[str, ...]
    roots: tuple[str, ...]


def judge(ways: Sequence[Seen]) -> Verdict:
    """The verdict over all ``ways`` (at least one) in which one check saw one place: the worst and surest of them speaks for all."""
    free = {severity: _resolve({way.event.assumptions for way in ways if way.severity is severity}) for severity in Severity}

    def order(way: Seen) -> tuple[int, int, int, tuple[tuple[str, str], ...], str, tuple[str, ...]]:
        assumptions = _least(way.event.assumptions, free[way.severity])
        key = tuple(sorted((a.kind.value, a.text) for a in assumptions))
        severity, certainty = _weigh(way.severity, assumptions)
        return _RANK[severity], certainty is Certainty.MAY, len(assumptions), key, way.message, way.event.roots

    best = min(ways, key=order)
    assumptions = _least(best.event.assumptions, free[best.severity])
    severity, certainty = _weigh(best.severity, assumptions)
    return Verdict(
        event=best.event,
        message=best.message + condition(assumptions),
        help=best.help,
        severity=severity,
        certainty=certainty,
        assumes=_texts(assumptions, AssumptionKind.OPTIONAL_ARGUMENT),
        roots=tuple(sorted({root for way in ways for root in way.event.roots})),
    )


def condition(assumptions: Iterable[Assumption]) -> str:
    """The words that a message ends with: ", when `mask` is traced and `self.flag`"; "" where nothing is assumed."""
    parts: list[str] = []
    traced = _texts(assumptions, AssumptionKind.OPTIONAL_ARGUMENT)
    if traced:
        parts.append(" and ".join(f"`{name}`" for name in traced) + (" is traced" if len(traced) == 1 else " are traced"))
    for one in sorted(assumptions):
        match one.kind:
            case AssumptionKind.OPTIONAL_ARGUMENT:
                pass
            case AssumptionKind.CONDITION:
                parts.append(f"`{one.text}`")
            case AssumptionKind.TRAINING:
                parts.append(f"in {one.text} mode")
            case AssumptionKind.ASSUMED_PROXY:
                parts.append(f"what `{one.text}` returns is a Proxy" if one.text else "a value of unknown origin is a Proxy")
            case AssumptionKind.HANDLER:
                parts.append(f"the handler `{one.text}` runs" if one.text else "the handler runs")
            case AssumptionKind.EAGER_ARM:
                parts.append(f"the arm of `{one.text}` that eager mode takes runs" if one.text else "the arm that eager mode takes runs")
            case _:
                assert_never(one.kind)
    if not parts:
        return ""
    more = len(parts) - _SHOWN_CONDITIONS
    shown = parts if more <= 0 else [*parts[:_SHOWN_CONDITIONS], f"{more} more condition{'s' if more > 1 else ''}"]
    return ", when " + " and ".join(shown)


def _weigh(severity: Severity, assumptions: frozenset[Assumption]) -> tuple[Severity, Certainty]:
    if any(a.kind is AssumptionKind.ASSUMED_PROXY for a in assumptions):
        return (Severity.WARNING if severity is Severity.ERROR else severity), Certainty.MAY
    return severity, Certainty.MUST


def _texts(assumptions: Iterable[Assumption], kind: AssumptionKind) -> tuple[str, ...]:
    return tuple(sorted(a.text for a in assumptions if a.kind is kind))


def _opposite(one: Assumption) -> Assumption | None:
    match one.kind:
        case AssumptionKind.TRAINING:
            return Assumption(one.kind, "eval" if one.text == "train" else "train")
        case AssumptionKind.CONDITION:
            text = one.text
            is_negation = text.startswith("not (") and text.endswith(")")
            return Assumption(one.kind, text[len("not (") : -1] if is_negation else f"not ({text})")
        case AssumptionKind.OPTIONAL_ARGUMENT | AssumptionKind.ASSUMED_PROXY | AssumptionKind.HANDLER | AssumptionKind.EAGER_ARM:
            return None
        case _:
            assert_never(one.kind)


def _resolve(sets: set[frozenset[Assumption]]) -> set[frozenset[Assumption]]:
    """``sets`` and what follows from them: what happens when `c` and when `not (c)` happens always."""
    known = set(sets)
    queue = sorted(known, key=len, reverse=True)
    while queue:
        one = queue.pop()
        for assumption in one:
            other = _opposite(assumption)
            rest = one - {assumption}
            if other is not None and rest not in known and rest | {other} in known:
                known.add(rest)
                queue.append(rest)
    return known


def _least(assumptions: frozenset[Assumption], known: set[frozenset[Assumption]]) -> frozenset[Assumption]:
    """The smallest known set within ``assumptions``: the weakest condition under which the thing is seen."""
    return min((one for one in known if one <= assumptions), key=lambda one: (len(one), sorted((a.kind.value, a.text) for a in one)))
