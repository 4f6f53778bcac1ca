"""``fxlint config``: the keys of the configuration; ``fxlint config KEY``: what one means; ``--schema``: the JSON schema, for editors."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from fxlint.base.errors import UsageError

if TYPE_CHECKING:
    from fxlint.config.keys import Key


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "config", help="list the keys of the configuration, or describe one", allow_abbrev=False, description=__doc__)
    parser.add_argument("key", nargs="?", metavar="KEY", help="describe this key")
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of fxlint.toml and of [tool.fxlint]")
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="text or json (default: text)")


def run(args: argparse.Namespace) -> int:
    """Print; answers 0."""
    from fxlint.config import nearest
    from fxlint.config.keys import KEYS
    from fxlint.config.schema import schema

    if args.schema:
        if args.key is not None:
            raise UsageError("config: give a KEY or --schema, not both")
        print(json.dumps(schema(), indent=2))
        return 0
    if args.key is not None and args.key not in KEYS:
        raise UsageError(f"config {args.key}: no such key{nearest(args.key, tuple(KEYS))}")
    chosen = list(KEYS.values()) if args.key is None else [KEYS[args.key]]
    if args.output_format == "json":
        print(json.dumps([_record(key) for key in chosen], indent=2))
    elif args.key is None:
        width = max(map(len, KEYS))
        print("\n".join(f"{key.name:<{width}}  default {key.default}: {key.type.words}" for key in chosen))
    else:
        (key,) = chosen
        print(f"{key.name}: {key.type.words}\ndefault: {key.default}\n\n{key.text}\n\nexample (fxlint.toml):\n")
        print("\n".join(f"    {line}" for line in key.example.splitlines()))
    return 0


def _record(key: Key) -> dict[str, str]:
    return {"name": key.name, "type": key.type.words, "default": key.default, "example": key.example, "text": key.text}
