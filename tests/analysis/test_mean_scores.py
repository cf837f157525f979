"""Mean scores are known in tug of war: chances of every match-up, averaged over opponents and budgets."""

from __future__ import annotations

import numpy as np
import pytest

from balance.analysis.armies import battles
from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.mean_scores import ROUND, MeanScores, mean_scores
from balance.base.arrays import FloatArray
from balance.engine.runner import Engine, Runner
from balance.game.armies.armies import ChangedMember
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

STRENGTHS = (100, 200, 400)
NAMES = ("b0+rope", "b1+rope", "b2+rope")
FOUR_EACH = ArmySetting("lineup", ((40, 9), (40.0001, 9)))
TENS = np.full(3, 10.0)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedGame:
    bodies = [(f"b{at}", 10, strength) for at, strength in enumerate(STRENGTHS)]
    return load(GAME, write_catalogue(tmp_path_factory.mktemp("tug") / "c", bodies, [("rope", 0, 100)]))


def armies(budget: float, cost: float) -> list[tuple[float, int]]:
    """Return the chance and the size of each army of one member that a budget may buy."""
    whole = int(budget // cost)
    more = budget / cost - whole
    return [(1 - more, max(whole, 1)), (more, whole + 1)]


def chance(one: tuple[float, float], other: tuple[float, float], budget: float) -> float:
    """Return what `one` scores against `other`, each a strength and a cost, at one budget: by the rules."""
    return sum(
        often * as_often * (one[0] * n) ** 2 / ((one[0] * n) ** 2 + (other[0] * k) ** 2)
        for often, n in armies(budget, one[1])
        for as_often, k in armies(budget, other[1])
    )


def expected(one: tuple[float, float], others: list[tuple[float, float]], least: float, most: float) -> float:
    """Return the mean score over opponents alike, and over budgets evenly in the log."""
    budgets = np.exp(np.linspace(np.log(least), np.log(most), 801)).tolist()
    return float(np.mean([chance(one, other, budget) for other in others for budget in budgets]))


def test_scores_are_those_of_the_rules_over_all_budgets_and_opponents(loaded: LoadedGame) -> None:
    costs = np.array([9.0, 21.0, 55.0])
    field = list(zip(map(float, STRENGTHS), costs.tolist(), strict=True))
    truth = [expected(one, [other for other in field if other != one], 60, 150) for one in field]
    found = mean_scores(Runner(loaded), ArmySetting("lineup", ((60, 9), (150, 9))), NAMES, costs, 12_000, 1)
    assert np.abs(found.scores - truth).max() < 4 * found.errors.max()
    assert found.errors.max() < 0.004
    assert found.n_pairs == 12_000 // (ROUND // 3) * (ROUND // 3) + ROUND // 3


def test_a_changed_member_meets_the_field_as_it_is_and_never_whom_it_stands_for(loaded: LoadedGame) -> None:
    members = (*NAMES, ChangedMember("b0+rope", (("bodies.b0.strength", "400"),)))
    found = mean_scores(
        Runner(loaded), FOUR_EACH, members, np.full(4, 10.0), 4000, 1,
        rows=np.array([3, 1]), stands_for=np.array([0, 1]), n_field=3,
    )  # fmt: skip
    truth = np.array([(4 / 5 + 1 / 2) / 2, (4 / 5 + 1 / 5) / 2])
    assert np.abs(found.scores - truth).max() < 4 * found.errors.max()


def test_those_who_stand_for_the_same_meet_the_same(loaded: LoadedGame) -> None:
    """One that is no other than whom it stands for scores the same to the last bit, in a call of its own."""
    members, costs = (*NAMES, ChangedMember("b0+rope", ())), np.full(4, 10.0)
    one, other = (
        mean_scores(
            Runner(loaded), FOUR_EACH, members, costs, 500, 3, rows=np.array([row]), stands_for=np.array([0]), n_field=3
        )
        for row in (0, 3)
    )
    assert one == MeanScores(one.scores, one.errors, other.first_mover, other.first_mover_error, other.n_pairs)
    assert one.scores.tolist() == other.scores.tolist()


def test_no_number_hangs_on_who_works_it_out_and_all_on_the_seed(loaded: LoadedGame) -> None:
    alone = mean_scores(Runner(loaded), FOUR_EACH, NAMES, TENS, 5000, 3)
    with Runner(loaded, Engine("threads", 2)) as runner:
        together = mean_scores(runner, FOUR_EACH, NAMES, TENS, 5000, 3)
    assert together.scores.tolist() == alone.scores.tolist()
    assert (together.first_mover, together.n_pairs) == (alone.first_mover, alone.n_pairs)
    assert mean_scores(Runner(loaded), FOUR_EACH, NAMES, TENS, 5000, 4).scores.tolist() != alone.scores.tolist()


@pytest.mark.slow("test_scores_are_those_of_the_rules_over_all_budgets_and_opponents")
def test_errors_are_how_far_scores_are_off(loaded: LoadedGame) -> None:
    """Over 60 seeds: the mean of z^2 is 1 +- .12, of the first mover 1 +- .18; the control is errors off by a half."""
    wins = np.array([(1 / 5 + 1 / 17), (4 / 5 + 1 / 5), (16 / 17 + 4 / 5)]) / 2
    found = [mean_scores(Runner(loaded), FOUR_EACH, NAMES, TENS, 1, seed) for seed in range(60)]
    squares = np.array([((one.scores - wins) / one.errors) ** 2 for one in found])
    first = np.array([(one.first_mover / one.first_mover_error) ** 2 for one in found])
    assert 0.6 < squares.mean() < 1.5
    assert 0.4 < first.mean() < 1.9
    assert (squares * 1.5**2).mean() > 1.5
    assert np.mean([one.first_mover for one in found]) == pytest.approx(0, abs=4 * found[0].first_mover_error / 60**0.5)


def test_whoever_goes_first_is_told_apart_from_who_is_strong(
    loaded: LoadedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the first always wins, all score one half; where nobody wins, there is nothing to have in going first."""
    monkeypatch.setattr(battles, "scores_of", lambda winner: np.ones(len(winner)))
    found = mean_scores(Runner(loaded), FOUR_EACH, NAMES, TENS, 10, 1)
    assert (found.scores.tolist(), found.first_mover) == ([0.5] * 3, 1.0)
    monkeypatch.setattr(battles, "scores_of", lambda winner: np.full(len(winner), 0.5))
    found = mean_scores(Runner(loaded), FOUR_EACH, NAMES, TENS, 10, 1)
    assert (found.scores.tolist(), found.first_mover) == ([0.5] * 3, 0.0)
    n = ROUND // 3
    assert found.errors == pytest.approx(np.full(3, (0.25 / n / (n - 1)) ** 0.5))  # never 0, however sure
    assert found.first_mover_error == pytest.approx((0.25 / (3 * n) / (3 * n - 1)) ** 0.5)


def test_the_spread_is_that_of_scores_without_what_dice_add() -> None:
    off: FloatArray = np.array([-0.05, 0.01, 0.07])
    found = MeanScores(0.5 + off, np.array([0.01, 0.02, 0.03]), 0.0, 0.01, 100)
    assert found.spread == pytest.approx(((0.0025 + 0.0001 + 0.0049 - 0.0001 - 0.0004 - 0.0009) / 3) ** 0.5)
    assert MeanScores(0.5 + off, np.full(3, 0.06), 0.0, 0.01, 100).spread == 0.0
