"""Two armed units take turns until one falls or a round limit is reached (ledger level B).

A turn has a number of actions, by default one (WF-ACT.1: as many as the unit limit, and a duel has one unit a side).
With each action the unit whose turn it is does the first of these that applies:

1. nothing, if an EMP token disables it (WF-EFF.4; the token goes at the end of that turn, WF-Q13);
2. raise its Supershield, if it has one, it is not active and has not burnt out (WF-ABIL.4), and its policy is to raise
   it;
3. attack, with the equipped weapon in range that deals the most damage per action on average to a fresh target;
4. move towards the enemy, at most its speed and at most twice a turn (WF-ACT.3), no closer than it needs.

A unit with Jump jumps when its moves are spent, and is done for that turn (WF-ABIL.2). Nobody retreats or destroys
itself. A destroyed unit with Overload hurts its killer if that is within reach (WF-ABIL.5); High Explosive reaches its
own shooter at distance 1 (WF-EFF.2, WF-Q8). Units start `distance` cells apart, by default 2: in range of every weapon
of the shipped catalogue, in reach of Overload, outside that of High Explosive.

A turn is cut into slots of one attack each, the steps of the process; Rapid Fire uses a second slot of the same action.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.exact.chains import Chains, Run, side_by_side
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.game import Column
from balance.game.kit import WINNER, orders, per_side
from balance.game.kit.combat.budget import LONGEST_ROUNDS, step_limit
from balance.game.kit.combat.outcome import outcome_columns, winner
from balance.game.setup import Setup
from balance.games.warforged.attack import (
    UP,
    Resolver,
    Shot,
    absorb,
    armour_left,
    draw_name,
    draw_wounds,
    roll_attack,
    wound_distributions,
    wound_law,
)
from balance.games.warforged.fighters import NOBODY, Duel
from balance.games.warforged.setup import KillSetup
from balance.games.warforged.turn import Slot, dice_of, needs_volley, slots_of, start_columns, take_slot

LANES: Mapping[str, Resolver] = {"literal": roll_attack, "compiled": draw_wounds}
DUEL_COLUMNS: Mapping[str, Column] = {
    "winner": WINNER,
    "rounds": Column("rounds begun (a round is one turn of each side)", "duration"),
    **per_side("health", "health side {me} has left"),
    "overkill": Column("damage beyond what was needed to destroy the loser", "waste"),
}
"""What a duel reports, and what it means."""
DUEL_PLAYED = (
    "Two armed units start close to each other on open ground (2 cells, unless set) and take turns of one action "
    "until one falls; the other wins. A unit with a Supershield raises it first; else it attacks with the weapon that "
    "deals the most damage on average, or moves nearer if none reaches."
)
DUEL_CANNOT_SEE = (
    "Range, speed and Jump: 2 cells apart, unless set, a long reach or fast legs earn nothing.",
    "Splash: High Explosive hurts units next to the target, and a duel has none.",
    "Numbers: a duel is one against one, while a battle sets two cheap units against one dear one.",
    "Copies: how many of a card exist limits an army, not a duel.",
)
"""How a duel is played and won, and what its answer leaves out."""

KILL_COLUMNS: Mapping[str, Column] = {
    "actions": Column("Attack actions made until the target falls", "duration"),
    "overkill": Column("damage beyond what was needed to destroy it", "waste"),
}
"""What attacking one target until it falls reports."""
KILL_PLAYED = (
    "Attack actions at a target that does nothing, until it falls. It stands in the open, unless set; a Supershield "
    "is up at the start, unless set, and not raised again."
)
KILL_CANNOT_SEE = (
    "The answer of the target: it neither shoots back nor moves nor takes cover.",
    "Range and movement: the target is in reach throughout.",
)
"""How attacks on one target are played, and what their answer leaves out."""


def duel_kind_processes(setup: Setup[Duel], lane: str) -> tuple[Process, ...]:
    """Return a duel's processes; lane "literal" rolls every die, "compiled" draws each attack whole."""
    return duel_processes(setup.play, LANES[lane])


def duel_processes(duel: Duel, resolve: Resolver = draw_wounds) -> tuple[Process, ...]:
    """Return the duel as processes, all equally likely: one, or one for each side going first.

    Columns are `DUEL_COLUMNS`; state columns exist only where these two fighters need them. `resolve` plays one attack:
    rolled, or drawn from its distribution.
    """
    return tuple(_process(duel, resolve, order) for order in orders(duel.first))


def _process(duel: Duel, resolve: Resolver, order: str) -> Process:
    slots = slots_of(duel, order[0]) + slots_of(duel, order[1])
    return Process(
        start=_start(duel, slots),
        steps=tuple(partial(take_slot, duel, resolve, slot) for slot in slots),
        over=_someone_fell,
        outcome=partial(_duel_outcome, len(slots), duel.health_decides and duel.round_limit > 0),
        max_steps=step_limit(duel.round_limit, len(slots), harmless=duel.is_harmless),
    )


def _start(duel: Duel, slots: Sequence[Slot]) -> dict[str, int]:
    start = start_columns(duel)
    needed = needs_volley(duel, start) and any(slot.attack for slot in slots)
    return {**start, "volley": 0} if needed else start


def _duels_alike(setup: Setup[Duel]) -> Hashable:
    """Return what duels have in common that differ only by healths and by the laws of attacks."""
    duel, sides = setup.play, list[Hashable]()
    can_splash = duel.distance_can_reach(duel.splash_radius)
    for side in "ab":
        fighter, slots = duel.fighter(side), slots_of(duel, side)
        legs = fighter if duel.anyone_moves else replace(fighter, ranges=(), speed=0, jump=False)
        forms = tuple((shot.form, shot.splashes and can_splash) for shot in fighter.shots)
        sides += replace(legs, shots=(), health=0), forms, len(slots), slots[0].choice.tobytes()
    return replace(duel, a=NOBODY, b=NOBODY), duel.is_harmless, *sides


def _same_duels(setup: Setup[Duel]) -> Hashable:
    duel = setup.play
    laws = (wound_law(shot) for fighter in (duel.a, duel.b) for shot in fighter.shots)
    return duel.a.health, duel.b.health, *laws


def _duels_together(setups: Sequence[Setup[Duel]]) -> list[Run]:
    """Return the runs of duels that are alike: one, where whoever goes first begins at another point of one round."""
    duels = [setup.play for setup in setups]
    laws = {
        draw_name(dice_of(side, index)): [wound_distributions(duel.fighter(side).shots[index]) for duel in duels]
        for side in "ab"
        for index in range(len(duels[0].fighter(side).shots))
    }
    duel, processes = duels[0], duel_processes(duels[0])
    own_slots = {side: slots_of(duel, side) for side in "ab"}
    starts = [_start(each, own_slots["a"] + own_slots["b"]) for each in duels]
    if len(processes) < 2 or duel.round_limit or duel.is_harmless:
        return [side_by_side(process, starts, laws) for process in processes]
    return [side_by_side(processes[0], starts, laws, (0, len(own_slots[orders(duel.first)[0][0]])))]


DUEL_CHAINS = Chains(_duels_alike, _same_duels, _duels_together)


def _someone_fell(state: State) -> BoolArray:
    return (state["a_health"] <= 0) | (state["b_health"] <= 0)


def _duel_outcome(slots_per_round: int, health_decides: bool, state: State, steps: IntArray) -> State:
    a, b = state["a_health"], state["b_health"]
    winners = winner(a > 0, b > 0, (a - b) * health_decides)
    columns = outcome_columns(winners, steps, slots_per_round, health=(np.maximum(a, 0), np.maximum(b, 0)))
    return {**columns, "overkill": np.maximum(-np.minimum(a, b), 0)}


def kill_processes(setup: KillSetup, lane: str) -> tuple[Process, ...]:
    """Return attacks with one weapon on a target that does nothing, until it falls; columns are `KILL_COLUMNS`."""
    shot = setup.shot
    process = Process(
        start=_kill_start(setup),
        steps=(partial(_wound, shot, LANES[lane]),) * shot.n_attacks,
        over=lambda state: state["health"] <= 0,
        outcome=partial(_kill_outcome, shot.n_attacks),
        max_steps=LONGEST_ROUNDS * shot.n_attacks,
    )
    return (process,)


def _kills_together(setups: Sequence[KillSetup]) -> list[Run]:
    """Return the run of attacks that are alike."""
    (process,), laws = kill_processes(setups[0], "compiled"), [wound_distributions(setup.shot) for setup in setups]
    return [side_by_side(process, [_kill_start(setup) for setup in setups], {draw_name("a "): laws})]


def _kill_start(setup: KillSetup) -> dict[str, int]:
    return {"health": setup.health, **setup.condition()}


KILL_CHAINS = Chains(
    lambda setup: (setup.shot.form, *setup.condition().items()),
    lambda setup: (setup.health, wound_law(setup.shot)),
    _kills_together,
)


def _wound(shot: Shot, resolve: Resolver, state: State, rolls: Rolls) -> State:
    """Let a target that does nothing take one attack."""
    shield_up = state["shield"] == UP if shot.shielded else False
    outcome = resolve(shot, shield_up, armour_left(shot.armour, state), rolls, "a ")
    return {**state, **absorb(shot, state, outcome), "health": state["health"] - outcome["damage"]}


def _kill_outcome(n_attacks: int, state: State, steps: IntArray) -> State:
    return {"actions": (steps - 1) // n_attacks + 1, "overkill": np.maximum(-state["health"], 0)}
