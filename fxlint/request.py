"""From settings to what the driver is asked: the one place that says what a configuration means, on whatever way fxlint is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from fxlint.base.analysis import AnalysisSettings
from fxlint.base.errors import ConfigError, ReadError, UsageError
from fxlint.base.finding import Severity
from fxlint.config import Settings
from fxlint.driver import Request
from fxlint.registry import Registry, catalogue
from fxlint.selection import Selection, check_prefix, selection

NO_TEXTS: Mapping[str, str | ReadError] = MappingProxyType({})


def request(
    settings: Settings, files: Iterable[str], registry: Registry, texts: Mapping[str, str | ReadError] = NO_TEXTS, *, fixes: bool = False
) -> Request:
    """What to check under ``settings``: ``files`` are absolute paths, ``texts`` stand in for what is on disk.

    Raises ConfigError for a code in the configuration that does not exist.
    """
    return Request(
        files=tuple(files),
        selection=_selection(settings, registry),
        settings=AnalysisSettings(
            roots=settings.roots, torch_version=settings.torch_version, tracer=settings.tracer, functions=settings.functions),
        config_folder=None if settings.directory is None else str(settings.directory),
        exclude=settings.exclude,
        gitignore=settings.respect_gitignore,
        follow=settings.follow_imports,
        severities=tuple((prefix.upper(), Severity(word)) for prefix, word in settings.severity),
        texts=texts,
        fixes=fixes,
        show_info=settings.show_info,
        unused=True,
    )


def _selection(settings: Settings, registry: Registry) -> Selection:
    codes = tuple(check.code for check in catalogue(registry))
    try:
        for prefix, _ in settings.severity:
            check_prefix("severity", prefix, codes)
        folder = "" if settings.directory is None else str(settings.directory)
        return selection(settings.select, settings.ignore, codes, folder, settings.per_file_ignores)
    except UsageError as error:
        if not settings.files:
            raise
        raise ConfigError(f"{settings.files[0]}: {error}") from error
