"""Who meets whom, in which order, and what bounds a fight and an army."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from balance.chance.rolls.process import Process
from balance.game.kit import never
from balance.game.kit.combat.budget import LONGEST_ROUNDS, over_budget, step_limit
from balance.game.kit.combat.orders import Meeting, turns


def asked(first: str) -> Any:
    """Return what a meeting needs of a question: two knights and a rat against the same rat."""
    armies = {"a": SimpleNamespace(units=("knight", "rat", "knight"), lost_actions=2)}
    return SimpleNamespace(sides={**armies, "b": SimpleNamespace(units=("rat",), lost_actions=None)}, first=first)


def played(meeting: Meeting[Any]) -> list[dict[str, Any]]:
    """Return what each process of a meeting is made of."""
    made: list[dict[str, Any]] = []

    def play(a: np.ndarray, b: np.ndarray, **terms: Any) -> Process:
        made.append({"a": a.tolist(), "b": b.tolist(), **terms})
        return Process({}, (), never, lambda state, steps: state, 0)

    assert len(meeting.processes(play, "literal")) == len(made)
    return made


def test_members_of_both_armies_are_numbered_once() -> None:
    meeting = Meeting.of(asked("a"))
    assert (meeting.members, meeting.armies) == (("knight", "rat"), ((0, 1, 0), (1,)))
    assert (meeting.first, meeting.lost_actions) == ("a", (2, 0))


def test_there_is_a_process_for_each_order_that_is_equally_likely() -> None:
    common = {"a": [[0, 1, 0]], "b": [[1]], "lane": "literal", "lost_actions": (2, 0)}
    assert played(Meeting.of(asked("b"))) == [{**common, "order": "ba"}]
    assert played(Meeting.of(asked("random"))) == [{**common, "order": "ab"}, {**common, "order": "ba"}]


def test_each_side_has_a_turn_against_the_other() -> None:
    assert turns("ab") == (("a", "b"), ("b", "a"))
    assert turns("ba") == (("b", "a"), ("a", "b"))


def test_a_fight_without_a_limit_lasts_long_unless_nobody_can_hurt_anybody() -> None:
    assert step_limit(2, 5) == step_limit(2, 5, harmless=True) == 10
    assert step_limit(0, 5) == 5 * LONGEST_ROUNDS
    assert step_limit(0, 5, harmless=True) == 5


def test_an_army_may_cost_its_budget_and_no_more_and_0_is_no_budget() -> None:
    assert [list(over_budget("a", cost, budget)) for cost, budget in ((200, 200), (200, 0))] == [[], []]
    (fault,) = over_budget("b", 203, 200, "war points")
    assert str(fault) == "b: '203' war points are over the budget; allowed: at most 200; it costs 3 too much"
