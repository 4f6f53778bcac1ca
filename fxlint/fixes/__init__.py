"""Repairs: fix requests carried out with libcst, as edits of texts."""

from fxlint.fixes.plan import Choice, Declined, choose, propose

__all__ = ["Choice", "Declined", "choose", "propose"]
