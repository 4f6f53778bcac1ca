"""``fxlint server``: a language server on standard input and output, for editors. Needs pygls: ``pip install 'fxlint[server]'``."""

from __future__ import annotations

import argparse
import importlib.util

from fxlint.base.errors import FxlintError


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("server", help="serve an editor (language server protocol)", allow_abbrev=False, description=__doc__)
    parser.add_argument("--stdio", action="store_true", help="speak on standard input and output, which is the only way (editors add this)")


def run(args: argparse.Namespace) -> int:
    """Serve until the editor ends it; answers 0. Raises FxlintError where pygls is not installed."""
    del args
    if importlib.util.find_spec("pygls") is None:
        raise FxlintError("the language server needs pygls, which is not installed: pip install 'fxlint[server]'")
    from fxlint.server.app import make

    make().start_io()
    return 0
