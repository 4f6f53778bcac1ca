"""The pytest plugin: the marker ``traceable``, and ``--fxlint``, which makes a test of every model that the configuration names.

A function marked ``@pytest.mark.traceable`` returns a model, or a model and its inputs, and passes when ``assert_traceable`` does; the
marker's keywords are those of ``assert_traceable``. With ``--fxlint`` each target of the ini option ``fxlint_models``, or, where that is
empty, of ``[tool.fxlint.models]``, is a test of its own. pytest imports this file in every run: it stays light.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

_TIMEOUT, _MEMORY = 120.0, 8192  # seconds and MiB, as for `fxlint trace`
_KEYWORDS = frozenset({"inputs", "inputs2", "leaf", "timeout", "memory"})


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare ``--fxlint`` and the ini options."""
    group = parser.getgroup("fxlint")
    group.addoption("--fxlint", action="store_true", help="trace the models that the configuration names, each as a test")
    parser.addini("fxlint_models", "targets of `fxlint trace` that --fxlint makes tests of (default: [tool.fxlint.models])", "linelist", [])
    parser.addini("fxlint_timeout", f"seconds that a model may take to build, run and trace (default: {_TIMEOUT:g})", "string", "")
    parser.addini("fxlint_memory", f"MiB of address space for that; 0: no limit (default: {_MEMORY})", "string", "")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known. Raises UsageError for an ini option that is no number."""
    text = "traceable(inputs=None, inputs2=None, leaf=(), timeout=..., memory=...): the model that the function returns is traceable"
    config.addinivalue_line("markers", text)
    _limits(config)


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Append a test for each configured model."""
    if config.getoption("--fxlint"):
        items.extend(ModelItem.from_parent(session, name=target, nodeid=f"fxlint::{target}", target=target) for target in _targets(config))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Judge what a marked function returns. The function is replaced for the call only, since pytest drops what tests return."""
    marker = pyfuncitem.get_closest_marker("traceable")
    if marker is None:
        return (yield)
    if marker.args or not set(marker.kwargs) <= _KEYWORDS:
        pytest.fail(f"traceable takes the keywords {', '.join(sorted(_KEYWORDS))}", pytrace=False)
    made: list[object] = []
    original: Callable[..., object] = pyfuncitem.obj

    def kept(**fixtures: object) -> None:
        made.append(original(**fixtures))

    pyfuncitem.obj = kept
    try:
        result = yield
    finally:
        pyfuncitem.obj = original
    timeout, memory = _limits(pyfuncitem.config)
    _judge(made[0] if made else None, {"timeout": timeout, "memory": memory, **marker.kwargs})
    return result


def _judge(returned: object, keywords: Mapping[str, Any]) -> None:
    from fxlint.base.errors import FxlintError
    from fxlint.testing import assert_traceable

    match returned:
        case None:
            pytest.fail("a function marked traceable returns a model, or a tuple of a model and its inputs", pytrace=False)
        case (model, given) if isinstance(returned, tuple):
            keywords = {**keywords, "inputs": given}
        case model:
            pass
    try:
        assert_traceable(model, **keywords)
    except (AssertionError, FxlintError) as error:
        pytest.fail(str(error), pytrace=False)


class ModelItem(pytest.Item):
    """A model that the configuration names, as a test."""

    def __init__(self, *, target: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.target = target

    def runtest(self) -> None:
        """Trace it; raises AssertionError or FxlintError."""
        from fxlint.testing import assert_traceable

        timeout, memory = _limits(self.config)
        assert_traceable(self.target, timeout=timeout, memory=memory)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """The report alone: the frames are this plugin's."""
        from fxlint.base.errors import FxlintError

        known = isinstance(excinfo.value, (AssertionError, FxlintError))
        return str(excinfo.value) if known else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test stands: the folder of the run."""
        return self.config.rootpath, None, self.nodeid


def _targets(config: pytest.Config) -> tuple[str, ...]:
    listed: list[str] = config.getini("fxlint_models")
    if listed:
        return tuple(listed)
    from fxlint import config as settings
    from fxlint.base.errors import ConfigError

    try:
        file = settings.find(Path.cwd())
        models = () if file is None else tuple(name for name, _ in settings.load(file).models)
    except ConfigError as error:
        raise pytest.UsageError(str(error)) from error
    if not models:
        raise pytest.UsageError("--fxlint: neither fxlint_models nor [tool.fxlint.models] names a model")
    return models


def _limits(config: pytest.Config) -> tuple[float, int]:
    """Seconds and MiB."""
    return _number(config, "fxlint_timeout", float, _TIMEOUT), int(_number(config, "fxlint_memory", int, _MEMORY))


def _number(config: pytest.Config, name: str, kind: Callable[[str], float], default: float) -> float:
    text = str(config.getini(name)).strip()
    try:
        value = kind(text) if text else default
    except ValueError as error:
        raise pytest.UsageError(f"{name}: a number is wanted, not {text!r}") from error
    if value < 0:
        raise pytest.UsageError(f"{name}: a number of at least 0 is wanted, not {text!r}")
    return value
