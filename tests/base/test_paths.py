"""Where shipped tables lie, and paths as people read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base import paths
from balance.base.paths import data_folder, short_path


def test_a_checkout_uses_its_own_tables_and_a_wheel_those_it_carries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert data_folder() == Path(__file__).resolve().parents[2] / "data"
    package = tmp_path / "lib" / "balance"
    package.mkdir(parents=True)
    monkeypatch.setattr(paths, "__file__", str(package / "base" / "paths.py"))
    assert data_folder() == tmp_path / "lib" / "data"
    (package / "data").mkdir()
    assert data_folder() == package / "data"


def test_a_path_below_is_told_from_here_and_another_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert short_path(tmp_path / "here" / "a" / "b.csv") == "a/b.csv"
    assert short_path(Path("a.csv")) == "a.csv"
    assert short_path(tmp_path / "here") == "."
    assert short_path(tmp_path / "b.csv") == str(tmp_path / "b.csv")
