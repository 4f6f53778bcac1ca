"""The projects of the open files as a whole, checked in a process of its own: that takes a while, and can be ended at any time.

``python -m fxlint.server.whole`` reads a pickle of what is open from its standard input and writes one of the outcome; both ends are ours.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path

from fxlint.server.documents import Document, Outcome, analyse

_HERE = str(Path(__file__).resolve().parents[2])


async def ask(documents: tuple[Document, ...], good: Mapping[str, str]) -> Outcome | None:
    """The outcome for ``documents``; None where the process could not tell. Ends the process when it is cancelled."""
    pipe = asyncio.subprocess.PIPE
    # -P: the folder that the editor stands in may hold a typing.py; fxlint is found where this process has it.
    command = [sys.executable, "-P", "-m", "fxlint.server.whole"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (_HERE, os.environ.get("PYTHONPATH", ""))))}
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        answer, _ = await process.communicate(pickle.dumps((documents, dict(good))))
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0:
        return None
    outcome = pickle.loads(answer)  # noqa: S301  # written by the process that we started
    assert isinstance(outcome, Outcome)
    return outcome


def main() -> None:
    """Answer one question."""
    from fxlint.registry import load

    documents, good = pickle.load(sys.stdin.buffer)  # noqa: S301  # written by `ask`
    answer = pickle.dumps(analyse(documents, good, load(), is_whole=True))
    sys.stdout.buffer.write(answer)


if __name__ == "__main__":
    main()
