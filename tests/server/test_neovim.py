"""The settings for Neovim that the guide shows, in a real Neovim without a screen."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "editors.md"
NVIM = shutil.which("nvim") or ""
NET = """\
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x.reshape(len(x), -1)
"""
DRIVE = """
local out = io.open("out.txt", "w")
local function codes()
  local seen = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do table.insert(seen, each.code .. "@" .. each.lnum) end
  return table.concat(seen, " ")
end
local function await(wanted) vim.wait(60000, function() return codes() == wanted end); out:write(codes() .. "\\n") end
await("TFX201@5")
vim.api.nvim_buf_set_lines(0, 1, 1, false, { "x = (" })
await("TFX201@6 TFX001@0")
vim.cmd.undo()
await("TFX201@5")
vim.cmd.write()
await("")
out:write(tostring(vim.bo.modified) .. "\\n")
out:close()
vim.cmd("qa!")
"""


def version() -> tuple[int, ...]:
    if not NVIM:
        return (0,)
    said = subprocess.run([NVIM, "--version"], capture_output=True, text=True).stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else (0,)


@pytest.mark.skipif(version() < (0, 11), reason="there is no Neovim 0.11 or newer")
def test_the_settings_of_the_guide(tmp_path: Path) -> None:
    settings = re.search(r"```lua\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert settings is not None
    for name, text in (("init.lua", settings[1]), ("drive.lua", DRIVE), ("net.py", NET), ("fxlint.toml", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [NVIM, "--headless", "-u", "init.lua", "net.py", "-c", "luafile drive.lua"]
    done = subprocess.run(command, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    seen = (tmp_path / "out.txt").read_text(encoding="utf-8").splitlines()
    assert seen == ["TFX201@5", "TFX201@6 TFX001@0", "TFX201@5", "", "false"], done.stderr
    assert (tmp_path / "net.py").read_text(encoding="utf-8") == NET.replace("len(x)", "x.shape[0]")
