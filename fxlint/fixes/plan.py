"""The choice of a repair: rewrite, wrap, hoist, leaf, in this order, the first that applies; why others do not is kept."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from fxlint.api import FixKind, FixRequest
from fxlint.base.errors import FxlintError
from fxlint.base.event import Event
from fxlint.base.finding import Fix, Safety
from fxlint.fixes.hoist import hoist
from fxlint.fixes.leaf import leaf
from fxlint.fixes.outcome import Decline, Proposal, weaker
from fxlint.fixes.rewrites.table import REWRITES
from fxlint.fixes.target import target_of
from fxlint.fixes.wrap import wrap
from fxlint.project.modules import Project

# libcst takes some frames for each level of an expression, and a sum of 900 terms has 900 levels.
RECURSION_LIMIT = 12_000
_RANK = (FixKind.REWRITE, FixKind.WRAP, FixKind.HOIST, FixKind.LEAF)


@dataclass(frozen=True, slots=True)
class Declined:
    """A repair that was asked for and does not apply."""

    request: FixRequest
    reason: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen (None: nothing applies) and what was declined on the way."""

    fix: Fix | None
    declined: tuple[Declined, ...]


def choose(event: Event, requests: Sequence[FixRequest], project: Project) -> Choice:
    """The repair of ``event``: the most transparent safe one; where none is safe, the most transparent unsafe one, then one to show.

    Safe before transparent, since what is not safe is not applied unless asked for, and the construct would stay.
    """
    declined: list[Declined] = []
    found: list[Fix] = []
    for request in sorted(requests, key=lambda request: _RANK.index(request.kind)):
        outcome = _guarded(event, request, project)
        match outcome:
            case Decline(reason=reason):
                declined.append(Declined(request, reason))
            case Proposal():
                safety = weaker(outcome.safety, request.safety)
                found.append(Fix(outcome.message, safety, outcome.edits))
                if safety is Safety.SAFE:
                    break
            case _:
                assert_never(outcome)
    order = (Safety.SAFE, Safety.UNSAFE, Safety.DISPLAY)
    return Choice(min(found, default=None, key=lambda fix: order.index(fix.safety)), tuple(declined))


def propose(event: Event, requests: Sequence[FixRequest], project: Project) -> Fix | None:
    """The repair of ``event`` that ``choose`` finds."""
    return choose(event, requests, project).fix


def _guarded(event: Event, request: FixRequest, project: Project) -> Proposal | Decline:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        return _carry_out(event, request, project)
    except FxlintError as error:
        return Decline(str(error))
    except RecursionError:
        return Decline("the code around it is too deeply nested")
    finally:
        sys.setrecursionlimit(limit)


def _carry_out(event: Event, request: FixRequest, project: Project) -> Proposal | Decline:
    match request.kind:
        case FixKind.WRAP:
            return wrap(event, project)
        case FixKind.LEAF:
            return leaf(event)
        case FixKind.REWRITE | FixKind.HOIST:
            source = project.file(event.site.path)
            if source is None:
                return Decline(f"{event.site.path} cannot be read")
            target = target_of(event, source)
            if isinstance(target, str):
                return Decline(target)
            if request.kind is FixKind.HOIST:
                return hoist(target, request)
            rewrite = REWRITES.get(request.rule)
            return Decline(f"there is no rewrite `{request.rule}`") if rewrite is None else rewrite(target, request)
        case _:
            assert_never(request.kind)
