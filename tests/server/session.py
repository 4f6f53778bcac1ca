"""A real client of the language server protocol over standard input and output, as an editor is one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 60.0  # seconds to wait for what must come


class Editor:
    """One editor with one server: opens, types and asks; keeps what the server published last, by URI."""

    def __init__(self) -> None:
        self.client = LanguageClient("editor", "1")
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.messages: list[str] = []
        self.registered: list[str] = []
        self._arrived = asyncio.Event()
        self._versions: dict[str, int] = {}
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._publish))
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(partial(self._register))

    def _publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.published[params.uri] = params
        self._arrived.set()

    def _register(self, params: types.RegistrationParams) -> None:
        self.registered += [one.method for one in params.registrations]

    async def start(self, folder: Path, **capabilities: Any) -> types.InitializeResult:
        await self.client.start_io(sys.executable, "-P", "-m", "fxlint", "server", "--stdio", cwd=str(folder))
        params = types.InitializeParams(types.ClientCapabilities(**capabilities), process_id=None, root_uri=folder.as_uri())
        answer = await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())
        return answer

    async def stop(self) -> int:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        process = self.client._server
        assert process is not None
        return await asyncio.wait_for(process.wait(), PATIENCE)

    def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri, "python", 1, path.read_text("utf-8") if text is None else text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def type(self, uri: str, text: str) -> int:
        self._versions[uri] += 1
        where = types.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(where, [change]))
        return self._versions[uri]

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def shown(self, uri: str, wanted: Callable[[list[types.Diagnostic]], bool], version: int | None = None) -> list[types.Diagnostic]:
        """The diagnostics of ``uri``, once they are as ``wanted`` and, if given, of that version."""

        async def wait() -> list[types.Diagnostic]:
            while True:
                last = self.published.get(uri)
                if last is not None and version in (None, last.version) and wanted(list(last.diagnostics)):
                    return list(last.diagnostics)
                self._arrived.clear()
                await self._arrived.wait()

        try:
            return await asyncio.wait_for(wait(), PATIENCE)
        except TimeoutError:
            raise AssertionError(f"not as wanted: {self.published.get(uri)}; messages: {self.messages}") from None

    async def actions(self, uri: str, where: types.Range, only: list[str] | None = None) -> list[types.CodeAction]:
        here = [each for each in self.published[uri].diagnostics if each.range == where] if uri in self.published else []
        context = types.CodeActionContext(here, only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
        found = await self.client.text_document_code_action_async(params)
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    async def hover(self, uri: str, row: int, column: int) -> str:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(row, column))
        found = await self.client.text_document_hover_async(params)
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value


def codes(found: list[types.Diagnostic]) -> list[str | int | None]:
    return [each.code for each in found]


def applied(text: str, edit: types.WorkspaceEdit | None, uri: str) -> str:
    """``text`` of ``uri`` after ``edit``; the test texts are ASCII, or BMP, so columns are characters."""
    assert edit is not None
    edits: list[Any] = []
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        if change.text_document.uri == uri:
            edits += change.edits
    edits += (edit.changes or {}).get(uri, [])
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for each in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        start = starts[each.range.start.line] + each.range.start.character
        end = starts[each.range.end.line] + each.range.end.character
        text = text[:start] + each.new_text + text[end:]
    return text
