"""The formats of ``fxlint check``: valid by the schemas of those who read them, and about the same findings."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from fxlint.config import OUTPUT_FORMATS
from tests.cli.conftest import FINE, Call, write

SCHEMAS = Path(__file__).parent / "schemas"
TOP = Path(__file__).resolve().parents[2]
# What formats must cope with: letters outside ASCII before the place, quotes, commas, a tab, a name with a space, repairs of each safety.
MODEL = '''\
import torch
from torch import nn
from .ops import scaled


class Net(nn.Module):
    def forward(self, x, mask=None):
        assert x.dim() == 2, "é<&>, :%"
        if 'é\N{GRINNING FACE}' and x.sum() > 0:
            return x * len(x)
        if mask is not None and mask.any():
        \tx = x * mask
        return scaled(x)
'''
OPS = '''\
def scaled(x):
    while (x.mean()
           > 1):
        x = x / 2
    return x
'''


@pytest.fixture
def project(folder: Path) -> Path:
    """A package with findings in two files, a file that cannot be parsed, and one with nothing to report."""
    write(folder / "my pkg" / "__init__.py", "")
    write(folder / "my pkg" / "net.py", MODEL)
    write(folder / "my pkg" / "ops.py", OPS)
    write(folder / "broken.py", "def f(:\n")
    write(folder / "fine.py", FINE)
    return folder


def records(fxlint: Call) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(fxlint("check", "--output-format", "json").out)
    assert {row["code"] for row in found} >= {"TFX001", "TFX101", "TFX102", "TFX103", "TFX201"}
    return found


def valid(name: str, text: str) -> Any:
    schema = json.loads((SCHEMAS / name).read_text("utf-8"))
    document = json.loads(text)
    jsonschema.validate(document, schema, cls=jsonschema.Draft4Validator)
    return document


def heads(rows: list[dict[str, Any]]) -> list[tuple[str, int, str]]:
    return [(row["filename"], row["location"]["row"], row["code"]) for row in rows]


def test_sarif_is_valid_and_says_the_same(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    (run,) = valid("sarif-2.1.0.json", fxlint("check", "--output-format", "sarif").out)["runs"]
    assert [result["ruleId"] for result in run["results"]] == [row["code"] for row in rows]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result, row in zip(run["results"], rows, strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert unquote(place["artifactLocation"]["uri"]) == row["filename"]
        assert place["region"] == {
            "startLine": row["location"]["row"], "startColumn": row["location"]["column"],
            "endLine": row["end_location"]["row"], "endColumn": row["end_location"]["column"],
        }
        assert rules[result["ruleIndex"]] == row["code"]
        assert result["level"] == row["severity"]
        assert ("codeFlows" in result) == bool(row["trace"])
    assert len({result["partialFingerprints"]["fxlint/v1"] for result in run["results"]}) == len(rows)
    assert " " not in run["originalUriBaseIds"]["%SRCROOT%"]["uri"]


def test_sarif_carries_the_repairs(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    (run,) = json.loads(fxlint("check", "--output-format", "sarif").out)["runs"]
    fixes = [result["fixes"][0] for result in run["results"] if "fixes" in result]
    wanted = [row["fix"] for row in rows if row["fix"] is not None and row["fix"]["applicability"] != "display"]
    assert wanted
    assert [fix["description"]["text"] for fix in fixes] == [f"{fix['message']} ({fix['applicability']})" for fix in wanted]
    for fix, edits in zip(fixes, wanted, strict=True):
        replaced = [part for change in fix["artifactChanges"] for part in change["replacements"]]
        assert sorted(part["insertedContent"]["text"] for part in replaced) == sorted(edit["content"] for edit in edits["edits"])


def test_sarif_without_findings_is_valid(folder: Path, fxlint: Call) -> None:
    write(folder / "fine.py", FINE)
    (run,) = valid("sarif-2.1.0.json", fxlint("check", "--output-format", "sarif").out)["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
    assert run["invocations"][0]["executionSuccessful"]


def test_sarif_of_a_run_that_broke(folder: Path, fxlint: Call, monkeypatch: pytest.MonkeyPatch) -> None:

    def fail(*_: object) -> None:
        raise RuntimeError("broke")

    monkeypatch.setattr("fxlint.interp.entry.analyse", fail)
    write(folder / "fine.py", FINE)
    said = fxlint("check", "--output-format", "sarif")
    (run,) = valid("sarif-2.1.0.json", said.out)["runs"]
    assert not run["invocations"][0]["executionSuccessful"]
    assert "RuntimeError broke" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert said.code == 2


def test_rdjson_is_valid_and_counts_bytes(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    found = valid("rdjson.json", fxlint("check", "--output-format", "rdjson").out)["diagnostics"]
    assert [one["code"]["value"] for one in found] == [row["code"] for row in rows]
    line = next(line for line in MODEL.splitlines() if "x.sum()" in line)
    (branch,) = [one for one in found if one["code"]["value"] == "TFX101" and "x.sum()" in one["message"]]
    start = branch["location"]["range"]["start"]
    assert line.encode()[start["column"] - 1 :].startswith(b"x.sum() > 0:")
    (length,) = [one for one in found if one["code"]["value"] == "TFX201"]
    (suggestion,) = length["suggestions"]
    assert suggestion["text"] == "x.shape[0]"


def test_json_lines_are_the_objects_of_json(project: Path, fxlint: Call) -> None:
    lines = fxlint("check", "--output-format", "json-lines").out.splitlines()
    assert [json.loads(line) for line in lines] == records(fxlint)


def test_github_commands_escape_what_they_must(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    lines = fxlint("check", "--output-format", "github").out.splitlines()
    command = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")
    for line, row in zip(lines, rows, strict=True):
        found = command.fullmatch(line)
        assert found is not None, line
        fields = dict(part.split("=", 1) for part in found[2].split(","))
        assert (found[1], fields["file"], fields["line"]) == (row["severity"], row["filename"], str(row["location"]["row"]))
        assert ("col" in fields) == (row["location"]["row"] == row["end_location"]["row"])
        assert row["code"] in fields["title"]
        assert "%" not in found[3].replace("%25", "").replace("%0A", "")


def test_gitlab_fingerprints_stay_when_lines_move(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    before = json.loads(fxlint("check", "--output-format", "gitlab").out)
    assert [(one["location"]["path"], one["check_name"]) for one in before] == [(row["filename"], row["code"]) for row in rows]
    assert all(set(one) == {"description", "check_name", "fingerprint", "severity", "location"} for one in before)
    assert {one["severity"] for one in before} <= {"info", "minor", "major", "critical", "blocker"}
    assert len({one["fingerprint"] for one in before}) == len(before)
    write(project / "my pkg" / "net.py", "# a line\n" + MODEL)
    after = json.loads(fxlint("check", "--output-format", "gitlab").out)
    assert [one["fingerprint"] for one in after] == [one["fingerprint"] for one in before]
    write(project / "my pkg" / "net.py", MODEL.replace("len(x)", "len(x) * 1"))
    assert len({one["fingerprint"] for one in json.loads(fxlint("check", "--output-format", "gitlab").out)} & {
        one["fingerprint"] for one in before}) == len(before) - 1


def test_junit_is_well_formed_and_counts(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    top = ET.fromstring(fxlint("check", "--output-format", "junit").out.encode())
    assert top.tag == "testsuites"
    assert (top.get("tests"), top.get("failures"), top.get("errors")) == (str(len(rows)), str(len(rows)), "0")
    cases = [(case.get("file"), int(case.get("line") or 0), (case.get("name") or "").split()[0]) for case in top.iter("testcase")]
    assert cases == heads(rows)
    assert [failure.get("message") for failure in top.iter("failure")] == [row["message"] for row in rows]


def test_junit_without_findings_has_a_case_that_passes(folder: Path, fxlint: Call) -> None:
    write(folder / "fine.py", FINE)
    top = ET.fromstring(fxlint("check", "--output-format", "junit").out.encode())
    assert (top.get("tests"), top.get("failures"), len(list(top.iter("testcase")))) == ("1", "0", 1)


def test_junit_leaves_out_what_xml_cannot_hold(folder: Path, fxlint: Call) -> None:
    text = MODEL.replace("from .ops import scaled", "scaled = abs").replace("x.dim() == 2", "x.dim() == len('\x01')")
    write(folder / "net.py", "\x0c" + text)
    ET.fromstring(fxlint("check", "--output-format", "junit").out.encode())


def test_grouped_names_each_file_once(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    lines = fxlint("check", "--output-format", "grouped").out.splitlines()
    names = [line for line in lines if line and not line.startswith(" ")]
    assert names[:-1] == [f"{name}:" for name in dict.fromkeys(row["filename"] for row in rows)]
    assert len([line for line in lines if re.match(r" +\d+:\d+ ", line)]) == len(rows)
    assert any(": [*] `len(x)`" in line for line in lines)


def test_the_count_tells_what_can_be_repaired(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    safe = sum(row["fix"] is not None and row["fix"]["applicability"] == "safe" for row in rows)
    unsafe = sum(row["fix"] is not None and row["fix"]["applicability"] == "unsafe" for row in rows)
    for name in ("full", "grouped"):
        last = fxlint("check", "--output-format", name).out.splitlines()[-1]
        assert f"; {safe} fixable with `fxlint fix`" in last
        assert (f", {unsafe} more with `--unsafe-fixes`" in last) == bool(unsafe)


@pytest.mark.parametrize("name", list(OUTPUT_FORMATS))
def test_every_format_is_the_same_on_every_run_and_without_findings(project: Path, fxlint: Call, name: str) -> None:
    said = fxlint("check", "--output-format", name)
    assert said == fxlint("check", "--output-format", name, "my pkg/ops.py", "fine.py", "broken.py", "my pkg")
    assert (said.code, said.err, "\x1b" in said.out) == (1, "", False)
    assert fxlint("check", "--output-format", name, "fine.py").code == 0


def test_output_file(project: Path, fxlint: Call) -> None:
    shown = fxlint("check", "--output-format", "junit")
    written = fxlint("check", "--output-format", "junit", "-o", "report.xml")
    assert (written.code, written.out, written.err) == (1, "", "")
    assert (project / "report.xml").read_text("utf-8") == shown.out
    failed = fxlint("check", "--output-file", "gone/report.xml")
    assert (failed.code, failed.err.count("\n")) == (2, 1)
    assert "--output-file gone/report.xml: cannot be written: No such file or directory" in failed.err


def test_statistics_count_by_check(project: Path, fxlint: Call) -> None:
    rows = records(fxlint)
    counted = json.loads(fxlint("check", "--statistics", "--output-format", "json").out)
    assert {one["code"]: one["count"] for one in counted} == {
        row["code"]: sum(other["code"] == row["code"] for other in rows) for row in rows}
    assert [one["count"] for one in counted] == sorted((one["count"] for one in counted), reverse=True)
    lines = fxlint("check", "--statistics").out.splitlines()
    assert [line.split()[1] for line in lines[:-1]] == [one["code"] for one in counted]
    (length,) = [line for line in lines if "TFX201" in line]
    assert "[*]" in length


def test_statistics_are_a_table_or_json(project: Path, fxlint: Call) -> None:
    said = fxlint("check", "--statistics", "--output-format", "sarif")
    assert (said.code, said.out) == (2, "")
    assert "--statistics goes with the formats" in said.err


def test_every_format_is_documented() -> None:
    text = (TOP / "docs" / "formats.md").read_text("utf-8")
    for name in OUTPUT_FORMATS:
        assert f"## `{name}`" in text
