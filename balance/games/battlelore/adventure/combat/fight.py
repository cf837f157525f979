"""A whole combat on the board: the attack, then the battle back or the follow-up (the ledger's one combat).

After the battle come gaining ground, pursuit, and whom a bonus melee attack strikes (BL-POST-03 to BL-POST-09).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.game.kit.board.options import places_of
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.legal import beside
from balance.games.battlelore.adventure.combat.strike import strike
from balance.games.battlelore.adventure.terms.battle import NOBODY
from balance.games.battlelore.adventure.terms.standing import settle
from balance.games.battlelore.adventure.terms.turn import Turn
from balance.games.battlelore.rules.morale import battles_back


def fight(turn: Turn, rows: IntArray, unit: IntArray, target: IntArray) -> None:
    """Play a whole combat in each of some trials: an attack of the side whose turn it is; writes into the state.

    Units next to each other fight in melee, others at range; after a melee nobody battles a second time. A trial that
    is won drops out of all that follows. `rows` are trials, each once; `unit` and `target` are slots, `int64[m]`.
    """
    if not len(rows):
        return
    clash = Clash(turn, turn.side, rows, unit, target)
    hexes = clash.target_cells
    melee = turn.battle.field.distances[clash.cells + 1, hexes + 1] == 1
    turn.state["battles"][rows[melee], unit[melee]] = 0
    n_ignored, travelled = strike(clash, melee)
    near = np.flatnonzero(melee & clash.is_open)
    if len(near):
        _follow(clash.part(near), hexes[near], n_ignored[near], travelled[near])


def _follow(clash: Clash, hexes: IntArray, n_ignored: IntArray, travelled: IntArray) -> None:
    """Play what follows a strike in melee: who holds its hex may battle back, else the attacker may gain ground.

    `hexes` are the cells where the targets stood; flags ignored and hexes `travelled` are those of `strike`.
    """
    stands = clash.figures > 0
    holds = (clash.target_figures > 0) & (travelled == 0)
    backs, gains = np.flatnonzero(stands & holds), np.flatnonzero(stands & ~holds)
    if len(backs):
        _battle_back(clash.part(backs), n_ignored[backs])
    if len(gains):
        _go_after(clash.part(gains), hexes[gains])


def _battle_back(clash: Clash, n_ignored: IntArray) -> None:
    """Let targets that are Bold now, and in no web, battle back (BL-POST-10 to BL-POST-14); that ends the combat."""
    turn, rules = clash.turn, clash.turn.battle.terms.rules
    if clash.kind == "bonus" and not rules.battle_back_on_bonus:
        return
    webbed = turn.state["webbed"][clash.rows, clash.on, clash.target]
    at = np.flatnonzero(battles_back(1, clash.target_bold(), webbed, n_ignored, rules.back_needs_flag))
    if not len(at):
        return
    part = clash.part(at)
    wants = turn.agrees("back", clash.on, part.rows, unit=part.target)
    if wants.any():
        strike(part.back(np.flatnonzero(wants)))


def _go_after(clash: Clash, hexes: IntArray) -> None:
    """Let attackers gain ground, and mounted ones pursue and strike once more, after which they only gain ground."""
    begin, gained = clash.cells, gain_ground(clash, hexes)
    if clash.kind != "attack":
        return
    mounted = clash.turn.battle.muster.mounted.take(clash.members[gained]) & clash.is_open[gained]
    riders = gained[mounted]
    if not len(riders):
        return
    bonus = pursue(clash.part(riders), hexes[riders], begin[riders])
    if len(bonus.rows):
        cells = bonus.target_cells
        n_ignored, travelled = strike(bonus)
        at = np.flatnonzero(bonus.is_open)
        _follow(bonus.part(at), cells[at], n_ignored[at], travelled[at])


def gain_ground(clash: Clash, hexes: IntArray) -> IntArray:
    """Let units move into `hexes`, `int64[m]`, that their targets left; return the places that do, `int64[p]`."""
    at = np.flatnonzero(clash.turn.agrees("gain", clash.by, clash.rows, unit=clash.unit))
    _advance(clash.part(at), hexes[at])
    return at


def pursue(clash: Clash, hexes: IntArray, begin: IntArray) -> Clash:
    """Let mounted units that gained ground pursue, and return the bonus attacks that they make.

    `hexes` were just entered from the hexes `begin`, `int64[m]` each.
    """
    battle, state = clash.turn.battle, clash.turn.state
    before, ground = (battle.ground_at(state, clash.rows, cells) for cells in (begin, hexes))
    after = _ride_on(clash, hexes, battle.field.stops_pursuit[before, ground])
    beyond = battle.ground_at(state, clash.rows, after)
    may_battle = battle.field.battles_from[before, ground]
    may_battle &= battle.field.battles_from[ground, beyond] | (after == hexes)
    able = np.flatnonzero(may_battle & clash.is_open)
    return _bonus(clash.part(able), after[able])


def _ride_on(clash: Clash, hexes: IntArray, stops: BoolArray) -> IntArray:
    """Have owners choose where a pursuit ends, at most one hex further; move the units, and return it, `int64[m]`."""
    turn = clash.turn
    near = turn.battle.field.neighbours.take(hexes + 1, axis=0).astype(np.int64)
    cells = np.concatenate([hexes[:, None], near], axis=1)
    may_end = turn.battle.free_at(turn.state, clash.rows[:, None], cells) & ~stops[:, None]
    may_end[:, 0] = True
    after = turn.choose_cell("pursuit", clash.by, clash.rows, cells, may_end, unit=clash.unit)
    goes = np.flatnonzero(after != hexes)
    _advance(clash.part(goes), after[goes])
    return after


def _advance(clash: Clash, cells: IntArray) -> None:
    """Move units that follow up to `cells`, and settle what that wins."""
    if len(cells):
        turn, before = clash.turn, clash.cells
        turn.place(clash.rows, clash.by, clash.unit, cells)
        turn.report("gain", clash.by, clash.rows, unit=clash.unit, before=before, after=cells)
        settle(turn, clash.rows)


def _bonus(clash: Clash, cells: IntArray) -> Clash:
    """Return the bonus attacks that owners choose from `cells`; none where they choose nobody."""
    turn, battle = clash.turn, clash.turn.battle
    foes = beside(battle, turn.state, clash.on, clash.rows, cells).astype(np.int64)
    is_target = foes != NOBODY
    if battle.terms.rules.bonus_target == "other":
        is_target &= foes != clash.target[:, None]
    near = battle.field.neighbours.take(cells + 1, axis=0)
    nobody = np.full((len(cells), 1), NOBODY)
    slots, at_cells = np.concatenate([nobody, foes], axis=1), np.concatenate([nobody, near], axis=1)
    row, way = places_of(np.concatenate([nobody < 0, is_target], axis=1))
    target = slots[row, way]
    place = battle.place_of(clash.by, at_cells[row, way]) + 1
    aim = target[turn.choose("bonus", clash.by, clash.rows, row, place, unit=clash.unit[row], target=target)]
    strikes = np.flatnonzero(aim != NOBODY)
    return replace(clash.part(strikes), target=aim[strikes], kind="bonus")
