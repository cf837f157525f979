"""Two units in melee take turns until one is eliminated or leaves its hex (ledger level B+).

The unit whose turn it is attacks; the other battles back if it may (BL-POST-10). A webbed unit is freed at the start of
its turn, for its price, and then attacks (BL-CRE-16). Whoever stands when the other is gone has won; nobody pursues.
A duel has one process, or two where either side may go first; each turn is one step, or two with a battle back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import acting
from balance.game.game import Column
from balance.game.kit import WINNER, orders, per_side
from balance.game.kit.combat.orders import turns
from balance.game.kit.combat.outcome import winner
from balance.games.battlelore.rules.encounter import Encounter, Resolver
from balance.games.battlelore.rules.morale import battles_back
from balance.games.battlelore.rules.strike import suffer

LONGEST_TURNS = 20_000
"""Turns after which a duel without a limit is called a draw."""

DUEL_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "turns": Column("player turns begun", "duration"),
    **per_side("figures", "figures side {me} has left"),
    **per_side("left", "1 if side {me} was driven from its hex", called="driven off"),
}
"""What a duel reports."""
DUEL_PLAYED = (
    "Two units stand next to each other, at full strength, in the open and unsupported unless set, and attack turn "
    "about with their weapons at point blank; a unit that is Bold and holds its hex battles back. Unless set, "
    "a creature buys Web against a Bold target that may ignore every flag rolled, else Poison as soon as it can, and "
    "stores the rest. The duel ends when one is eliminated or driven from its hex; either way the other wins."
)
DUEL_CANNOT_SEE = (
    "Prices: BattleLore has none. Every unit is worth one victory banner, whatever it is; cost here counts banners.",
    "Range and movement: bows and crossbows fight at point blank, and nobody rides round a flank.",
    "Support: nobody stands beside a lone unit; whether it counts as supported is set, not earned.",
    "Retreat: driven off is lost, however far a unit runs, so neither a Goblin's panic nor its charge shows.",
    "Orders: in battle a unit fights when a command card lets it, not every turn.",
)
"""How a duel is played and won, and what its answer leaves out."""


@dataclass(frozen=True)
class Duellist:
    """One side of a duel: its strike on the other, the same when it battles back, and whether it may."""

    encounter: Encounter
    back: Encounter
    battles_back: bool


@dataclass(frozen=True)
class Duel:
    """A duel, ready to be played.

    `start`: state columns at the beginning. `first`: "a", "b" or "random". `turn_limit`: turns to play, 0 for no limit.
    `back_needs_flag`: whether a battle back needs an ignored flag (BL-Q12, the other reading).
    """

    a: Duellist
    b: Duellist
    start: Mapping[str, int]
    first: str
    turn_limit: int
    back_needs_flag: bool


def duel_processes(duel: Duel, resolve: Resolver) -> tuple[Process, ...]:
    """Return the duel as processes, all equally likely: one, or one for each side going first.

    `resolve` plays one strike: rolled, or drawn from its distribution.
    """
    return tuple(_process(duel, resolve, order) for order in orders(duel.first))


def _process(duel: Duel, resolve: Resolver, order: str) -> Process:
    sides = {"a": duel.a, "b": duel.b}
    steps = [_turn(duel, resolve, sides, striker, foe) for striker, foe in turns(order)]
    harmless = duel.a.encounter.strike.n_dice == duel.b.encounter.strike.n_dice == 0
    limit = duel.turn_limit or (2 if harmless else LONGEST_TURNS)
    lengths = (len(steps[0]), len(steps[1]))
    return Process(
        start={**duel.start, "a_left": 0, "b_left": 0, "back": 0},
        steps=tuple(steps[0] + steps[1]),
        over=_is_over,
        outcome=partial(_duel_outcome, lengths),
        max_steps=limit // 2 * sum(lengths) + limit % 2 * lengths[0],
    )


def _turn(duel: Duel, resolve: Resolver, sides: Mapping[str, Duellist], striker: str, foe: str) -> list[partial[State]]:
    """Return the steps of one turn: the attack, and the battle back where there can be one."""
    attack = partial(_attack, duel.back_needs_flag, resolve, sides[striker], sides[foe].battles_back, striker, foe)
    back = partial(_battle_back, resolve, sides[foe], foe, striker)
    return [attack, back] if sides[foe].battles_back else [attack]


def _attack(
    needs_flag: bool,
    resolve: Resolver,
    duellist: Duellist,
    foe_is_bold: bool,
    name: str,
    foe: str,
    state: State,
    rolls: Rolls,
) -> State:
    acts, state = acting(state, name, np.ones(len(state["back"]), bool))
    whole = resolve(duellist.encounter, state, rolls, f"{name} attack")
    after_blow = suffer(state[f"{foe}_figures"], whole, whole, acts)
    after = {**state, **duellist.encounter.condition_after(state, whole, acts)}
    if f"{name}_webbed" in state:
        after[f"{name}_webbed"] = np.zeros_like(state["back"])
    webbed = after.get(f"{foe}_webbed", 0)
    back = acts & battles_back(after_blow["held"], foe_is_bold, webbed, whole["ignored"], needs_flag)
    retreats = (after_blow["travelled"] > 0).astype(np.int16)
    return {**after, f"{foe}_figures": after_blow["figures"], f"{foe}_left": retreats, "back": back.astype(np.int16)}


def _battle_back(resolve: Resolver, duellist: Duellist, name: str, foe: str, state: State, rolls: Rolls) -> State:
    is_strike = state["back"] > 0
    whole = resolve(duellist.back, state, rolls, f"{name} back")
    after_blow = suffer(state[f"{foe}_figures"], whole, whole, is_strike)
    conditions = duellist.back.condition_after(state, whole, is_strike)
    retreats = (after_blow["travelled"] > 0).astype(np.int16)
    return {
        **state,
        **conditions,
        f"{foe}_figures": after_blow["figures"],
        f"{foe}_left": retreats,
        "back": np.zeros_like(retreats),
    }


def _is_over(state: State) -> BoolArray:
    both_alive: BoolArray = (state["a_figures"] > 0) & (state["b_figures"] > 0)
    return ~both_alive | (state["a_left"] > 0) | (state["b_left"] > 0)


def _duel_outcome(lengths: tuple[int, int], state: State, steps: IntArray) -> State:
    a_stands = (state["a_figures"] > 0) & (state["a_left"] == 0)
    b_stands = (state["b_figures"] > 0) & (state["b_left"] == 0)
    rounds, rest = np.divmod(steps - 1, sum(lengths))
    return {
        "winner": winner(a_stands, b_stands),
        "turns": 2 * rounds + (rest >= lengths[0]) + 1,
        "a_figures": state["a_figures"],
        "b_figures": state["b_figures"],
        "a_left": state["a_left"],
        "b_left": state["b_left"],
    }
