"""Choices that both sides ask for are worked out once."""

from __future__ import annotations

from threading import Thread
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.process import Policy, State, take_trials
from balance.chance.solvers import MatrixSolutions, solve_matrix_games
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.view import SIDES
from balance.games.edadh.solving import choices as module
from balance.games.edadh.solving.choices import EndChoices, TurnChoices, latest
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from tests.games.edadh.solving.met import met_in_play, moves


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many states the rules are asked about, each time."""
    asked, told = list[int](), Moves.turns

    def turns(self: Moves, state: State, **more: Any) -> Any:
        asked.append(len(state["over"]))
        return told(self, state, **more)

    monkeypatch.setattr(Moves, "turns", turns)
    return asked


def begun(duel: Moves) -> State:
    """Return some positions with a turn left."""
    state = met_in_play(duel, 6, 0)
    return {**state, "a_mp": np.arange(4, 10, dtype=np.int16)}


def test_the_same_states_ask_once(asked: list[int]) -> None:
    """However many ask, one after another."""
    duel = moves("spears", "shieldsmen")
    first = latest(TurnChoices, duel, begun(duel))
    assert all(latest(TurnChoices, duel, begun(duel)) is first for _ in range(3))
    assert asked == [6]


def test_other_states_ask_anew(asked: list[int]) -> None:
    """Whatever differs; and only the latest are remembered."""
    duel = moves("spears", "shieldsmen")
    state, found = begun(duel), list[TurnChoices]()
    others = [{**state, f"{side}_{name}": state[f"{side}_{name}"] + 1} for side in SIDES for name in ("mp", "damage")]
    others += [take_trials(state, slice(0, 5)), take_trials(state, np.arange(6)[::-1])]
    for other in [state, *others, state]:
        found.append(latest(TurnChoices, duel, other))
    assert asked == [6, 6, 6, 6, 6, 5, 6, 6]
    assert len(set(map(id, found))) == len(found)


def test_other_moves_ask_anew(asked: list[int]) -> None:
    """Of the same states; only what was asked last is kept, so that nothing else is kept alive."""
    one, other = moves("spears", "shieldsmen"), moves("spears", "shieldsmen", "rules.combine_on_tie=true")
    state = begun(one)
    found = [latest(TurnChoices, each, state) for each in (one, one, other, other, one)]
    assert asked == [6, 6, 6]
    assert found[0] is found[1] and found[2] is found[3]
    assert len({id(each) for each in found}) == 3


def test_turns_and_ends_of_the_same_states_are_told_apart() -> None:
    duel = moves("spears", "shieldsmen")
    state = begun(duel)
    turn, end = latest(TurnChoices, duel, state), latest(EndChoices, duel, state)
    assert isinstance(turn, TurnChoices) and isinstance(end, EndChoices)
    assert latest(TurnChoices, duel, state) is turn and latest(EndChoices, duel, state) is end


def test_another_thread_asks_for_itself(asked: list[int]) -> None:
    duel, found = moves("spears", "shieldsmen"), list[TurnChoices]()
    mine = latest(TurnChoices, duel, begun(duel))
    thread = Thread(target=lambda: found.append(latest(TurnChoices, duel, begun(duel))))
    thread.start()
    thread.join()
    assert asked == [6, 6] and found[0] is not mine
    assert latest(TurnChoices, duel, begun(duel)) is mine


def test_games_are_solved_once_for_each_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are where nothing is remembered."""
    solved = list[int]()

    def counted(payoffs: Any, *legal: Any) -> MatrixSolutions:
        solved.append(len(payoffs))
        return solve_matrix_games(payoffs, *legal)

    monkeypatch.setattr(module, "solve_matrix_games", counted)
    duel = moves("spears", "shieldsmen")
    choices, one, other = TurnChoices(duel, begun(duel)), Estimate(duel), Estimate(duel)
    found = choices.solution(one)
    assert choices.solution(one) is found
    assert choices.solution(other) is not found
    assert solved == [6, 6]
    assert np.array_equal(found.values, solve_matrix_games(choices.payoffs(one)).values)


def test_duels_are_the_same_where_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides looking ahead, and one against another player."""
    duel = moves("spears:2", "shieldsmen+archers", "a.mp=12", "b.mp=12")
    player = LookAhead(worth=Estimate(duel))
    pairs: list[tuple[Policy, Policy]] = [(player, player), (player, Uniform())]
    kept = [score(duel, pair, 60, 1, "remembered") for pair in pairs]
    monkeypatch.setattr("balance.games.edadh.solving.look_ahead.latest", lambda kind, duel, state: kind(duel, state))
    assert [score(duel, pair, 60, 1, "remembered") for pair in pairs] == kept
