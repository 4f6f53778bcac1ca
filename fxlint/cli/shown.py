"""What ``--show-files`` and ``--show-settings`` print: what a command line asks for, before anything is analysed."""

from __future__ import annotations

from fxlint.cli.options import Plan
from fxlint.config import Settings
from fxlint.config.keys import KEYS
from fxlint.report.names import shown


def files(plan: Plan) -> str:
    """The files that would be checked, one on each line, sorted."""
    return "".join(shown(path, plan.base) + "\n" for path in sorted({path for request in plan.requests for path in request.files}))


def settings(plan: Plan) -> str:
    """The settings of each configuration file that governs some of the files, as TOML."""
    counts = [len(request.files) for request in plan.requests] or [0]
    blocks = [_block(said, count, plan.base) for said, count in zip(plan.governing, counts, strict=True)]
    return "\n".join(blocks)


def _block(said: Settings, count: int, base: str) -> str:
    names = ", extending ".join(shown(str(path), base) for path in said.files) or "no configuration file"
    lines = [f"# {names}: {count} file{'' if count == 1 else 's'}"]
    for key in KEYS.values():
        value = getattr(said, key.field)
        lines.append(f"{key.name} = {'{}' if value == () and key.default == '{}' else _toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value)
        case tuple() if value and isinstance(value[0], tuple):
            return "{ " + ", ".join(f"{_quoted(key)} = {_toml(item)}" for key, item in value) + " }"
        case tuple():
            return "[" + ", ".join(_toml(item) for item in value) + "]"
        case _:
            raise TypeError(f"no setting has a value of type {type(value).__name__}")


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(f"\\u{ord(letter):04X}" if ord(letter) < 32 or ord(letter) == 127 else letter for letter in plain) + '"'
