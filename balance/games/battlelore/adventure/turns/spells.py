"""Lore cards played beside the command card, in its place, or before units move (BL-LORE-08, BL-LORE-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.board import OFF_BOARD
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.combat.throws import Throws
from balance.games.battlelore.adventure.lore.hands import AND_BY_A_CARD, BY_ARRIVAL, clear_table, refill, take_tokens
from balance.games.battlelore.adventure.lore.landmarks import income
from balance.games.battlelore.adventure.lore.windows import Aims, in_effect, may_play, open_window
from balance.games.battlelore.adventure.terms.battle import NOBODY
from balance.games.battlelore.adventure.terms.drawing import draw_card, lose_card
from balance.games.battlelore.adventure.terms.lore_deck import MECHANISMS, NO_LORE_CARD
from balance.games.battlelore.adventure.terms.standing import settle
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.rules.dice import LORE, throw
from balance.games.battlelore.rules.strike import wounded
from balance.games.battlelore.tables import Mechanism

# -- the end of a turn -------------------------------------------------------------------------------------------------


def end_lore(turn: Turn, rows: IntArray) -> None:
    """Clear the table at the end of a turn, and have its side refill its Lore (BL-LORE-20, BL-LMK-05)."""
    if not len(rows):
        return
    when = turn.battle.terms.rules.income if turn.battle.has_landmarks else ""
    clear_table(turn, rows)
    if when == "before":
        income(turn, rows)
    refill(turn, rows)
    if when == "after":
        income(turn, rows)


# -- in place of a command card ----------------------------------------------------------------------------------------


def lead_by_lore(turn: Turn, rows: IntArray) -> BoolArray:
    """Let a side play a Lore card in place of its command card; return where it does, `bool[m]` (BL-LORE-08)."""
    state, side = turn.state, turn.side
    playable = may_play(turn, side, rows, ("instead",))
    if not playable.any():
        return np.zeros(len(rows), bool)
    aims: Mapping[Mechanism, Aims] = {"assault": Aims(side)}
    card, _ = open_window(turn, side, rows, playable, aims)
    leads = card != NO_LORE_CARD
    n_units = state["lore_value"][rows[leads], side].astype(np.int64)
    state["card"][rows[leads]] = turn.battle.deck.led(n_units)
    turn.report("led", side, rows[leads], card=card[leads], anywhere=n_units)
    return np.asarray(leads)


# -- beside it ---------------------------------------------------------------------------------------------------------


def cast_spells(turn: Turn, rows: IntArray) -> None:
    """Let a side play a Lore card beside its command card, and carry it out; writes into the state."""
    playable = may_play(turn, turn.side, rows, ("command",))
    at = np.flatnonzero(playable.any(axis=1))
    if not len(at):
        return
    rows = rows[at]
    card, unit = open_window(turn, turn.side, rows, playable[at], _aims(turn, rows))
    mechanism = turn.battle.lore_deck.mechanism.take(card)
    for name, cast in SPELLS.items():
        chosen = np.flatnonzero(mechanism == MECHANISMS.index(name))
        if len(chosen):
            cast(turn, rows[chosen], unit[chosen])


def _aims(turn: Turn, rows: IntArray) -> Mapping[Mechanism, Aims]:
    """Return the legal targets of cards beside a command card, by mechanism."""
    state, side, foe, muster = turn.state, turn.side, 1 - turn.side, turn.battle.muster
    own, enemies = (state["cell"][rows, player] != OFF_BOARD for player in (side, foe))
    is_weak = own & (state["figures"][rows, side] < muster.full.take(state["kind"][rows, side]))
    return {
        "gain": Aims(side),
        "steal": Aims(foe, legal=state["tokens"][rows, foe] > 0),
        "heal": Aims(side, is_weak),
        "confuse": Aims(foe, legal=np.asarray(state["hand"][rows, foe].any(axis=1))),
        "mists": Aims(foe),
        "fireball": Aims(foe, enemies),
        "doom": Aims(foe, enemies),
        "teleport": Aims(side, own, enemies),
    }


def _value(turn: Turn, rows: IntArray) -> IntArray:
    """Return the strength of the side's card in each trial, `int64[m]`."""
    return np.asarray(turn.state["lore_value"][rows, turn.side], np.int64)


def _gain(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    take_tokens(turn, rows, turn.side, _value(turn, rows), "card")


def _steal(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    tokens = turn.state["tokens"]
    stolen = np.minimum(_value(turn, rows), tokens[rows, 1 - turn.side]).astype(np.int16)
    tokens[rows, 1 - turn.side] -= stolen
    tokens[rows, turn.side] += stolen
    turn.report("stolen", turn.side, rows, change=stolen)


def _heal(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    state, at = turn.state, (rows, turn.side, unit)
    full = turn.battle.muster.full.take(state["kind"][at])
    state["figures"][at] = np.minimum(state["figures"][at] + _value(turn, rows), full)
    turn.report("healed", turn.side, rows, unit=unit, by="card")


def _confuse(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    """Have the enemy discard a random command card and draw another."""
    foe = 1 - turn.side
    lose_card(turn, rows, foe, "confuse")
    draw_card(turn, rows, foe, "card")


def _fireball(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    """Throw the card's dice at an enemy, which any Lore face kills."""
    _burn(turn, rows, 1 - turn.side, unit, kills_by_lore=True)


def _doom(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    """Throw the card's dice at an enemy, then at every unit beside it, in the order of the caster's count of cells."""
    battle, state, side = turn.battle, turn.state, turn.side
    cells = state["cell"][rows, 1 - side, unit].astype(np.int64)
    near = battle.field.neighbours.take(cells + 1, axis=0).astype(np.int64)
    order = np.argsort(battle.field.relative[side].take(near + 1), axis=1)
    near = np.take_along_axis(near, order, axis=1)
    _burn(turn, rows, 1 - side, unit, kills_by_lore=False)
    for direction in range(near.shape[1]):
        occupant = battle.occupant_at(state, rows, near[:, direction])
        for player in (0, 1):
            slots = battle.slots_of(player, occupant).astype(np.int64)
            at = np.flatnonzero((slots != NOBODY) & (state["winner"][rows] == 0))
            _burn(turn, rows[at], player, slots[at], kills_by_lore=False)


def _burn(turn: Turn, rows: IntArray, side: int, unit: IntArray, *, kills_by_lore: bool) -> None:
    """Throw the dice of a card at units of a side, and take the figures that they hit."""
    if not len(rows):
        return
    target, rolls = turn.battle.muster.targets(turn.state["kind"][rows, side, unit]), Throws(turn, turn.side, rows)
    letters = throw(target.faces, _value(turn, rows), rolls, "lore dice")
    is_killed = (letters[:, LORE] > 0) & kills_by_lore
    hits = target.helmets_of(letters) * ~is_killed
    losses = wounded(target, hits, rolls, "lore")
    lose(turn, rows, side, unit, np.where(is_killed, turn.state["figures"][rows, side, unit], losses), "card")


def _teleport(turn: Turn, rows: IntArray, unit: IntArray) -> None:
    """Have the owner of a unit of either side move it within the card's range (BL-LORE-15)."""
    sides, slots = turn.battle.owner_and_slot(turn.side, unit)
    for side in (0, 1):
        if len(at := np.flatnonzero(sides == side)):
            _put_elsewhere(turn, rows[at], side, slots[at])


def _put_elsewhere(turn: Turn, rows: IntArray, side: int, unit: IntArray) -> None:
    """Have a side choose a free hex within the card's range for its unit, or its own."""
    battle, state = turn.battle, turn.state
    before = state["cell"][rows, side, unit].astype(np.int64)
    everywhere = np.arange(battle.field.distances.shape[1] - 1)
    distance = battle.field.distances[before + 1][:, 1:]
    may_end = battle.free_at(state, rows[:, None], everywhere[None]) & (distance <= _value(turn, rows)[:, None])
    may_end[np.arange(len(rows)), before] = True
    after = turn.choose_cell("lore_cell", side, rows, everywhere, may_end, unit=unit)
    turn.place(rows, side, unit, after)
    turn.report("move", side, rows, unit=unit, before=before, after=after, by="card")
    settle(turn, rows)


SPELLS: Mapping[Mechanism, Callable[[Turn, IntArray, IntArray], None]] = {
    "gain": _gain,
    "steal": _steal,
    "heal": _heal,
    "confuse": _confuse,
    "fireball": _fireball,
    "doom": _doom,
    "teleport": _teleport,
}
"""What a card does at once, by mechanism: `(turn, trials, slot of the unit it is on)`."""


# -- before units move -------------------------------------------------------------------------------------------------


def order_arrivals(turn: Turn, rows: IntArray) -> None:
    """Order own units that a card has teleported: they move no more, and may battle where the ground lets them.

    Their weapons suffer no loss, as only the movement phase counts as movement (BL-Q48).
    """
    battle, state, side = turn.battle, turn.state, turn.side
    arrives = in_effect(battle, state, side, rows, "teleport") & (state["lore_unit"][rows, side] < battle.n_slots)
    if arrives.any():
        rows = rows[arrives]
        unit = state["lore_unit"][rows, side].astype(np.int64)
        state["arrived"][rows, unit] = np.where(state["ordered"][rows, unit], AND_BY_A_CARD, BY_ARRIVAL)
        state["ordered"][rows, unit] = True
        ground = battle.ground_at(state, rows, state["cell"][rows, side, unit])
        state["may_battle"][rows, unit] = battle.field.battle_on_entry.take(ground)


def hasten(turn: Turn, rows: IntArray) -> None:
    """Let a side play a card that makes units about to move faster (BL-LORE-10); writes into the state."""
    state, side = turn.state, turn.side
    playable = may_play(turn, side, rows, ("movement",))
    at = np.flatnonzero(playable.any(axis=1))
    if not len(at):
        return
    rows, ordered = rows[at], state["ordered"][rows[at]]
    aims: Mapping[Mechanism, Aims] = {
        "speed": Aims(side, ordered),
        "speed_all": Aims(side, legal=np.asarray(ordered.any(axis=1))),
    }
    card, unit = open_window(turn, side, rows, playable[at], aims)
    is_for_all = turn.battle.lore_deck.mechanism.take(card) == MECHANISMS.index("speed_all")
    hastens = np.where(is_for_all[:, None], ordered, np.arange(ordered.shape[1]) == unit[:, None])
    value = _value(turn, rows) * (card != NO_LORE_CARD)
    state["speed"][rows] += (hastens * value[:, None]).astype(np.int8)
