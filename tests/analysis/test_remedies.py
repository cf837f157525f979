"""The smallest change that makes a match-up even: against every change tried by hand, and planted unfairness."""

from dataclasses import replace

import pytest

from balance.analysis.changes.handicaps.match_up_score import (
    measure_score,
    search_score,
    search_scores,
    search_trials,
    simulated_score,
)
from balance.analysis.changes.handicaps.remedies import first_move_remedies, remedies
from balance.base.errors import UsageError
from balance.base.numbers import EVEN_BAND
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.evening import noise
from balance.engine.query import Query
from balance.engine.runner import Engine, Runner
from balance.game.game import USUAL_TRIALS
from balance.game.loaded import load

PAIR = Query("duel", "nexus+assault_rifle", "trooper+shotgun", first="random")


def score_of(changes: tuple[str, ...], query: Query = PAIR) -> float:
    chances = load("warforged").ask(query.kind, query.side_a, query.side_b, changes, query.first).p_win()
    return chances["a"] + chances["draw"] / 2


@pytest.mark.parametrize("fields", [["armour"], pytest.param(["health", "armour"], marks=pytest.mark.slow)], ids=len)
def test_the_first_remedies_are_the_smallest_of_all_single_changes(fields: list[str]) -> None:
    """Every value of two numbers, asked one by one."""
    found = remedies(Runner(load("warforged")), PAIR, fields)
    even: dict[str, list[tuple[int, str]]] = {}
    for side, field, old in (("a", "health", 8), ("a", "armour", 2), ("b", "health", 5), ("b", "armour", 1)):
        if field not in fields:
            continue
        for new in range(1 if field == "health" else 0, 21):
            if 0.45 <= score_of((f"{side}.{field}={new}",)) <= 0.55:
                even.setdefault(f"{side}.{field}", []).append((abs(new - old), f"{side}.{field}={new}"))
    assert {f"{one.side}.{one.field}" for one in found.remedies if one.even} == set(even)
    for one in found.remedies:
        if one.even:
            assert one.change == min(even[f"{one.side}.{one.field}"])[1]
            assert one.score == Estimate.exact(score_of((one.change,)))
    assert [abs(one.steps) for one in found.remedies if one.even] == sorted(min(tried)[0] for tried in even.values())


def test_a_planted_fault_is_found_with_its_size() -> None:
    """Two of a kind, one with four health more than its card says: four less is what mends it, or four more for b."""
    query = Query("duel", "trooper+shotgun", "trooper+shotgun", ("a.health=9",), "random")
    found = remedies(Runner(load("warforged")), query, ["health"], (0.49, 0.51))
    assert {(one.change, one.even) for one in found.remedies} == {("a.health=5", True), ("b.health=9", True)}
    assert all(one.score.value == pytest.approx(0.5) for one in found.remedies)


def test_what_is_even_needs_nothing() -> None:
    found = remedies(Runner(load("warforged")), Query("duel", "trooper+shotgun", "trooper+shotgun", first="random"))
    assert found.is_even
    assert found.remedies == ()


@pytest.mark.slow("test_simulated_remedies_hold_on_fresh_dice")
def test_fresh_dice_agree_with_what_is_exact() -> None:
    """Four remedies within 4.5 standard errors: a false alarm in 1 of 36,000 runs."""
    for one in remedies(Runner(load("warforged")), PAIR, seed=3).remedies:
        if one.even:
            assert one.fresh is not None
            assert abs(one.fresh.value - one.score.value) < 4.5 * (one.fresh.error or 0.0)


def test_swapping_the_sides_swaps_the_remedies() -> None:
    other = Query("duel", PAIR.side_b, PAIR.side_a, first="random")
    swap = {"a": "b", "b": "a"}
    one, two = (remedies(Runner(load("warforged")), query, ["health"]) for query in (PAIR, other))
    assert one.score.value == pytest.approx(1 - two.score.value)
    assert {(swap[found.side], found.to) for found in one.remedies} == {
        (found.side, found.to) for found in two.remedies
    }


def test_numbers_that_change_nothing_are_told_apart_from_those_that_do_not_help() -> None:
    found = remedies(Runner(load("warforged")), PAIR, ["speed_cells", "health"])
    assert set(found.not_measurable_here) == {"a.speed_cells", "b.speed_cells"}


def test_simulated_remedies_hold_on_fresh_dice() -> None:
    found = remedies(Runner(load("edadh")), RANDOM_DUEL, ["a.damage", "b.damage"])
    assert [one.change for one in found.remedies if one.even] == ["a.damage=2"]
    (one,) = [one for one in found.remedies if one.even]
    assert one.fresh is not None
    assert 0.45 <= one.fresh.low <= one.fresh.high <= 0.55
    assert one.fresh.value != one.score.value


RANDOM_DUEL = Query("duel", "spears", "shieldsmen", choices=(("policy_a", "random"), ("policy_b", "random")))


@pytest.fixture
def long_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every kind of question for one with long trials: a search begins with 4,096 of 65,536."""
    monkeypatch.setattr("balance.game.game.USUAL_TRIALS", 2 * USUAL_TRIALS)


@pytest.mark.usefixtures("long_trials")
def test_of_long_trials_a_search_plays_more_only_near_the_ends_of_the_band() -> None:
    question = RANDOM_DUEL.to(load("edadh"))
    score = measure_score(1, False, question)
    near, far = (score.value + 0.001, 0.9), (0.45, 0.55)
    assert [search_score(0, band, 0, question).n_trials for band in (near, far)] == [65536, 4096]
    assert search_score(0, far, 1, question).n_trials == 16384
    quick = search_score(0, far, 0, question)
    assert abs(quick.value - score.value) < noise(quick, score)


@pytest.mark.slow("test_of_long_trials_a_search_plays_more_only_near_the_ends_of_the_band")
@pytest.mark.usefixtures("long_trials")
def test_of_long_trials_the_same_change_makes_it_even_whoever_plays_them() -> None:
    one, two = (
        remedies(Runner(load("edadh"), Engine(executor, n_jobs)), RANDOM_DUEL, ["a.damage", "b.damage"])
        for executor, n_jobs in (("serial", 1), ("threads", 2))
    )
    assert one == two
    assert one.score.n_trials == 65536
    assert [(even.change, even.fresh is not None) for even in one.remedies if even.even] == [("a.damage=2", True)]
    assert all(tried.score.n_trials in search_trials(load("edadh").kind("duel")) for tried in one.remedies)


def test_the_first_move_of_a_field_is_mended_by_one_die() -> None:
    found = first_move_remedies(Runner(load("battlelore")), "duel", ["blue_foot", "green_foot"], ["dice"])
    best = found.remedies[0]
    assert best.even
    chances = [
        load("battlelore").ask("duel", one, other, [f"{best.side}.dice={old + best.steps}"], "a").p_win()
        for one in ("blue_foot", "green_foot")
        for other in ("blue_foot", "green_foot")
        for old in [{"blue_foot": 3, "green_foot": 2}[one if best.side == "a" else other]]
    ]
    assert best.score.value == pytest.approx(sum(one["a"] + one.get("draw", 0.0) / 2 for one in chances) / 4)


@pytest.mark.slow("test_simulated_remedies_hold_on_fresh_dice")
def test_a_field_that_is_drawn_hangs_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.analysis.changes.handicaps.moves.FIELD", 2)
    one, same, other = (
        first_move_remedies(Runner(load("battlelore")), "duel", (), ["dice"], seed=seed) for seed in (0, 0, 1)
    )
    assert one == same
    assert set(one.entrants) != set(other.entrants)


@pytest.mark.parametrize(
    "query, fields, band, message",
    [
        (Query("attack", "nexus+shotgun", "trooper"), [], (0.45, 0.55), "nobody wins in attack"),
        (PAIR, ["helth"], (0.45, 0.55), "did you mean health"),
        (PAIR, ["a.luck", "b.fate"], (0.45, 0.55), "'b.fate' is no number"),
        (PAIR, [], (0.5, 0.55), "around one half"),
    ],
)
def test_what_makes_no_sense_is_refused(
    query: Query, fields: list[str], band: tuple[float, float], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        remedies(Runner(load("warforged")), query, fields, band)


def test_a_field_in_which_nobody_goes_first_is_refused() -> None:
    with pytest.raises(UsageError, match="has no first side"):
        first_move_remedies(Runner(load("immortal_souls")), "duel")


def test_first_trials_that_were_played_ahead_change_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("battlelore")
    monkeypatch.setitem(game.definition.kinds, "battle", replace(game.kind("battle"), usual_trials=64))
    pair, limit = game.pair("battle", "agincourt", ""), "situation.turn_limit=2"
    battles = [Query("battle", *pair, (limit, f"b.banners={n}")).to(game) for n in (4, 5)]
    ahead = search_scores(0, EVEN_BAND, (), (), battles)
    assert ahead == [simulated_score(battle, 4, seed=0) for battle in battles]
    scores = [search_score(0, EVEN_BAND, 0, battle) for battle in battles]
    assert search_scores(0, EVEN_BAND, (0, 0), (ahead[0], None), battles) == scores
    assert [score.n_trials for score in scores] == [64, 64]
