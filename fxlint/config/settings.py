"""All that a configuration can say, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# The formats of `fxlint check`, each with the module of fxlint.report that writes it.
OUTPUT_FORMATS: Mapping[str, str] = {
    "full": "full",
    "concise": "concise",
    "grouped": "grouped",
    "json": "json_list",
    "json-lines": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "rdjson": "rdjson",
}
NEWEST_TORCH = "2.13.0"  # the newest torch that the library tables were run on
SEVERITIES = ("error", "warning", "info")
FOLLOW = ("project", "none", "installed")
FUNCTION_KINDS = ("wrap", "proxy", "breaks", "static")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a configuration file says; ``fxlint.config.keys`` describes each field.

    ``directory`` is the folder of that file, None where there is none; ``files`` are the files read, those of ``extend`` last. Tables are
    tuples of (key, value), sorted by key.
    """

    directory: Path | None = None
    files: tuple[Path, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    roots: tuple[str, ...] = ()
    tracer: str = ""
    torch_version: str = NEWEST_TORCH
    follow_imports: str = "project"
    functions: tuple[tuple[str, str], ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    output_format: str = "full"
    unsafe_fixes: bool = False
    show_info: bool = False
