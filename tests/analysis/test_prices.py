from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import balance
from balance.analysis.claims.rule_options import settle
from balance.analysis.scores.cards import card_prices, entrant_table, split_excess
from balance.analysis.scores.field import FieldDraws, draw_ratings, groups_of, simultaneous
from balance.analysis.scores.scores import read_scores
from balance.analysis.scores.usual_prices import (
    PRICE_WORDS,
    VERDICTS,
    PriceFit,
    Tolerance,
    Trend,
    fair_prices,
    fit_prices,
    fit_trend,
    judge,
    price_frame,
)
from balance.base.errors import UsageError
from balance.game.loaded import LoadedGame
from tests.toy.game import GAME as TOY

NAMES = [f"{unit}+{arm}" for unit in "abcdefgh" for arm in ("x", "y", "z")]


def field(seed: int, rough: float = 0.5) -> tuple[np.ndarray, pl.DataFrame]:
    """Return strengths and a table of duels that is a ladder with luck of the match-up, the same within groups."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 1.5, len(NAMES))
    luck = np.kron(rng.normal(0, rough, (8, 8)), np.ones((3, 3)))
    gap = theta[:, None] - theta[None, :] + luck - luck.T + 0.3
    p = 1 / (1 + np.exp(-gap))
    pairs = [(a, b) for a in NAMES for b in NAMES]
    duels = pl.DataFrame({"a": [a for a, _ in pairs], "b": [b for _, b in pairs], "p_a": p.ravel()})
    return theta, duels.with_columns(p_b=1 - pl.col("p_a"), p_draw=pl.lit(0.0))


def fit(seed: int, costs: np.ndarray, duels: pl.DataFrame, n_draws: int = 200) -> PriceFit:
    return fit_prices(duels, dict(zip(NAMES, costs.tolist(), strict=True)), FieldDraws(seed, n_draws))


def test_prices_on_the_trend_are_never_called_wrong() -> None:
    """Costs that follow the true strength: any verdict but fair or unknown, in one field of twenty at most."""
    wrong = 0
    for seed in range(20):
        theta, duels = field(seed)
        words = price_frame(fit(seed, np.exp(3.5 + 0.12 * theta), duels))["verdict"]
        wrong += bool(words.is_in(["too dear", "too cheap"]).any())
    assert wrong <= 1


def test_a_card_that_costs_double_is_found() -> None:
    theta, duels = field(1)
    costs = np.exp(3.5 + 0.12 * theta)
    costs[4] *= 2
    frame = price_frame(fit(1, costs, duels))
    assert frame["verdict"][4] == "too dear"
    assert frame["excess"][4] == pytest.approx(costs[4] / 2, rel=0.25)


def test_simultaneous_intervals_hold_for_all_at_once_and_single_ones_do_not() -> None:
    rng = np.random.default_rng(2)
    missed = single = 0
    for _ in range(300):
        draws = rng.normal(rng.normal(0, 1, 20), 1, (400, 20))
        centre = draws.mean(0)
        truth = centre + rng.normal(0, 1, 20)
        low, high = simultaneous(centre, draws)
        missed += bool(((truth < low) | (truth > high)).any())
        single += bool((np.abs(truth - centre) > 1.96).any())
    assert missed / 300 < 0.09
    assert single / 300 > 0.4


def test_fewer_than_five_have_no_trend_and_no_verdict() -> None:
    frame = fair_prices(balance.load("warforged"), ["trooper+sidearm", "nexus+shotgun"])
    assert frame["verdict"].to_list() == ["not yet known"] * 2
    assert frame["fair_low"].to_list() == [None, None]


def test_costs_that_fall_with_strength_give_no_verdict() -> None:
    theta, duels = field(3)
    found = fit(3, np.exp(3.5 - 0.3 * theta), duels)
    assert not found.trend.rises
    assert set(price_frame(found)["verdict"]) == {"not yet known"}


def test_costs_all_alike_have_a_flat_trend() -> None:
    assert fit_trend(np.array([0.0, 1.0]), np.array([7.0, 7.0])).slope == 0
    assert fit_trend(np.array([1.0, 1.0]), np.array([0.0, 7.0])).slope == 0


def test_loadouts_of_one_unit_are_one_group_unless_groups_are_few() -> None:
    assert groups_of(NAMES).tolist() == [place // 3 for place in range(24)]
    assert groups_of(["a+x", "a+y", "b+x"]).tolist() == [0, 1, 2]


def test_a_group_counts_once_so_its_intervals_are_wider() -> None:
    theta, duels = field(4)
    grouped = fit(4, np.exp(3.5 + 0.12 * theta), duels)
    flat = {old: old.replace("+", "_") for old in NAMES}
    renamed = duels.with_columns(pl.col("a", "b").replace(flat))
    costs = {flat[name]: cost for name, cost in zip(NAMES, grouped.costs.tolist(), strict=True)}
    alone = fit_prices(renamed, costs, FieldDraws(4, 200))
    assert grouped.draws.std(0).mean() > 1.2 * alone.draws.std(0).mean()


def test_the_seed_fixes_the_intervals() -> None:
    theta, duels = field(5)
    costs = np.exp(3.5 + 0.12 * theta)
    assert price_frame(fit(0, costs, duels)).equals(price_frame(fit(0, costs, duels)))
    assert not price_frame(fit(0, costs, duels)).equals(price_frame(fit(1, costs, duels)))


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(2.1, 9, "too dear"), (-9, -2.1, "too cheap"), (-2, 2, "fair"), (-2.1, 0, "not yet known")],
)
def test_the_verdict_compares_the_whole_interval(low: float, high: float, word: str) -> None:
    assert judge(low, high, 2.0) == word


def test_a_verdict_that_a_reading_turns_is_not_yet_known() -> None:
    theta, duels = field(1)
    costs = np.exp(3.5 + 0.12 * theta)
    costs[4] *= 2
    frame = price_frame(fit(1, costs, duels))
    shifts = np.zeros((2, len(NAMES)))
    shifts[1, 4] = -0.7
    settled = settle(frame, shifts, Tolerance())
    row = settled.row(4, named=True)
    assert (row["verdict_as_read"], row["verdict"], row["flips"]) == ("too dear", "not yet known", [1])
    assert settled["flips"].to_list()[5] == []


def test_the_split_over_cards_adds_up_where_excess_is_additive() -> None:
    names = ["a+x", "a+y", "b+x", "b+y"]
    excess = np.array([[5.0, 3.0, 1.0, -1.0]])
    parts, split, explained = split_excess([name.split("+") for name in names], excess)
    by_part = dict(zip(parts, split[0].tolist(), strict=True))
    assert [by_part[a] + by_part[x] for a, x in (name.split("+") for name in names)] == pytest.approx(excess[0])
    assert explained == pytest.approx(1)


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_cards_are_named_and_priced(warforged: LoadedGame) -> None:
    found = entrant_table(warforged, ["nexus+shotgun", "trooper+smg_pistol+sidearm"])
    assert found["arm_label"].to_list() == ["Shotgun", "SMG Pistol + Sidearm"]
    assert found["arm_cost"].to_list() == [10.0, 9.0]
    assert found["group_label"].to_list() == ["Nexus", "Trooper"]


def test_a_card_whose_verdict_a_reading_turns_is_not_yet_known(warforged: LoadedGame) -> None:
    names = [
        f"{unit}+{arm}"
        for unit in ("nexus", "trooper", "vanguard", "aegis", "spectre")
        for arm in ("shotgun", "smg_pistol")
    ]
    rng = np.random.default_rng(0)
    costs = np.array([40.0, 40.0] + [20.0, 20.0] * 4)
    theta = np.linspace(-1, 1, 10)
    fair = np.full(10, 20.0)
    draws = fair * np.exp(rng.normal(0, 0.01, (50, 10)))
    from balance.analysis.scores.ratings import Ratings

    fit = PriceFit(tuple(names), costs, Ratings(theta, 0.0, 0.0, 1.0, 1), Trend(3.0, 0.1, 0.5), theta, fair, draws)
    plain = card_prices(warforged, fit).filter(card="nexus")
    assert (plain["verdict"].item(), plain["flips"].item().to_list()) == ("too dear", [])
    shifts = np.array([[-np.log(2.0)] * 2 + [0.0] * 8])
    turned = card_prices(warforged, fit, shifts).filter(card="nexus")
    assert (turned["verdict_as_read"].item(), turned["verdict"].item()) == ("too dear", "not yet known")


# -- the same numbers by plain loops, and every word -------------------------------------------------------------------


def line(theta: np.ndarray, logs: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Return intercept and slope of weighted least squares, by numpy's own solver."""
    root = np.sqrt(weights)
    found = np.linalg.lstsq(np.stack([root, root * theta], axis=1), root * logs, rcond=None)[0]
    return float(found[0]), float(found[1])


def test_the_trend_is_the_line_of_weighted_least_squares() -> None:
    rng = np.random.default_rng(0)
    theta, costs, share = rng.normal(0, 1, 7), rng.uniform(5, 50, 7), rng.uniform(0.2, 1, 7)
    costs[3] = 0.2  # what costs next to nothing is taken to cost half a point
    logs = np.log(np.where(costs < 0.5, 0.5, costs))
    for shares in (share, np.ones(7)):
        found, (intercept, slope) = fit_trend(theta, costs, shares), line(theta, logs, shares)
        rest = logs - intercept - slope * theta
        assert (found.intercept, found.slope) == pytest.approx((intercept, slope))
        assert found.explained_share == pytest.approx(1 - np.sum(rest**2) / np.sum((logs - np.mean(logs)) ** 2))
        assert found.fair(theta) == pytest.approx(np.exp(intercept + slope * theta))
    assert fit_trend(theta, costs) == fit_trend(theta, costs, np.ones(7))
    near = fit_trend(np.array([-1.0, 0.0, 1.0]), np.exp(np.array([1.0, 1.0, 1.0003])))
    assert (near.slope, near.explained_share) == pytest.approx((0.00015, 0.75))
    flat = fit_trend(theta, np.full(7, 9.0))
    assert (flat.intercept, flat.slope) == pytest.approx((np.log(9), 0))
    assert flat.explained_share == 0.0
    assert fit_trend(np.array([2.0, 2.0]), np.array([4.0, 9.0])).fair(2.0) == pytest.approx(6.0)
    assert [Trend(0.0, slope, 0.0).rises for slope in (-0.1, 0.0, 0.1)] == [False, False, True]


def test_a_fit_of_prices_is_a_trend_in_each_random_field() -> None:
    """Each draw weighs the opponents and rates everybody against them; the line is fitted here by hand."""
    _, duels = field(7)
    costs = np.round(np.random.default_rng(7).uniform(4, 40, len(NAMES)))
    costs[2] = 0.0
    found = fit(3, costs, duels, 6)
    scores = read_scores(duels)
    theta, weights = draw_ratings(scores, found.ratings, FieldDraws(3, 6))
    logs = np.log(np.maximum(costs, 0.5))
    for draw, strength, weight in zip(found.draws, theta, weights, strict=True):
        intercept, slope = line(strength, logs, weight)
        assert draw == pytest.approx(np.exp(intercept + slope * strength))
    assert found.fair == pytest.approx(found.trend.fair(found.ratings.theta))
    assert found.score == pytest.approx(scores.mean)
    assert (found.names, found.costs.tolist()) == (tuple(NAMES), costs.tolist())


def test_the_interval_of_a_price_is_that_of_its_logarithm() -> None:
    theta, duels = field(8)
    found = fit(8, np.exp(3.5 + 0.12 * theta), duels)
    frame = price_frame(found, Tolerance(0.1, 1.0))
    logs = np.log(found.draws)
    spread = [np.std(column, ddof=1) for column in logs.T]
    largest = [max(abs(row - np.log(found.fair)) / spread) for row in logs]
    half = np.quantile(largest, 0.95) * np.array(spread)
    low, high = found.fair * np.exp(-half), found.fair * np.exp(half)
    for place, row in enumerate(frame.iter_rows(named=True)):
        cost = found.costs[place]
        ends = (cost - high[place], cost - low[place])
        told = [row[name] for name in ("fair_points", "fair_low", "fair_high", "excess", "excess_low", "excess_high")]
        fair = found.fair[place]
        assert told == pytest.approx([fair, low[place], high[place], cost - fair, *ends])
        assert row["verdict"] == judge(*ends, max(0.1 * cost, 1.0))
        assert (row["strength"], row["score"]) == pytest.approx((found.ratings.theta[place], found.score[place]))
    assert frame["entrant"].to_list() == NAMES


def test_prices_are_told_to_nine_digits() -> None:
    theta, duels = field(8)
    frame = price_frame(fit(8, np.exp(3.5 + 0.12 * theta), duels))
    assert frame.equals(frame.with_columns(pl.col(pl.Float64).round(9)))
    assert not frame.equals(frame.with_columns(pl.col(pl.Float64).round(8)))


def test_few_have_no_draws_and_one_draw_gives_no_interval() -> None:
    _, duels = field(9)
    for n, known in ((4, 0), (5, 30)):
        few = duels.filter(pl.all_horizontal(pl.col("a", "b").is_in(NAMES[:n])))
        assert fit_prices(few, dict.fromkeys(NAMES[:n], 3.0), FieldDraws(0, 30)).draws.shape == (known, n)
    theta, duels = field(8)
    for n_draws, intervals in ((1, 0), (2, len(NAMES))):
        frame = price_frame(fit(8, np.exp(3.5 + 0.12 * theta), duels, n_draws))
        assert frame["fair_low"].count() == frame["fair_high"].count() == frame["excess_low"].count() == intervals
        assert (set(frame["verdict"]) == {"not yet known"}) == (n_draws == 1)


def test_verdicts_at_the_very_edge() -> None:
    """An interval that only touches the tolerance is inside it."""
    edges = [(2.0, 3.0), (-3.0, -2.0), (-2.0, 2.0), (-2.1, 2.0), (-2.0, 2.1), (2.1, 2.1), (-2.1, -2.1)]
    assert [judge(*ends, 2.0) for ends in edges] == [
        "not yet known", "not yet known", "fair", "not yet known", "not yet known", "too dear", "too cheap"
    ]  # fmt: skip
    assert [Tolerance().of(cost) for cost in (0, 19, 20, 21)] == [2.0, 2.0, 2.0, 2.1]
    assert Tolerance() == Tolerance(0.10, 2.0)
    assert VERDICTS == ("too dear", "too cheap", "fair", "not yet known")
    assert PRICE_WORDS == {
        "too dear": "dearer than its neighbours",
        "too cheap": "cheaper than its neighbours",
        "fair": "in line with its neighbours",
        "not yet known": "not yet known",
    }


def test_costs_from_which_nothing_follows_are_told_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: object, **more: object) -> None:
        raise AssertionError("nothing is to be played")

    monkeypatch.setattr("balance.analysis.scores.scores.duel_table", never)
    tip = "rating_table says who is stronger, never_worth_taking who is beaten by an equal"
    toy = balance.load(TOY)
    for game, names, words in (
        (toy, None, "all 3 entrants cost 7, so none can cost more than another as strong"),
        (toy, ["rat", "ogre"], "all 2 entrants cost 7, so none can cost more than another as strong"),
    ):
        with pytest.raises(UsageError) as told:
            fair_prices(game, names, costs=dict.fromkeys(toy.entrants, 7.0))
        assert str(told.value) == f"{words}; {tip}"


def test_one_alone_has_a_price_and_no_verdict() -> None:
    found = fair_prices(balance.load(TOY), ["rat"])
    assert found.select("entrant", "cost_points", "excess_low", "verdict").row(0) == ("rat", 5.0, None, "not yet known")


def test_a_verdict_that_nobody_had_is_turned_by_nothing() -> None:
    frame = price_frame(fit(1, np.exp(3.5 + 0.12 * field(1)[0]), field(1)[1], 1))
    settled = settle(frame, np.full((3, len(NAMES)), 2.0), Tolerance())
    assert set(settled["verdict"]) == set(settled["verdict_as_read"]) == {"not yet known"}
    assert settled["flips"].to_list() == [[]] * len(NAMES)


def test_a_reading_moves_the_whole_interval_by_its_shift() -> None:
    theta, duels = field(8)
    frame, limit = price_frame(fit(8, np.exp(3.5 + 0.12 * theta), duels)), Tolerance(0.02, 0.1)
    shifts = np.random.default_rng(1).normal(0, 0.3, (3, len(NAMES)))
    settled = settle(frame, shifts, limit)
    for place, row in enumerate(settled.iter_rows(named=True)):
        cost, flips = row["cost_points"], []
        for number in range(3):
            by = np.exp(-shifts[number, place])
            ends = (cost - row["fair_high"] * by, cost - row["fair_low"] * by)
            if judge(*ends, max(0.02 * cost, 0.1)) != frame["verdict"][place]:
                flips.append(number)
        assert row["flips"] == flips
        assert (row["verdict"], row["verdict_as_read"]) == (
            "not yet known" if flips else frame["verdict"][place],
            frame["verdict"][place],
        )
    assert 5 < settled["flips"].list.len().sum() < 70
