"""The keys of a configuration: one row each. Reading, the JSON schema, ``fxlint config`` and the documentation are made from this table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fxlint.config.readers import DOTTED, FLAG, LISTS, TABLE, TEXTS, VERSION, Type, one_of, pattern, table_of
from fxlint.config.settings import FOLLOW, FUNCTION_KINDS, NEWEST_TORCH, OUTPUT_FORMATS, SEVERITIES


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its type, its default and an example (both as TOML), and what it does, in whole sentences."""

    name: str
    type: Type
    default: str
    example: str
    text: str

    @property
    def field(self) -> str:
        """The field of Settings that holds its value."""
        return self.name.replace("-", "_")


EXTEND = "extend"  # handled where files are read: it is no setting by itself

_ROWS = (
    Key("select", TEXTS, "[]", 'select = ["TFX1", "TFX203"]',
        "Prefixes of codes to report; all where the list is empty. Where a selected and an ignored prefix fit a code, the"
        " longer one decides, and `ignore` where both are equally long."),
    Key("ignore", TEXTS, "[]", 'ignore = ["TFX503"]',
        "Prefixes of codes to leave out."),
    Key("per-file-ignores", LISTS, "{}", '[per-file-ignores]\n"tests/" = ["TFX"]\n"**/legacy_*.py" = ["TFX1", "TFX5"]',
        "Prefixes of codes to leave out in the files that a pattern names. Patterns are those of .gitignore, and count "
        "from the folder of the configuration file; one that begins with `!` names all other files."),
    Key("severity", table_of(SEVERITIES, "code prefixes", r"[Tt][Ff][Xx]\d{0,3}"), "{}", '[severity]\nTFX504 = "error"\nTFX3 = "warning"',
        "The severity of findings, by prefix of their code: the longest prefix that fits decides. It stands in place of "
        "what fxlint works out, also for findings that are `may`. What becomes `info` is shown with `show-info` only."),
    Key("exclude", TEXTS, "[]", 'exclude = ["build/", "*_pb2.py"]',
        "Files and folders to leave out, as patterns of .gitignore that count from the folder of the configuration file. "
        "They are not analysed with the others either. A file that is named on the command line is checked all the same, "
        "but for `--force-exclude`."),
    Key("respect-gitignore", FLAG, "true", "respect-gitignore = false",
        "Whether files that .gitignore names are left out."),
    Key("roots", TEXTS, "[]", 'roots = ["mypkg.net.Net", "make_small"]',
        "The classes and functions that are traced (dotted or bare names; a function is one that is traced itself, or one"
        " that returns the model). Found by fxlint where the list is empty."),
    Key("tracer", pattern('the dotted name of a class, such as "mypkg.tracing.MyTracer"', f"({DOTTED})?"),
        '""', 'tracer = "mypkg.tracing.MyTracer"',
        "The Tracer class that traces roots whose own code does not say how they are traced. It must stand in the "
        "project; its rule of leaves, and what its constructor wraps without arguments, count. `torch.fx.Tracer` where "
        "the key is absent."),
    Key("torch-version", pattern('a version such as "2.4" or "2.13.0", 2.4 or newer', VERSION),
        f'"{NEWEST_TORCH}"', 'torch-version = "2.6"',
        "The torch that traces. Facts hold for the versions that the tables name."),
    Key("follow-imports", one_of(FOLLOW), '"project"', 'follow-imports = "installed"',
        "Into which files calls are followed: `project`, those below the folder from which the importing file's package "
        "is imported; `none`, only those that are analysed together anyway; `installed`, also the packages of the "
        "environment that fxlint runs in (slower, and what is found depends on that environment)."),
    Key("functions", table_of(FUNCTION_KINDS, "dotted names of functions", DOTTED),
        "{}", '[functions]\n"mylib.ops.gather" = "wrap"\n"mylib.debug.shapes" = "static"',
        "What functions do with Proxies, for those that fxlint cannot read, or should not: `wrap`, a call with a Proxy is"
        " one node and gives a Proxy; `proxy`, it is traced through without trouble and gives a Proxy; `breaks`, it "
        "raises when it is given a Proxy; `static`, it gives a plain value whatever it is given."),
    Key("models", TABLE, "{}", '[models]\nsmall = "mypkg.net:make_small"',
        "Names for `fxlint trace`: `module:factory` or `path.py:Class`."),
    Key("output-format", one_of(tuple(OUTPUT_FORMATS)), '"full"', 'output-format = "concise"',
        "The format of the report."),
    Key("unsafe-fixes", FLAG, "false", "unsafe-fixes = true",
        "Whether `fxlint fix` applies repairs too that may change numbers."),
    Key("show-info", FLAG, "false", "show-info = true",
        "Whether harmless specialisations are reported too."),
)
KEYS: Mapping[str, Key] = {row.name: row for row in _ROWS}
