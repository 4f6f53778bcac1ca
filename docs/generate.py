"""Write the page of each check, docs/checks/TFXnnn.md, and their table docs/checks/README.md, from the files in checks/; the page of the
command line, docs/cli.md, from the parsers; that of the keys of the configuration, docs/settings.md, and their JSON schema,
fxlint/fxlint.schema.json, from fxlint/config/keys.py.

``python docs/generate.py`` writes what is out of date and removes pages of checks that are gone; with ``--check`` it writes nothing, names
what is out of date and exits with 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import assert_never

from fxlint.api import Check, Example, Outcome
from fxlint.config.schema import schema
from fxlint.registry import PAGES, Loaded, Registry, catalogue, load

sys.path.insert(0, str(Path(__file__).parent))

import reference  # a neighbour, not a part of the package

TOP = Path(__file__).parents[1]
FOLDER = "docs/checks"
NOTE = "<!-- Written by docs/generate.py from checks/{origin}.py: change that file, not this one. -->"
NOTE_OF_FILES = "<!-- Written by docs/generate.py from fxlint/registry.py: change that file, not this one. -->"
FAMILIES = {
    "0": "Files and comments",
    "1": "Control flow",
    "2": "Conversions and iteration",
    "3": "Calls",
    "4": "Mutation and state",
    "5": "Silent differences",
    "6": "wrap, Tracer and concrete_args",
    "7": "Code that handles graphs",
}


def pages(registry: Registry) -> dict[str, str]:
    """The text of every file by its name, relative to TOP."""
    texts = {f"{FOLDER}/{code}.md": page(loaded) for code, loaded in registry.checks.items()}
    texts[f"{FOLDER}/README.md"] = table(registry)
    texts |= {f"{FOLDER}/{check.code}.md": about_files(check) for check in catalogue(registry) if check.code in PAGES}
    texts["docs/settings.md"] = reference.settings()
    texts["docs/cli.md"] = reference.command_line()
    texts["fxlint/fxlint.schema.json"] = json.dumps(schema(), indent=2) + "\n"
    return texts


def about_files(check: Check) -> str:
    """One of what is told of files and comments: no event, no examples."""
    lead = f"{check.summary[:1].upper()}{check.summary[1:]}."
    parts = [NOTE_OF_FILES, f"# {check.code} {check.name}", lead, f"Severity: {check.severity.value}."]
    return "\n\n".join([*parts, PAGES[check.code].partition("\n")[2].strip()]) + "\n"


def page(loaded: Loaded) -> str:
    """One check: what it declares, its docstring, its examples."""
    check = loaded.check
    title, _, body = loaded.page.strip().partition("\n")
    lead = title.partition(": ")[2]
    parts = [
        NOTE.format(origin=loaded.origin),
        f"# {check.code} {check.name}",
        f"{lead[:1].upper()}{lead[1:]}",
        f"Severity: {check.severity.value}. {'A repair may be offered.' if loaded.fix else 'No automatic repair.'}",
        body.strip(),
        "## Examples",
        *(part for example in check.examples for part in example_parts(check, example)),
    ]
    return "\n\n".join(parts) + "\n"


def example_parts(check: Check, example: Example) -> list[str]:
    """The title of an example, what torch does with it, its code, and its repaired form."""
    parts = [f"### {example.title[:1].upper()}{example.title[1:]}", outcome_words(check, example), code(check, example.source)]
    if example.fixed:
        parts += ["Traces, and computes the same:", code(check, example.fixed)]
    return parts


def outcome_words(check: Check, example: Example) -> str:
    """What was observed, and whether it is reported."""
    reported = "# <- here" in example.source
    match example.outcome:
        case Outcome.BREAKS:
            return f"Raises `{example.error}`."
        case Outcome.SILENT:
            other = "" if reported else f" {check.code} leaves it to others."
            return "Traces without an error, and does something else than eager mode." + other
        case Outcome.TRACES:
            return "Traces, and agrees with eager mode." + (" Reported all the same." if reported else "")
        case _:
            assert_never(example.outcome)


def code(check: Check, source: str) -> str:
    """A fenced block; the mark of the reported line names the check."""
    text = source.strip("\n").replace("# <- here", f"# {check.code}")
    return f"```python\n{text}\n```"


def table(registry: Registry) -> str:
    """All checks by family."""
    parts = [NOTE.format(origin="*"), "# Checks"]
    for digit, family in FAMILIES.items():
        rows = [check for check in catalogue(registry) if check.code[3] == digit]
        if rows:
            lines = [f"| [{c.code}]({c.code}.md) | {c.name} | {c.summary} | {c.severity.value} |" for c in rows]
            parts += [f"## TFX{digit}xx {family}", "\n".join(["| code | name | what it finds | severity |", "|---|---|---|---|", *lines])]
    return "\n\n".join(parts) + "\n"


def stale(texts: dict[str, str]) -> list[str]:
    """Names of files that are missing, differ from ``texts``, or belong to no check."""
    names = {f"{FOLDER}/{path.name}" for path in (TOP / FOLDER).glob("*.md")} | texts.keys()
    there = {name: (TOP / name).read_text(encoding="utf-8") for name in names if (TOP / name).is_file()}
    return sorted(name for name in names if texts.get(name) != there.get(name))


def main(arguments: list[str]) -> int:
    """Write the pages, or only compare them."""
    texts = pages(load())
    names = stale(texts)
    if "--check" in arguments:
        for name in names:
            sys.stdout.write(f"out of date: {name}\n")
        return 1 if names else 0
    for name in names:
        if name in texts:
            (TOP / name).parent.mkdir(parents=True, exist_ok=True)
            (TOP / name).write_text(texts[name], encoding="utf-8", newline="\n")
        else:
            (TOP / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
