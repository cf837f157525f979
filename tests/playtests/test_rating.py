"""What the whole answer is, and what may not change it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from balance.base.errors import UsageError
from balance.playtests.games import Games, games_of
from balance.playtests.model.answer import RatingAnswer
from balance.playtests.model.design import design
from balance.playtests.model.rating import RateSettings, rate
from balance.playtests.model.spreads import posterior
from tests.playtests.logs import Truth, play, swapped, true_strengths


def a_log(draws: float = 0.4) -> Games:
    rng = np.random.default_rng(7)
    return play(rng, Truth(true_strengths(rng, "0.6", 5), 0.4, draws, 0.4, 0.2, 0.3, n_players=4), 90, 12)


def numbers(rated: RatingAnswer) -> list[float]:
    """Return all the numbers of the ratings, the first mover, the pairs, the cycles and the spreads, in order."""
    parts: list[Any] = [
        *rated.ratings.values(), rated.first_mover, *rated.pairs, *rated.cycles, *rated.oddities, *rated.spread,
        rated.fit,
    ]  # fmt: skip
    values = (value for part in parts for value in asdict(part).values())
    return [float(value) for value in values if isinstance(value, int | float)]


def test_the_order_of_rows_changes_nothing() -> None:
    games = a_log()
    mixed = games.select_rows(np.random.default_rng(1).permutation(len(games.side_a)))
    assert numbers(rate(mixed)) == pytest.approx(numbers(rate(games)), abs=1e-5)


def test_who_is_written_first_changes_nothing() -> None:
    games = a_log()
    flip = np.random.default_rng(1).random(len(games.side_a)) < 0.5
    assert numbers(rate(swapped(games, flip))) == pytest.approx(numbers(rate(games)), abs=1e-5)


def test_other_names_change_nothing_but_names() -> None:
    games = a_log()
    turn = np.array([3, 0, 4, 1, 2])  # where each entrant stands under its new name
    names = ("a", "b", "c", "d", "e")
    renamed = replace(games, names=names, side_a=turn[games.side_a], side_b=turn[games.side_b])
    old, new = [*rate(games).ratings.values()], [*rate(renamed).ratings.values()]
    for at, one in enumerate(old):
        other = new[turn[at]]
        assert (other.rating_low, other.rating, other.rating_high) == pytest.approx(
            (one.rating_low, one.rating, one.rating_high), abs=1e-5
        )
        assert (other.verdict, other.more_games) == (one.verdict, one.more_games)


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_a_row_of_several_equal_games_is_as_many_rows(draws: float) -> None:
    games = a_log(draws)
    games = games.select_rows(np.arange(30))
    single = games.select_rows(np.repeat(np.arange(30), 3))
    triple = replace(games, count=np.full(30, 3.0))
    left, right = rate(single), rate(triple)
    assert [asdict(one) for one in left.ratings.values()] == [
        {**asdict(one), **{k: pytest.approx(v, abs=1e-5) for k, v in asdict(one).items() if isinstance(v, float)}}
        for one in right.ratings.values()
    ]
    assert left.fit.deviance == pytest.approx(right.fit.deviance, abs=1e-6)


def test_equal_games_are_one_row_and_no_others() -> None:
    """Each of all the columns keeps games apart; who is written first, and the line, do not."""
    base: dict[str, Any] = {
        "side_a": "a", "side_b": "b", "score": 1.0, "mover": 1, "session": "s", "players": ("p", "q"),
        "scenario": "hill",
        "cost": (100.0, 90.0), "points": (15.0, 5.0),
    }  # fmt: skip
    turned = {
        **base, "side_a": "b", "side_b": "a", "score": 0.0, "mover": -1, "players": ("q", "p"), "cost": (90.0, 100.0),
        "points": (5.0, 15.0),
    }  # fmt: skip
    apart: list[dict[str, Any]] = [
        {"side_b": "c"}, {"score": 0.5}, {"mover": 0}, {"session": "t"}, {"session": None}, {"players": ("p", None)},
        {"scenario": None}, {"cost": (100.0, 91.0)}, {"cost": (100.0, float("nan"))},
        {"points": (16.0, 4.0)},
    ]  # fmt: skip
    rows = [base, turned, base, *({**base, **other} for other in apart), {**base, "cost": (100.0, float("nan"))}]
    columns: dict[str, Any] = {key: [row[key] for row in rows] for key in base}
    games = games_of(**columns)
    grouped = games.group_equal()
    assert sorted(grouped.count.tolist()) == [1.0] * (len(apart) - 1) + [2.0, 3.0]
    assert grouped.n_games == games.n_games == 14
    assert grouped.games_by_entrant.tolist() == games.games_by_entrant.tolist()
    assert grouped.points_by_entrant.tolist() == games.points_by_entrant.tolist()
    again = grouped.group_equal()
    assert again.count.tolist() == grouped.count.tolist()


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_the_fit_of_grouped_games_is_that_of_single_ones(draws: float) -> None:
    """Within what the blocks of games without a session leave out of one small term."""
    rng = np.random.default_rng(5)
    games = play(rng, Truth(true_strengths(rng, "0.6", 3), 0.3, draws), 400)
    grouped = games.group_equal()
    assert len(grouped.side_a) <= 18
    law: Any = "davidson" if draws else "none"
    single, few = (posterior(design(each, law, effects=True), 0.7) for each in (games, grouped))
    left, right = single.strengths(), few.strengths()
    assert right.mean == pytest.approx(left.mean, abs=2e-5)
    assert right.sd == pytest.approx(left.sd, abs=2e-5)


def test_one_game_has_no_degrees_of_freedom_below_0() -> None:
    rated = rate(games_of(["a"], ["b"], [1], 1))
    assert (rated.fit.df, rated.fit.deviance, rated.fit.verdict) == (0, None, "not measurable here")
    assert (rated.fit.n, rated.fit.n_rows) == (1.0, 1)
    more = rate(games_of(["a"] * 4, ["b"] * 4, [1, 0, 1, 0], [1, 1, -1, -1]))
    assert (more.fit.df, more.fit.verdict, more.fit.n_rows) == (0, "not measurable here", 4)
    three = rate(games_of(["a", "b", "c"], ["b", "c", "a"], [1, 1, 1]))
    assert (three.fit.df, three.fit.verdict) == (1, "measured")
    assert three.fit.deviance is not None and three.fit.deviance > 0


def test_the_raw_score_is_that_of_the_games_and_equal_players_explain_the_rest() -> None:
    """Strong players win for a: between equal players it scores less than its raw score, which stands without them."""
    rng = np.random.default_rng(9)
    one, other = np.array(["a"] * 300), np.array(["b"] * 300)
    strong = rng.random(300) < 0.9
    score = np.where(strong, rng.random(300) < 0.8, rng.random(300) < 0.2) * 1.0
    players = [("ace", f"p{at % 40}") if up else (f"p{at % 40}", "ace") for at, up in enumerate(strong.tolist())]
    known, blind = rate(games_of(one, other, score, players=players)), rate(games_of(one, other, score))
    for rated in (known, blind):
        assert rated.ratings["a"].score == score.mean()
        assert rated.ratings["a"].games == 300
    assert known.knows_players and not blind.knows_players
    assert blind.ratings["a"].chance == pytest.approx(score.mean(), abs=0.01)
    assert blind.ratings["a"].skill_edge is None
    assert known.ratings["a"].chance < 0.62 < score.mean()
    edges = [one.skill_edge for one in known.ratings.values()]
    assert edges[0] is not None and edges[1] is not None
    assert edges[0] > 0.5
    assert edges[1] == pytest.approx(-edges[0])


def test_both_laws_of_draws_tell_much_the_same() -> None:
    games = a_log()
    one, other = (rate(games, RateSettings(draws=law, oddities=False)) for law in ("davidson", "rao_kupper"))
    chances = [[rating.chance for rating in rated.ratings.values()] for rated in (one, other)]
    assert chances[0] == pytest.approx(chances[1], abs=0.02)
    assert one.draw_share == other.draw_share > 0


def test_ratings_have_mean_0_and_pairs_are_predicted_from_them() -> None:
    rated = rate(a_log())
    assert np.mean([one.rating for one in rated.ratings.values()]) == pytest.approx(0, abs=1e-9)
    assert len(rated.pairs) == 10
    for pair in rated.pairs:
        assert pair.low < pair.chance < pair.high
    best = max(rated.ratings.values(), key=lambda one: one.rating)
    assert best.chance == max(one.chance for one in rated.ratings.values())
    assert all(
        one.rating_low < one.rating < one.rating_high and one.sure_low <= one.chance_low
        for one in rated.ratings.values()
    )


def test_costs_explain_what_dearer_armies_win() -> None:
    """Wins follow from cost alone: with costs the entrants are alike, without them they are not."""
    rng = np.random.default_rng(3)
    cost = np.array([50.0, 100.0, 200.0])
    one, other = rng.integers(3, size=(2, 600))
    apart = one != other
    one, other = one[apart], other[apart]
    score = (rng.random(len(one)) < 1 / (1 + (cost[other] / cost[one]) ** 1.5)) * 1.0
    varied = cost[np.stack([one, other], axis=1)] * rng.choice([0.5, 1.0, 2.0], (len(one), 2))
    fair = (rng.random(len(one)) < 1 / (1 + (varied[:, 1] / varied[:, 0]) ** 1.5)) * 1.0
    names = np.array(["a", "b", "c"])
    told = games_of(names[one], names[other], fair, 0, cost=varied.tolist())
    assert max(abs(one.rating) for one in rate(told, RateSettings(oddities=False)).ratings.values()) < 0.35
    blind = games_of(names[one], names[other], score)
    assert max(abs(one.rating) for one in rate(blind, RateSettings(oddities=False)).ratings.values()) > 0.7


def test_games_of_like_against_like_tell_of_the_first_mover_only() -> None:
    games = games_of(["a", "a", "b"] * 20, ["a", "b", "b"] * 20, [1, 1, 1] * 20, [1, 1, 1] * 20)
    rated = rate(games)
    assert [one.games for one in rated.ratings.values()] == [20, 20]
    assert rated.first_mover.low > 0
    assert rated.first_mover.games == 60


def test_scenarios_are_effects_of_their_own() -> None:
    rng = np.random.default_rng(4)
    base = play(rng, Truth(np.zeros(3), 0.0), 240)
    scenario = rng.integers(3, size=240)
    liked = (base.side_a == 0) * 2.0 * (scenario == 1) - (base.side_b == 0) * 2.0 * (scenario == 1)
    score = (rng.random(240) < 1 / (1 + np.exp(-liked))) * 1.0
    games = replace(base, score=score, scenario=scenario, scenario_names=("field", "forest", "hill"))
    spread = {one.kind: one for one in rate(games).spread}
    plain = {one.kind: one for one in rate(replace(games, score=base.score)).spread}
    assert spread["scenario"].value > 2 * plain["scenario"].value


@pytest.mark.parametrize(
    ("games", "settings", "told"),
    [
        (games_of(["a", "c"], ["b", "d"], [1, 1]), RateSettings(), "never met"),
        (games_of(["a"], ["b"], [1]), RateSettings(prior=None), "without a prior"),
        (games_of(["a"], ["b"], [1]), RateSettings(prior=-1.0), "scale of the prior"),
        (games_of(["a"], ["b"], [1]), RateSettings(band=(0.55, 0.6)), "band lies around"),
        (games_of(["a"], ["b"], [1]), RateSettings(level=1.0), "level"),
    ],
)
def test_what_cannot_be_rated_is_said(games: Games, settings: RateSettings, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        rate(games, settings)


def test_games_that_make_no_sense_are_told_all_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        games_of(["a", "b", "c"], ["b", "c", "a"], [2, 1, float("nan")], 0, [1, 0, 1])
    assert len(str(caught.value).splitlines()) >= 3
    with pytest.raises(UsageError, match="no games"):
        games_of([], [], [])
    with pytest.raises(UsageError, match="one entrant"):
        games_of(["a"], ["a"], [1])


def test_cautions_say_what_the_log_cannot_show() -> None:
    rng = np.random.default_rng(6)
    short = rate(play(rng, Truth(np.zeros(3)), 60, 4), RateSettings(oddities=False))
    long = rate(play(rng, Truth(np.zeros(3)), 60, 20), RateSettings(oddities=False))
    assert [one.kind for one in short.cautions] == ["short evenings"]
    assert long.cautions == ()
    bare = games_of(["a"] * 12, ["b"] * 12, [1, 0] * 6, [1] * 6 + [0] * 6)
    assert [one.kind for one in rate(bare).cautions] == ["unknown mover", "one seat", "no sessions"]
