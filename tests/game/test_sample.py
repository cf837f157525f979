"""What was counted in simulated trials, with its error bars; who won is told by the column that has that role."""

from __future__ import annotations

from dataclasses import replace

import pytest

from balance.base.errors import UsageError
from balance.chance.pmf import Pmf
from balance.chance.trials.stopping import anytime_interval, wilson_interval
from balance.game.loaded import load
from balance.game.question.answer import answer
from balance.game.question.choices import Budget
from balance.game.question.question import Sample
from balance.game.question.spread import results_of
from tests.toy.game import GAME as TOY
from tests.toy.renamed import GAME as RENAMED

ASKED = load(TOY).duel("knight", "rat", {"b.health": 9}), load(RENAMED).duel("knight", "rat", {"b.health": 9})


@pytest.mark.parametrize("first", ["a", "b", "random"])
@pytest.mark.parametrize("budget", [{}, {"trials": 500}, {"half_width": 0.03}])
def test_it_is_the_same_answer_whatever_the_column_of_the_winner_is_called(
    first: str, budget: dict[str, float]
) -> None:
    one, other = (answer(asked.again(first=first), Budget(**budget, seed=3)) for asked in ASKED)  # type: ignore[arg-type]
    assert one.distribution is not None
    assert other.distribution is not None
    chances = one.question.p_win()
    assert 0.01 < chances["a"] < 0.99
    assert other.question.p_win() == chances
    assert other.distribution.outcomes.tolist() == one.distribution.outcomes.tolist()
    assert other.distribution.columns == ("outcome", "winner")
    assert other.first_movers == one.first_movers
    if budget:
        assert one.simulated is not None
        assert other.simulated is not None
        assert other.simulated.n_trials == one.simulated.n_trials
        assert other.simulated.p_win() == one.simulated.p_win() != chances
        assert other.simulated.p_win_interval() == one.simulated.p_win_interval()


def test_a_result_is_told_by_the_column_of_the_winner_alone() -> None:
    counts = Pmf.of({(1, 2): 3, (2, 1): 4, (2, 2): 5}, ("outcome", "winner"))
    won = {name: counts.weight(result) for name, result in results_of(RENAMED.kinds["duel"]).items()}
    assert won == {"a": 3, "b": 9, "draw": 0}
    assert results_of(RENAMED.kinds["attack"]) == {}


def test_a_half_width_is_for_a_kind_of_question_that_somebody_wins() -> None:
    with pytest.raises(UsageError, match="attack has no winner"):
        load(RENAMED).attack("knight", "rat").check(Budget(half_width=0.01))


def test_error_bars_are_those_of_the_method_that_was_used() -> None:
    duel = load(TOY).duel("knight", "rat")
    counts = Pmf.of({(1, 3): 70, (2, 5): 20, (0, 9): 10}, ("winner", "strikes"))
    tally = replace(duel.simulate(100).tally, result=counts)
    fixed = Sample(duel, tally, 0, "literal")
    assert (fixed.n_trials, fixed.distribution) == (100, counts)
    assert fixed.p_win() == {"a": 0.7, "b": 0.2, "draw": 0.1}
    assert fixed.p_win_interval() == {
        "a": wilson_interval(70, 100, 0.95),
        "b": wilson_interval(20, 100, 0.95),
        "draw": wilson_interval(10, 100, 0.95),
    }
    looked = replace(fixed, looked_repeatedly=True, level=0.9)
    assert looked.p_win_interval()["b"] == anytime_interval(20, 100, 0.9)
    mean = (3 * 70 + 5 * 20 + 9 * 10) / 100
    variance = (9 * 70 + 25 * 20 + 81 * 10) / 100 - mean**2
    half = 1.959963985 * (variance / 100) ** 0.5
    assert fixed.mean_interval("strikes") == pytest.approx((mean - half, mean + half))
    half *= 1.644853627 / 1.959963985
    assert looked.mean_interval("strikes") == pytest.approx((mean - half, mean + half))


def test_trials_are_looked_at_repeatedly_only_for_a_half_width() -> None:
    duel = load(TOY).duel("knight", "rat", {"b.health": 9})
    assert not duel.simulate(500).looked_repeatedly
    stopped = duel.simulate(half_width=0.05)
    assert stopped.looked_repeatedly
    assert all(high - low <= 0.1 + 1e-12 for low, high in stopped.p_win_interval().values())
    assert (stopped.seed, stopped.lane) == (0, "literal")


def test_a_budget_is_asked_for_by_either_number() -> None:
    asked = [Budget(), Budget(trials=1), Budget(half_width=0.1), Budget(trials=1, half_width=0.1)]
    assert [budget.is_asked for budget in asked] == [False, True, True, True]
    with pytest.raises(UsageError, match="a seed is a whole number"):
        ASKED[0].check(Budget(seed=-1))
    ASKED[0].check(Budget(half_width=0.1))
