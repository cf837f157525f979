"""Ratings from games of several and of teams against enumeration, the pair model, and planted truths."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import polars as pl
import pytest

import balance
from balance.base.arrays import FloatArray
from balance.base.errors import UsageError
from balance.playtests.contests import NEVER_PARTED, Contests, Side
from balance.playtests.games import Games
from balance.playtests.model.design import STRENGTH, design
from balance.playtests.model.rating import RateSettings
from balance.playtests.model.spreads import at_spreads, plain_fit
from balance.playtests.people.choices import choices_of, posterior_of
from balance.playtests.people.several import chance_of_first, rate_contests
from tests.playtests.logs import Truth, play

NAMES = "abcdefgh"


def rankings(who: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """Return every order in which some may come in, the tied ones together."""
    if not who:
        return [[]]
    firsts = chain(*(combinations(who, k) for k in range(1, len(who) + 1)))
    return [[first, *rest] for first in firsts for rest in rankings(tuple(at for at in who if at not in first))]


def sides(ranking: list[tuple[int, ...]], teams: list[tuple[str, ...]]) -> list[Side]:
    before = np.cumsum([0, *map(len, ranking)])
    return [Side(teams[at], int(n) + 1) for n, tied in zip(before, ranking, strict=False) for at in tied]


def chance(ranking: list[tuple[int, ...]], worth: FloatArray, delta: dict[int, float]) -> float:
    """Return the chance of a ranking, set by set as Turner and others (2020) write it."""
    left, product = [*chain(*ranking)], 1.0
    for tied in ranking:
        sets = chain(*(combinations(left, k) for k in delta))
        total = sum(delta[len(s)] * np.prod(worth[list(s)]) ** (1 / len(s)) for s in sets)
        product *= float(delta[len(tied)] * np.prod(worth[list(tied)]) ** (1 / len(tied)) / total)
        left = [at for at in left if at not in tied]
    return product


def drawn(
    rng: np.random.Generator, strengths: FloatArray, k: int, delta: dict[int, float], n_games: int, times: int = 1
) -> Contests:
    games = []
    for _ in range(n_games):
        left, place, game = [*rng.choice(len(strengths), k, replace=False)], 1, []
        while left:
            sets = [[*s] for j in delta for s in combinations(left, j)]
            weights = np.array([delta[len(s)] * np.exp(strengths[s].mean()) for s in sets])
            tied = sets[rng.choice(len(sets), p=weights / weights.sum())]
            game += [Side((f"e{at:02d}",), place) for at in tied]
            place, left = place + len(tied), [at for at in left if at not in tied]
        games.append(game)
    return Contests.of(games * times)


@pytest.mark.parametrize("n", [3, 4])
def test_the_likelihood_is_that_of_every_ranking_with_ties(n: int) -> None:
    every = rankings(tuple(range(n)))
    assert len(every) == {3: 13, 4: 75}[n]
    worth, delta = np.exp(np.array([0.4, -0.3, 0.9, 0.1])[:n]), {1: 1.0, 2: 0.6, 3: 0.3, 4: 0.2}
    delta = {k: value for k, value in delta.items() if k <= n}
    chances = [chance(ranking, worth, delta) for ranking in every]
    assert sum(chances) == pytest.approx(1)
    logs = np.log([delta[k] for k in (*range(3, n + 1), 2)])
    choices = choices_of(Contests.of([sides(ranking, [*zip(NAMES[:n])]) for ranking in every]))
    value, *_ = choices._slopes(np.append(np.log(worth), logs), np.zeros(n + len(logs)))
    flat = np.log(worth).sum() ** 2 / 2  # without a prior the sum of strengths is held at 0
    assert value + flat == pytest.approx(np.log(chances).sum())
    alone = [np.log(worth[0]), *np.zeros(n - 1)]
    share = sum(chance(r, np.exp(alone), delta) / len(r[0]) for r in every if 0 in r[0])
    ratings = np.array([np.log(worth[0])])
    assert chance_of_first(choices, np.append(np.zeros(n), logs), ratings, n) == pytest.approx(share)


def contests_of(games: Games) -> Contests:
    rows = zip(games.side_a, games.side_b, games.score, games.mover, strict=True)
    both = [((a, score == 0, mover), (b, score == 1, -mover)) for a, b, score, mover in rows]
    return Contests.of([[Side((games.names[at],), 1 + lost, mover == 1) for at, lost, mover in game] for game in both])


@pytest.mark.parametrize("draws", [0.0, 0.5])
def test_on_two_sides_it_is_the_pair_model(draws: float) -> None:
    truth = Truth(np.array([0.7, 0.1, -0.2, -0.6]), 0.4, draws)
    games = play(np.random.default_rng(1), truth, 300)
    pairs, choices = design(games, "davidson" if draws else "none", False), choices_of(contests_of(games))
    own, kinds = posterior_of(choices, 0.7, np.array([0.8])), np.array([STRENGTH])
    theirs = at_spreads(pairs, kinds, np.array([0.8])).modes
    assert own.modes.effects == pytest.approx(theirs.effects, abs=1e-6)
    assert own.modes.covariance == pytest.approx(theirs.covariance, abs=1e-6)
    plain, maximum = posterior_of(choices, None), plain_fit(pairs)
    assert plain.modes.effects == pytest.approx(maximum.modes.effects, abs=1e-6)
    assert plain.strengths().sd == pytest.approx(maximum.strengths().sd, abs=1e-6)


def test_winners_alone_give_the_shares_of_a_multinomial_logit() -> None:
    """Where all meet in every game the strengths without a prior are the logarithms of games won."""
    wins = {"a": 12, "b": 5, "c": 8, "d": 3}
    games = [[Side((name,), int(name == winner)) for name in wins] for winner, n in wins.items() for _ in range(n)]
    rated = rate_contests(Contests.of(games), RateSettings(prior=None))
    logs = np.log([*wins.values()])
    assert [rating.rating for rating in rated.ratings.values()] == pytest.approx(logs - logs.mean(), abs=1e-6)
    assert rated.several is not None
    assert not rated.several.places


def held(number: int, times: int = 1) -> list[bool]:
    """Return which of 8 strengths 95 % intervals hold, from a log of 60 games among four, each told so many times."""
    rng = np.random.default_rng((68, number))
    truth = rng.normal(0, 0.7, 8)
    contests = drawn(rng, truth, 4, {1: 1.0, 2: 0.3}, 60, times)
    rated = rate_contests(contests, first_only=number % 2 == 0)
    both = zip(rated.ratings.values(), truth - truth.mean(), strict=True)
    return [rating.rating_low <= value <= rating.rating_high for rating, value in both]


@pytest.mark.parametrize(
    ("n_logs", "low", "high"), [(10, 0.87, 1.0), pytest.param(1000, 0.93, 0.97, marks=pytest.mark.slow)]
)
def test_planted_strengths_are_held(n_logs: int, low: float, high: float) -> None:
    """The short form's bound errs in 1 of 300 cases; games told four times are the negative control."""
    share = np.mean([held(number) for number in range(n_logs)])
    print(f"{share:.4f} of {n_logs} logs")
    assert low < share <= high
    assert np.mean([held(number, 4) for number in range(5)]) < 0.85


def ratings(contests: Contests, first_only: bool = False) -> list[float]:
    return [rating.rating for rating in rate_contests(contests, first_only=first_only).ratings.values()]


def test_what_changes_no_number() -> None:
    """Order of games and sides, and names; that places below the first change numbers is the control."""
    contests = drawn(np.random.default_rng(5), np.array([0.6, 0.2, -0.2, -0.6, 0.0]), 3, {1: 1.0, 2: 0.4}, 40)
    games: list[list[Side]] = [[] for _ in range(40)]
    for at, game, place in zip(contests.entrant, contests.contest, contests.place, strict=True):
        games[game].append(Side((f"e{4 - at}",), place))
    base = ratings(contests)
    assert ratings(Contests.of([game[::-1] for game in games[::-1]]))[::-1] == pytest.approx(base, abs=1e-6)
    assert ratings(contests, first_only=True) != pytest.approx(base, abs=0.01)


def test_teams_are_sums_with_a_term_for_each_more() -> None:
    strengths, bonus, games, rng = np.array([0.9, 0.4, 0.0, -0.3, -0.5, -0.5]), 1.0, [], np.random.default_rng(3)
    for _ in range(1500):
        who, size = rng.permutation(6), int(rng.integers(2, 4))
        teams = who[:size], who[size : size + 2]
        gap = strengths[teams[0]].sum() - strengths[teams[1]].sum() + bonus * (size - 2)
        won = int(rng.random() < 1 / (1 + np.exp(-gap)))
        games.append([Side(tuple(NAMES[at] for at in team), 1 + (won == side)) for side, team in enumerate(teams)])
    rated = rate_contests(Contests.of(games))
    assert [rating.rating for rating in rated.ratings.values()] == pytest.approx(strengths, abs=0.3)
    assert rated.several is not None
    assert rated.several.sizes["1"].low < bonus < rated.several.sizes["1"].high


def test_partners_who_never_part_are_one_and_strangers_are_refused() -> None:
    pair, other = ("Ann", "Ben"), ("Cal",)
    contests = Contests.of([[Side(pair, 1), Side(("Dan",), 2), Side(other, 3)], [Side(other, 1), Side(pair, 2)]])
    assert contests.join_partners().names == (f"Ann & Ben{NEVER_PARTED}", "Cal", "Dan")
    assert contests.join_partners().size_differences.tolist() == [1, 0, 0, 0, 1]
    with pytest.raises(UsageError, match="never met"):
        rate_contests(Contests.of([[Side(("a",), 1), Side(("b",), 2)], [Side(("c",), 1), Side(("d",), 2)]]))
    for settings in (RateSettings(prior=None), RateSettings(draws="rao_kupper")):
        with pytest.raises(UsageError, match=r"no best rating|Davidson"):
            rate_contests(contests, settings)


def test_a_log_of_several_is_rated_and_told_in_words() -> None:
    places = [1, 2, 3, 4, 2, 1, 3, 4, 1, 3, 2, 4, 1, 2, 4, 3]
    log = pl.DataFrame({"game": [at // 4 for at in range(16)], "player": [*"abcd"] * 4, "place": places})
    told = balance.rate(log)
    assert "Among 4, the others average, a comes first in" in str(told)
    assert "Places below the first count, too" in str(told)
    assert "Only who came first counts." in str(balance.rate(log, first_only=True))
