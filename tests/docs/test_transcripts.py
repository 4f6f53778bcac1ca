"""The transcripts in docs/*.md, run on the installed torch: a claim that is no longer so fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if "```pycon" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", [pytest.param(p, id=p.stem) for p in PAGES])
def test_transcripts(page: Path) -> None:
    # In a process of its own: torch.fx.wrap changes what every later trace does.
    options = [word for name in ("ELLIPSIS", "NORMALIZE_WHITESPACE") for word in ("-o", name)]
    done = subprocess.run([sys.executable, "-m", "doctest", *options, str(page)], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_every_transcript_ends_with_a_blank_line() -> None:
    # doctest would take the closing fence for output.
    for page in PAGES:
        for transcript in re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            assert transcript.endswith("\n\n"), f"{page.name}: {transcript[-60:]!r}"


def test_the_chapters_about_torch_have_transcripts() -> None:
    assert {"systems", "semantics", "comparison"} <= {page.stem for page in PAGES}
