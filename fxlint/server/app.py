"""The server itself: pygls, and all that changes while an editor is open.

Analyses of the open files run one at a time in a thread, so that the editor is answered meanwhile; a change starts one after a pause in
typing, and a request for actions or a hover waits for one that has seen all changes. Opening and saving also start a look at the whole
project in a process of its own, which corrects what the open files tell by themselves.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from fxlint import __version__
from fxlint.base.errors import FxlintError
from fxlint.driver import internal
from fxlint.registry import Registry, load
from fxlint.server import actions, diagnostics, documents
from fxlint.server.documents import Analysed, Correction, Document, corrected, correction
from fxlint.server.hover import hover
from fxlint.server.positions import Encoding, Positions
from fxlint.server.whole import ask

PAUSE = 0.3  # seconds without a change before an analysis starts
_STACK = 64 * 1024 * 1024  # bytes; the analysis recurses deeply, and threads get less than the main one on some systems
_WATCHED = ("**/*.py", "**/pyproject.toml", "**/fxlint.toml")


@dataclass(slots=True)
class Desk:
    """What lies open: the last texts that parsed and what was found in each open file, by path; ``changes`` counts up, ``seen`` follows."""

    registry: Registry
    good: dict[str, str] = field(default_factory=dict)
    quick: dict[str, Analysed] = field(default_factory=dict)  # what the open files tell by themselves
    analysed: dict[str, Analysed] = field(default_factory=dict)  # the same, corrected
    changes: int = 0
    seen: int = 0
    told: set[str] = field(default_factory=set)  # errors that the user knows already
    pause: asyncio.Task[None] | None = None
    corrections: dict[str, Correction] = field(default_factory=dict)
    whole: asyncio.Task[None] | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Server(LanguageServer):
    """pygls's server with a desk and a thread for analyses."""

    def __init__(self) -> None:
        super().__init__("fxlint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.desk = Desk(load())
        threading.stack_size(_STACK)
        self.worker = ThreadPoolExecutor(1, "analysis")

    @property
    def encoding(self) -> Encoding:
        """How client and server count columns."""
        return Encoding(self.server_capabilities.position_encoding or Encoding.Utf16)

    def open_documents(self) -> dict[str, Document]:
        """The open Python files by path; what is no file on a disk, and notebooks, are left out."""
        found: dict[str, Document] = {}
        for uri, text in self.workspace.text_documents.items():
            path = to_fs_path(uri) if uri.startswith("file:") else None
            if path is not None and path.endswith((".py", ".pyi", ".pyw")):
                found[os.path.abspath(path)] = Document(os.path.abspath(path), uri, text.source, text.version)
        return found

    def document(self, uri: str) -> Document | None:
        """The open file that the client calls ``uri``."""
        return next((document for document in self.open_documents().values() if document.uri == uri), None)

    def changed(self, *, is_whole: bool = False) -> None:
        """Note that something changed, and analyse after a pause without further changes; ``is_whole``: the whole project then."""
        self.desk.changes += 1
        if is_whole:
            if self.desk.whole is not None:
                self.desk.whole.cancel()
            self.desk.whole = asyncio.create_task(self._look_at_all())
        if self.desk.pause is not None:
            self.desk.pause.cancel()
        self.desk.pause = asyncio.create_task(self._after_pause())

    async def _after_pause(self) -> None:
        await asyncio.sleep(PAUSE)
        self.desk.pause = None  # from here on a change must not cancel what runs
        await self.settle()

    async def _look_at_all(self) -> None:
        await asyncio.sleep(PAUSE)
        await self.settle()
        opened, quick = self.open_documents(), dict(self.desk.quick)
        outcome = await ask(tuple(opened.values()), dict(self.desk.good))
        if outcome is None:
            return  # a configuration that cannot be used: told already
        for line in outcome.errors:
            self._tell(line)
        for path, whole in outcome.files.items():
            if path in quick and quick[path].text == whole.text:
                self.desk.corrections[path] = correction(quick[path], whole)
        for path in self.desk.quick:
            if path in self.desk.corrections:
                self.desk.analysed[path] = corrected(self.desk.quick[path], self.desk.corrections[path])
        self._publish_all()

    async def settle(self) -> None:
        """Return when the analysis has seen all changes."""
        async with self.desk.lock:
            while self.desk.seen != self.desk.changes:
                changes = self.desk.changes
                await self._analyse(self.open_documents())
                self.desk.seen = changes

    async def _analyse(self, opened: Mapping[str, Document]) -> None:
        desk = self.desk
        parsed = {path: each.text for path, each in opened.items() if not documents.problem_of(each.text)}
        desk.good = {path: parsed.get(path, desk.good.get(path, "")) for path in opened if path in parsed or path in desk.good}
        try:
            look = partial(documents.analyse, is_whole=False)
            outcome = await self.on_worker(look, tuple(opened.values()), dict(desk.good), desk.registry)
        except FxlintError as error:
            self._tell(str(error))
            return
        except Exception as error:  # noqa: BLE001  # our own mistake: said once, and the server goes on
            self._tell(internal("the language server", error))
            return
        desk.quick = dict(outcome.files)
        desk.corrections = {path: each for path, each in desk.corrections.items() if path in desk.quick}
        desk.analysed = {
            path: corrected(quick, desk.corrections[path]) if path in desk.corrections else quick for path, quick in desk.quick.items()
        }
        for line in outcome.errors:
            self._tell(line)
        self._publish_all()

    def _publish_all(self) -> None:
        for document in self.open_documents().values():
            if document.path in self.desk.analysed:
                self._publish(document, self.desk.analysed[document.path])

    async def on_worker(self, function: Any, *arguments: object) -> Any:
        """What ``function`` answers, worked out in the thread for analyses."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, function, *arguments)

    def _publish(self, document: Document, analysed: Analysed) -> None:
        told = self.client_capabilities.text_document and self.client_capabilities.text_document.publish_diagnostics
        found = diagnostics.diagnostics(document, analysed, self.encoding, related=bool(told and told.related_information))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, found, document.version))

    def _tell(self, line: str) -> None:
        if line not in self.desk.told:
            self.desk.told.add(line)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"fxlint: {line}"))

    def forget(self, uri: str) -> None:
        """Take away what was shown in a file that was closed."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        self.changed()

    def settled_at(self, uri: str) -> tuple[Document, Analysed] | None:
        """An open file with what was found in the very text that is shown; None where that does not parse, or is not analysed."""
        document = self.document(uri)
        analysed = self.desk.analysed.get(document.path) if document is not None else None
        if document is None or analysed is None or analysed.text != document.text:
            return None
        return document, analysed

    def takes_versions(self) -> bool:
        """Whether the client takes edits that name the version of the text that they are for."""
        workspace = self.client_capabilities.workspace
        return bool(workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes)

    def resolves(self) -> bool:
        """Whether the client asks for the edit of an action when it is chosen."""
        text = self.client_capabilities.text_document
        support = text.code_action.resolve_support if text and text.code_action else None
        return support is not None and "edit" in support.properties

    async def resolve(self, action: types.CodeAction) -> types.CodeAction:
        """The action with its edit."""
        await self.settle()
        data = cast("dict[str, str]", action.data or {})
        found = self.settled_at(data.get("uri", ""))
        if found is None:
            return action
        document, _ = found
        texts = {path: each.text for path, each in self.open_documents().items()}
        text = await self.on_worker(documents.fixed, document, {**texts, document.path: document.text}, self.desk.registry)
        action.edit = self.in_clients_form(actions.repaired(document, text, self.encoding))
        return action

    def in_clients_form(self, edit: types.WorkspaceEdit | None) -> types.WorkspaceEdit | None:
        """The edit without versions where the client does not take them."""
        if edit is None or self.takes_versions():
            return edit
        parts = [part for part in edit.document_changes or () if isinstance(part, types.TextDocumentEdit)]
        return types.WorkspaceEdit(changes={part.text_document.uri: cast("list[types.TextEdit]", list(part.edits)) for part in parts})


def make() -> Server:
    """A server that answers all that fxlint can answer, not started yet."""
    server = Server()

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        if workspace and workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            one = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(types.RegistrationParams([one]))

    @server.feature(types.SHUTDOWN)
    def ending(_: None) -> None:
        if server.desk.whole is not None:
            server.desk.whole.cancel()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(_: types.DidOpenTextDocumentParams) -> None:
        server.changed(is_whole=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def edited(_: types.DidChangeTextDocumentParams) -> None:
        server.changed()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        server.changed(is_whole=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def elsewhere(_: types.DidChangeWatchedFilesParams) -> None:
        server.desk.told.clear()  # the configuration may be another one now
        server.changed(is_whole=True)

    kinds = [types.CodeActionKind.QuickFix, actions.FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))
    async def offered(params: types.CodeActionParams) -> list[types.CodeAction]:
        await server.settle()
        found = server.settled_at(params.text_document.uri)
        if found is None:
            return []
        versions = {path: document.version for path, document in server.open_documents().items()}
        offers = actions.actions(*found, params, server.encoding, versions)
        for offer in offers:
            offer.edit = server.in_clients_form(offer.edit)
        return offers if server.resolves() else [offer if offer.edit else await server.resolve(offer) for offer in offers]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolved(params: types.CodeAction) -> types.CodeAction:
        return await server.resolve(params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def told(params: types.HoverParams) -> types.Hover | None:
        await server.settle()
        found = server.settled_at(params.text_document.uri)
        if found is None:
            return None
        document, analysed = found
        positions = Positions.of(document.text, server.encoding)
        base = server.workspace.root_path or os.path.dirname(document.path)
        return hover(analysed, positions, params.position, server.desk.registry, base)

    return server
