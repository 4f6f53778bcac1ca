"""A bar on standard error for runs that take longer than a second: on a terminal only, and gone when the run is over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from fxlint.interp.tracing import Tell, untold

DELAY = 1.0  # seconds of silence before the bar appears
PAUSE = 0.1  # seconds between two drawings
WIDTH = 30  # characters of the bar itself


@contextmanager
def bar(stream: TextIO) -> Iterator[Tell]:
    """What to call with the number of roots done and the number of all; it does nothing where ``stream`` is no terminal."""
    if not stream.isatty():
        yield untold
        return
    started = time.monotonic()
    drawn = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - started < DELAY or now - drawn < PAUSE:
            return
        drawn = now
        filled = WIDTH * done // max(1, total)
        stream.write(f"\r\x1b[Ktracing {'#' * filled}{'.' * (WIDTH - filled)} {done}/{total} roots")
        stream.flush()

    try:
        yield tell
    finally:
        if drawn:
            stream.write("\r\x1b[K")
            stream.flush()
