"""How files are called in reports: relative to the folder that fxlint was started in, with ``/``; absolute where they stand elsewhere."""

from __future__ import annotations

import os


def shown(path: str, base: str) -> str:
    """The name of the absolute ``path`` for a reader who stands in the absolute folder ``base``."""
    inside = os.path.join(base, "")
    return path.removeprefix(inside).replace(os.sep, "/")
