from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis.field import FieldDraws
from balance.analysis.items import ITEM_STATUSES, find_items, item_summary, item_table, with_and_without
from balance.analysis.prices import fit_prices
from balance.analysis.rule_options import Panel, choose_panel, other_readings, panel_gap, rule_readings
from balance.analysis.scores import read_scores
from balance.analysis.tables import duel_table
from balance.protocol.loaded import LoadedGame

FIELD = (
    "trooper+shotgun",
    "trooper+sidearm",
    "aegis+smg_pistol",
    "aegis+shotgun",
    "spectre+shotgun",
    "bulwark+rail_lance",
)


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


@pytest.fixture(scope="module")
def readings(warforged: LoadedGame) -> pl.DataFrame:
    return rule_readings(warforged, FIELD)


def test_every_other_reading_of_levels_a_and_b_is_tried(warforged: LoadedGame, readings: pl.DataFrame) -> None:
    rule_options = warforged.catalogue.rule_options.values()
    wanted = {(s.name, value) for s in rule_options if s.level in "AB" for value in s.allowed[1:]}
    assert set(readings.select("switch", "value").rows()) == wanted


def test_the_reading_in_force_is_not_tried_again(warforged: LoadedGame) -> None:
    tried = {reading.assignment for reading in other_readings(warforged, ["rules.faces=0-9"])}
    assert "rules.faces=1-10" in tried
    assert "rules.faces=0-9" not in tried


def test_a_reading_changes_what_it_is_about_and_nothing_else(readings: pl.DataFrame) -> None:
    by_switch = {row["switch"]: row for row in readings.iter_rows(named=True)}
    assert by_switch["faces"]["n_changed"] > 0.5 * by_switch["faces"]["n_asked"]
    shield = by_switch["shield_roll"]
    assert 0 < shield["n_changed"] < shield["n_asked"]
    assert "aegis" in shield["entrant"] + shield["opponent"]
    assert by_switch["cover_stack"]["n_changed"] == 0
    assert by_switch["cover_stack"]["largest_change"] == 0


def test_the_change_told_is_the_change_there_is(warforged: LoadedGame, readings: pl.DataFrame) -> None:
    row = readings.filter(switch="armour").row(0, named=True)

    def score(changes: list[str]) -> float:
        chance = warforged.duel(row["entrant"], row["opponent"], changes, first="random").p_win()
        return chance["a"] + chance["draw"] / 2

    assert score(["rules.armour=le"]) - score([]) == pytest.approx(row["largest_change"], abs=1e-9)


def test_the_panel_has_one_of_each_group_and_follows_the_field(warforged: LoadedGame) -> None:
    scores = read_scores(duel_table(warforged, FIELD))
    names, grid = scores.names, scores.first
    panel = choose_panel(names, grid)
    assert sum(panel.weights) == pytest.approx(1)
    gaps = [
        np.mean((((grid + 1 - grid.T) / 2)[:, panel.places] @ panel.weights - ((grid + 1 - grid.T) / 2).mean(1)) ** 2),
        panel_gap(panel, grid) ** 2,
    ]
    assert gaps[0] <= gaps[1]
    assert len(choose_panel(names, grid, size=3).names) == 3


def test_a_panel_of_everybody_is_the_field() -> None:
    grid = 1 / (1 + np.exp(-np.subtract.outer([0.0, 1.0, 2.0], [0.0, 1.0, 2.0])))
    assert panel_gap(choose_panel(["a", "b", "c"], grid), grid) == pytest.approx(0)


@pytest.fixture(scope="module")
def items(warforged: LoadedGame) -> pl.DataFrame:
    duels = duel_table(warforged, FIELD)
    scores = read_scores(duels)
    names, grid = scores.names, scores.first
    fit = fit_prices(duels, {name: warforged.cost_points(name) for name in names}, FieldDraws(0, 100))
    return item_table(warforged, find_items(warforged, names), fit, choose_panel(names, grid), names[:1])


def test_every_ability_and_effect_is_taken_away(items: pl.DataFrame) -> None:
    assert set(items["item"]) == {"supershield", "slim", "jump", "heavy", "piercing"}


def test_what_the_rules_require_cannot_be_taken_away(items: pl.DataFrame) -> None:
    heavy = items.filter(item="heavy").row(0, named=True)
    assert (heavy["legal"], heavy["score_gain"], heavy["points_gain"]) == (False, None, None)


def test_gains_have_the_sign_they_must_have(items: pl.DataFrame) -> None:
    by_item = {row["item"]: row for row in items.iter_rows(named=True)}
    assert by_item["supershield"]["score_gain"] > 0
    assert by_item["supershield"]["damage_taken_gain"] < 0
    assert by_item["slim"]["damage_taken_gain"] == pytest.approx(-0.8 * 4.5625 / 6, abs=0.2)
    assert (by_item["jump"]["status"], by_item["jump"]["score_gain"]) == ("not measurable", None)
    assert by_item["piercing"]["damage_gain"] > 0


def test_a_gain_is_the_difference_of_two_exact_scores(warforged: LoadedGame, items: pl.DataFrame) -> None:
    scores = read_scores(duel_table(warforged, FIELD))
    names, grid = scores.names, scores.first
    panel = choose_panel(names, grid)

    def score(changes: list[str]) -> float:
        chances = [warforged.duel("aegis+shotgun", foe, changes, first="random").p_win() for foe in panel.names]
        return float(np.dot([chance["a"] + chance["draw"] / 2 for chance in chances], panel.weights))

    told = items.filter(entrant="aegis+shotgun", item="supershield")["score_gain"].item()
    assert told == pytest.approx(score([]) - score(["a.abilities="]), abs=1e-9)


def test_loadouts_with_two_weapons_keep_their_effects(warforged: LoadedGame) -> None:
    found = find_items(warforged, ["nexus+pulse_pistol+emp_projector", "spectre+pulse_pistol+emp_projector"])
    assert {item.item for item in found} == {"jump", "slim"}


def test_the_summary_has_one_row_per_item(warforged: LoadedGame) -> None:
    assert with_and_without(warforged, ["spectre+shotgun", "whisper+sidearm"]).sort("item")["n_entrants"].to_list() == [
        1,
        2,
    ]


def item_of(item: str, entrant: str, panel: str, changes: tuple[str, ...] = ()) -> dict[str, object]:
    """Return what one item is found to add to one entrant against a panel of one."""
    game = balance.load("warforged")
    duels = duel_table(game, [entrant, panel], changes)
    fit = fit_prices(duels, {entrant: 10.0, panel: 20.0}, FieldDraws(0, 100))
    found = [one for one in find_items(game, [entrant]) if one.item == item]
    against = Panel((panel,), np.array([1]), np.array([1.0]))
    return item_table(game, found, fit, against, [panel], changes).row(0, named=True)


@pytest.mark.parametrize("item", ["jump", "high_explosive"])
def test_an_effect_that_does_nothing_here_is_not_measurable(item: str) -> None:
    row = item_of(item, "vanguard+grenade_launcher", "nexus+laser_carbine")
    assert (row["status"], row["score_gain"], row["points_gain"]) == ("not measurable", None, None)


def test_an_effect_that_the_setting_can_show_is_measured() -> None:
    row = item_of("jump", "vanguard+shotgun", "nexus+shotgun", ("situation.distance_cells=30", "situation.actions=4"))
    assert row["status"] == "measured"
    assert row["score_gain"] != 0


def test_a_measured_zero_stays_a_zero() -> None:
    """In three rounds a Detonator's blast hurts a Colossus, as the distributions show, and cannot turn the duel."""
    row = item_of("overload", "detonator+sidearm", "colossus+rail_lance", ("situation.round_limit=3",))
    assert (row["status"], row["score_gain"], row["points_gain"]) == ("measured", 0, 0)


def test_the_summary_tells_what_is_not_measurable_and_what_not_legal(items: pl.DataFrame) -> None:
    found = {row["item"]: row for row in item_summary(items).iter_rows(named=True)}
    assert [found[name]["status"] for name in ("supershield", "jump", "heavy")] == list(ITEM_STATUSES)
    assert (found["jump"]["score_gain"], found["jump"]["n_measured"]) == (None, 0)


def test_a_power_is_measured_by_play_that_uses_it() -> None:
    """By default the spider's Lore goes into the chalice, so that no duel shows its powers (BL-CRE-10)."""
    game, field = balance.load("battlelore"), ["giant_spider", "dwarf_red_foot+long_sword", "blue_foot+short_sword"]
    duels = duel_table(game, field)
    scores = read_scores(duels)
    names, grid = scores.names, scores.first
    fit, panel = fit_prices(duels, dict.fromkeys(names, 1.0), FieldDraws(0, 20)), choose_panel(names, grid)
    found = find_items(game, names)
    idle = item_table(game, found, fit, panel, gain="figures_lost")
    uses = {name: {"powers": name} for name in ("web", "poison")}
    played = item_table(game, found, fit, panel, gain="figures_lost", uses=uses)
    assert dict(idle.select("item", "status").iter_rows()) == dict.fromkeys(("web", "poison"), "not measurable")
    assert dict(played.select("item", "status").iter_rows()) == dict.fromkeys(("web", "poison"), "measured")

    def score(opponent: str, powers: str) -> float:
        return float(game.ask("duel", "giant_spider", opponent, first="random", a_powers=powers).p_win()["a"])

    gains = np.array([score(opponent, "web") - score(opponent, "chalice") for opponent in panel.names])
    assert played.filter(item="web")["score_gain"].item() == pytest.approx(float(gains @ panel.weights))
