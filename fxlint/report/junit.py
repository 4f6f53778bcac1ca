"""Findings as JUnit XML: a suite for each file, a failed case for each finding; one case that passes where there is nothing to report."""

from __future__ import annotations

import re
from itertools import groupby
from xml.etree import ElementTree as ET

from fxlint.base.finding import Finding
from fxlint.report.concise import headline
from fxlint.report.names import shown
from fxlint.report.view import View

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold


def render(view: View) -> str:
    """The whole document, with a line end."""
    findings = view.result.findings
    total = str(max(1, len(findings)))
    top = ET.Element("testsuites", name="fxlint", tests=total, failures=str(len(findings)), errors="0")
    for path, group in groupby(findings, key=lambda finding: finding.path):
        found = list(group)
        name = _clean(shown(path, view.base))
        suite = ET.SubElement(top, "testsuite", name=name, tests=str(len(found)), failures=str(len(found)), errors="0", package="fxlint")
        for finding in found:
            _case(suite, name, finding, view.base)
    if not findings:
        suite = ET.SubElement(top, "testsuite", name="fxlint", tests="1", failures="0", errors="0", package="fxlint")
        ET.SubElement(suite, "testcase", name="nothing to report", classname="fxlint")
    ET.indent(top)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(top, encoding="unicode") + "\n"


def _case(suite: ET.Element, file: str, finding: Finding, base: str) -> None:
    case = ET.SubElement(
        suite, "testcase", name=f"{finding.code} {finding.name}", classname=file.removesuffix(".py"), file=file, line=str(finding.row))
    failure = ET.SubElement(case, "failure", message=_clean(finding.message), type=finding.severity.value)
    failure.text = _clean("\n".join(words for words in (headline(finding, base), finding.help) if words))


def _clean(text: str) -> str:
    return _NOT_XML.sub("?", text)
