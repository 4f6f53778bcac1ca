"""The sections of the Markdown tests, really traced: what the analysis says of a value must hold of the object that torch hands around.

A root is traced as ``symbolic_trace`` does, and once more with its optional arguments fixed to their defaults.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest
from torch import fx, nn

from tests.mdtest.fits import fits
from tests.mdtest.sections import FOLDER, Section
from tests.mdtest.test_sections import SECTIONS, analysis_of

# Events of these kinds, resting on no assumption, mean that a trace raises.
BREAKING = frozenset({"PROXY_TRUTH", "PROXY_LEN", "PROXY_NUMBER", "PROXY_ITER", "FACTORY_SIZE", "MODULE_UNREGISTERED", "SET_ITEM"})


@pytest.mark.parametrize("section", [pytest.param(s, id=f"{s.markdown.stem}-{s.row}-{s.name}") for s in SECTIONS if s.real])
def test_real_trace(section: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: list[str] = []

    def reveal_fx(value: Any) -> Any:
        frame = sys._getframe(1)
        path = f"{FOLDER}/{Path(frame.f_code.co_filename).relative_to(tmp_path).as_posix()}"
        place = section.place(path, frame.f_lineno)
        if not fits(revealed.get(place, "Never"), value):  # asked at once: lists change afterwards
            wrong.append(f"{place}: {type(value).__name__} {value!r} is not {revealed.get(place)}")
        return value

    analysis = analysis_of(section)
    revealed = {section.place(path, row): text for path, row, text in analysis.reveals}
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "reveal_fx", reveal_fx, raising=False)
        patch.syspath_prepend(str(tmp_path))
        names = _write(section, tmp_path)
        before = set(sys.modules)
        try:
            errors = [error for name in names for error in _trace_all(importlib.import_module(name), name, analysis.roots)]
        finally:
            for name in set(sys.modules) - before:
                del sys.modules[name]
    assert not wrong, "\n".join(wrong)
    must = [e for e in analysis.events if e.kind.name in BREAKING and not e.assumptions]
    may = [e for e in analysis.events if e.kind.name in BREAKING]
    assert bool(errors) or not must, f"traces, yet {[e.construct for e in must]} should break"
    assert not errors or may, "does not trace, and nothing said so:\n" + "".join(errors)


def _write(section: Section, folder: Path) -> list[str]:
    names = []
    for path, text in section.texts().items():
        file = folder / path.removeprefix(f"{FOLDER}/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        names.append(".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"))
    return names


def _trace_all(module: Any, name: str, roots: tuple[str, ...]) -> list[str]:
    """Trace the roots that a module defines; answers the errors, as text."""
    out = []
    for root in roots:
        thing = getattr(module, root, None)
        if thing is None or getattr(thing, "__module__", "") != name:
            continue
        tracer = getattr(module, "trace", fx.symbolic_trace)
        target: Any = thing() if inspect.isclass(thing) else thing
        parameters = inspect.signature(target.forward if isinstance(target, nn.Module) else target).parameters
        defaults = {k: p.default for k, p in parameters.items() if p.default is not p.empty}
        for keywords in ({}, {"concrete_args": defaults}) if defaults and tracer is fx.symbolic_trace else ({},):
            try:
                tracer(target, **keywords)
            except Exception:  # noqa: BLE001  # whatever a trace raises is what is looked for
                out.append(traceback.format_exc(limit=-2))
    return out
