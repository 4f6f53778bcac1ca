"""The generated tables, read once each when first asked for.

They are written by ``python -m tests.library.generate_tables`` from the installed torch; the version is in the entry with the empty key.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, cast


@cache
def table(name: str) -> dict[str, Any]:
    """The table ``fxlint/library/<name>.json``. ``name`` is functions, methods, modules or aliases; anything else is a
    FileNotFoundError.
    """
    text = resources.files("fxlint.library").joinpath(f"{name}.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def measured_on(name: str) -> str:
    """The torch version that the table was made from."""
    return cast("str", table(name)[""]["torch"])
