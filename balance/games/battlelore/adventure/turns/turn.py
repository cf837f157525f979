"""A side's turn: command, orders, movement, combat, draw (BL-TURN-01)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import IntArray
from balance.game.kit.board.battle import DRAW, note_lead
from balance.games.battlelore.adventure.combat.fight import fight
from balance.games.battlelore.adventure.combat.legal import targets
from balance.games.battlelore.adventure.terms.drawing import NO_CARD
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.adventure.turns.begin import begin_turn
from balance.games.battlelore.adventure.turns.cards import end_turn, play_card
from balance.games.battlelore.adventure.turns.moves import move_units
from balance.games.battlelore.adventure.turns.orders import give_orders
from balance.games.battlelore.adventure.turns.spells import cast_spells, end_lore, hasten, lead_by_lore, order_arrivals

CELLS = 256
"""What the place of a unit is multiplied by in the place of a battle."""
END_PLACE = 2 * CELLS * CELLS
"""The place of battling no more."""


def take_turn(turn: Turn) -> None:
    """Play a side's turn in every trial that is still open; writes into the state."""
    rows = np.flatnonzero(turn.state["winner"] == 0)
    begin_turn(turn, rows)
    leads = lead_by_lore(turn, rows) if turn.battle.lore else np.zeros(len(rows), bool)
    card, command = np.full(len(rows), NO_CARD), np.zeros(len(rows), np.int64)
    card[~leads], command[~leads] = play_card(turn, rows[~leads])
    act(turn, rows, card, command)


def act(turn: Turn, rows: IntArray, card: IntArray, command: IntArray) -> None:
    """Play on once the card of the turn lies on the table; writes into the state.

    `card` is the kind laid down, `int64[m]`, NO_CARD for none, and `command` the number of command cards that the side
    holds with that one, `int64[m]`.
    """
    if turn.battle.lore:
        cast_spells(turn, rows)
    ordering = np.flatnonzero((turn.state["card"][rows] != NO_CARD) & (turn.state["winner"][rows] == 0))
    if len(ordering):
        give_orders(turn, rows[ordering], command[ordering])
    if turn.battle.lore:
        order_arrivals(turn, turn.open_rows(rows))
        hasten(turn, turn.open_rows(rows))
    move_units(turn, turn.open_rows(rows))
    battle_on(turn, rows)
    is_open = turn.state["winner"][rows] == 0
    end_turn(turn, rows[is_open], card[is_open])
    if turn.battle.lore:
        end_lore(turn, rows[is_open])
    _close(turn, rows)


def battle_on(turn: Turn, rows: IntArray) -> None:
    """Have a side's units battle one after the other, each combat to its end (BL-TURN-01, BL-POST-02)."""
    rows = turn.open_rows(rows)
    while len(rows):
        row, unit, target = _options(turn, rows)
        cells, foe_cells = (
            turn.state["cell"][rows[row], side, slots] for side, slots in ((turn.side, unit), (1 - turn.side, target))
        )
        place = turn.battle.place_of(turn.side, cells) * CELLS + turn.battle.place_of(turn.side, foe_cells)
        place[target < 0] = END_PLACE
        at = turn.choose("battle", turn.side, rows, row, place, unit=unit, target=target)
        unit, target = unit[at], target[at]
        fights = target >= 0
        rows, unit, target = rows[fights], unit[fights], target[fights]
        turn.state["battles"][rows, unit] -= 1
        fight(turn, rows, unit, target)
        rows = turn.open_rows(rows)


def _options(turn: Turn, rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (place of trial, unit, target) of all battles, rows rising; (-1, -1) is the option to stop.

    A unit that has charged must battle, and before the others.
    """
    at, unit, target = targets(turn, rows)
    must = turn.state["charged"][rows[at], unit]
    is_bound = np.zeros(len(rows), bool)
    is_bound[at[must]] = True
    may_battle = must | ~is_bound[at]
    at, unit, target = at[may_battle], unit[may_battle], target[may_battle]
    ends = np.flatnonzero(~is_bound)
    row = np.concatenate([at, ends])
    order = np.argsort(row, kind="stable")
    nobody = np.full(len(ends), -1)
    return row[order], np.concatenate([unit, nobody])[order], np.concatenate([target, nobody])[order]


def _close(turn: Turn, rows: IntArray) -> None:
    """Update who leads in banners still needed, and end what has reached the turn limit as a draw."""
    state = turn.state
    needed = state["needed"][rows] - state["banners"][rows]
    note_lead(state, rows, needed[:, 1] - needed[:, 0])
    is_late = (state["winner"][rows] == 0) & (state["turn"][rows] >= state["turn_limit"][rows])
    state["winner"][rows[is_late]] = DRAW
    turn.report("late", turn.side, rows[is_late])
    turn.report("turn", turn.side, rows)
