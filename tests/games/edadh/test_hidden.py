"""What a side cannot know is dealt anew, and whoever reads it all the same is caught."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.game.authoring.choice_checks import check_choices
from balance.game.loaded import load
from balance.game.question.question import Question
from balance.games.edadh import GAME
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.hidden import conceal
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.commands import IN_DECK, IN_PLAY, LOCKED, Command
from balance.games.edadh.rules.look_up import literally
from balance.games.edadh.rules.view import View
from tests.games.edadh.at_random import AT_RANDOM

LED = ("angueth_warband", "huaos_dzaa_warband")
SECRET = ("ambush", "war_cry", "counter")


def state_with(question: Question, n: int, **columns: int) -> State:
    duel = question.setup.duel
    state = start_state(duel_process(duel, literally(duel.arena)), n)
    return {**state, **{name: np.full(n, value, np.int16) for name, value in columns.items()}}


def test_as_many_others_are_locked() -> None:
    question = load(GAME).ask("duel", *LED)
    state = state_with(question, 200, b_s_ambush=LOCKED, b_s_volley=IN_PLAY, a_s_counter=LOCKED)
    after = conceal(question.setup, state, "a", RandomRolls(1, "check", 0, 200))
    changed = {name for name in state if not np.array_equal(state[name], after[name])}
    assert changed == {"b_s_ambush", "b_s_war_cry", "b_s_counter"}
    assert sum((after[f"b_s_{card}"] == LOCKED) + 0 for card in SECRET).tolist() == [1] * 200
    assert set(after["b_s_ambush"].tolist()) == {IN_DECK}
    assert 50 < int((after["b_s_counter"] == LOCKED).sum()) < 150


def test_a_duel_without_battle_masters_hides_nothing() -> None:
    question = load(GAME).ask("duel", "angueth_learning", "huaos_dzaa_learning")
    state = state_with(question, 3)
    assert conceal(question.setup, state, "a", RandomRolls(1, "check", 0, 3)) is state


@dataclass(frozen=True)
class Peeking(Uniform):
    """Plays its dearest card where the opponent has locked an ambush."""

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return 11 in those trials, else what anyone would play."""
        option = super().choose(name, legal, view, rolls)
        return np.where(view.foe_column("s_ambush") == LOCKED, 11, option) if name == "card" else option


def problems(policy: Uniform) -> list[str]:
    """Return what the check of choices says of a duel that side a plays by a policy."""
    kind = GAME.kinds["duel"]

    def processes(setup: Any, lane: str) -> Any:
        return tuple(replace(p, policies={**p.policies, "a": policy}) for p in kind.processes(setup, "compiled"))

    plain = {name: replace(policies, quick=("random",)) for name, policies in kind.policies.items()}
    game = replace(GAME, kinds={"duel": replace(kind, processes=processes, policies=plain)})
    return list(check_choices(load(game, load("edadh").catalogue).ask("duel", *LED, **AT_RANDOM)))


def test_a_locked_stratagem_cannot_be_read() -> None:
    """The view does not hold it, so that even who tries learns nothing."""
    assert problems(Peeking()) == []


@pytest.mark.parametrize("policy", [Peeking(), Uniform()])
def test_a_view_that_shows_a_locked_stratagem_is_found(policy: Uniform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Command, "face_up", lambda self, state, side: state)
    assert any("tells what it cannot know: b_s_" in problem for problem in problems(policy))


def test_an_order_that_follows_a_locked_stratagem_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Command, "face_up", lambda self, state, side: state)
    monkeypatch.setattr("balance.game.authoring.choice_checks._request_differences", lambda one, other, same: ())
    assert any("side a chooses 'card' by what it cannot know" in problem for problem in problems(Peeking()))
    assert problems(Uniform()) == []


def test_the_secondary_card_is_played_unseen() -> None:
    """Nobody sees the other's `mst` or `tcts` of this turn before both mastery cards are down (WE-CM.2)."""
    seen: dict[str, set[int]] = {"card": set(), "troop": set()}

    class Noting(Uniform):
        def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
            if name in seen:
                seen[name] |= set(view.foe_column("second").tolist())
            return super().choose(name, legal, view, rolls)

    duel = replace(load(GAME).ask("duel", *LED).setup.duel, policies=(Noting(), Uniform()))
    process = duel_process(duel, literally(duel.arena))
    rolls = RandomRolls(3, "check", 0, 100)
    process.step(1)(process.step(0)(start_state(process, 100), rolls), rolls)
    assert seen["card"] == {0}
    assert len(seen["troop"]) == 3
