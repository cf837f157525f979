"""Random fields of opponents: fixed by their seed, by groups, and moved by the errors of scores."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from balance.analysis.field import FieldDraws, draw_ratings, groups_of, rating_table
from balance.analysis.ratings import fit_ratings, strength_errors
from balance.analysis.scores import Scores, read_scores

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
    from balance.analysis.ratings import ratings_against

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
