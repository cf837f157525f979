"""A copy of the shipped catalogue that a test may spoil."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from balance.catalogue import Catalogue, load_catalogue
from balance.games.warforged.cards import SPEC

DATA = Path(__file__).parents[2] / "data" / "warforged"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA, tmp_path / "warforged"))


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue(SPEC, DATA)
