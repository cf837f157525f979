"""Random probes of how large a duel is: they agree with what can be counted, and say how far they may be off."""

from __future__ import annotations

import numpy as np
import pytest

from balance.chance.exact.tree import every_option
from balance.chance.rolls.process import start_state, take_trials
from balance.game.loaded import load
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules.look_up import quickest
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.training import moves_of
from tests.games.edadh.solving.probes import chao, count_positions, lines_of_play

SIGMAS = 4.5 / 1.96
"""Halves of 95 % intervals: a right estimate lies further off about once in 100,000 seeds; the seeds are fixed."""


def duel_of(a: str, b: str, *changes: str) -> Duel:
    duel: Duel = load("edadh").ask("duel", a, b, list(changes)).setup.duel
    return duel


def counted(duel: Duel) -> int:
    """Return how many lines of play the first Period has, by following each of them."""
    process, ended = duel_process(duel, quickest(duel.arena)), 0
    state = start_state(process, 1)
    for step in process.steps:
        state = every_option(step, state).state
        over = state["over"] > 0
        ended += int(over.sum())
        state = take_trials(state, np.flatnonzero(~over))
    return ended + len(state["over"])


@pytest.mark.parametrize(
    ("a", "b", "changes"),
    [
        ("spears", "shieldsmen", ()),
        ("spears", "shieldsmen", ("a.mp=20", "b.mp=12")),
        ("spears/swords", "archers+shieldsmen", ("a.mp=25", "b.mp=25")),
    ],
)
def test_lines_of_play_are_those_that_can_be_followed(a: str, b: str, changes: tuple[str, ...]) -> None:
    duel = duel_of(a, b, *changes)
    found, exact = lines_of_play(duel, quickest(duel.arena), 4000, 1), counted(duel)
    assert exact >= 144
    assert abs(found.number - exact) <= SIGMAS * found.half_width + 1e-9


def test_a_period_without_a_choice_but_cards_has_144_lines() -> None:
    duel = duel_of("spears", "shieldsmen")
    found = lines_of_play(duel, quickest(duel.arena), 100, 1)
    assert (found.number, found.half_width) == (144.0, 0.0)


def test_every_position_of_a_small_duel_is_met() -> None:
    """And no more than there are; those with a turn left are the states that are solved."""
    duel = duel_of("archers", "gunners", "a.mp=2", "b.mp=2")
    exact = DuelStates.of(moves_of(duel)).layer_sizes[0]
    met, least = count_positions(duel, quickest(duel.arena), 20_000, 1)[1]
    assert met == exact
    assert least.number >= met


@pytest.mark.slow("test_every_position_of_a_small_duel_is_met")
def test_what_is_told_of_a_larger_one_is_no_more_than_there_is() -> None:
    """A lower bound, and a better one with more probes."""
    duel = duel_of("spears:2", "shieldsmen:2", "a.mp=6", "b.mp=6")
    exact = DuelStates.of(moves_of(duel)).layer_sizes[:2]
    few, many = (count_positions(duel, quickest(duel.arena), n, 1) for n in (500, 8000))
    for turns, size in zip((2, 1), exact, strict=True):
        assert few[turns][0] < many[turns][0] <= size
        assert many[turns][1].number - SIGMAS * many[turns][1].half_width < size


def test_kinds_met_once_tell_of_kinds_never_met() -> None:
    """Chao's formula by hand; many hidden kinds, all alike, are found within the error that is told."""
    found = chao(np.array([1, 1, 1, 1, 2, 2, 5]))
    assert found.number == 7 + 4 * 3 / (2 * 2)
    rng = np.random.default_rng(1)
    drawn = np.bincount(rng.integers(0, 5000, 6000), minlength=5000)
    told = chao(drawn[drawn > 0])
    assert abs(told.number - 5000) < SIGMAS * told.half_width
    assert told.half_width < 400
