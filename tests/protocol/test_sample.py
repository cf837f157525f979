"""What was counted in simulated trials, with its error bars; who won is told by the column that has that role."""

from __future__ import annotations

import pytest

from balance.errors import UsageError
from balance.pmf import Pmf
from balance.protocol.loaded import load
from balance.protocol.sample import Budget, results_of
from tests.toy.game import GAME as TOY
from tests.toy.renamed import GAME as RENAMED

ASKED = load(TOY).duel("knight", "rat", {"b.health": 9}), load(RENAMED).duel("knight", "rat", {"b.health": 9})


@pytest.mark.parametrize("first", ["a", "b", "random"])
@pytest.mark.parametrize("budget", [{}, {"trials": 500}, {"half_width": 0.03}])
def test_it_is_the_same_answer_whatever_the_column_of_the_winner_is_called(
    first: str, budget: dict[str, float]
) -> None:
    one, other = (asked.again(first=first).answer(**budget, seed=3) for asked in ASKED)  # type: ignore[arg-type]
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
        Budget(half_width=0.01).check(load(RENAMED).attack("knight", "rat"))
