"""Events made by hand: a source with «the construct» marked, and what the planner makes of it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

from fxlint.api import FixKind, FixRequest
from fxlint.base.event import Event, EventKind, Facet, Frame, Site
from fxlint.fixes import Choice, choose
from fxlint.fixes.editor import apply_edits, by_path, reparse
from fxlint.project.modules import Project

_NUMBERS = count()


@dataclass(frozen=True, slots=True)
class Marked:
    """A source without its marks, and the range that was marked."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Planned:
    """What the planner chose, and the texts of all files with it applied."""

    choice: Choice
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def reasons(self) -> list[str]:
        return [declined.reason for declined in self.choice.declined]


def unmark(source: str) -> Marked:
    start = source.index("«")
    text = source.replace("«", "", 1)
    end = text.index("»")
    return Marked(text.replace("»", "", 1), start, end)


def _plan(
    source: str,
    *requests: FixRequest,
    kind: EventKind = EventKind.PROXY_NUMBER,
    construct: str = "",
    facet: Facet = Facet.UNKNOWN,
    callee: str = "",
    others: Mapping[str, str] | None = None,
    stack: tuple[Frame, ...] = (),
    owner: str = "M.forward",
    subject: str = "",
) -> Planned:
    marked = unmark(source)
    texts = {"/p/m.py": marked.text, **(others or {})}
    site = Site("/p/m.py", marked.start, marked.end)
    event = Event(kind, construct, site, facet=facet, callee=callee, owner=owner, stack=stack, roots=("M",), subject=subject)
    choice = choose(event, requests, Project.of(texts.items()))
    if choice.fix is None:
        return Planned(choice, texts)
    new = dict(texts)
    for path, edits in by_path([choice.fix]).items():
        new[path] = apply_edits(texts[path], edits)
        reparse(path, new[path])
    return Planned(choice, new)


@pytest.fixture
def plan() -> Callable[..., Planned]:
    return _plan


@pytest.fixture
def rewrite() -> Callable[..., Planned]:
    """Ask for one rewrite by name."""

    def ask(source: str, rule: str, **event: object) -> Planned:
        return _plan(source, FixRequest(FixKind.REWRITE, rule), **event)  # type: ignore[arg-type]

    return ask


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], ModuleType]:
    """Import a text as a module of its own; it stays loaded, since torch.fx.wrap keeps its globals."""

    def bring(text: str) -> ModuleType:
        name = f"fixed_model_{next(_NUMBERS)}"
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    return bring


def frame(source: str, call: str, path: str = "/p/m.py", **fields: str) -> Frame:
    """The frame of ``call`` as it stands (first) in ``source``."""
    start = source.index(call)
    base = Frame(Site(path, start, start + len(call)), caller="M.forward", callee="", callee_path="/p/m.py")
    return replace(base, **fields)


@pytest.fixture
def framed() -> Callable[..., Frame]:
    return frame
