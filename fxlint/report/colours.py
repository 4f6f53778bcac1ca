"""Colours for terminals: on where the stream is one, off where NO_COLOR is set (https://no-color.org) or TERM is dumb."""

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


def paint_for(stream: TextIO) -> Paint:
    """The paint that suits ``stream`` and the environment."""
    return Paint(stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")
