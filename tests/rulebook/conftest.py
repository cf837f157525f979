from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.rulebook import opening
from tests.rulebook import stub_kinds


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games of files that play by simple rules of this folder, whatever their steps say."""
    monkeypatch.setitem(sys.modules, "balance.rulebook.kinds", stub_kinds)
    forget()
    yield
    forget()


def forget() -> None:
    opening._GAMES.clear()
    opening._game.cache_clear()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    return tmp_path
