"""The pages of the command line and of the settings, made from the parsers and from the table of keys."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator

from fxlint.cli.main import COMMANDS
from fxlint.config.keys import KEYS

SETTINGS = """\
<!-- Written by docs/generate.py from fxlint/config/keys.py: change that file, not this one. -->

# Settings

The keys of fxlint.toml, and of `[tool.fxlint]` in pyproject.toml, where a table `[severity]` is `[tool.fxlint.severity]`.
[Configuration](configuration.md) tells how files are found and joined. `fxlint config KEY` prints these sections.
"""
CLI = """\
<!-- Written by docs/generate.py from fxlint/cli: change the files there, not this one. -->

# The command line

`fxlint COMMAND [OPTIONS] [PATHS]`. Options may stand before, between and behind paths, and may not be abbreviated. `fxlint COMMAND --help`
prints the options.

Exit codes: 0, nothing to report; 1, findings (of `fix`: findings left; of `trace`: the model does not trace, or differs); 2, a wrong
option, path or configuration, or an internal error, with one line for each on standard error. Reports go to standard output, all else to
standard error.

Variables of the environment are listed in [configuration](configuration.md), formats in [formats](formats.md), comments that silence in
[suppression](suppression.md).
"""


def settings() -> str:
    """The keys of the configuration, one section each."""
    parts = [SETTINGS.rstrip()]
    for key in KEYS.values():
        parts += [f"## `{key.name}`", f"Type: {key.type.words}. Default: `{key.default}`.", key.text, f"```toml\n{key.example}\n```"]
    return "\n\n".join(parts) + "\n"


def command_line() -> str:
    """The commands, one section each, with a table of what each takes."""
    parts = [CLI.rstrip()]
    for name in COMMANDS:
        parser = parser_of(name)
        described = " ".join(line.strip() for line in (parser.description or "").partition("\n\n")[0].split("\n"))
        rest = "\n".join(line.strip() for line in (parser.description or "").partition("\n\n")[2].split("\n")).strip()
        rows = "\n".join(f"| {what} | {says} |" for what, says in _rows(parser))
        parts += [f"## `fxlint {name}`", described, *([rest] if rest else []), *([f"| | |\n|---|---|\n{rows}"] if rows else [])]
    return "\n\n".join(parts).replace("``", "`") + "\n"


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    subparsers = argparse.ArgumentParser(prog="fxlint").add_subparsers()
    importlib.import_module(f"fxlint.cli.{command.replace('-', '_')}").add(subparsers)
    found: argparse.ArgumentParser = subparsers.choices[command]
    return found


def _rows(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:  # noqa: SLF001  # argparse lists them nowhere else
        if action.dest == "help":
            continue
        shown = action.metavar if isinstance(action.metavar, str) else "|".join(map(str, action.choices or ())) or action.dest.upper()
        value = f" {shown}" if action.nargs != 0 else ""
        names = ", ".join(f"{name}{value}" for name in action.option_strings) or shown
        if isinstance(action, argparse.BooleanOptionalAction):
            names = ", ".join(action.option_strings)
        says = (action.help or "") % {"default": action.default}
        yield f"`{names}`".replace("|", "\\|"), says.replace("|", "\\|")
