"""Random fields of opponents: fixed by their seed, by groups, and moved by the errors of scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from balance.analysis.scores.field import (
    FEWEST_ENTRANTS,
    FieldDraws,
    draw_ratings,
    group_of,
    groups_of,
    rating_table,
    simultaneous,
)
from balance.analysis.scores.ratings import fit_ratings, ratings_against, strength_errors
from balance.analysis.scores.scores import Scores, read_scores
from balance.chance.rolls.streams import stream
from tests.analysis.golden_tables import LOG

UNITS = [f"{unit}+{arm}" for unit in "abcde" for arm in "xy"]


def ladder(names: list[str], error: float = 0.0) -> Scores:
    theta = np.linspace(-1, 1, len(names))
    first = 1 / (1 + np.exp(-(theta[:, None] - theta[None, :] + 0.2)))
    ones = np.ones_like(first)
    return Scores(tuple(names), first, error * ones, ones, np.ones(len(names)))


def test_draws_are_fixed_by_their_seed_and_positive() -> None:
    one, same, other = FieldDraws(1, 50), FieldDraws(1, 50), FieldDraws(2, 50)
    assert one.weights(4).shape == (50, 4)
    assert (one.weights(4) > 0).all()
    assert (one.weights(4) == same.weights(4)).all()
    assert (one.weights(4) != other.weights(4)).any()
    assert one.noise(3).shape == (50, 3)
    assert (one.noise(3) == same.noise(3)).all()


def test_loadouts_of_one_unit_weigh_the_same_in_each_field_and_all_weights_add_up() -> None:
    scores = ladder(UNITS)
    _, weights = draw_ratings(scores, fit_ratings(scores.first), FieldDraws(0, 20))
    assert weights.sum(1) == pytest.approx(np.full(20, 10.0))
    assert weights[:, 0::2] == pytest.approx(weights[:, 1::2])
    _, alone = draw_ratings(scores, fit_ratings(scores.first), FieldDraws(0, 20), by_id=False)
    assert (alone[:, 0] != alone[:, 1]).all()


def test_ratings_of_exact_scores_on_a_ladder_hardly_depend_on_the_field_and_noisy_ones_do() -> None:
    exact, noisy = ladder(UNITS), ladder(UNITS, 0.1)
    spreads = []
    for scores in (exact, noisy):
        fit = fit_ratings(scores.first)
        spreads.append(draw_ratings(scores, fit, FieldDraws(3, 400))[0].std(0))
    assert (spreads[0] < 0.05).all()
    assert spreads[1] == pytest.approx(strength_errors(noisy.error, fit_ratings(noisy.first), noisy.weight), rel=0.2)


def test_errors_of_ratings_are_what_repeated_play_shows() -> None:
    """Each score counted in 200 games, again and again: the ratings, opponents' own as they are, spread as told."""
    truth, rng = ladder(list("abcdefgh")), np.random.default_rng(4)
    fit = fit_ratings(truth.first)
    error = np.sqrt(truth.first * (1 - truth.first) / 200)
    told = strength_errors(error, fit, truth.weight)
    seen = []
    for _ in range(300):
        first = rng.binomial(200, truth.first) / 200
        seen.append(ratings_against(first, 1 - first.T, fit.theta, fit.first_mover, np.ones((1, 8)))[0])
    # A match-up with oneself is counted from both seats in one, so that the two parts of its error cancel here.
    assert np.std(seen, axis=0) == pytest.approx(told, rel=0.25)


def test_few_entrants_have_ratings_and_no_intervals() -> None:
    found = rating_table(pl.DataFrame({"one": ["x", "x"], "other": ["y", "z"], "score": [0.7, 0.4]}))
    assert found["entrant"].to_list() == ["z", "x", "y"]
    assert found["low"].null_count() == found["high"].null_count() == 3
    assert found["score"].to_list() == [0.55, pytest.approx((0.5 + 0.7 + 0.4) / 3), 0.4]


def test_groups_go_by_the_first_part_of_an_id_where_there_are_enough() -> None:
    assert groups_of(UNITS).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert groups_of(UNITS[:8]).tolist() == list(range(8))


def test_some_of_a_table_can_be_asked_about() -> None:
    scores = read_scores(ladder(UNITS), ["c+x", "a+y"])
    assert scores.names == ("c+x", "a+y")
    assert scores.first[0, 1] > scores.first[1, 0]


# -- the same numbers by plain loops -----------------------------------------------------------------------------------


def test_random_fields_are_the_published_ones() -> None:
    """A contract: intervals of published prices follow from these draws."""
    draws = FieldDraws(3, 2)
    assert FieldDraws() == FieldDraws(0, 1000)
    assert draws.weights(3).ravel() == pytest.approx(
        stream(3, "analysis/prices", 0, "field").exponential(size=6) + 1e-9, rel=1e-12
    )
    assert draws.noise(2).ravel() == pytest.approx(stream(3, "analysis/prices", 0, "scores").standard_normal(size=4))


def test_each_draw_rates_everybody_against_a_weighted_field() -> None:
    scores = ladder(UNITS, 0.05)
    rng = np.random.default_rng(2)
    played = np.triu(rng.integers(0, 3, (10, 10)))
    weight = (played + played.T + np.eye(10)).astype(float)
    share = np.where(np.arange(10) < 2, 0.5, 1.0)
    scores = replace(scores, weight=weight, share=share)
    fit, draws = fit_ratings(scores.first, weight, share), FieldDraws(5, 3)
    theta, weights = draw_ratings(scores, fit, draws)
    errors = strength_errors(scores.error, fit, weight * share)
    for number in range(3):
        drawn = [draws.weights(5)[number, place // 2] * share[place] for place in range(10)]
        counts = np.array(drawn) * share.sum() / sum(drawn)
        assert weights[number] == pytest.approx(counts)
        exact = ratings_against(
            scores.first, 1 - scores.first.T, fit.theta, fit.first_mover, counts[None], weight
        )[0]  # fmt: skip
        assert theta[number] == pytest.approx(exact + errors * draws.noise(10)[number])


def test_copies_are_drawn_together() -> None:
    first = np.array([[0.5, 0.5, 0.3, 0.2], [0.5, 0.5, 0.3, 0.2], [0.8, 0.8, 0.5, 0.4], [0.7, 0.7, 0.6, 0.5]])
    error = np.full((4, 4), 0.05)
    scores = Scores(tuple("abcd"), first, error, np.ones((4, 4)), np.ones(4)).counted_once()
    theta, weights = draw_ratings(scores, fit_ratings(first, None, scores.share), FieldDraws(0, 9), by_id=False)
    assert weights[:, 0] == pytest.approx(weights[:, 1])
    assert theta[:, 0] == pytest.approx(theta[:, 1])
    assert weights.sum(1) == pytest.approx(np.full(9, 3.0))
    assert (weights[:, 1] != weights[:, 2]).all()


def test_copies_that_count_each_for_itself_are_drawn_apart_and_those_of_everybody_in_pairs() -> None:
    pair = np.array([[0.5, 0.3], [0.8, 0.5]])
    scores = Scores(tuple("abcd"), np.kron(pair, np.ones((2, 2))), np.zeros((4, 4)), np.ones((4, 4)), np.ones(4))
    apart = draw_ratings(scores, fit_ratings(scores.first), FieldDraws(0, 9), by_id=False)[1]
    assert (apart[:, 0] != apart[:, 1]).all()
    once = scores.counted_once()
    assert once.share.tolist() == [0.5] * 4
    together = draw_ratings(once, fit_ratings(once.first, None, once.share), FieldDraws(0, 9), by_id=False)[1]
    assert together[:, 0] == pytest.approx(together[:, 1])
    assert (together[:, 1] != together[:, 2]).all()
    assert together[:, 2] == pytest.approx(together[:, 3])


def test_simultaneous_intervals_by_hand() -> None:
    """So many deviations as the largest of all has in 95 of 100 draws; what never varies has no width."""
    rng = np.random.default_rng(6)
    draws, estimates = rng.normal(0, [1.0, 3.0, 0.0], (50, 3)), np.array([0.1, -0.5, 0.0])
    spread = [np.sqrt(sum((x - np.mean(column)) ** 2 for x in column) / 49) for column in draws.T]
    largest = sorted(max(abs(row[k] - estimates[k]) / spread[k] for k in (0, 1)) for row in draws)
    for level in (0.95, 0.5):
        at = level * 49
        c = largest[int(at)] + (at - int(at)) * (largest[int(at) + 1] - largest[int(at)])
        low, high = simultaneous(estimates, draws, level)
        assert low == pytest.approx([e - c * s for e, s in zip(estimates, spread, strict=True)])
        assert high == pytest.approx([e + c * s for e, s in zip(estimates, spread, strict=True)])
    assert simultaneous(estimates, draws)[0].tolist() == simultaneous(estimates, draws, 0.95)[0].tolist()


@pytest.mark.parametrize(("n", "intervals"), [(4, 0), (5, 5)])
def test_five_are_enough_for_intervals(n: int, intervals: int) -> None:
    assert FEWEST_ENTRANTS == 5
    found = rating_table(ladder(list("abcde")[:n]))
    assert (found["low"].count(), found["high"].count()) == (intervals, intervals)
    assert found.equals(found.with_columns(pl.col(pl.Float64).round(9)))
    assert not found.equals(found.with_columns(pl.col(pl.Float64).round(8)))


def test_groups_are_by_the_first_part_and_five_are_enough() -> None:
    assert [group_of(name) for name in ("a+x", "a", "a+x+y")] == ["a", "a", "a"]
    assert groups_of(["e+x", "a+x", "b", "c", "d", "a+y"]).tolist() == [0, 1, 2, 3, 4, 1]
    assert groups_of(["a+x", "b", "c", "d", "a+y"]).tolist() == [0, 1, 2, 3, 4]


def test_a_seed_that_nobody_gave_is_naught() -> None:
    assert rating_table(LOG).equals(rating_table(LOG, seed=0))
    assert not rating_table(LOG).equals(rating_table(LOG, seed=1))


def test_equals_keep_the_order_in_which_they_were_told() -> None:
    rows = [("x", "y", 0.5), ("y", "z", 0.5), ("z", "x", 0.5)]
    found = rating_table(pl.DataFrame(rows, ["one", "other", "score"], orient="row"))
    assert found["entrant"].to_list() == ["x", "y", "z"]
    assert found["rating"].to_list() == [0.0, 0.0, 0.0]
