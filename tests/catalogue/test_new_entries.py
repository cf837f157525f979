"""What a new entry needs is told before one starts: rows that are shown pass every check once they are added."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import balance as toolkit
from balance.catalogue import check_folder
from balance.catalogue.new_entries import NewEntries
from balance.catalogue.writer import table_csv
from balance.game.authoring.template.game import GAME as TEMPLATE
from balance.game.game import Game
from balance.game.registry import GAMES, find_game, shipped_folder

NEEDS = {game.name: NewEntries(toolkit.load(game).catalogue) for game in [*map(find_game, GAMES), TEMPLATE]}
FIXED = {
    ("edadh", "mastery"): "the table needs one row per CV",
    ("immortal_souls", "scrolls"): "is the order of two rules",
    ("immortal_souls", "areas"): "does not name new as its neighbour",
    ("runewars", "faces"): "is a die with 9 faces",
}
"""Tables to which no row can be added by itself, and what stands against it."""


@pytest.mark.parametrize("game", [*map(find_game, GAMES), TEMPLATE], ids=lambda game: game.name)
def test_rows_to_start_from_pass_every_check(game: Game, tmp_path: Path) -> None:
    for table in game.spec.tables:
        example = NEEDS[game.name].example(table.name)
        if (reason := FIXED.get((game.name, table.name))) is not None:
            assert (not example.rows, reason in example.refusal) == (True, True)
            continue
        folder = Path(shutil.copytree(shipped_folder(game), tmp_path / table.name))
        for place in game.spec.tables:
            new = table_csv(place.record, example.rows.get(place.name, ()))
            lines = (folder / place.file).read_text("utf-8").rstrip("\n").splitlines()
            heads = new.splitlines()[0]
            if example.rows.get(place.name) and lines[0] == heads:
                (folder / place.file).write_text("\n".join([*lines, *new.splitlines()[1:], ""]), "utf-8")
            elif example.rows.get(place.name):  # the file leaves columns out, or has them in another order
                entries = NEEDS[game.name].catalogue.tables[place.name].values()
                whole = table_csv(place.record, [*entries, *example.rows[place.name]])
                (folder / place.file).write_text(whole, "utf-8")
        assert example.rows[table.name]
        assert check_folder(game.spec, folder) == []


@pytest.mark.parametrize(
    ("game", "references"),
    [
        ("warforged", set()),
        ("skirmishers", {("armies", "fighters", "fighters")}),
        ("runewars", {("formations", "unit", "units"), ("dials", "unit", "units"), ("terrain", "ground", "grounds")}),
        (
            "battlelore",
            {
                ("units", "weapon", "weapons"),
                ("troops", "race", "races"),
                ("troops", "unit", "units"),
                ("troops", "weapon", "weapons"),
            },
        ),
    ],
)
def test_what_a_column_names_is_found_both_ways(game: str, references: set[tuple[str, str, str]]) -> None:
    assert {(one.table, one.column, one.names) for one in NEEDS[game].references} == references


def test_a_hero_comes_with_a_gem_for_each_rank_and_a_unit_with_formations_and_dials() -> None:
    hero = NEEDS["immortal_souls"].example("heroes").rows
    gems = [gem.model_dump() for gem in hero["gems"]]
    assert {(gem["hero"], gem["rank"]) for gem in gems} == {("new", n) for n in range(1, 8)}
    assert NEEDS["immortal_souls"].example("gems").rows == hero
    unit = NEEDS["runewars"].example("units").rows
    assert set(unit) == {"units", "formations", "dials"}
