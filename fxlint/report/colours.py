"""Colours for terminals: off where NO_COLOR is set (https://no-color.org), else on where FORCE_COLOR is set (https://force-color.org), else
on where the stream is a terminal that TERM does not call dumb. Empty values count as not set.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Paint:
    """Wraps text in escape codes, or leaves it alone."""

    on: bool = False

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text

    def bold(self, text: str) -> str:
        """Heavy letters."""
        return self._wrap("1", text)

    def red(self, text: str) -> str:
        """Errors, and lines taken away."""
        return self._wrap("31", text)

    def green(self, text: str) -> str:
        """Lines added."""
        return self._wrap("32", text)

    def yellow(self, text: str) -> str:
        """Warnings."""
        return self._wrap("33", text)

    def cyan(self, text: str) -> str:
        """Notes, line numbers, codes."""
        return self._wrap("36", text)


PLAIN = Paint()


def paint_for(stream: TextIO, choice: str = "auto") -> Paint:
    """The paint that suits ``stream``: as ``choice`` says (``always``, ``never``), else as the environment says, else on for a terminal."""
    if choice != "auto":
        return Paint(choice == "always")
    if os.environ.get("NO_COLOR"):
        return PLAIN
    if os.environ.get("FORCE_COLOR"):
        return Paint(os.environ["FORCE_COLOR"] != "0")
    return Paint(stream.isatty() and os.environ.get("TERM") != "dumb")
