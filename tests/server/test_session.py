"""The language server, started as an editor starts it and spoken to over its pipes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types

from tests.server.session import Editor, applied, codes

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        assert x.dim() == 2, "rows"
        return x.reshape(len(x), -1)
"""
RELATED = types.TextDocumentClientCapabilities(
    publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
    code_action=types.CodeActionClientCapabilities(resolve_support=types.ClientCodeActionResolveOptions(["edit"])),
)
VERSIONED = types.WorkspaceClientCapabilities(
    workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
    did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
)


def session(folder: Path, talk: Callable[[Editor], Awaitable[None]], **capabilities: object) -> None:
    """Let ``talk`` happen between a start of the server in ``folder`` and its orderly end."""

    async def whole() -> None:
        editor = Editor()
        answer = await editor.start(folder, **capabilities)
        assert answer.server_info is not None
        assert answer.server_info.name == "fxlint"
        await talk(editor)
        assert await editor.stop() == 0

    asyncio.run(whole())


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "net.py"
    path.write_text(NET, encoding="utf-8")
    return path


def test_a_whole_session(net: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.open(net)
        found = await editor.shown(uri, bool)
        assert codes(found) == ["TFX103", "TFX201"]
        assert [each.severity for each in found] == [types.DiagnosticSeverity.Error] * 2
        assert found[1].range == types.Range(types.Position(7, 25), types.Position(7, 31))
        assert found[1].message.endswith("\nhelp: write x.shape[0], which is recorded")
        assert found[1].related_information is not None
        assert found[1].related_information[0].location.range.start == types.Position(5, 22)
        assert editor.registered == ["workspace/didChangeWatchedFiles"]

        text = await editor.hover(uri, 7, 27)
        assert text.startswith("**TFX201 len-of-proxy** (error)\n\n`len(x)` of a Proxy")
        assert "How it gets here:\n\n1. 6: `x`" in text
        assert "**When to ignore**" in text
        assert await editor.hover(uri, 0, 1) == ""

        repair, ignore, everything = await editor.actions(uri, found[1].range)
        assert (repair.title, repair.kind, repair.is_preferred) == ("Replace `len(x)` by `x.shape[0]`", "quickfix", True)
        assert list(repair.diagnostics or ()) == [found[1]]
        assert applied(NET, repair.edit, uri) == NET.replace("len(x)", "x.shape[0]")
        assert ignore.title == "Ignore TFX201 on this line"
        silenced = applied(NET, ignore.edit, uri)
        assert silenced == NET.replace("-1)\n", "-1)  # noqa: TFX201\n")
        assert (everything.kind, everything.edit) == ("source.fixAll.fxlint", None)
        everything = await editor.client.code_action_resolve_async(everything)
        repaired = applied(NET, everything.edit, uri)
        assert repaired == NET.replace("len(x)", "x.shape[0]").replace('assert x.dim() == 2, "rows"', 'torch._assert(x.dim() == 2, "rows")')

        version = editor.type(uri, silenced)
        assert codes(await editor.shown(uri, lambda shown: len(shown) == 1, version)) == ["TFX103"]
        assert (await editor.hover(uri, 7, 46)).startswith("TFX201 len-of-proxy")  # the comment names the check
        version = editor.type(uri, repaired)
        assert await editor.shown(uri, lambda shown: not shown, version) == []
        editor.close(uri)
        assert editor.messages == []

    session(net.parent, talk, text_document=RELATED, workspace=VERSIONED)
    assert net.read_text("utf-8") == NET  # nothing was saved, and nothing written


def test_a_half_typed_file_keeps_the_last_good_analysis(net: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.open(net)
        await editor.shown(uri, bool)
        version = editor.type(uri, NET.replace("class Net", "def half(\n\n\nclass Net"))
        found = await editor.shown(uri, bool, version)
        assert codes(found) == ["TFX103", "TFX201", "TFX001"]
        assert found[1].range.start == types.Position(10, 25)  # where its line stands now
        assert found[2].severity == types.DiagnosticSeverity.Information
        assert found[2].message.startswith("the findings are those of the last text that was Python; now row 5: ")
        assert await editor.actions(uri, found[1].range) == []  # its edits would be those of another text
        version = editor.type(uri, NET.replace("return x.reshape(len(x), -1)", "return x.reshape(len(x), -1"))
        assert codes(await editor.shown(uri, bool, version)) == ["TFX103", "TFX001"]  # the other line was changed
        version = editor.type(uri, NET)
        assert codes(await editor.shown(uri, bool, version)) == ["TFX103", "TFX201"]

    session(net.parent, talk)


def test_a_file_that_never_parsed_is_told_as_such(net: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.open(net, "class Net(:\n")
        found = await editor.shown(uri, bool)
        assert codes(found) == ["TFX001"]
        assert found[0].severity == types.DiagnosticSeverity.Error
        assert await editor.actions(uri, found[0].range, ["quickfix"]) != []

    session(net.parent, talk)


def test_files_are_judged_together_unsaved(tmp_path: Path) -> None:
    (tmp_path / "blocks.py").write_text("def size(x):\n    return x.shape[0]\n", encoding="utf-8")
    class_ = "class Net(nn.Module):\n    def forward(self, x):\n        return x.view(size(x))\n"
    (tmp_path / "net.py").write_text(f"from torch import nn\nfrom blocks import size\n\n\n{class_}", encoding="utf-8")

    async def talk(editor: Editor) -> None:
        net, blocks = editor.open(tmp_path / "net.py"), editor.open(tmp_path / "blocks.py")
        assert await editor.shown(net, lambda shown: not shown) == []
        version = editor.type(blocks, "def size(x):\n    return int(x.shape[0])\n")
        found = await editor.shown(blocks, bool, version)
        assert codes(found) == ["TFX202"]
        assert found[0].related_information is None  # this client does not take it
        editor.close(blocks)
        assert await editor.shown(blocks, lambda shown: not shown) == []

    session(tmp_path, talk)


BLOCKS = """\
from torch import nn


class Block(nn.Module):
    def forward(self, x, mask=None):
        return x if mask is None else x * mask


def size(x):
    return int(x.shape[0])
"""
WHOLE = """\
from torch import nn
from blocks import Block, size


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x).view(size(x))
"""


def test_the_project_behind_an_open_file_corrects_what_it_tells(tmp_path: Path) -> None:
    (tmp_path / "blocks.py").write_text(BLOCKS, encoding="utf-8")
    (tmp_path / "net.py").write_text(WHOLE, encoding="utf-8")  # closed: it calls without a mask, and calls size
    (tmp_path / "typing.py").write_text("raise ImportError\n", encoding="utf-8")  # not to be taken for Python's own

    async def talk(editor: Editor) -> None:
        uri = editor.open(tmp_path / "blocks.py")
        assert codes(await editor.shown(uri, bool)) == ["TFX501"]  # by itself Block is traced, and its mask with it
        found = await editor.shown(uri, lambda shown: codes(shown) == ["TFX202"])
        (repair, *_) = await editor.actions(uri, found[0].range, ["quickfix"])
        assert repair.edit is not None
        version = editor.type(uri, f"# typed\n{BLOCKS}")
        found = await editor.shown(uri, bool, version)
        assert codes(found) == ["TFX202"]
        assert found[0].range.start.line == 10
        version = editor.type(uri, BLOCKS.replace("mask is None", "None is mask").replace("shape[0]", "shape[1]"))
        assert codes(await editor.shown(uri, bool, version)) == ["TFX501"]  # these lines are others now
        editor.save(uri)
        assert codes(await editor.shown(uri, lambda shown: codes(shown) != ["TFX501"])) == ["TFX202"]

    session(tmp_path, talk)


def test_a_client_of_few_words(net: Path) -> None:
    """One that neither resolves actions nor takes versions gets whole, plain edits."""

    async def talk(editor: Editor) -> None:
        uri = editor.open(net)
        top = types.Range(types.Position(0, 0), types.Position(0, 0))
        (everything,) = await editor.actions(uri, top, ["source.fixAll"])  # at once, as on saving: not yet analysed
        assert everything.edit is not None
        assert everything.edit.document_changes is None
        assert "torch._assert(" in applied(NET, everything.edit, uri)
        assert await editor.actions(uri, top, ["source.organizeImports"]) == []
        assert await editor.actions(uri, top, ["quickfix"]) == []

    session(net.parent, talk)


def test_columns_in_units_of_the_client(tmp_path: Path) -> None:
    line = "        y = '\U0001f600é', len(x)"
    text = f"from torch import nn\nclass Net(nn.Module):\n    def forward(self, x):\n{line}\n        return x\n"

    def columns(encoding: types.PositionEncodingKind | None) -> int:
        seen: list[int] = []

        async def talk(editor: Editor) -> None:
            found = await editor.shown(editor.open(tmp_path / "net.py", text), bool)
            seen.append(found[0].range.start.character)

        general = types.GeneralClientCapabilities(position_encodings=[encoding]) if encoding else None
        session(tmp_path, talk, general=general)
        return seen[0]

    assert columns(None) == columns(types.PositionEncodingKind.Utf16) == 19
    assert columns(types.PositionEncodingKind.Utf8) == 22
    assert columns(types.PositionEncodingKind.Utf32) == 18


def test_configuration(net: Path) -> None:
    settings = net.parent / "fxlint.toml"
    settings.write_text('ignore = ["TFX103"]\n', encoding="utf-8")

    async def talk(editor: Editor) -> None:
        uri = editor.open(net)
        assert codes(await editor.shown(uri, bool)) == ["TFX201"]
        settings.write_text('exclude = ["net.py"]\n', encoding="utf-8")
        change = types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
        assert await editor.shown(uri, lambda shown: not shown) == []
        settings.write_text('ignroe = ["TFX103"]\n', encoding="utf-8")
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
        await editor.hover(uri, 0, 0)  # answered after the analysis
        assert ["fxlint.toml: unknown key 'ignroe'; did you mean 'ignore'?" in said for said in editor.messages] == [True]

    session(net.parent, talk)


def test_without_pygls_one_line_says_what_to_install() -> None:
    code = (
        "import importlib.util, sys\nfind = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'pygls' else find(name, *rest)\n"
        "from fxlint.cli import main; sys.exit(main.run(['server']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "needs pygls, which is not installed: pip install 'fxlint[server]'" in done.stderr
