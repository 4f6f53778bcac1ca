"""The command line: finds the command, turns every foreseeable failure into one line on stderr and exit code 2.

Each command is a file of its own, imported only when it is asked for: ``add(subparsers)`` declares its options and
``run(args)`` answers the exit code. Start-up imports neither libcst nor the engine.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import NoReturn

from fxlint import __version__
from fxlint.base.errors import FxlintError

COMMANDS: Mapping[str, str] = {
    "check": "find what torch.fx cannot trace, or traces into something else",
    "fix": "repair what can be repaired",
    "trace": "build the model, trace it as it is and repaired, compare with eager (needs torch; runs your code)",
    "tracer": "write a Tracer subclass with the leaf rules a model needs",
    "rule": "print the documentation of a check",
    "explain": "tell how a traced value reaches a line",
    "baseline": "keep the present findings in a file, and report only new ones",
    "new-check": "write the file of a new check to start from",
    "config": "list the keys of the configuration, or describe one",
    "server": "serve an editor by the language server protocol (needs pygls)",
    "demo": "check, fix and trace a small model package that ships with fxlint",
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def format_help(self) -> str:
        """The help; descriptions are docstrings, whose doubled quotes become single ones."""
        return super().format_help().replace("``", "`")

    def error(self, message: str) -> NoReturn:
        """Print the message with a pointer to the help, and exit with 2."""
        self.exit(2, f"{self.prog}: error: {message} (see `{self.prog} --help`)\n")


def run(argv: Sequence[str]) -> int:
    """Run the command that ``argv`` (without the program's name) asks for; answers the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character still gets the report
    try:
        return _run(argv)
    except FxlintError as error:
        print(f"fxlint: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # `fxlint check | head`: the reader has gone. Keep the interpreter from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        print("fxlint: interrupted", file=sys.stderr)
        return 130
    except Exception as error:  # noqa: BLE001  # whatever is left is our mistake: one line, never a traceback unless asked for
        if os.environ.get("FXLINT_DEBUG") == "1":
            traceback.print_exc()
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
        text = " ".join(str(error).split())
        hint = "please report; FXLINT_DEBUG=1 shows more"
        print(f"fxlint: internal error at {place}: {type(error).__name__}: {text} ({hint})", file=sys.stderr)
        return 2


def _run(argv: Sequence[str]) -> int:
    command = next((word for word in argv if not word.startswith("-")), None)
    parser = Parser(prog="fxlint", description="Static analysis and repair for torch.fx.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"fxlint {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    if command is None or command not in COMMANDS:
        for name, text in COMMANDS.items():
            subparsers.add_parser(name, help=text)
        args = parser.parse_args(argv)
        if args.command is None:
            parser.print_help(sys.stderr)
        return 2
    module = importlib.import_module(f"fxlint.cli.{command.replace('-', '_')}")
    module.add(subparsers)
    args, rest = parser.parse_known_args(argv)
    if rest:
        # argparse takes paths in one piece: what stands behind an option (`check a.py --select TFX1 b.py`) is left over.
        unknown = [word for word in rest if word.startswith("-") and word != "-"]
        if unknown or not hasattr(args, "paths"):
            parser.error(f"unrecognized arguments: {' '.join(unknown or rest)}")
        args.paths = [*args.paths, *rest]
    return int(module.run(args))
