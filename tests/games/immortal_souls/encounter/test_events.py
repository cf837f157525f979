"""Event cards, spawn formulas and gates: the rulebook's rhythm and numbers, and plain Python."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.base.errors import UsageError
from balance.chance.exact.enumeration import expand, plan_step
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import FixedRolls, RandomRolls, Rolls
from balance.games.immortal_souls.encounter.board.decks import NO_CARD, full_deck
from balance.games.immortal_souls.encounter.board.events import (
    NO_GATE,
    NO_SPAWN,
    Events,
    Gates,
    event_phase,
    lasting_card,
    lay_on_top,
    to_spawn,
)

BLUE = (
    ("MIS",), ("HIT",), ("HIT",), ("SHD",), ("SHD",),
    ("HIT", "SHD"), ("SHD", "ABI"), ("ABI",), ("MAG",), ("HIT", "MAG"),
)  # fmt: skip


def none_open(n: int) -> Events:
    """Return trials in which no event card lies open."""
    return Events(np.full(n, NO_CARD, np.int8), np.zeros(n, np.int8), np.full(n, NO_CARD, np.int8))


def told(picks: list[int], aside: list[bool], stories: dict[int, int]) -> list[tuple[int, int, int, int]]:
    """Return of every Event Phase of one quest: revealed, in force afterwards, set aside, failed.

    `picks` tells for each phase the how-manieth card left is drawn, if one is; `stories` are cards laid on the deck
    before a phase.
    """
    rolls, events, places = FixedRolls({"event": picks}), none_open(1), full_deck(1, len(aside))
    rows = []
    for phase in range(len(picks)):
        events = lay_on_top(events, np.array([stories.get(phase, 0)]))
        found = event_phase(events, places, np.array(aside), rolls)
        _, events, places, failed = found
        assert {column.dtype.name for column in (found.card, *events, places)} == {"int8"}
        rows.append((int(found.card[0]), int(lasting_card(events)[0]), int(events.aside[0]), int(failed[0])))
    return rows


def test_an_event_every_two_rounds() -> None:
    """IS-EX-68, IS-EVT.1, IS-EVT.2, IS-EVT.5: revealed, discarded; with the last one the quest is lost."""
    assert told([1, 0, 0, 0], [False, False], {}) == [
        (1, 1, NO_CARD, 0),
        (NO_CARD, NO_CARD, NO_CARD, 0),
        (0, 0, NO_CARD, 0),
        (NO_CARD, NO_CARD, NO_CARD, 1),
    ]


def test_night_and_day_are_set_aside_at_once() -> None:
    """IS-EX-68, IS-EVT.4: the next round reveals another card; day takes the place of night."""
    night, day, other = 0, 1, 2
    assert told([0, 1, 0, 0], [True, True, False], {}) == [
        (night, NO_CARD, night, 0),
        (other, other, night, 0),
        (NO_CARD, NO_CARD, night, 0),
        (day, NO_CARD, day, 1),
    ]


def test_a_story_covers_an_event_and_gives_time() -> None:
    """IS-EVT.3: it is discarded first; what it covered is open again, and not revealed again."""
    assert told([0] * 5, [False, False], {1: 1}) == [
        (0, 0, NO_CARD, 0),
        (NO_CARD, 0, NO_CARD, 0),
        (NO_CARD, NO_CARD, NO_CARD, 0),
        (1, 1, NO_CARD, 0),
        (NO_CARD, NO_CARD, NO_CARD, 1),
    ]
    covered = lay_on_top(Events(*(np.array([card]) for card in (1, 0, 0))), np.array([1]))
    assert lasting_card(covered).tolist() == [NO_CARD]
    assert told([0] * 3, [False], {1: 1})[1:] == [(NO_CARD, 0, NO_CARD, 0), (NO_CARD, NO_CARD, NO_CARD, 1)]
    assert told([0] * 2, [True], {0: 1}) == [(NO_CARD, NO_CARD, NO_CARD, 0), (0, NO_CARD, 0, 1)]


@pytest.mark.parametrize("seed", range(10))
def test_random_quests_as_in_plain_python(seed: int) -> None:
    """IS-EVT.1 to IS-EVT.6: a deck played through in a hundred trials, with stories laid on it now and then."""
    rng = np.random.default_rng([61, seed])
    n, n_cards = 100, int(rng.integers(1, 7))
    aside = rng.random(n_cards) < 0.3
    rolls, events, places = RandomRolls(seed, "events", 0, n), none_open(n), full_deck(n, n_cards)
    literal = [Quest(aside.tolist()) for _ in range(n)]
    for phase in range(3 * n_cards + 2):
        stories = (rng.random(n) < 0.1 * (phase < n_cards)).astype(np.int8)
        card, events, places, failed = event_phase(lay_on_top(events, stories), places, aside, rolls)
        lost = [
            quest.phase(story, drawn)
            for quest, story, drawn in zip(literal, stories.tolist(), card.tolist(), strict=True)
        ]
        assert failed.tolist() == lost
        assert lasting_card(events).tolist() == [quest.top() for quest in literal]
        assert events.aside.tolist() == [quest.beside for quest in literal]
    assert failed.all()


class Quest:
    """A pile of event cards: what lies on it, face up."""

    def __init__(self, aside: list[bool]) -> None:
        self.aside, self.left, self.pile, self.beside = aside, {*range(len(aside))}, list[object](), NO_CARD

    def top(self) -> object:
        """Return the standard event that is in force."""
        return self.pile[-1] if self.pile and self.pile[-1] != "story" else NO_CARD

    def phase(self, stories: int, drawn: int) -> bool:
        """Play an Event Phase in which this card is drawn, if one is, and return whether the quest is lost."""
        self.pile += ["story"] * stories
        if self.pile:
            assert drawn == NO_CARD
            self.pile.pop()
        elif self.left:
            self.left.remove(drawn)
            if self.aside[drawn]:
                self.beside = drawn
            else:
                self.pile.append(drawn)
        return not self.pile and not self.left


@pytest.mark.parametrize(("heroes", "enemies", "expected"), [
    (2, 0, 1), (3, 0, 2), (3, 1, 1), (3, 2, 0), (3, 9, 0),
    (4, 0, 2), (5, 0, 3), (5, 2, 1), (5, 3, 0), (1, 0, 0),
])  # fmt: skip
def test_the_sample_card_of_the_rulebook(heroes: int, enemies: int, expected: int) -> None:
    """IS-SPAWN.1, IS-SPAWN.2, IS-Q26: heroes less enemies, less 1 with up to three heroes, less 2 with more."""
    found = to_spawn(np.array([heroes]), np.array([enemies]), np.array([-1]), np.array([-2]), 4)
    assert found.dtype == np.int8 and found.tolist() == [expected]


def test_every_formula_as_in_plain_python() -> None:
    """IS-SPAWN.1: all numbers of heroes and enemies, and every printed number; cards without a formula spawn none."""
    numbers = (-2, -1, 0, 1, NO_SPAWN)
    rows = [(h, e, few, many) for h in range(6) for e in range(9) for few in numbers for many in numbers]
    heroes, enemies, few, many = np.array(rows, np.int8).T
    found = to_spawn(heroes, enemies, few, many, 4)
    assert found.tolist() == [max(0, h - e + (k if h in {0, 1, 2, 3} else other)) for h, e, k, other in rows]


def odds(gates: Gates, is_open: list[bool]) -> dict[int, Fraction]:
    """Return the exact chance of each gate."""

    def step(state: State, rolls: Rolls) -> State:
        return {"gate": gates.pick(state["open"], rolls, "spawn gate")}

    start = {"open": np.array([is_open])}
    _, after, weights, total = expand(step, start, plan_step(step, start))
    found: Counter[int] = Counter()
    for gate, weight in zip(after["gate"].tolist(), weights.tolist(), strict=True):
        found[gate] += weight
    return {gate: Fraction(weight, total) for gate, weight in found.items()}


def test_gates_by_the_blue_die() -> None:
    """IS-SPAWN.3, IS-SPAWN.4: each face with the symbol of an open gate; the only one without a roll; none, none."""
    gates = Gates(("HIT", "SHD", "MAG"), BLUE)
    assert odds(gates, [True, True, False]) == {0: Fraction(4, 7), 1: Fraction(3, 7)}
    assert odds(gates, [False, True, True]) == {1: Fraction(4, 6), 2: Fraction(2, 6)}
    assert odds(gates, [False, False, True]) == {2: Fraction(1)}
    assert odds(gates, [False, False, False]) == {NO_GATE: Fraction(1)}


def test_gates_rolled_and_rolled_again() -> None:
    """IS-SPAWN.3: the odds of a die that is really rolled until an open gate shows; and not those of other gates."""
    gates, rng = Gates(("HIT", "SHD", "MAG"), BLUE), np.random.default_rng(63)
    is_open = [True, False, True]
    rolled: Counter[int] = Counter()
    for _ in range(20_000):
        gate = None
        while gate is None:
            face = BLUE[rng.integers(10)]
            gate = next((number for number in range(3) if is_open[number] and gates.symbols[number] in face), None)
        rolled[gate] += 1
    expected = odds(gates, is_open)
    errors = {gate: (4 * float(p * (1 - p)) ** 0.5) * 20_000**0.5 for gate, p in expected.items()}
    assert all(abs(rolled[gate] - 20_000 * float(p)) < errors[gate] for gate, p in expected.items())
    other = odds(gates, [True, True, False])
    assert abs(rolled[0] - 20_000 * float(other[0])) > errors[0]


def test_gates_of_many_trials() -> None:
    """IS-SPAWN.3: every trial has gates of its own."""
    is_open = np.random.default_rng(64).random((300, 3)) < 0.5
    found: IntArray = Gates(("HIT", "SHD", "MAG"), BLUE).pick(is_open, RandomRolls(64, "gates", 0, 300), "spawn gate")
    assert found.dtype == np.int8
    assert (found == NO_GATE).tolist() == (~is_open.any(axis=1)).tolist()
    there = found != NO_GATE
    assert is_open[there, found[there]].all()


@pytest.mark.parametrize(("symbols", "message"), [
    (("HIT", "LEG"), "no face of the die shows the spawn gate LEG; it shows ABI, HIT, MAG, MIS, SHD"),
    (("HIT", "HIT"), "two spawn gates have the same symbol: HIT, HIT; let each have its own"),
])  # fmt: skip
def test_gates_that_cannot_be_told_apart_are_refused(symbols: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        Gates(symbols, BLUE)
    assert str(refused.value) == message
