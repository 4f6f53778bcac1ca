"""What holds for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fxlint.cache.folder import VARIABLE


@pytest.fixture(scope="session", autouse=True)
def _kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads what an earlier run kept, or leaves something behind; child processes inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield
