"""The examples of a check held against the analysis, for tests of checks that other packages bring: no torch is needed.

What torch does with an example is another question: ``fxlint.testing.assert_traceable`` and ``fxlint trace`` answer it.
"""

from __future__ import annotations

import os
from types import ModuleType

from fxlint.api import Outcome
from fxlint.base.analysis import AnalysisSettings
from fxlint.config import NEWEST_TORCH
from fxlint.driver import Request, conclude, study
from fxlint.project.discover import Unit
from fxlint.registry import build, validate
from fxlint.selection import Selection

PREAMBLE = "import torch\nfrom torch import nn, fx\nimport torch.nn.functional as F\n"
MARK = "# <- here"


def problems(module: ModuleType, torch_version: str = NEWEST_TORCH) -> tuple[str, ...]:
    """What is wrong with the check that ``module`` holds, one line each; () where all is well.

    The module must be a valid check, its examples must be reported on the lines marked ``# <- here`` and on no others, its repaired
    examples nowhere, and quiet examples must be at least as many as marked ones.
    """
    try:
        loaded = validate(module, module.__name__)
    except (TypeError, ValueError) as error:
        return (str(error),)
    examples = loaded.check.examples
    folder = os.path.abspath("fxlint-examples")
    texts: dict[str, str] = {}
    titles: dict[str, str] = {}
    for number, example in enumerate(examples, 1):
        for suffix, source in (("", example.source), ("_fixed", example.fixed)):
            if source:
                path = os.path.join(folder, f"example_{number}{suffix}.py")
                texts[path] = PREAMBLE + source
                titles[path] = f"example {example.title!r}" + (", repaired" if suffix else "")
    settings = AnalysisSettings(torch_version=torch_version)
    request = Request(tuple(texts), Selection(), settings, texts=texts, fixes=True, show_info=True, noqa=False, ignores=False)
    result = conclude(study(Unit(folder, tuple(texts)), request), request.files, request, build([loaded]))
    out = [*result.errors]
    for path, text in texts.items():
        wanted = [row for row, line in enumerate(text.splitlines(), 1) if MARK in line]
        found = sorted({finding.row for finding in result.findings if finding.path == path})
        if found != wanted:
            imports = PREAMBLE.count("\n")
            note = f"the first {imports} rows are imports"
            out.append(f"{titles[path]}: reported on rows {_rows(found)}, marked are {_rows(wanted)} ({note})")
    marked = sum(MARK in example.source for example in examples)
    if marked > len(examples) - marked:
        out.append(f"{marked} examples are marked, and only {len(examples) - marked} are quiet: near misses keep a check honest")
    out += [f"example {example.title!r} traces, so it has nothing to repair" for example in examples
            if example.fixed and example.outcome is Outcome.TRACES and MARK not in example.source]
    return tuple(out)


def _rows(rows: list[int]) -> str:
    return ", ".join(map(str, rows)) or "none"
