"""How scripts play Lore: a card is played where what it is reckoned worth exceeds its price in tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.policies.reckoning import BANNER, FIGURE
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.terms.choices import Choice
from balance.games.battlelore.adventure.terms.lore_deck import MECHANISMS
from balance.games.battlelore.tables import Mechanism

TOKEN = FIGURE // 8
"""What a Lore token is reckoned worth."""
HIT = 1 / 3
"""The chance of a die that helmets and bonus strikes hit with."""
HELMET = 1 / 6
"""The chance of one face."""
MANY_TOKENS = 8
"""Tokens with which a side looks for cards to spend them on."""
CARDS_WORTH: Mapping[Mechanism, float] = {
    "gain": 0.0,
    "steal": 0.0,
    "heal": 0.8,
    "confuse": 0.3,
    "mists": 0.6,
    "fireball": 1.6,
    "doom": 1.2,
    "teleport": 0.4,
    "speed": 0.3,
    "speed_all": 0.9,
    "dice": 0.6,
    "cry": 0.5,
    "berserk": 0.8,
    "agility": 0.4,
    "fearless": 0.6,
    "parry": 0.7,
    "shield": 0.8,
    "backstab": 0.8,
    "assault": 1.5,
    "cancel": 0.6,
    "keep": 0.2,
}
"""What each card is reckoned worth, in figures, by what it does."""
_WORTH = np.array([CARDS_WORTH[name] for name in MECHANISMS])


def weigh_lore(battle: Battle, state: State, choice: Choice) -> IntArray:
    """Return the weight of each option of a decision about Lore, `int64[p]`; 0 for all options of other decisions."""
    weigh = _WEIGHTS.get(choice.name)
    return np.zeros(len(choice.row), np.int64) if weigh is None else weigh(battle, state, choice)


def card_worth(battle: Battle, side: int) -> IntArray:
    """Return the estimated worth of each Lore card to a side, less half the price of its tokens, `int64[L]`."""
    deck = battle.lore_deck
    return np.asarray(FIGURE * _WORTH[deck.mechanism[:-1]] - TOKEN // 2 * deck.cost[side], np.int64)


def _card(battle: Battle, state: State, choice: Choice) -> IntArray:
    return card_worth(battle, choice.side)[choice.about["card"]]


def _dropped_card(battle: Battle, state: State, choice: Choice) -> IntArray:
    return -_card(battle, state, choice)


def _play(battle: Battle, state: State, choice: Choice) -> IntArray:
    """Return the worth of playing cards now, less their price; 0 for playing none."""
    card, weights = choice.about["card"], np.zeros(len(choice.row), np.int64)
    option = np.flatnonzero(card >= 0)
    mechanism = battle.lore_deck.mechanism[card[option]]
    figures = _WORTH[mechanism]
    for name, worth in _WORTH_NOW.items():
        at = np.flatnonzero(mechanism == MECHANISMS.index(name))
        if len(at):
            figures[at] = worth(battle, state, choice, option[at])
    cost = battle.lore_deck.cost[choice.side, card[option]]
    weights[option] = (FIGURE * figures).astype(np.int64) - TOKEN * cost
    return weights


def _value(battle: Battle, choice: Choice, option: IntArray) -> IntArray:
    return np.asarray(battle.lore_deck.value[choice.side, choice.about["card"][option]])


def _enemy_figures(state: State, choice: Choice, option: IntArray) -> IntArray:
    return np.asarray(state["figures"][choice.trial[option], 1 - choice.side, choice.about["unit"][option]], np.int64)


def _tokens(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    return np.asarray(_value(battle, choice, option) * TOKEN / FIGURE)


def _stolen(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    foe_tokens = state["tokens"][choice.trial[option], 1 - choice.side]
    return np.asarray(2 * np.minimum(_value(battle, choice, option), foe_tokens) * TOKEN / FIGURE)


def _healed(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    at = choice.trial[option], choice.side, choice.about["unit"][option]
    lost = battle.muster.full.take(state["kind"][at]) - state["figures"][at]
    return np.asarray(np.minimum(_value(battle, choice, option), lost))


def _burnt(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    """Return the expected worth of a Fireball, in figures: helmets take figures, a Lore face kills."""
    n_dice, figures = _value(battle, choice, option), _enemy_figures(state, choice, option)
    kills = 1 - (1 - HELMET) ** n_dice
    return np.asarray(kills * (figures + BANNER / FIGURE) + (1 - kills) * np.minimum(n_dice * HELMET, figures))


def _doomed(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    return np.asarray(2 * np.minimum(_value(battle, choice, option) * HELMET, _enemy_figures(state, choice, option)))


def _dice(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    return np.asarray(_value(battle, choice, option) * HIT)


def _moved(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    """Return the worth of a Teleport in figures: 0 for one on an enemy, whose owner chooses where it ends."""
    return np.asarray(_WORTH[MECHANISMS.index("teleport")] * (choice.about["unit"][option] < battle.n_slots))


def _cancelled(battle: Battle, state: State, choice: Choice, option: IntArray) -> IntArray:
    return np.asarray(state["lore_paid"][choice.trial[option], 1 - choice.side] * TOKEN / FIGURE + 0.2)


_WORTH_NOW: Mapping[Mechanism, Callable[[Battle, State, Choice, IntArray], IntArray]] = {
    "gain": _tokens,
    "steal": _stolen,
    "heal": _healed,
    "fireball": _burnt,
    "doom": _doomed,
    "dice": _dice,
    "berserk": _dice,
    "cancel": _cancelled,
    "teleport": _moved,
}
"""What cards are worth in the place where they are played, in figures, by what they do."""


def _refill(battle: Battle, state: State, choice: Choice) -> IntArray:
    """Return 1 for the option wanted: two cards if rich in tokens, two tokens if the hand is full, else one of each."""
    rows, option, side = choice.trial, choice.about["option"], choice.side
    is_full = state["lore_hand"][rows, side].sum(axis=1) >= battle.lore_deck.most_cards[side]
    is_rich = state["tokens"][rows, side] >= MANY_TOKENS
    wanted = np.where(is_rich, 0, np.where(is_full, 2, 1))
    return np.asarray(option == wanted, np.int64)


def _yes(battle: Battle, state: State, choice: Choice) -> IntArray:
    return np.asarray(choice.about["yes"], np.int64)


def _no(battle: Battle, state: State, choice: Choice) -> IntArray:
    return -_yes(battle, state, choice)


_WEIGHTS: Mapping[str, Callable[[Battle, State, Choice], IntArray]] = {
    "lore": _play,
    "lore_start": _card,
    "lore_keep": _card,
    "lore_drop": _dropped_card,
    "refill": _refill,
    "again": _no,
    "train": _yes,
}
"""Name of a decision -> what weighs it."""
