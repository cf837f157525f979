"""Verbs in tests share finished work in a cache of their own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the cache of whoever runs the tests out of it."""
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path_factory.mktemp("cache")))
