from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize

import balance
from balance.analysis.claims.items import ITEM_STATUSES, find_items, item_summary, item_table, with_and_without
from balance.analysis.claims.rule_options import (
    Panel,
    Reading,
    ReadingStudy,
    choose_panel,
    compare_readings,
    fit_layers,
    other_readings,
    panel_gap,
    panel_of,
    reading_table,
    rule_readings,
)
from balance.analysis.scores.scores import read_scores
from balance.analysis.scores.tables import duel_table
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from tests.analysis.golden_tables import FIELD as WHOLE_FIELD
from tests.analysis.golden_tables import MADE_NAMES as NAMES
from tests.toy.game import GAME as TOY

FIELD = WHOLE_FIELD[:-1]


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


@pytest.fixture(scope="module")
def readings(warforged: LoadedGame) -> pl.DataFrame:
    return rule_readings(Runner(warforged), FIELD)


@pytest.mark.slow("test_readings_are_compared_by_asking_each_question_again")
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
    scores = read_scores(duel_table(Runner(warforged), FIELD))
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
    duels = duel_table(Runner(warforged), FIELD)
    scores = read_scores(duels)
    names, grid = scores.names, scores.first
    return item_table(Runner(warforged), find_items(warforged, names), choose_panel(names, grid), names[:1])


@pytest.mark.slow("test_what_the_rules_require_cannot_be_taken_away")
def test_every_ability_and_effect_is_taken_away(items: pl.DataFrame) -> None:
    assert set(items["item"]) == {"supershield", "slim", "jump", "heavy", "piercing"}


def test_what_the_rules_require_cannot_be_taken_away(items: pl.DataFrame) -> None:
    heavy = items.filter(item="heavy").row(0, named=True)
    assert (heavy["legal"], heavy["score_gain"]) == (False, None)


def test_gains_have_the_sign_they_must_have(items: pl.DataFrame) -> None:
    by_item = {row["item"]: row for row in items.iter_rows(named=True)}
    assert by_item["supershield"]["score_gain"] > 0
    assert by_item["supershield"]["damage_taken_gain"] < 0
    assert by_item["slim"]["damage_taken_gain"] == pytest.approx(-0.8 * 4.5625 / 6, abs=0.2)
    assert (by_item["jump"]["status"], by_item["jump"]["score_gain"]) == ("not measurable", None)
    assert by_item["piercing"]["damage_gain"] > 0


def test_a_gain_is_the_difference_of_two_exact_scores(warforged: LoadedGame, items: pl.DataFrame) -> None:
    scores = read_scores(duel_table(Runner(warforged), FIELD))
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
    assert with_and_without(Runner(warforged), ["spectre+shotgun", "whisper+sidearm"]).sort("item")[
        "n_entrants"
    ].to_list() == [
        1,
        2,
    ]


def item_of(item: str, entrant: str, panel: str, changes: tuple[str, ...] = ()) -> dict[str, object]:
    """Return what one item is found to add to one entrant against a panel of one."""
    game = balance.load("warforged")
    found = [one for one in find_items(game, [entrant]) if one.item == item]
    against = Panel((panel,), np.array([1]), np.array([1.0]))
    return item_table(Runner(game), found, against, [panel], changes).row(0, named=True)


@pytest.mark.parametrize("item", ["jump", "high_explosive"])
def test_an_effect_that_does_nothing_here_is_not_measurable(item: str) -> None:
    row = item_of(item, "vanguard+grenade_launcher", "nexus+laser_carbine")
    assert (row["status"], row["score_gain"]) == ("not measurable", None)


def test_an_effect_that_the_setting_can_show_is_measured() -> None:
    row = item_of("jump", "vanguard+shotgun", "nexus+shotgun", ("situation.distance_cells=30", "situation.actions=4"))
    assert row["status"] == "measured"
    assert row["score_gain"] != 0


def test_a_measured_zero_stays_a_zero() -> None:
    """In three rounds a Detonator's blast hurts a Colossus, as the distributions show, and cannot turn the duel."""
    row = item_of("overload", "detonator+sidearm", "colossus+rail_lance", ("situation.round_limit=3",))
    assert (row["status"], row["score_gain"]) == ("measured", 0)


def test_the_summary_tells_what_is_not_measurable_and_what_not_legal(items: pl.DataFrame) -> None:
    found = {row["item"]: row for row in item_summary(items).iter_rows(named=True)}
    assert [found[name]["status"] for name in ("supershield", "jump", "heavy")] == list(ITEM_STATUSES)
    assert (found["jump"]["score_gain"], found["jump"]["n_measured"]) == (None, 0)


@pytest.mark.slow("test_an_effect_that_the_setting_can_show_is_measured")
def test_a_power_is_measured_by_play_that_uses_it() -> None:
    """By default the spider's Lore buys powers, each for what it adds to the other; a use may be set for one alone."""
    game, field = balance.load("battlelore"), ["giant_spider", "dwarf_red_foot+long_sword", "blue_foot+short_sword"]
    duels = duel_table(Runner(game), field)
    scores = read_scores(duels)
    names, grid = scores.names, scores.first
    panel = choose_panel(names, grid)
    found = find_items(game, names)
    usual = item_table(Runner(game), found, panel, gain="figures_lost")
    uses = {name: {"powers": name} for name in ("web", "poison")}
    alone = item_table(Runner(game), found, panel, gain="figures_lost", uses=uses)
    for items in (usual, alone):
        assert dict(items.select("item", "status").iter_rows()) == dict.fromkeys(("web", "poison"), "measured")

    def score(opponent: str, powers: str, *changes: str) -> float:
        asked = game.ask("duel", "giant_spider", opponent, changes, "random", a_powers=powers)
        return float(asked.p_win()["a"])

    gains = np.array([score(opponent, "web") - score(opponent, "chalice") for opponent in panel.names])
    assert alone.filter(item="web")["score_gain"].item() == pytest.approx(float(gains @ panel.weights))
    best = [score(name, "web_or_poison") - score(name, "web_or_poison", "a.powers=poison") for name in panel.names]
    assert usual.filter(item="web")["score_gain"].item() == pytest.approx(float(np.array(best) @ panel.weights))


# -- readings and panels by plain loops --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def toy() -> LoadedGame:
    return balance.load(TOY)


def test_a_reading_says_all_that_the_rules_file_says_of_it(toy: LoadedGame) -> None:
    words = ("TOY-Q1", "A", "Which faces of a die hit.")
    assert other_readings(toy) == [Reading("hits_on", "5-6", "4-6", *words, "A third of the faces hit.")]
    assert other_readings(toy, ["a.x=1", "rules.hits_on=5-6"]) == [
        Reading("hits_on", "4-6", "5-6", *words, "Half the faces hit.")
    ]
    assert other_readings(toy)[0].assignment == "rules.hits_on=5-6"


def test_only_options_of_the_first_two_levels_are_tried_and_sentences_may_lack(toy: LoadedGame) -> None:
    option = toy.catalogue.rule_options["hits_on"]
    for level, n in (("A", 1), ("B", 1), ("C", 0)):
        options = {"hits_on": replace(option, level=level, readings=())}
        found = other_readings(LoadedGame(toy.definition, replace(toy.catalogue, rule_options=options)))
        assert [reading.sentence for reading in found] == [""] * n


def field_of(seed: int, groups: int, members: int) -> tuple[list[str], np.ndarray]:
    """Return names and scores of a rough field."""
    rng = np.random.default_rng(seed)
    n = groups * members
    strength = rng.normal(0, 1, n)
    names = [f"{chr(97 + place // members)}+{place % members}" for place in range(n)]
    return names, 1 / (1 + np.exp(strength[None, :] - strength[:, None] + rng.normal(0, 1, (n, n))))


def misfit(score: np.ndarray, chosen: list[int], weights: np.ndarray) -> float:
    n = len(score)
    off = [sum(w * score[i, j] for w, j in zip(weights, chosen, strict=True)) - sum(score[i]) / n for i in range(n)]
    return float(sum(x * x for x in off)) / n


@pytest.mark.parametrize("seed", range(6))
def test_no_single_change_of_a_panel_follows_the_field_better(seed: int) -> None:
    names, first = field_of(seed, 6, 4)
    score = (first + 1 - first.T) / 2
    panel = choose_panel(names, first)
    places = panel.places.tolist()
    assert [name[0] for name in panel.names] == list("abcdef")
    assert panel.names == tuple(names[place] for place in places)
    assert panel.weights.tolist() == [1 / 6] * 6
    best = misfit(score, places, panel.weights)
    for at, place in enumerate(places):
        for other in range(place - place % 4, place - place % 4 + 4):
            assert misfit(score, [*places[:at], other, *places[at + 1 :]], panel.weights) >= best - 1e-12
    gaps = [abs(sum(score[i, j] / 6 for j in places) - sum(score[i]) / 24) for i in range(24)]
    assert panel_gap(panel, first) == pytest.approx(max(gaps))


def test_a_panel_starts_from_the_middle_of_each_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lower one of two in the middle; without a sweep it stays there."""
    monkeypatch.setattr("balance.analysis.claims.rule_options.MOST_SWEEPS", 0)
    for members, middle in ((3, 1), (4, 1), (5, 2)):
        names, first = field_of(1, 5, members)
        means = ((first + 1 - first.T) / 2).mean(1)
        wanted = [
            names[sorted(range(at, at + members), key=lambda place: means[place])[middle]]
            for at in range(0, 5 * members, members)
        ]
        assert choose_panel(names, first).names == tuple(wanted)


def test_of_many_groups_some_are_taken_evenly_by_score_and_weigh_as_they_are_large() -> None:
    names = ["a+1", "a+2", "a+3", "b", "c", "d+1", "d+2", "e", "f", "g"]
    strength = np.array([2.0, 2.0, 2.0, 5.0, 1.0, 4.0, 4.0, 3.0, 0.0, 6.0])
    first = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    by_score = list("fcaedbg")
    for size, kept in ((3, "feg"), (4, "fadg"), (7, "fcaedbg"), (10, "fcaedbg")):
        panel = choose_panel(names, first, size)
        assert {name[0] for name in panel.names} == {by_score[by_score.index(one)] for one in kept}
        assert [name[0] for name in panel.names] == sorted(kept)
        sizes = [sum(name[0] == one for name in names) for one in sorted(kept)]
        assert panel.weights == pytest.approx(np.array(sizes) / sum(sizes))


def test_a_panel_has_ten_unless_it_is_said() -> None:
    names, first = field_of(3, 12, 1)
    assert len(choose_panel(names, first).names) == 10


PANEL = Panel(("knight", "rat"), np.array([1, 0]), np.array([0.75, 0.25]))


def test_readings_are_compared_by_asking_each_question_again(toy: LoadedGame) -> None:
    names = ("rat", "knight", "ogre")
    study = compare_readings(Runner(toy), names, PANEL, ["ogre", "rat"], ["a.dice=2"], ["attacker.dice=3"])
    assert [reading.assignment for reading in study.readings] == ["rules.hits_on=5-6"]
    assert (study.first.shape, study.second.shape, study.damage.shape) == ((2, 3, 2), (2, 3, 2), (2, 6))
    for layer, more in enumerate(([], ["rules.hits_on=5-6"])):
        for i, one in enumerate(names):
            for j, foe in enumerate(PANEL.names):
                going_first = toy.duel(one, foe, ["a.dice=2", *more], "a").p_win()
                going_second = toy.duel(foe, one, ["a.dice=2", *more], "a").p_win()
                assert study.first[layer, i, j] == pytest.approx(going_first["a"], abs=1e-12)
                assert study.second[layer, i, j] == pytest.approx(going_second["b"], abs=1e-12)
        pairs = [(one, other) for one in ("ogre", "rat") for other in toy.targets]
        for place, (one, other) in enumerate(pairs):
            shot = toy.attack(one, other, ["attacker.dice=3", *more])
            assert study.damage[layer, place] == pytest.approx(shot.distribution.mean("damage"))
    none = compare_readings(Runner(toy), names, PANEL, ["ogre"], gain="nothing")
    assert none.damage.tolist() == [[0.0] * 3] * 2


def test_a_reading_in_force_by_a_change_is_compared_with_the_others(toy: LoadedGame) -> None:
    study = compare_readings(Runner(toy), ("rat", "knight"), PANEL, (), ["rules.hits_on=5-6"])
    assert [reading.assignment for reading in study.readings] == ["rules.hits_on=4-6"]
    plain = compare_readings(Runner(toy), ("rat", "knight"), PANEL)
    assert study.first.tolist() == plain.first[::-1].tolist()
    assert study.damage.shape == (2, 0)


def lost(values: np.ndarray, games: dict[tuple[int, int], tuple[float, float]]) -> float:
    """Return the lost log-likelihood of some match-ups, each with its score and how often it counts, and the prior."""
    whole = float(values @ values) / 200
    for (i, j), (score, count) in games.items():
        gap = float(values[i] - values[j] + values[10])
        whole -= count * (score * gap - float(np.logaddexp(0, gap)))
    return whole


def test_layers_are_fitted_to_the_match_ups_of_the_panel() -> None:
    """By minimising what is lost over those match-ups alone, each counted as often as it stands for others."""
    rng = np.random.default_rng(4)
    panel = Panel((NAMES[7], NAMES[2]), np.array([7, 2]), np.array([0.7, 0.3]))
    first, second = rng.uniform(0.1, 0.9, (2, 2, 10, 2))
    study = ReadingStudy((), first, second, np.empty((2, 0)))
    thetas = fit_layers(study, panel)
    for layer in range(2):
        games: dict[tuple[int, int], tuple[float, float]] = {}
        for at, j in enumerate(panel.places.tolist()):
            count = 2 * panel.weights[at]
            games |= {(i, j): (first[layer, i, at], count) for i in range(10)}
            games |= {(j, i): (1 - second[layer, i, at], count) for i in range(10)}
        seen = minimize(lost, np.zeros(11), (games,), tol=1e-12).x
        assert thetas[layer] == pytest.approx(seen[:10], abs=1e-4)


def test_a_row_of_a_reading_says_what_moved_most(toy: LoadedGame) -> None:
    rng = np.random.default_rng(5)
    panel = Panel((NAMES[7], NAMES[2]), np.array([7, 2]), np.array([0.7, 0.3]))
    first, second = rng.uniform(0.1, 0.9, (2, 3, 10, 2))
    first[2], second[2] = first[0], second[0]
    second[2, 4, 1] += 2e-9
    second[2, 5, 1] += 0.5e-9
    damage = np.array([[1.0, 2.0, 3.0], [1.5, 2.0, 2.0], [1.0, 2.0, 3.0]])
    known = other_readings(balance.load("warforged"))[:2]
    study = ReadingStudy(tuple(known), first, second, damage)
    row, other = reading_table(study, NAMES, panel).rows(named=True)
    change = (first[1] + second[1] - first[0] - second[0]) / 2
    at = max(((i, j) for i in range(10) for j in range(2)), key=lambda cell: abs(change[cell]))
    assert (row["entrant"], row["opponent"]) == (NAMES[at[0]], panel.names[at[1]])
    assert row["largest_change"] == pytest.approx(change[at])
    assert row["mean_change"] == pytest.approx(np.abs(change).mean())
    assert (row["n_asked"], row["n_changed"], other["n_changed"]) == (20, 20, 1)
    gains = [
        [sum((first[k, i, j] - second[k, i, j]) * panel.weights[j] for j in (0, 1)) for i in range(10)] for k in (0, 1)
    ]
    assert row["first_mover_change"] == pytest.approx(np.mean(gains[1]) - np.mean(gains[0]))
    assert (row["largest_damage_change"], other["largest_damage_change"]) == (-1.0, 0.0)
    thetas = fit_layers(study, panel)
    ranks = [[int((theta > mine).sum()) for mine in theta] for theta in thetas[:2]]
    moved = [abs(x - y) for x, y in zip(*ranks, strict=True)]
    assert (row["largest_rank_change"], row["rank_entrant"]) == (max(moved), NAMES[moved.index(max(moved))])
    assert {name: row[name] for name in ("switch", "value", "usual")} == {
        "switch": known[0].switch, "value": known[0].value, "usual": known[0].usual
    }  # fmt: skip


def test_a_game_is_its_own_field_where_nobody_is_named(toy: LoadedGame) -> None:
    names, panel = panel_of(Runner(toy), None)
    assert (names, panel.names) == (("rat", "knight", "ogre"), ("rat", "knight", "ogre"))
    assert rule_readings(Runner(toy), ["rat", "ogre"])["n_asked"].to_list() == [4]
