from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from balance.base.paths import data_folder

SMALL = {"check": {"match_ups": 4, "trials": 200}, "verdicts": {"draws": 100}}
MakeCatalogue = Callable[..., Path]


def write_catalogue(folder: Path, units: dict[str, dict[str, str]], weapons: dict[str, dict[str, str]]) -> Path:
    """Write a catalogue of some shipped cards, {id: fields to change}, without sources."""
    shipped = data_folder() / "warforged"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rules.toml").write_bytes((shipped / "rules.toml").read_bytes())
    for name, wanted in (("units.csv", units), ("weapons.csv", weapons)):
        with (shipped / name).open(newline="") as source, (folder / name).open("w", newline="") as target:
            rows = csv.DictReader(source)
            out = csv.DictWriter(target, rows.fieldnames or [])
            out.writeheader()
            out.writerows({**row, **wanted[row["id"]]} for row in rows if row["id"] in wanted)
    return folder


def write_study(folder: Path, catalogue: Path, more: str = "") -> Path:
    """Write a study of everything in a catalogue, with few trials."""
    path = folder / "study.toml"
    path.write_text(
        f'game = "warforged"\ncatalogue = "{catalogue.name}"\narmies = []\n{more}\n'
        "[check]\nmatch_ups = 4\ntrials = 200\n[verdicts]\ndraws = 100\n"
    )
    return path


@pytest.fixture
def make_catalogue(tmp_path: Path) -> MakeCatalogue:
    return lambda units, weapons: write_catalogue(tmp_path / "cards", units, weapons)
