"""One unit strikes another on the board: how many dice, cards between throw and effect, powers, and what is taken away.

What a throw does is for `balance.games.battlelore.rules.strike`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.lore_cards import after_roll, before_roll, dice_under_cards
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.combat.retreat import flee
from balance.games.battlelore.adventure.lore.hands import take_tokens
from balance.games.battlelore.rules.dice import FLAG, LORE, limited, throw
from balance.games.battlelore.rules.powers import affordable, shared_out
from balance.games.battlelore.rules.strike import Strikes, resolve, survives

CHALICE, STORE, WEB, POISON = range(4)
"""What an owner may do with the Lore faces of a creature."""


def strike(clash: Clash, melee: bool | IntArray = True) -> tuple[IntArray, IntArray]:
    """Have one unit strike another in each trial, to the end of the retreat; writes into the state.

    `melee` is whether they are adjacent, `bool[m]` or one for all. Returns the flags that targets ignored, and hexes
    that they retreated, `int64[m]` each.
    """
    near = np.broadcast_to(np.asarray(melee), clash.rows.shape).astype(np.int64)
    whom = {"unit": clash.unit, "target": clash.target, "kind": clash.kind, "melee": near}
    clash.turn.report("battle", clash.by, clash.rows, **whom)
    has_cards = clash.turn.battle.lore and clash.kind != "back"
    fewer = before_roll(clash, near) if has_cards else near
    letters = throw(clash.struck.faces, dice_of(clash, near), clash.rolls, "battle")
    if has_cards:
        letters = after_roll(clash, letters, near, fewer)
    at, n_ignored, travelled = np.flatnonzero(clash.is_open), np.zeros_like(near), np.zeros_like(near)
    flags = _wound(clash.part(at), letters[at], near[at])
    flees = at[flags > 0]
    flees = flees[(clash.target_figures > 0)[flees] & clash.is_open[flees]]
    if len(flees):
        n_ignored[flees], travelled[flees] = flee(clash.part(flees), flags[np.searchsorted(at, flees)])
    return n_ignored, travelled


def _wound(clash: Clash, letters: IntArray, melee: IntArray) -> IntArray:
    """Take away what the dice hit, and return the flags that are still to be resolved, `int64[m]`."""
    battle = clash.turn.battle
    hits = clash.struck.helmets_of(letters) + clash.swords(letters, melee)
    symbols = {"hits": hits, "flags": letters[:, FLAG], "lore": letters[:, LORE]}
    strikes = Strikes(clash.struck, battle.terms.rules, battle.lore, partial(spend, clash))
    blow = resolve(strikes, symbols, _condition(clash), clash.rolls, "")
    lose(clash.turn, clash.rows, clash.on, clash.target, blow["wounds"], "dice")
    return blow["pending"]


def _condition(clash: Clash) -> State:
    """Return the conditions of strikers and targets by which the rules resolve a throw, `[m]` each."""
    battle, state = clash.turn.battle, clash.turn.state
    if not battle.lore:
        return {}
    at = clash.rows, clash.on, clash.target
    condition = {name: state[name][at].astype(np.int64) for name in ("webbed", "poisoned", "figures")}
    if battle.terms.rules.webbed_flags == "taken_hit":
        condition["bold"] = clash.target_bold()
    return condition


def dice_of(clash: Clash, melee: IntArray) -> IntArray:
    """Return how many dice each unit rolls, `int64[m]` (BL-DICE-02): colour, weapon, caps, then cards."""
    battle, state, rows = clash.turn.battle, clash.turn.state, clash.rows
    ground, target_ground = (battle.ground_at(state, rows, cells) for cells in (clash.cells, clash.target_cells))
    caps = battle.field.caps[ground, target_ground].astype(np.int64)
    if clash.kind == "back":
        still = battle.muster.dice[clash.members, 0].astype(np.int64)
        return np.asarray(still if battle.terms.rules.battle_back_caps == "none" else limited(still, caps, 0))
    has_moved = state["moved"][rows, clash.unit].astype(np.int64)
    extra = state["bonus"][rows, clash.unit] + state["melee_bonus"][rows, clash.unit] * melee
    dice = limited(battle.muster.dice[clash.members, has_moved], caps, extra)
    return dice_under_cards(clash, dice) if battle.lore else dice


def spend(clash: Clash, hits: IntArray, fresh: IntArray, flags: IntArray, condition: State) -> State:
    """Have owners of creatures use free Lore faces, `fresh`; anybody else's go to the chalice; writes into the state.

    See `rules.strike.Strikes`.
    """
    webbed = condition.get("webbed", np.zeros_like(flags))
    columns = {"gained": np.zeros_like(fresh), "webbed": webbed}
    if not clash.turn.battle.lore:
        return columns
    has_power = clash.turn.battle.muster.most_stored.take(clash.members) > 0
    take_tokens(clash.turn, clash.rows[~has_power], clash.by, fresh[~has_power], "faces")
    if len(at := np.flatnonzero(has_power)):
        is_worthwhile = np.asarray(survives(clash.struck, hits, condition))
        _use_power(clash.part(at), hits[at], fresh[at], is_worthwhile[at])
    return columns | {"webbed": clash.turn.state["webbed"][clash.rows, clash.on, clash.target].astype(np.int64)}


def _use_power(clash: Clash, hits: IntArray, fresh: IntArray, is_worthwhile: BoolArray) -> None:
    """Have owners of creatures choose: chalice, store, Web or Poison for their Lore faces; writes into the state."""
    turn, muster, state = clash.turn, clash.turn.battle.muster, clash.turn.state
    at = clash.rows, clash.on, clash.target
    stored = state["stored"][clash.rows, clash.by, clash.unit].astype(np.int64)
    most, web, poison = (
        t.take(clash.members).astype(np.int64) for t in (muster.most_stored, muster.web, muster.poison)
    )
    conditions = {"webbed": state["webbed"][at], "poisoned": state["poisoned"][at]}
    may_poison, may_web = affordable(stored + fresh, hits, conditions, (poison, web), is_worthwhile)
    may_store = (fresh > 0) & (stored < most)
    row, power = places_of(np.stack([np.ones_like(may_web), may_store, may_web, may_poison], axis=1))
    power_used = power[turn.choose("power", clash.by, clash.rows, row, power, unit=clash.unit[row], power=power)]
    price = web * (power_used == WEB) + poison * (power_used == POISON)
    gained, rest = shared_out(stored + fresh - price, most)
    gained, rest = np.where(power_used == CHALICE, fresh, gained), np.where(power_used == CHALICE, stored, rest)
    _store(clash, stored, rest)
    for name, number in (("webbed", WEB), ("poisoned", POISON)):
        state[name][at] |= power_used == number
    turn.report("power", clash.by, clash.rows, unit=clash.unit, target=clash.target, power=power_used, price=price)
    take_tokens(turn, clash.rows, clash.by, gained, "faces")


def _store(clash: Clash, before: IntArray, after: IntArray) -> None:
    """Set the tokens beside creatures; those added are taken from the pool while it has any (BL-CRE-11, BL-LORE-03)."""
    state = clash.turn.state
    added = np.minimum(after - before, state["pool"][clash.rows])
    state["stored"][clash.rows, clash.by, clash.unit] = before + added
    state["pool"][clash.rows] -= added.astype(np.int16)
