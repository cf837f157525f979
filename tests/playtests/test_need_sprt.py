"""Wald's test, and the log-likelihood ratios that testers of chess engines have printed since 2013."""

from __future__ import annotations

import csv
from math import log
from pathlib import Path

import pytest

from balance.base.errors import UsageError
from balance.playtests.need.goals import Goal
from balance.playtests.need.lattice import walk
from balance.playtests.need.sprt import EloModel, llr, sprt_zones, wald_bounds

LINES = list(csv.DictReader(Path(__file__).with_name("engine_tests.csv").read_text("utf-8").splitlines()))
"""Lines of commit messages of Stockfish (github.com/official-stockfish/Stockfish, by commit): what fishtest printed.

Until 2019 it read three counts by the Elo of BayesElo, in 2020 pairs of games by logistic Elo, and by normalized Elo
since 2021. Of all 4,466 lines there with bounds and the counts of their era the functions reproduce 4,463.
"""


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["commit"])
def test_lines_of_stockfish_come_out_to_the_printed_digits(line: dict[str, str]) -> None:
    pairs = [line[f"score_{score}"] for score in ("0", "05", "1", "15", "2")]
    counts = [int(count) for count in (pairs if pairs[0] else [line["losses"], line["draws"], line["wins"]])]
    model: EloModel = line["model"]  # type: ignore[assignment]
    assert f"{llr(counts, float(line['elo0']), float(line['elo1']), model):.2f}" == line["llr"]


OTHERS: list[tuple[str, list[int], float, float, EloModel, float]] = [
    ("Yoshie2000/PlentyChess pull 95, OpenBench", [46, 936, 2083, 1043, 63], 0, 5, "normalized", 2.91),
    ("Yoshie2000/PlentyChess pull 145, OpenBench", [41, 3112, 7501, 3333, 53], 0.5, 3.5, "normalized", 2.90),
    ("kelseyde/hobbes-chess-engine pull 401, OpenBench", [6, 825, 1997, 922, 9], -4, 0, "normalized", 2.92),
    ("Alex2262/AltairChessEngine pull 155, OpenBench", [0, 129, 312, 182, 10], 0, 8, "normalized", 2.90),
    ("brunocodutra/cinder pull 773, fastchess", [36, 340, 767, 462, 82], 0, 3, "normalized", 2.89),
    ("AndyGrant/Ethereal pull 77, OpenBench", [8900, 24004, 9236], 0, 5, "bayes", 2.96),
    ("AndyGrant/Ethereal pull 77, OpenBench", [8674, 34354, 9012], 0, 5, "bayes", 3.03),
    ("Matthies/RubiChess pull 179, OpenBench", [2535, 5746, 2730], 0, 5, "bayes", 3.01),
    ("jhonnold/berserk pull 68, OpenBench", [1521, 3680, 1679], -1, 4, "bayes", 3.02),
    ("jw1912/SPRT, README", [4063, 8620, 4307], 0, 3, "bayes", 2.47),
    ("cutechess/cutechess issue 543, by logistic Elo", [759, 1863, 880], 0, 5, "logistic", 2.95),
    ("cutechess/cutechess issue 543, by BayesElo", [759, 1863, 880], 0, 5, "bayes", 2.27),
]


@pytest.mark.parametrize(("source", "counts", "elo0", "elo1", "model", "printed"), OTHERS)
def test_lines_of_other_engines(
    source: str, counts: list[int], elo0: float, elo1: float, model: EloModel, printed: float
) -> None:
    assert round(llr(counts, elo0, elo1, model), 2) == printed, source


def test_another_era_s_elo_does_not_reproduce_a_line() -> None:
    assert round(llr([46, 936, 2083, 1043, 63], 0, 5, "logistic"), 2) != 2.91
    assert round(llr([8900, 24004, 9236], 0, 5, "logistic"), 2) != 2.96


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_seen_from_the_other_side_the_ratio_turns_its_sign(model: EloModel) -> None:
    assert llr([5, 40, 80, 60, 9], -3, 7, model) == pytest.approx(-llr([9, 60, 80, 40, 5], -7, 3, model))


@pytest.mark.parametrize("counts", [[], [1, 2], [0, 0, 0], [1, -1, 2], [1.0, float("nan"), 2.0]])
def test_counts_that_are_none(counts: list[float]) -> None:
    with pytest.raises(UsageError, match="are no counts"):
        llr(counts, 0, 5)


def test_bayes_needs_every_result() -> None:
    with pytest.raises(UsageError, match="BayesElo"):
        llr([3, 0, 5], 0, 5, "bayes")


def test_walds_bounds() -> None:
    # NIST/SEMATECH e-Handbook, section 6.2.6: false alarm .05 and miss .10 give the lines 0.939 and 1.205 of
    # x = 0.0397 n, for shares of .01 and .10; they are the bounds over log(k), k = .10 (1 - .01) / (.01 (1 - .10))
    lower, upper = wald_bounds(0.05, 0.10)
    slope = log(0.10 * 0.99 / (0.01 * 0.90))
    assert round(-lower / slope, 3) == 0.939
    assert round(upper / slope, 3) == 1.205


def test_zones_are_where_the_ratio_passes_its_bounds() -> None:
    goal = Goal(0.1)
    lower, upper = wald_bounds(0.025, 0.2)
    for zone in sprt_zones(goal)[:60]:
        for wins in range(zone.games + 1):
            ratio = wins * log(0.6 / 0.5) + (zone.games - wins) * log(0.4 / 0.5)
            other = wins * log(0.4 / 0.5) + (zone.games - wins) * log(0.6 / 0.5)
            lead = 2 * wins - zone.games
            assert (lead >= zone.up) == (ratio >= upper)
            assert (zone.low <= lead <= zone.high) == (ratio <= lower and other <= lower)


def test_walds_number_of_games_is_a_little_below_the_true_one() -> None:
    # Wald 1945: the mean of the sum at the end over the mean of one game, as if the bounds were hit exactly
    goal = Goal(0.1, games_per_evening=1)
    lower, upper = wald_bounds(0.025, 0.2)
    a_game = 0.6 * log(0.6 / 0.5) + 0.4 * log(0.4 / 0.5)
    ends = walk(sprt_zones(goal), 0.6, 0.0)
    expected = (0.8 * upper + 0.2 * lower) / a_game
    assert expected < ends.mean_games < 1.25 * expected
    assert ends.up.sum() >= 0.8 and walk(sprt_zones(goal), 0.5, 0.0).up.sum() <= 0.025 / 0.8
