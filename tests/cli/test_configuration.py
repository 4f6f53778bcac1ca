"""Configuration through the command line: where it is found, how files and options are joined, and what each key does."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fxlint import config
from fxlint.base.errors import ConfigError
from fxlint.config.keys import EXTEND, KEYS
from fxlint.config.schema import schema
from tests.cli.conftest import FINE, NET, Call, write

TOP = Path(__file__).resolve().parents[2]


def codes(fxlint: Call, *words: str) -> list[tuple[str, str]]:
    said = fxlint("check", "--output-format", "json", *words)
    assert said.code in (0, 1), said.err
    return [(row["filename"], row["code"]) for row in json.loads(said.out)]


# --- finding and joining


def test_the_nearest_file_governs_each_file(folder: Path, fxlint: Call) -> None:
    write(folder / "a" / "net.py", NET)
    write(folder / "a" / "b" / "net.py", NET)
    write(folder / "fxlint.toml", 'ignore = ["TFX101"]\n')
    write(folder / "a" / "b" / "pyproject.toml", "[tool.fxlint]\n")
    write(folder / "a" / "pyproject.toml", "[tool.other]\n")
    assert codes(fxlint) == codes(fxlint, "a") == [("a/b/net.py", "TFX101")]
    assert codes(fxlint, "--isolated") == [("a/b/net.py", "TFX101"), ("a/net.py", "TFX101")]


def test_own_file_goes_before_pyproject(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    write(folder / "pyproject.toml", "[tool.fxlint]\n")
    write(folder / "fxlint.toml", 'ignore = ["TFX101"]\n')
    assert codes(fxlint) == []


def test_files_extend_each_other(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    write(folder / "base" / "strict.toml", 'ignore = ["TFX101"]\nshow-info = true\n[models]\na = "m:a"\nb = "m:b"\n')
    write(folder / "pyproject.toml", '[tool.fxlint]\nextend = "base/strict.toml"\n[tool.fxlint.models]\nb = "m:c"\n')
    assert codes(fxlint) == []
    shown = fxlint("check", "--show-settings").out
    assert shown.startswith("# pyproject.toml, extending base/strict.toml: 1 file\n")
    said = tomllib.loads(shown)
    assert (said["ignore"], said["show-info"], said["models"]) == (["TFX101"], True, {"a": "m:a", "b": "m:c"})
    write(folder / "pyproject.toml", '[tool.fxlint]\nextend = "base/strict.toml"\nignore = []\n')
    assert codes(fxlint) == [("net.py", "TFX101")]


def test_extend_knows_variables(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "net.py", NET)
    write(folder / "base" / "pyproject.toml", '[tool.fxlint]\nignore = ["TFX101"]\n')
    monkeypatch.setenv("RULES", str(folder / "base"))
    write(folder / "fxlint.toml", 'extend = "$RULES/pyproject.toml"\n')
    assert codes(fxlint) == []


def test_a_mistake_in_an_extended_file_names_that_file(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    write(folder / "base.toml", "selct = []\n")
    write(folder / "fxlint.toml", 'extend = "base.toml"\n')
    said = fxlint("check", "net.py")
    assert (said.code, said.err) == (2, f"fxlint: error: {folder / 'base.toml'}: unknown key 'selct'; did you mean 'select'?\n")


def test_a_circle_of_files_is_told(folder: Path) -> None:
    write(folder / "a.toml", 'extend = "b.toml"\n')
    write(folder / "b.toml", 'extend = "a.toml"\n')
    with pytest.raises(ConfigError, match=r"extend goes round in a circle: .*a\.toml -> .*b\.toml -> .*a\.toml"):
        config.load(folder / "a.toml")


def test_config_option_takes_a_file_and_pairs(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)
    write(folder / "other.toml", 'ignore = ["TFX101"]\n')
    assert codes(fxlint, "--config", "other.toml") == []
    assert codes(fxlint, "--config", "other.toml", "--config", "ignore = []") == [("net.py", "TFX101")]
    assert codes(fxlint, "--config", 'ignore=["TFX1"]') == []
    assert codes(fxlint, "--config", 'severity.TFX1="warning"', "--isolated") == [("net.py", "TFX101")]
    assert fxlint("check", "--config", "output-format=concise", "net.py").out.count("\n") == 1  # quotes may be left out


def test_options_go_before_the_environment_and_that_before_files(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "net.py", NET)
    write(folder / "fxlint.toml", 'output-format = "json"\ntorch-version = "2.6"\n')
    assert fxlint("check").out.startswith("[")
    monkeypatch.setenv("FXLINT_OUTPUT_FORMAT", "concise")
    assert fxlint("check").out.startswith("net.py:7:12: ")
    assert fxlint("check", "--output-format", "github").out.startswith("::error ")
    monkeypatch.setenv("FXLINT_TORCH_VERSION", "2.7")
    assert 'torch-version = "2.7"' in fxlint("check", "--show-settings").out
    assert 'torch-version = "2.8"' in fxlint("check", "--show-settings", "--torch-version", "2.8").out
    monkeypatch.setenv("FXLINT_OUTPUT_FILE", "report.txt")
    assert fxlint("check").out == ""
    assert (folder / "report.txt").read_text("utf-8").startswith("net.py:7:12: ")
    monkeypatch.setenv("FXLINT_OUTPUT_FORMAT", "concis")
    assert "FXLINT_OUTPUT_FORMAT concis: no such format; did you mean 'concise'?" in fxlint("check").err


def test_environment_names_the_file(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "net.py", NET)
    write(folder / "other.toml", 'ignore = ["TFX101"]\n')
    monkeypatch.setenv("FXLINT_CONFIG", "other.toml")
    assert codes(fxlint) == []
    assert codes(fxlint, "--isolated") == [("net.py", "TFX101")]
    monkeypatch.setenv("FXLINT_CONFIG", "gone.toml")
    assert "FXLINT_CONFIG gone.toml: no such file\n" in fxlint("check").err


# --- what keys do


def test_per_file_ignores(folder: Path, fxlint: Call) -> None:
    for name in ("net.py", "tests/net.py", "tests/deep/net.py", "old_net.py"):
        write(folder / name, NET)
    write(folder / "fxlint.toml", '[per-file-ignores]\n"tests/" = ["TFX1"]\n"old_*.py" = ["TFX101", "TFX2"]\n')
    assert codes(fxlint) == [("net.py", "TFX101")]
    assert codes(fxlint, "tests/net.py") == []
    write(folder / "fxlint.toml", '[per-file-ignores]\n"!tests/" = ["TFX"]\n')
    assert codes(fxlint) == [("tests/deep/net.py", "TFX101"), ("tests/net.py", "TFX101")]
    write(folder / "fxlint.toml", '[per-file-ignores]\n"/tests/*.py" = ["TFX201"]\n')
    assert len(codes(fxlint)) == 4


def test_per_file_ignores_of_files_that_cannot_be_read(folder: Path, fxlint: Call) -> None:
    write(folder / "template.py", "{{ name }} = (\n")
    write(folder / "fxlint.toml", '[per-file-ignores]\n"template.py" = ["TFX001"]\n')
    assert codes(fxlint) == []
    assert codes(fxlint, "--isolated") == [("template.py", "TFX001")]


def test_severity_overrides(folder: Path, fxlint: Call) -> None:
    write(folder / "net.py", NET)

    def severities(*words: str) -> list[str]:
        return [row["severity"] for row in json.loads(fxlint("check", "--output-format", "json", *words).out)]

    assert severities() == ["error"]
    write(folder / "fxlint.toml", '[severity]\ntfx1 = "info"\nTFX101 = "warning"\n')
    assert severities() == ["warning"]
    write(folder / "fxlint.toml", '[severity]\nTFX1 = "info"\nTFX2 = "warning"\n')
    assert severities() == []
    assert severities("--show-info") == ["info"]


def test_exclude_and_force_exclude(folder: Path, fxlint: Call) -> None:
    for name in ("net.py", "gen/net.py", "gen/kept/net.py", "net_pb2.py"):
        write(folder / name, NET)
    write(folder / "fxlint.toml", 'exclude = ["gen/", "*_pb2.py"]\n')
    assert fxlint("check", "--show-files").out == "net.py\n"
    assert fxlint("check", "--show-files", "net_pb2.py", "net.py").out == "net.py\nnet_pb2.py\n"
    assert fxlint("check", "--show-files", "--force-exclude", "net_pb2.py", "gen/kept/net.py", "net.py").out == "net.py\n"
    assert fxlint("check", "--show-files", "--exclude", "net.py").out == ""
    assert fxlint("check", "--show-files", "--force-exclude", "--exclude", "net.py", "net.py").out == ""


def test_gitignore_may_be_disregarded(folder: Path, fxlint: Call) -> None:
    write(folder / "build" / "net.py", NET)
    write(folder / ".gitignore", "build/\n")
    assert codes(fxlint) == []
    write(folder / "fxlint.toml", "respect-gitignore = false\n")
    assert codes(fxlint) == [("build/net.py", "TFX101")]


def test_unsafe_fixes_by_configuration(folder: Path, fxlint: Call) -> None:
    body = "        if x.sum() > 0:\n            y = x\n        else:\n            y = -x\n        return y\n"
    text = NET[: NET.index("        if ")] + body
    write(folder / "net.py", text)
    (row,) = json.loads(fxlint("check", "--output-format", "json").out)
    assert row["fix"]["applicability"] == "unsafe"
    assert fxlint("fix", "--diff").out == ""
    assert "torch.where" in fxlint("fix", "--diff", "--unsafe-fixes").out
    write(folder / "fxlint.toml", "unsafe-fixes = true\n")
    assert "torch.where" in fxlint("fix", "--diff").out
    assert fxlint("fix", "--diff", "--no-unsafe-fixes").out == ""


TRACED = '''\
import torch
from torch import fx, nn


class Block(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)
'''
TRACER = '''\
from torch import fx

from pkg.net import Block


class LeafTracer(fx.Tracer):
    def is_leaf_module(self, module, name):
        return isinstance(module, Block) or super().is_leaf_module(module, name)


class PlainTracer(fx.Tracer):
    pass
'''


def test_tracer(folder: Path, fxlint: Call) -> None:
    write(folder / "src" / "pkg" / "__init__.py", "")
    write(folder / "src" / "pkg" / "net.py", TRACED)
    write(folder / "src" / "pkg" / "tracing.py", TRACER)
    write(folder / "fxlint.toml", 'roots = ["Net"]\n')
    assert codes(fxlint) == [("src/pkg/net.py", "TFX105")]
    assert codes(fxlint, "--config", "tracer=pkg.tracing.LeafTracer") == []
    assert len(codes(fxlint, "--config", "tracer=pkg.tracing.PlainTracer")) == 1


def test_code_that_traces_a_root_goes_before_the_tracer_of_the_configuration(folder: Path, fxlint: Call) -> None:
    write(folder / "pkg" / "__init__.py", "")
    write(folder / "pkg" / "net.py", TRACED)
    write(folder / "pkg" / "tracing.py", TRACER)
    write(folder / "use.py", "from torch import fx\nfrom pkg.net import Net\n\ngm = fx.symbolic_trace(Net())\n")
    write(folder / "fxlint.toml", 'tracer = "pkg.tracing.LeafTracer"\n')
    assert [path for path, _ in codes(fxlint)] == ["pkg/net.py"]


def test_follow_imports(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    helper = "def scaled(x):\n    return x * len(x)\n"
    start = NET[: NET.index("        if ")].replace("from torch import nn", "from torch import nn\nfrom tools import scaled")
    write(folder / "env" / "site-packages" / "tools.py", helper)
    monkeypatch.syspath_prepend(str(folder / "env" / "site-packages"))
    write(folder / "app" / "fxlint.toml", "")
    write(folder / "app" / "net.py", start + "        return x + len(scaled(x))\n")

    def certainties(*words: str) -> list[str]:
        return [row["certainty"] for row in json.loads(fxlint("check", "--output-format", "json", "app", *words).out)]

    assert certainties() == ["may"]  # what an unknown function returns is taken for a Proxy
    assert certainties("--config", "follow-imports=installed") == ["must"]
    write(folder / "app" / "tools.py", helper)
    assert certainties("--config", "follow-imports=project") == ["must", "must"]
    write(folder / "app" / ".gitignore", "tools.py\n")
    assert certainties("--config", "follow-imports=project") == ["must"]
    assert certainties("--config", "follow-imports=none") == ["may"]


# --- the table of keys and its schema


@pytest.mark.parametrize("key", KEYS.values(), ids=lambda key: key.name)
def test_default_and_example_of_a_key_are_valid(key: Any) -> None:
    default = tomllib.loads(f"value = {key.default}")["value"]
    assert key.type.read(default) == getattr(config.Settings(), key.field)
    example = tomllib.loads(key.example)
    assert list(example) == [key.name]
    assert key.type.read(example[key.name]) != getattr(config.Settings(), key.field)
    jsonschema.validate(example, schema())
    jsonschema.validate({key.name: default}, schema())


def test_every_field_has_a_key() -> None:
    assert {key.field for key in KEYS.values()} == set(config.Settings.__dataclass_fields__) - {"directory", "files"}


BROKEN = [
    {"selct": []}, {"select": "TFX1"}, {"select": [1]}, {"unsafe-fixes": 1}, {"torch-version": "2.1"}, {"torch-version": "2.13.0a"},
    {"torch-version": 2.6}, {"output-format": "xml"}, {"models": ["a"]}, {"models": {"a": 1}}, {"per-file-ignores": {"a": "TFX1"}},
    {"severity": {"TFX1": "fatal"}}, {"severity": {"E5": "error"}}, {"follow-imports": "all"}, {"tracer": "a b"},
    {"functions": {"a.b": "leaf"}}, {"functions": {"a b": "wrap"}}, {"exclude": {}}, {"show-info": "yes"},
]  # fmt: skip


@pytest.mark.parametrize("table", BROKEN, ids=str)
def test_the_schema_refuses_what_the_reader_refuses(folder: Path, table: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(table, schema())
    (name, value), = table.items()
    with pytest.raises((TypeError, KeyError)):
        KEYS[name].type.read(value)


def test_the_schema_is_valid_and_is_what_the_package_ships(fxlint: Call) -> None:
    jsonschema.Draft7Validator.check_schema(schema())
    shipped = (TOP / "fxlint" / "fxlint.schema.json").read_text("utf-8")
    assert json.loads(shipped) == schema()
    assert fxlint("config", "--schema").out == shipped
    jsonschema.validate({EXTEND: "../base.toml"}, schema())


def test_config_lists_and_describes_keys(fxlint: Call) -> None:
    listed = fxlint("config").out.splitlines()
    assert [line.split()[0] for line in listed] == list(KEYS)
    said = fxlint("config", "severity").out
    assert KEYS["severity"].text in said
    assert '    TFX504 = "error"' in said
    records = json.loads(fxlint("config", "--output-format", "json").out)
    assert [record["name"] for record in records] == list(KEYS)


def test_show_settings_is_toml_of_each_configuration(folder: Path, fxlint: Call) -> None:
    write(folder / "a" / "net.py", FINE)
    write(folder / "b" / "net.py", FINE)
    write(folder / "b" / "more.py", FINE)
    odd = 'exclude = ["a\\\\b\\"\\u0007é"]\n'
    write(folder / "b" / "fxlint.toml", odd + '[functions]\n"m.f" = "wrap"\n[per-file-ignores]\n"t/" = ["TFX1", "TFX2"]\n')
    blocks = fxlint("check", "--show-settings").out.split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == ["# no configuration file: 1 file", "# b/fxlint.toml: 2 files"]
    said = tomllib.loads(blocks[1])
    assert (said["exclude"], said["functions"], said["per-file-ignores"]) == (['a\\b"\a\xe9'], {"m.f": "wrap"}, {"t/": ["TFX1", "TFX2"]})
    for block in blocks:
        read = tomllib.loads(block)
        assert list(read) == list(KEYS)
        jsonschema.validate(read, schema())


def test_show_files_and_settings_analyse_nothing(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr("fxlint.interp.entry.analyse", None)
    write(folder / "net.py", NET)
    assert fxlint("check", "--show-files").code == fxlint("check", "--show-settings").code == 0
    assert "# no configuration file: 0 files" in fxlint("check", "--show-settings", "--exclude", "*.py").out
