"""Moments at which a side may play a Lore card, and playing it (BL-LORE-07 to BL-LORE-15).

A side plays one card in a turn at most, its own or the enemy's (BL-LORE-13). What a card does is for whoever opened the
window; here it is paid for, and the enemy may cancel it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.terms.battle import NOBODY, Battle
from balance.games.battlelore.adventure.terms.lore_deck import MECHANISMS, NO_LORE_CARD
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.tables import Mechanism, Phase

CARDS = 1000
"""What the row of a card is multiplied by in its place among the options."""
NONE_PLACE = 10**6
"""The place of playing no card."""


@dataclass(frozen=True, eq=False)
class Aims:
    """On whom cards of one mechanism may be played in each of m trials.

    `side`: whose units. `units`: which of them, `bool[m, K]`; without any, the card is played on nobody. `others`:
    which units of the other side, where a card is for units of either, `bool[m, K]`; their slots go on at K. `legal`:
    whether a card on nobody is legal, `bool[m]`; None for always.
    """

    side: int
    units: BoolArray | None = None
    others: BoolArray | None = None
    legal: BoolArray | None = None


def may_play(turn: Turn, side: int, rows: IntArray, phases: Sequence[Phase]) -> BoolArray:
    """Return which cards a side holds, can pay for, and may play in some of `phases`, `bool[m, L]`."""
    state, deck = turn.state, turn.battle.lore_deck
    able = state["lore_played"][rows, side] == NO_LORE_CARD
    can_pay = state["tokens"][rows, side][:, None] >= deck.cost[side]
    held = (state["lore_hand"][rows, side] > 0) & deck.in_phases(phases)
    return np.asarray(held & can_pay & able[:, None])


def open_window(
    turn: Turn, side: int, rows: IntArray, playable: BoolArray, aims: Mapping[Mechanism, Aims]
) -> tuple[IntArray, IntArray]:
    """Let a side play a card, and return (card, slot of the unit it is on), `int64[m]` each.

    The card is NO_LORE_CARD where none is played, or where the enemy cancels it. `rows` are trials, each once,
    `playable` the cards of `may_play`, and `aims` the legal targets by mechanism; other mechanisms cannot be played
    now.
    """
    card, unit = np.full(len(rows), NO_LORE_CARD), np.full(len(rows), NOBODY)
    row, kind, slot, place = _options(turn, side, rows, playable, aims)
    at = np.unique(row)
    if len(at):
        none = np.full(len(at), NO_LORE_CARD)
        row, kind, slot = np.concatenate([row, at]), np.concatenate([kind, none]), np.concatenate([slot, none])
        place = np.concatenate([place, np.full(len(at), NONE_PLACE)])
        order = np.argsort(row, kind="stable")
        row, kind, slot, place = row[order], kind[order], slot[order], place[order]
        row = np.searchsorted(at, row)
        best = turn.choose("lore", side, rows[at], row, place, card=kind, unit=slot)
        card[at], unit[at] = kind[best], slot[best]
        played = np.flatnonzero(card != NO_LORE_CARD)
        if len(played):
            card[played] = _play(turn, side, rows[played], card[played], unit[played])
    return card, unit


def _options(
    turn: Turn, side: int, rows: IntArray, playable: BoolArray, aims: Mapping[Mechanism, Aims]
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return (place of the trial, card, slot, place for luck) of all cards on all legal targets, unsorted."""
    deck, parts = turn.battle.lore_deck, []
    for mechanism, aim in aims.items():
        cards = deck.with_mechanism(mechanism)
        row, number = places_of(playable[:, cards])
        if aim.legal is not None:
            is_legal = aim.legal[row]
            row, number = row[is_legal], number[is_legal]
        kind, slot, place = cards[number], np.full(len(row), NOBODY), CARDS * cards[number]
        if aim.units is not None and len(row):
            others = np.zeros_like(aim.units) if aim.others is None else aim.others
            may_be_others = others[row] & deck.is_for_any[kind][:, None]
            option, slot = places_of(np.concatenate([aim.units[row], may_be_others], axis=1))
            row, kind = row[option], kind[option]
            side_of, slot_of = turn.battle.owner_and_slot(aim.side, slot)
            cells = turn.state["cell"][rows[row], side_of, slot_of]
            place = CARDS * kind + turn.battle.place_of(side, cells)
        parts.append((row, kind, slot, place))
    row, kind, slot, place = (np.concatenate(part).astype(np.int64) for part in zip(*parts, strict=True))
    return row, kind, slot, place


def _play(turn: Turn, side: int, rows: IntArray, card: IntArray, unit: IntArray) -> IntArray:
    """Pay for cards and lay them down; return those that take effect, NO_LORE_CARD for those that are cancelled."""
    state, deck = turn.state, turn.battle.lore_deck
    state["lore_hand"][rows, side, card] -= 1
    _pay(state, rows, side, deck.cost[side, card])
    for name, values in (("played", card), ("card", card), ("unit", unit), ("value", deck.value[side, card])):
        state[f"lore_{name}"][rows, side] = values
    turn.report("lore", side, rows, card=card, unit=unit)
    _keep(turn, side, rows)
    if side != turn.side:
        return card
    foe = 1 - side
    aims: Mapping[Mechanism, Aims] = {"cancel": Aims(foe)}
    answer, _ = open_window(turn, foe, rows, may_play(turn, foe, rows, ("answer",)), aims)
    cancelled = np.flatnonzero(answer != NO_LORE_CARD)
    if len(cancelled):
        _cancel(turn, rows[cancelled], side, deck.value[foe, answer[cancelled]])
    return np.where(answer != NO_LORE_CARD, NO_LORE_CARD, card)


def _pay(state: State, rows: IntArray, side: int, cost: IntArray) -> None:
    state["tokens"][rows, side] -= cost.astype(np.int16)
    state["lore_paid"][rows, side] += cost.astype(np.int16)


def _keep(turn: Turn, side: int, rows: IntArray) -> None:
    """Let a side pay for a card that is discarded in place of the one just played, which it keeps."""
    state, deck = turn.state, turn.battle.lore_deck
    cards = deck.with_mechanism("keep")
    held = state["lore_hand"][rows[:, None], side, cards] > 0
    held &= state["tokens"][rows, side][:, None] >= deck.cost[side, cards]
    at = np.flatnonzero(held.any(axis=1))
    if not len(at):
        return
    keep = cards[held[at].argmax(axis=1)]
    wants = turn.agrees("again", side, rows[at], card=keep)
    trials, keep = rows[at[wants]], keep[wants]
    state["lore_hand"][trials, side, keep] -= 1
    state["lore_kept"][trials, side] = keep
    _pay(state, trials, side, deck.cost[side, keep])
    turn.report("again", side, trials, card=keep)


def _cancel(turn: Turn, rows: IntArray, side: int, value: IntArray) -> None:
    """Undo the effect of what a side has played, and return `value` of its tokens at most (BL-LORE-16)."""
    state = turn.state
    for name, nothing in (("card", NO_LORE_CARD), ("unit", NOBODY), ("value", 0)):
        state[f"lore_{name}"][rows, side] = nothing
    returned = np.minimum(value, state["lore_paid"][rows, side]).astype(np.int16)
    state["lore_paid"][rows, side] -= returned
    state["tokens"][rows, side] += returned
    turn.report("cancelled", side, rows, card=state["lore_played"][rows, side], returned=returned)


def in_effect(battle: Battle, state: State, side: int, rows: IntArray, mechanism: Mechanism) -> BoolArray:
    """Return where the card that a side has played this turn is of a mechanism and not cancelled, `bool[m]`."""
    number = MECHANISMS.index(mechanism)
    return np.asarray(battle.lore_deck.mechanism.take(state["lore_card"][rows, side]) == number)


def is_on(battle: Battle, state: State, side: int, rows: IntArray, mechanism: Mechanism, unit: IntArray) -> BoolArray:
    """Return where a card of a mechanism that a side has played this turn lies on a unit, `bool[m]`.

    `unit` is a slot of whichever side the mechanism is for.
    """
    plays = in_effect(battle, state, side, rows, mechanism)
    return np.asarray(plays & (state["lore_unit"][rows, side] == unit))
