"""Whom a change affects: what differs between two catalogues, who contains it, and what no patch can touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.base.answers import as_plain
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES
from balance.study.compare.answer import Affected, CardChange, Comparison, Standing
from balance.study.compare.change_effects import affected_by, changed_cards
from balance.study.compare.compare import SCHEMA, compare_catalogues
from balance.study.compare.standings import STANDING_COLUMNS
from balance.study.settings.patch import Patch, PatchSettings
from balance.study.settings.settings import Study, StudySettings
from tests.study.comparisons import standing


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


def patched(game: LoadedGame, values: dict[str, Any] | None = None, **rules: Any) -> LoadedGame:
    told = PatchSettings.model_validate({"set": values or {}, "rules": rules})
    return Patch("patch", told, Path("patch.toml")).apply(game)


def compared(before: LoadedGame, after: LoadedGame, **more: Any) -> Comparison:
    settings = StudySettings.model_validate({"game": before.definition.name} | more)
    return compare_catalogues(Study(settings, Path("study.toml")), before, after)


def names(rows: Sequence[Standing]) -> list[str]:
    return [row.entrant for row in rows]


def moved(rows: Sequence[Standing]) -> list[float]:
    return [abs(row.difference or 0.0) for row in rows]


# -- what differs ----------------------------------------------------------------------------------------------------


def test_every_value_that_differs_is_told_as_json_has_it() -> None:
    game = load("warforged")
    values = {"weapons.shotgun.effects": "piercing,laser", "constants.cover.extra_dice": 4, "units.nexus.name": "Naxos"}
    assert list(changed_cards(game, patched(game, values, min_damage="always_one"))) == [
        CardChange("units", "nexus", "Nexus", "name", "Nexus", "Naxos"),
        CardChange("weapons", "shotgun", "Shotgun", "effects", [], ["laser", "piercing"]),
        CardChange("rules", "", "Rules", "min_damage", "capped", "always_one"),
        CardChange("constants", "", "Constants", "cover.extra_dice", 1, 4),
    ]


def test_what_comes_and_goes_is_told_as_a_whole() -> None:
    game = load("skirmish")
    fighters = dict(game.catalogue.tables["fighters"])
    ogre = fighters.pop("ogre")
    fewer = LoadedGame(game.definition, replace(game.catalogue, tables={"fighters": fighters}))
    gone = CardChange("fighters", "ogre", ogre.model_dump()["name"], "", None, "gone")
    assert list(changed_cards(game, fewer)) == [gone]
    assert list(changed_cards(fewer, game)) == [replace(gone, after="new")]
    assert list(changed_cards(game, game)) == []


# -- who is affected -------------------------------------------------------------------------------------------------


def test_who_contains_a_changed_card_comes_before_who_meets_it() -> None:
    game = load("skirmish")
    found = compared(game, patched(game, {"fighters.knight.health": 9})).affected
    assert not found.everybody
    assert names(found.entrants) == ["knight"]
    assert names(found.others) == ["ogre", "rat"]
    assert [(row.entrant, row.cards) for row in found.standing] == [("knight", ("knight",)), ("ogre", ()), ("rat", ())]
    assert moved(found.standing) == sorted(moved(found.standing), reverse=True)


def test_a_change_of_nothing_affects_nobody() -> None:
    game = load("skirmish")
    for after in (game, patched(game, {"fighters.knight.health": 5})):
        found = compared(game, after)
        assert (found.affected.cards, found.affected.everybody) == ((), False)
        assert (found.affected.entrants, found.affected.others, found.summary.n_touched) == ((), (), 0)
        assert as_plain(found.affected) == {"everybody": False, "cards": [], "entrants": [], "others": []}


def without_heavy_units(game: LoadedGame) -> LoadedGame:
    tables = dict(game.catalogue.tables)
    light = {name: unit for name, unit in tables["units"].items() if unit.model_dump()["handling"] < 3}
    return LoadedGame(game.definition, replace(game.catalogue, tables=tables | {"units": light}))


@pytest.mark.slow("test_a_change_of_nothing_affects_nobody")
def test_a_weapon_that_nobody_can_carry_affects_nobody() -> None:
    game = without_heavy_units(load("warforged"))
    assert not [name for name in game.entrants if "rail_lance" in name]
    after = patched(game, {"weapons.rail_lance.damage": 1, "weapons.rail_lance.cost_points": 99})
    found = compared(game, after, entrants=["trooper+*", "vanguard+s*"])
    assert [card.field for card in found.affected.cards] == ["cost_points", "damage"]
    assert (found.affected.entrants, found.affected.others, found.summary.n_touched) == ((), (), 0)
    assert not found.affected.everybody


def test_another_name_moves_nobody() -> None:
    """A card's name is no part of a game: who contains it is told, and stands where it stood."""
    game = load("warforged")
    found = compared(game, patched(game, {"weapons.shotgun.name": "Scatter Gun"}), entrants=["nexus+s*"])
    assert found.affected.cards == (CardChange("weapons", "shotgun", "Shotgun", "name", "Shotgun", "Scatter Gun"),)
    assert names(found.affected.entrants) == ["nexus+shotgun"]
    assert (found.affected.others, found.summary.n_touched) == ((), 0)
    assert (max(moved(found.affected.standing)), max(row.n_touched for row in found.affected.standing)) == (0.0, 0)
    assert (found.labels["shotgun"], found.labels["nexus+shotgun"]) == ("Shotgun", "Nexus + Shotgun")


def renamed(game: LoadedGame, ids: dict[str, str]) -> LoadedGame:
    fighters = {
        ids[name]: one.model_copy(update={"id": ids[name]}) for name, one in game.catalogue.tables["fighters"].items()
    }
    return LoadedGame(game.definition, replace(game.catalogue, tables={"fighters": fighters}))


def test_other_ids_change_nothing_but_the_ids() -> None:
    game, ids = load("skirmish"), {"rat": "zebra", "knight": "horse", "ogre": "ant"}
    after = patched(game, {"fighters.knight.health": 9, "fighters.rat.cost_points": 30})
    one, other = compared(game, after), compared(renamed(game, ids), renamed(after, ids))
    told = repr(as_plain(replace(one.affected, cards=())))
    for old, new in ids.items():
        told = told.replace(repr(old), repr(new))
    assert told == repr(as_plain(replace(other.affected, cards=())))
    assert [replace(card, card=ids[card.card]) for card in one.affected.cards] == list(other.affected.cards)


def test_a_rule_concerns_everybody_and_the_most_moved_come_first() -> None:
    game = load("skirmish")
    found = compared(game, patched(game, {"fighters.rat.cost_points": 6}, hits_on="5-6")).affected
    assert found.everybody
    assert (names(found.entrants), found.others) == (["ogre", "knight", "rat"], ())
    assert moved(found.entrants) == sorted(moved(found.entrants), reverse=True)
    constant = compared(game, patched(game, {"constants.faces": 8}, hits_on="5-6")).affected
    assert [card.table for card in constant.cards] == ["rules", "constants"]


def table(rows: list[tuple[str, str, float, bool]]) -> pl.DataFrame:
    told = [
        {"situation": "", "policies": "", "a": a, "b": b, "touched": touched}
        | {"before": 0.5, "after": 0.5 + by, "difference": by}
        for a, b, by, touched in rows
    ]
    return pl.DataFrame(told, schema=SCHEMA, orient="row")


@pytest.mark.parametrize(("by", "touched", "everybody"), [(0.25, True, True), (0.0, True, False), (0.25, False, False)])
def test_what_moves_without_a_changed_card_concerns_everybody(by: float, touched: bool, everybody: bool) -> None:
    """A card that nobody contains may still be met by all, such as a terrain; a setup may differ to no effect."""
    game = load("skirmish")
    after = patched(game, {"fighters.knight.health": 9})
    rows = [("rat", "knight", 0.1, True), ("rat", "ogre", by, touched), ("knight", "ogre", 0.1, True)]
    found = affected_by(Study(StudySettings(game="skirmish"), Path("study.toml")), game, after, table(rows))
    assert found.everybody is everybody


# -- who is listed ---------------------------------------------------------------------------------------------------


def affected(*rows: dict[str, Any], everybody: bool = False) -> Affected:
    return Affected.of((), everybody, tuple(standing(str(number), **row) for number, row in enumerate(rows)))


SURE = {"difference": 0.1, "difference_low": 0.05, "difference_high": 0.15}
SURE_LESS = {"difference": -0.1, "difference_low": -0.15, "difference_high": -0.05}
UNSURE = {"difference": 0.1, "difference_low": -0.05, "difference_high": 0.25}


@pytest.mark.parametrize(
    ("row", "moves", "shown"),
    [
        ({}, False, False),
        ({"difference": 1e-9}, True, True),
        ({"difference": -1e-9}, True, True),
        (SURE, True, True),
        (SURE_LESS, True, True),
        (UNSURE, False, True),
        ({"difference": 0.0, "difference_low": -0.1, "difference_high": 0.1}, False, True),
        ({"difference": None}, False, True),
        ({"cost_after": 6.0}, True, True),
        ({"dominated_before": True}, True, True),
        ({"dominated_after": True}, True, True),
        ({"dominated_before": None, "dominated_after": None}, False, False),
    ],
)
def test_only_what_certainly_moves_is_listed_without_a_changed_card(
    row: dict[str, Any], moves: bool, shown: bool
) -> None:
    """Who contains a changed card is listed unless it certainly stays as it was."""
    without, inside = row, row | {"cards": ("card",)}
    assert names(affected(without, inside).others) == ["0"] * moves
    assert names(affected(without, inside).entrants) == ["1"]
    assert names(affected(without, inside).listed) == ["1"] * shown
    assert names(affected(without, inside, everybody=True).entrants) == ["0", "1"] * moves
    assert names(affected(without, inside, everybody=True).listed) == ["0", "1"] * moves
    assert names(affected(without, inside, everybody=True).others) == []


def test_who_becomes_dominated_comes_first_of_the_others() -> None:
    rows: list[dict[str, Any]] = [
        {"difference": 0.3},
        {"difference": 0.2, "dominated_after": True},
        {"difference": 0.1},
    ]
    assert names(affected(*rows).others) == ["1", "0", "2"]
    rows[2] |= {"dominated_before": True}
    assert names(affected(*rows).others) == ["1", "2", "0"]


def test_all_of_it_is_plain_json() -> None:
    game = load("skirmish")
    found = compared(game, patched(game, {"fighters.knight.health": 9}))
    told = as_plain(found)["affected"]
    assert told["cards"] == [
        {"table": "fighters", "card": "knight", "label": "Knight", "field": "health", "before": 5, "after": 9}
    ]
    assert list(told["entrants"][0]) == [*STANDING_COLUMNS, "cards"]
    assert [row["entrant"] for row in told["entrants"]] == ["knight"]
    assert [row["entrant"] for row in told["others"]] == ["ogre", "rat"]
