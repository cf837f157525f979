"""A whole duel (level C), and a single turn of it (level A), as processes.

A Period is as many turns as the smaller front rank had columns at the start; where it has fewer by now, a trial sits
the last ones out. Then come the steps of its end. Every trial ends: after `max_periods` the duel is a draw (WE-Q19).

Between Periods comes standard movement (WE-LEVEL.1): cards may change places inside their column (WE-SWAP.1). It
follows all five steps of a Period's end, while the Unit is still at the Ballistic or Charge level it has fought at.
Both sides decide at once (WE-Q26).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.game import Column
from balance.game.kit import WINNER, per_side
from balance.games.edadh.cards.records import LEVELS
from balance.games.edadh.duel.conflict import fight, give_orders, take_turn
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel, Resolver, start_of, winner_of
from balance.games.edadh.duel.leadership import fight_led
from balance.games.edadh.duel.period import defeat, discard_and_retire, settle
from balance.games.edadh.duel.stratagems import advance, muster, rally, steady
from balance.games.edadh.rules.unit import N_COLUMNS
from balance.games.edadh.rules.view import SIDES

HOW_LOST = {
    0: "did not lose",
    LOSS_CODES["damage"]: "damage above MP",
    LOSS_CODES["rout"]: "rout",
    LOSS_CODES["mp"]: "no MP left",
    LOSS_CODES["cards"]: "no cards left",
}
"""Names of the codes that a duel reports."""
DUEL_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "periods": Column("Periods begun", "duration"),
    **per_side("lost", "how side {me} lost", HOW_LOST),
    **per_side("cards", "troop cards side {me} has left"),
}
"""What a duel reports."""
FINISH_COLUMNS: Mapping[str, Column] = {
    **DUEL_COLUMNS,
    **per_side("mp", "mastery points of side {me} at the end", called="MP"),
    **per_side("damage", "damage on side {me} at the end"),
}
"""What a duel reports to whoever also wants its markers; many more outcomes, so that counting them takes longer."""
TURN_COLUMNS: Mapping[str, Column] = {
    "attacker": Column("0 tie, 1 side a, 2 side b", names={0: "tie", 1: "a", 2: "b"}),
    **per_side("mp", "change of side {me}'s MP", called="MP"),
    **per_side("damage", "damage side {me} takes"),
    **per_side("discarded", "1 if side {me}'s troop is discarded at once"),
}
"""What a turn reports."""
DUEL_PLAYED = (
    "Two Units fight Period after Period until one is defeated by damage, routed, out of mastery points or out of "
    "cards, and the other wins; when the Periods allowed are over it is a draw. There are no dice: all chance is what "
    "the players choose."
)
DUEL_CANNOT_SEE = ("People: nobody here errs, tires or changes plans as real players do.",)
TURN_PLAYED = (
    "The first turn of a duel: both sides play a card unseen, the cards decide who attacks, both select a troop, and "
    "the troops strike. It ends with the turn; nobody wins."
)
TURN_CANNOT_SEE = (
    "The rest of the duel: what damage and mastery points are worth shows only later.",
    "The cards behind a Unit: masters, standards and stratagems stay out of it.",
    *DUEL_CANNOT_SEE,
)
"""How duels and turns are played, and what their answers leave out."""
ATTACKER_OF = np.array([0, 1, 2], np.int16)
"""Who attacks, by the role of side a: 0 tie, 1 Attacker, -1 Defender."""
MELEE = LEVELS.index("melee")


def duel_process(duel: Duel, resolve: Resolver, *, markers: bool = False) -> Process:
    """Return a duel as a process; `markers` adds both sides' MP and damage at its end, as in `FINISH_COLUMNS`."""
    n_turns = min(int(force.unit.n_front[0]) for force in duel.arena.forces)
    turn = partial(fight_led, duel) if duel.is_led else partial(fight, duel, resolve)
    led_ending = [advance, defeat, discard_and_retire, steady, settle, rally]
    ending = led_ending if duel.is_led else [defeat, discard_and_retire, settle]
    ending += [regroup] if duel.swaps else []
    steps = (*(turn,) * n_turns, *(partial(step, duel) for step in ending))
    steps = (partial(muster, duel), *steps) if duel.is_led else steps
    return Process(
        start=start_of(duel),
        steps=steps,
        over=_is_over,
        outcome=partial(_duel_outcome, duel, markers),
        max_steps=len(steps) * duel.max_periods,
        policies=dict(zip(SIDES, duel.policies, strict=True)),
    )


def _is_over(state: State) -> BoolArray:
    return state["over"] > 0


def _duel_outcome(duel: Duel, markers: bool, state: State, steps: IntArray) -> State:
    cards = [
        force.unit.n_cards.take(state[f"{side}_unit"].astype(np.intp))
        for force, side in zip(duel.arena.forces, SIDES, strict=True)
    ]
    outcome: State = {
        "winner": winner_of(state["a_lost"], state["b_lost"]),
        "periods": state["period"],
        "a_lost": state["a_lost"],
        "b_lost": state["b_lost"],
        "a_cards": cards[0],
        "b_cards": cards[1],
    }
    return outcome | {name: state[name] for name in FINISH_COLUMNS if markers and name not in outcome}


def turn_process(duel: Duel, resolve: Resolver) -> Process:
    """Return the first turn of a duel as a process with `TURN_COLUMNS`; cards behind a Unit stay out of it."""
    start = start_of(duel)
    return Process(
        start={**start, "attacker": 0},
        steps=(partial(_one_turn, duel, resolve),),
        over=_is_over,
        outcome=partial(_turn_outcome, start),
        max_steps=1,
        policies=dict(zip(SIDES, duel.policies, strict=True)),
    )


def _one_turn(duel: Duel, resolve: Resolver, state: State, rolls: Rolls) -> State:
    orders = give_orders(duel, state, rolls)
    after = take_turn(duel, resolve, state, orders.cards, orders.plays)
    after["attacker"] = ATTACKER_OF[orders.role]
    return after


def _turn_outcome(start: Mapping[str, int], state: State, steps: IntArray) -> State:
    outcome = {"attacker": state["attacker"]}
    for name in ("a_mp", "b_mp", "a_damage", "b_damage"):
        outcome[name] = np.asarray(state[name] - start[name])
    return {**outcome, "a_discarded": state["a_pile"], "b_discarded": state["b_pile"]}


def may_swap(duel: Duel, state: State) -> BoolArray:
    """Return whether cards may be swapped, `bool[n]`, at the level of the Period just ended, `period` - 1."""
    level_before = duel.levels.take(state["period"] - 2, mode="clip")
    able: BoolArray = level_before < MELEE
    return able if duel.rules.swap_last_charge else able & (duel.levels.take(state["period"] - 1, mode="clip") < MELEE)


def regroup(duel: Duel, state: State, rolls: Rolls) -> State:
    """Let both sides swap cards, column by column and at once (WE-SWAP.1, WE-Q26)."""
    able, after, level = may_swap(duel, state), dict(state), duel.level(state)
    for side_index, side in enumerate(SIDES):
        name, swaps = f"{side}_unit", duel.arena.forces[side_index].unit.swaps
        for column in range(N_COLUMNS):
            place = after[name].astype(np.intp) * 4 + column
            choices, legal = swaps.choices(place), np.where(able, swaps.n.take(place), 1)
            view = duel.view(side_index, {**state, name: after[name]}, level).with_facts(choices=choices)
            choice = rolls.choose(side, f"swap {column}", legal, view)
            after[name] = choices[np.arange(len(choice)), choice]
    return after
