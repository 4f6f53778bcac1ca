"""What a repair answers: edits, or the reason why it does not apply."""

from __future__ import annotations

from dataclasses import dataclass

from fxlint.base.finding import Edit, Safety


@dataclass(frozen=True, slots=True)
class Proposal:
    """Edits that repair one event, what they do in words, and how many operations they hide from the graph (0 for a rewrite)."""

    message: str
    safety: Safety
    edits: tuple[Edit, ...]
    opaque: int = 0


@dataclass(frozen=True, slots=True)
class Decline:
    """Why a repair does not apply here; the reason completes the sentence "declined: ..."."""

    reason: str


def weaker(first: Safety, second: Safety) -> Safety:
    """The less trusting of two safeties: display, then unsafe, then safe."""
    order = (Safety.DISPLAY, Safety.UNSAFE, Safety.SAFE)
    return min(first, second, key=order.index)
