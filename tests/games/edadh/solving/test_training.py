"""What is watched in play, to learn from: positions, and what the duel they were met in came to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.process import start_state, take_trials
from balance.chance.rolls.requests import Request, Uniform
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls
from balance.game.loaded import load
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.solving import training
from balance.games.edadh.solving.solve import moves_of


@pytest.mark.parametrize("most_periods", [1, 40])
def test_a_duel_that_is_not_ended_in_time_counts_as_half(monkeypatch: pytest.MonkeyPatch, most_periods: int) -> None:
    monkeypatch.setattr(training, "MOST_PERIODS", most_periods)
    moves = moves_of(load("edadh").ask("duel", "spears", "shieldsmen").setup.duel)
    met = list(training.trajectories(moves, moves.duel.policies, RandomRolls(1, "watch", 0, 200)))
    worth = np.concatenate([each.result for each in met])
    assert met[0].duel.tolist() == list(range(200)), "every duel is met at its start"
    assert set(worth.tolist()) <= {0.0, 0.5, 1.0}
    assert (met[0].result == 0.5).mean() > 0.2 if most_periods == 1 else {0.0, 1.0} <= set(worth.tolist())


def test_the_dice_of_a_block_are_the_same_each_time() -> None:
    moves = moves_of(load("edadh").ask("duel", "spears", "shieldsmen").setup.duel)
    one, other = (list(training.trajectories(moves, moves.duel.policies, RandomRolls(1, "w", 0, 50))) for _ in range(2))
    for ours, theirs in zip(one, other, strict=True):
        assert np.array_equal(ours.duel, theirs.duel)
        assert np.array_equal(ours.result, theirs.result)
        assert all(np.array_equal(column, theirs.state[name]) for name, column in ours.state.items())


def test_a_position_that_lands_with_no_turn_left_has_nothing_left_of_the_turn() -> None:
    """EOP1 and EOP2 have been done: nobody is relieved any more, stands up or is combined; else all stays."""
    moves = moves_of(load("edadh").ask("duel", "spears", "shieldsmen").setup.duel)
    process = duel_process(moves.duel, moves.resolve)
    state = start_state(process, 100)
    rolls = RandomRolls(1, "land", 0, 100)
    seen = set()
    for number in range(len(process.steps)):
        state = process.step(number)(state, rolls)
        landed = moves.land(state)
        at_end = state["turns"] == 0
        seen |= set(at_end.tolist())
        for name in ("relief", "combine"):
            for side in "ab":
                column = landed[f"{side}_{name}"]
                assert not column[at_end].any()
                assert np.array_equal(column[~at_end], state[f"{side}_{name}"][~at_end])
    assert seen == {True, False}


def test_a_learner_begins_with_few_mp_half_of_the_time() -> None:
    """A share from a thousandth to one, every second time all of it, rounded up to whole MP."""
    luck = {"a begins": np.array([0, 499, 500, 999, 1000, 1999]), "b begins": np.array([99, 100, 899, 998, 1500, 0])}
    asked = {}

    def around(rolls: Rolls, request: Request[Any]) -> Any:
        assert isinstance(request, Uniform)
        asked[request.name] = request.m
        return luck[request.name]

    state: dict[str, Any] = {"a_mp": np.zeros(6, np.int16), "b_mp": np.zeros(6, np.int16), "turns": np.arange(6)}
    begun = training._with_fewer_mp(state, (60, 50), ProxyRolls(RandomRolls(1, "none", 0, 6), around))  # type: ignore[arg-type]
    assert asked == {"a begins": 2000, "b begins": 2000}
    assert begun["a_mp"].tolist() == [1, 30, 31, 60, 60, 60]
    assert begun["b_mp"].tolist() == [5, 6, 45, 50, 50, 1]
    assert begun["turns"] is state["turns"] and not state["a_mp"].any()


def test_which_positions_are_met() -> None:
    """Before each turn, and when a Period's end begins, of the duels that go on."""
    moves = moves_of(load("edadh").ask("duel", "spears:2", "shieldsmen:2", ["a.mp=9"]).setup.duel)
    met = list(training.trajectories(moves, moves.duel.policies, RandomRolls(1, "watch", 0, 40)))
    turns = [set(each.state["turns"].tolist()) for each in met]
    assert turns[:3] == [{2}, {1}, {0}]
    assert all(found <= {0, 1, 2} for found in turns[3:])
    assert [len(each.result) for each in met[:2]] == [40, 40]
    for each in met:
        assert len(each.duel) == len(each.result) == len(each.state["over"])
        assert not (end_codes(each.state) >= 0).any(), "what has ended is not met"


def test_positions_are_told_with_the_duel_they_were_met_in_and_what_it_came_to() -> None:
    """One result a duel, however often it is met: that of the duels stepped through on the same dice."""
    moves = moves_of(load("edadh").ask("duel", "spears:2", "shieldsmen:2").setup.duel)
    met = list(training.trajectories(moves, moves.duel.policies, RandomRolls(3, "watch", 0, 60), fewer_mp=False))
    process, rolls = duel_process(moves.duel, moves.resolve), RandomRolls(3, "watch", 0, 60)
    state, going, came_to, number = start_state(process, 60), np.arange(60), np.full(60, 0.5), 0
    while len(going) and number < training.MOST_PERIODS * len(process.steps):
        state, number = process.step(number)(state, rolls), number + 1
        for winner, result in ((1, 1.0), (2, 0.0)):
            came_to[going[end_codes(state) == winner]] = result
        left = np.flatnonzero(end_codes(state) < 0)
        state, going = take_trials(state, left), going[left]
        rolls.keep(left)
    assert set(came_to.tolist()) == {0.0, 0.5, 1.0}
    for each in met:
        assert np.array_equal(each.result, came_to[each.duel])
        assert (np.diff(each.duel) > 0).all(), "no duel is met twice at once"


@pytest.mark.parametrize("fewer_mp", [True, False])
def test_duels_begin_with_fewer_mp_if_asked(fewer_mp: bool) -> None:
    moves = moves_of(load("edadh").ask("duel", "spears", "shieldsmen", ["a.mp=50", "b.mp=40"]).setup.duel)
    rolls = RandomRolls(1, "watch", 0, 100)
    met = next(training.trajectories(moves, moves.duel.policies, rolls, fewer_mp=fewer_mp))
    for side, most in (("a", 50), ("b", 40)):
        begun = met.state[f"{side}_mp"]
        assert begun.max() == most
        assert 25 < (begun < most).sum() < 75 if fewer_mp else (begun == most).all()
