"""The JSON schema of fxlint.toml, and of `[tool.fxlint]` in pyproject.toml, for editors. ``fxlint/fxlint.schema.json`` holds it."""

from __future__ import annotations

import tomllib

from fxlint.config.keys import EXTEND, KEYS


def schema() -> dict[str, object]:
    """The schema, made from the table of keys."""
    extend = {"type": "string", "description": "The configuration file that this one builds on, relative to it."}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "fxlint",
        "description": "The configuration of fxlint: the keys of fxlint.toml, or of [tool.fxlint] in pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            EXTEND: extend,
            **{
                key.name: {"description": key.text, "default": tomllib.loads(f"value = {key.default}")["value"], **key.type.schema}
                for key in KEYS.values()
            },
        },
    }
