"""A whole combat: the attack, its retreat, then a battle back or a bonus melee attack (the ledger's one combat).

A combat is a list of *clashes*, strikes that happen if the ones before them allow it:

1. the attack of `a` on its target `t`, unless `t` is in ambush, strikes first and kills `a`, drives it off (BL-POST-07)
   or webs it (BL-CRE-15);
2. `t` battles back, if it is alive, never left its hex, is Bold and not webbed (BL-POST-10 to BL-POST-14);
3. else `a` gains ground, and if it is mounted and its owner wishes, makes a bonus melee attack from the hex just
   vacated or the one beyond, on `t` or on another enemy `u` (BL-POST-03 to BL-POST-09);
4. whose target may battle back in turn (BL-Q13).

Each clash is two steps of the process, the roll and the retreat. In the state, `a_`, `t_` and `u_` begin the columns of
the three units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Rolls
from balance.game.game import Column
from balance.game.kit import once
from balance.games.battlelore.rules.encounter import Encounter
from balance.games.battlelore.rules.strike import flee, roll, suffer

ATTACK_COLUMNS: Mapping[str, Column] = {
    "hits": Column("hits rolled (against a creature: dice to re-roll)", says="hits"),
    "flags": Column("retreat flags rolled"),
    "lore": Column("Lore faces rolled"),
    "figures_lost": Column("figures the target loses to hits", "effect"),
}
"""What one attack reports."""
ATTACK_PLAYED = (
    "One roll of battle dice at a unit, and the figures it removes. It ends there: flags are counted as rolled and "
    "nobody retreats; nobody wins."
)
ATTACK_CANNOT_SEE = (
    "What follows a roll: retreats, battling back and gaining ground are part of a combat.",
    "Orders: in battle a unit fights when a command card lets it.",
)
"""How an attack is played, and what its answer leaves out."""

COMBAT_COLUMNS: Mapping[str, Column] = {
    "hits": Column("hits of the attack (against a creature: dice to re-roll)", says="hits"),
    "flags": Column("retreat flags rolled in the attack"),
    "lore": Column("Lore faces rolled in the attack"),
    "figures_lost": Column("figures the target lost: hits, blocked hexes, panic, a bonus attack on it", "effect"),
    "eliminated": Column("1 if the target lost its last figure", says="eliminates"),
    "hexes_retreated": Column("hexes the target retreated from the attack"),
    "vacated": Column("1 if the attack left the target's hex empty"),
    "battle_back": Column("1 if the target battled back"),
    "attacker_figures_lost": Column("figures the attacker lost", "loss"),
    "attacker_eliminated": Column("1 if the attacker lost its last figure"),
    "attacker_hexes_retreated": Column("hexes the attacker was driven back"),
    "attacker_banners": Column("victory banners of the attacker's side"),
    "defender_banners": Column("victory banners of the defender's side"),
    "gained_ground": Column("1 if the attacker moved into the target's hex"),
    "bonus_melee": Column("1 if the attacker made a bonus melee attack"),
    "bonus_figures_lost": Column("figures the target of the bonus attack lost to it"),
    "lore_gained": Column("Lore to the attacker's chalice, less what it paid"),
    "defender_lore_gained": Column("Lore to the defender's chalice"),
    "stored_lore": Column("Lore stored beside an attacking creature in the end"),
    "webbed": Column("1 if the target is webbed in the end"),
    "poisoned": Column("1 if the target is poisoned in the end"),
    "trampled": Column("figures lost by units that a creature trampled"),
}
"""What a whole combat reports."""
COMBAT_PLAYED = (
    "One attack with all that follows from it: flags are ignored or retreated from, a Bold target that holds its hex "
    "battles back, the attacker gains ground. Both stand in the open and unsupported, unless set. Nobody wins."
)
COMBAT_CANNOT_SEE = (
    "The board: who is near, and how far one can retreat, is what the situation says.",
    "Later turns: a unit driven back is not lost, and what its place was worth does not count.",
    "Orders: in battle a unit fights when a command card lets it.",
)
"""How a combat is played, what its sides exchange, and what its answer leaves out."""


@dataclass(frozen=True)
class Clash:
    """A strike of a combat, and when it happens.

    `name`: what its dice are called: "ambush", "attack", "battle back", "bonus near", "bonus near back" and so on.
    `happens`: state -> bool[n]: in which trials it happens, asked when the clashes before it are done.
    """

    name: str
    encounter: Encounter
    happens: Callable[[State], BoolArray]


@dataclass(frozen=True)
class Combat:
    """A combat, ready to be played.

    * `clashes`: in order.
    * `start`: value of each unit's state columns at the beginning.
    * `follows_up`: whether the attacker moves into the target's hex when it is vacated.
    * `n_blockers` and `blocker_figures`: units a creature may trample, and figures of each.
    * `paid_lore` and `stored_lore`: lore the attacker paid before, and Lore stored beside it where its owner leaves
      that alone.
    """

    clashes: tuple[Clash, ...]
    start: Mapping[str, int]
    follows_up: bool
    n_blockers: int
    blocker_figures: int
    paid_lore: int
    stored_lore: int


def attack_process(encounter: Encounter, start: Mapping[str, int]) -> Process:
    """Return one attack as a process with the columns of `ATTACK_COLUMNS`; `start` has its first state columns."""
    columns = dict.fromkeys(ATTACK_COLUMNS, 0)

    def step(state: State, rolls: Rolls) -> State:
        blow = roll(encounter.strike, encounter.condition(state), rolls, "attack")
        losses = np.minimum(blow["wounds"], state["t_figures"])
        return {**state, "hits": blow["hits"], "flags": blow["flags"], "lore": blow["lore"], "figures_lost": losses}

    return once({**columns, **start}, [step], ATTACK_COLUMNS)


PROGRESS = ("hits", "flags", "lore", "wounds", "pending", "striking", "done")
ATTACK = ("attacked", "ignored", "held", "travelled")
TALLIES = (
    "a_travelled",
    "battled_back",
    "bonus",
    "bonus_held",
    "bonus_ignored",
    "bonus_lost",
    "a_lore",
    "t_lore",
    "u_lore",
)


def combat_process(combat: Combat) -> Process:
    """Return a whole combat as a process with the columns of `COMBAT_COLUMNS`."""
    start = {**dict.fromkeys((*PROGRESS, *ATTACK, *TALLIES), 0), **combat.start, "a_lore": -combat.paid_lore}
    steps = [
        step
        for number, clash in enumerate(combat.clashes)
        for step in (partial(_roll_step, clash), partial(_flee_step, clash, combat.clashes[number + 1 :]))
    ]
    return Process(start, tuple(steps), _is_done, partial(_combat_outcome, combat), max_steps=len(steps))


def _is_done(state: State) -> BoolArray:
    return state["done"] > 0


def _roll_step(clash: Clash, state: State, rolls: Rolls) -> State:
    encounter = clash.encounter
    strikes = clash.happens(state)
    blow = roll(encounter.strike, encounter.condition(state), rolls, clash.name)
    figures, lore = state[f"{encounter.on}_figures"], f"{encounter.by}_lore"
    after = {
        **state,
        **encounter.condition_after(state, blow, strikes),
        "wounds": np.minimum(blow["wounds"], figures) * strikes,
        "pending": blow["pending"] * (strikes & (blow["wounds"] < figures)),
        "striking": strikes.astype(np.int16),
        lore: state[lore] + blow["gained"] * strikes,
    }
    if clash.name != "attack":
        return after
    return after | {"attacked": after["striking"]} | {key: blow[key] * strikes for key in ("hits", "flags", "lore")}


def _flee_step(clash: Clash, later: tuple[Clash, ...], state: State, rolls: Rolls) -> State:
    encounter, is_strike = clash.encounter, state["striking"] > 0
    figures, by, lore = f"{encounter.on}_figures", f"{encounter.by}_figures", f"{encounter.by}_lore"
    flight = flee(encounter.strike, state["pending"], encounter.condition(state), rolls, clash.name)
    after_flight = suffer(state[figures], state, flight, is_strike)
    flees = is_strike & (state["wounds"] < state[figures])
    after = {
        **state,
        **_columns_kept(clash, state, flight, after_flight, is_strike, flees),
        figures: after_flight["figures"],
        by: np.maximum(state[by] - flight["shoved"] * flees, 0),
        lore: state[lore] + flight["gained"] * flees,
        **dict.fromkeys(("wounds", "pending", "striking"), np.zeros_like(state["striking"])),
    }
    if (trampled_column := encounter.column("trampled")) in state:
        after[trampled_column] = np.where(flees, flight["trampled"], state[trampled_column]).astype(np.int16)
    more = np.zeros(len(is_strike), bool)
    for next_clash in later:
        more |= next_clash.happens(after)
    after["done"] = (~more).astype(np.int16)
    return after


def _columns_kept(
    clash: Clash, state: State, flight: State, after_flight: State, is_strike: BoolArray, flees: BoolArray
) -> State:
    """Return the columns that a clash changes beside figures and Lore."""
    if clash.name == "attack":
        return {
            "held": after_flight["held"],
            "travelled": after_flight["travelled"],
            "ignored": flight["ignored"] * flees,
        }
    if clash.name.startswith("bonus") and not clash.name.endswith("back"):
        losses = state[f"{clash.encounter.on}_figures"] - after_flight["figures"]
        bonus_columns = {
            "bonus": is_strike,
            "bonus_held": after_flight["held"],
            "bonus_ignored": flight["ignored"],
            "bonus_lost": losses,
        }
        return {name: np.where(is_strike, value, state[name]).astype(np.int16) for name, value in bonus_columns.items()}
    columns = {"a_travelled": np.where(is_strike, after_flight["travelled"], state["a_travelled"])}
    if clash.name.endswith("back") and clash.encounter.by == "t":
        columns["battled_back"] = is_strike | (state["battled_back"] > 0)
    if clash.name != "ambush":
        columns["bonus_held"] = state["bonus_held"] * ~is_strike
    return {name: values.astype(np.int16) for name, values in columns.items()}


def _combat_outcome(combat: Combat, state: State, steps: IntArray) -> State:
    start, zeros = combat.start, np.zeros_like(state["hits"])
    a_left, t_left, u_left = state["a_figures"], state["t_figures"], state.get("u_figures")
    n_trampled = state.get("t_trampled", zeros)
    crushed_units = np.int16(combat.n_blockers) * (n_trampled >= combat.blocker_figures)
    vacates = state["attacked"] * (1 - state["held"])
    return {
        "hits": state["hits"],
        "flags": state["flags"],
        "lore": state["lore"],
        "figures_lost": start["t_figures"] - t_left,
        "eliminated": (t_left == 0).astype(np.int16),
        "hexes_retreated": state["travelled"],
        "vacated": vacates,
        "battle_back": state["battled_back"],
        "attacker_figures_lost": start["a_figures"] - a_left,
        "attacker_eliminated": (a_left == 0).astype(np.int16),
        "attacker_hexes_retreated": state["a_travelled"],
        "attacker_banners": crushed_units + (t_left == 0) + (zeros if u_left is None else (u_left == 0)),
        "defender_banners": (a_left == 0).astype(np.int16),
        "gained_ground": vacates * np.int16(combat.follows_up) * _still_stands(state),
        "bonus_melee": state["bonus"],
        "bonus_figures_lost": state["bonus_lost"],
        "lore_gained": state["a_lore"],
        "defender_lore_gained": state["t_lore"] + state["u_lore"],
        "stored_lore": state.get("a_stored", zeros + np.int16(combat.stored_lore)) * (a_left > 0),
        "webbed": state.get("t_webbed", zeros),
        "poisoned": state.get("t_poisoned", zeros),
        "trampled": n_trampled * np.int16(combat.n_blockers),
    }


def _still_stands(state: State) -> IntArray:
    """Return 1 where the attacker was alive when the hex was vacated: only trampling can have killed it before."""
    return np.asarray((state["a_figures"] > 0) | (state["bonus"] > 0), np.int16)
