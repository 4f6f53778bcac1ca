"""What can be done about findings: each repair, a comment that silences, and all safe repairs of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types

from fxlint.base.finding import Finding, Fix, Safety
from fxlint.base.span import Span
from fxlint.server.diagnostics import message
from fxlint.server.documents import Analysed, Document
from fxlint.server.positions import Encoding, Positions, line_edits

FIX_ALL = "source.fixAll.fxlint"
_NOQA = re.compile(r"# noqa:(?P<codes>[ ]?[A-Z]+[0-9]+(?:[, ]+[A-Z]+[0-9]+)*)")
_TITLES = {Safety.SAFE: "", Safety.UNSAFE: " (may change numbers)", Safety.DISPLAY: " (to be looked at)"}


def actions(
    document: Document,
    analysed: Analysed,
    wanted: types.CodeActionParams,
    encoding: Encoding,
    versions: Mapping[str, int | None],
) -> list[types.CodeAction]:
    """The actions for the range and kinds that ``wanted`` names; ``versions`` are those of open files by path.

    The text must be the one that was analysed. The action that repairs all has no edit yet: it is worked out when it is resolved.
    """
    positions = Positions.of(document.text, encoding)
    start, end = positions.offset(wanted.range.start), positions.offset(wanted.range.end)
    only = wanted.context.only
    found = [finding for finding in analysed.findings if finding.start <= end and start <= finding.end]
    out: list[types.CodeAction] = []
    if _wants(only, types.CodeActionKind.QuickFix):
        out += [action for finding in found if (action := _repair(finding, analysed, wanted, encoding, versions))]
        out += [_ignore(finding, document, positions, wanted) for finding in found if finding.noqa_row]
    if _wants(only, FIX_ALL) and any(_is_safe(finding.fix) for finding in analysed.findings):
        out.append(types.CodeAction("fxlint: apply all safe repairs", FIX_ALL, data={"uri": document.uri}))
    return out


def repaired(document: Document, text: str, encoding: Encoding) -> types.WorkspaceEdit:
    """The edit that makes ``text`` of ``document``."""
    positions = Positions.of(document.text, encoding)
    edits = [types.TextEdit(positions.range(span.start, span.end), new) for span, new in line_edits(document.text, text)]
    return _workspace_edit({document.uri: edits}, {document.uri: document.version})


def _wants(only: object, kind: str) -> bool:
    return only is None or (isinstance(only, (list, tuple)) and any(kind == word or kind.startswith(f"{word}.") for word in map(str, only)))


def _is_safe(fix: Fix | None) -> bool:
    return fix is not None and bool(fix.edits) and fix.safety is Safety.SAFE


def _repair(
    finding: Finding, analysed: Analysed, wanted: types.CodeActionParams, encoding: Encoding, versions: Mapping[str, int | None]
) -> types.CodeAction | None:
    fix = finding.fix
    if fix is None or not fix.edits or any(edit.path not in analysed.texts for edit in fix.edits):
        return None
    edits: dict[str, list[types.TextEdit]] = {}
    for edit in fix.edits:
        where = Positions.of(analysed.texts[edit.path], encoding).range(edit.start, edit.end)
        edits.setdefault(_uri(edit.path, wanted, finding), []).append(types.TextEdit(where, edit.content))
    by_uri = {_uri(path, wanted, finding): version for path, version in versions.items()}
    return types.CodeAction(
        f"{fix.message}{_TITLES[fix.safety]}", types.CodeActionKind.QuickFix, _about(finding, wanted),
        is_preferred=fix.safety is Safety.SAFE, edit=_workspace_edit(edits, by_uri),
    )  # fmt: skip


def _ignore(finding: Finding, document: Document, positions: Positions, wanted: types.CodeActionParams) -> types.CodeAction:
    span, text = silenced(positions, finding.noqa_row, finding.code)
    edit = types.TextEdit(positions.range(span.start, span.end), text)
    return types.CodeAction(
        f"Ignore {finding.code} on this line", types.CodeActionKind.QuickFix, _about(finding, wanted),
        edit=_workspace_edit({document.uri: [edit]}, {document.uri: document.version}),
    )  # fmt: skip


def silenced(positions: Positions, row: int, code: str) -> tuple[Span, str]:
    """The range to replace, and by what, so that the 1-based ``row`` holds ``# noqa: CODE``; codes that stand there already are kept."""
    start, end = positions.index.starts[row - 1], positions.end_of_row(row)
    found = _NOQA.search(positions.text, start, end)
    if found is not None:
        return Span(found.end("codes"), found.end("codes")), f",{code}"
    kept = len(positions.text[start:end].rstrip())
    return Span(start + kept, end), f"  # noqa: {code}"


def _about(finding: Finding, wanted: types.CodeActionParams) -> list[types.Diagnostic]:
    """The client's own diagnostics of ``finding``, so that it can take them away at once."""
    same = (given for given in wanted.context.diagnostics if given.code == finding.code and given.message == message(finding))
    return list(same)


def _uri(path: str, wanted: types.CodeActionParams, finding: Finding) -> str:
    # The client's own spelling for the file that it asks about: "file:///c%3A/" and "file:///C:/" are one file, but two names.
    return wanted.text_document.uri if path == finding.path else Path(path).as_uri()


def _workspace_edit(edits: Mapping[str, list[types.TextEdit]], versions: Mapping[str, int | None]) -> types.WorkspaceEdit:
    changes = [
        types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri)), list(these))
        for uri, these in sorted(edits.items())
    ]
    return types.WorkspaceEdit(document_changes=changes)
