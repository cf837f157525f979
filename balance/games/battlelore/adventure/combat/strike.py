"""One unit strikes another: dice, what hits, and what that takes away (BL-DICE, BL-HIT, BL-CRE-03, BL-CRE-10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.base.arrays import IntArray
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.lore_cards import after_roll, before_roll, dice_under_cards
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.combat.powers import use_lore
from balance.games.battlelore.adventure.combat.retreat import flee
from balance.games.battlelore.adventure.combat.throws import FLAG, LORE, SWORD, helmets, throw


@dataclass(frozen=True, eq=False)
class Result:
    """What a strike led to in each trial.

    Attributes
    ----------
    ignored, travelled
        Flags that the target ignored, and hexes that it retreated, `int64[m]`.
    """

    ignored: IntArray
    travelled: IntArray

    def part(self, at: IntArray) -> Result:
        """Return it in some of the trials.

        Parameters
        ----------
        at
            Indices of those trials, 0 to m - 1.
        """
        return Result(self.ignored[at], self.travelled[at])


def strike(clash: Clash, melee: bool | IntArray = True) -> Result:
    """Have one unit strike another in each trial, to the end of the retreat; writes into the state.

    `melee` is whether they are adjacent, `bool[m]` or one for all.
    """
    near = np.broadcast_to(np.asarray(melee), clash.rows.shape).astype(np.int64)
    whom = {"unit": clash.unit, "target": clash.target, "kind": clash.kind, "melee": near}
    clash.turn.report("battle", clash.by, clash.rows, **whom)
    has_cards = clash.turn.battle.lore and clash.kind != "back"
    fewer = before_roll(clash, near) if has_cards else near
    faces = throw(clash.turn, clash.rows, clash.by, "battle", dice_of(clash, near))
    result = Result(np.zeros_like(near), np.zeros_like(near))
    if has_cards:
        faces = after_roll(clash, faces, near, fewer)
        at = np.flatnonzero(clash.is_open)
        _resolve(clash.part(at), faces[at], near[at], result, at)
    else:
        _resolve(clash, faces, near, result, np.arange(len(near)))
    return result


def _resolve(clash: Clash, faces: IntArray, melee: IntArray, result: Result, at: IntArray) -> None:
    """Take away what the dice hit, then resolve the flags; writes into `result` at the places `at`."""
    flags = _wound(clash, faces, melee)
    flees = np.flatnonzero((flags > 0) & (clash.target_figures > 0) & clash.is_open)
    if len(flees):
        places = at[flees]
        result.ignored[places], result.travelled[places] = flee(clash.part(flees), flags[flees])


def dice_of(clash: Clash, melee: IntArray) -> IntArray:
    """Return how many dice each unit rolls, `int64[m]` (BL-DICE-02): colour, weapon, caps, then cards."""
    battle, state, rows = clash.turn.battle, clash.turn.state, clash.rows
    ground, target_ground = (battle.ground_at(state, rows, cells) for cells in (clash.cells, clash.target_cells))
    caps = battle.field.caps[ground, target_ground].astype(np.int64)
    if clash.kind == "back":
        still = battle.muster.dice[clash.members, 0].astype(np.int64)
        return np.asarray(still if battle.terms.rules.battle_back_caps == "none" else np.minimum(still, caps))
    has_moved = state["moved"][rows, clash.unit].astype(np.int64)
    extra = state["bonus"][rows, clash.unit] + state["melee_bonus"][rows, clash.unit] * melee
    dice = np.asarray(np.maximum(np.minimum(battle.muster.dice[clash.members, has_moved], caps) + extra, 0))
    return dice_under_cards(clash, dice) if battle.lore else dice


def _wound(clash: Clash, faces: IntArray, melee: IntArray) -> IntArray:
    """Take away what the dice hit, use Lore faces, and return the flags that are still to be resolved, `int64[m]`."""
    battle, state = clash.turn.battle, clash.turn.state
    flags = faces[:, FLAG]
    hits: IntArray = helmets(faces, clash.colours) + clash.swords(faces[:, SWORD], melee)
    if battle.lore:
        hits, flags = use_lore(clash, hits, flags, faces[:, LORE])
    losses = np.minimum(hits, clash.target_figures)
    creature = battle.muster.creature.take(clash.target_members)
    checked = np.flatnonzero(creature & (hits > 0))
    if len(checked):
        faces_again = throw(clash.turn, clash.rows[checked], clash.by, "critical", hits[checked])
        is_critical = helmets(faces_again, clash.colours[checked]) > 0
        losses[checked] = state["figures"][clash.rows[checked], clash.on, clash.target[checked]] * is_critical
    lose(clash.turn, clash.rows, clash.on, clash.target, losses, "dice")
    return flags
