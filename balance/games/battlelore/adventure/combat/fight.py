"""A whole combat on the board: the attack, then the battle back or the follow-up (the ledger's one combat)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import IntArray
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.pursuit import gain_ground, pursue
from balance.games.battlelore.adventure.combat.strike import Result, strike
from balance.games.battlelore.adventure.terms.turn import Turn


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
    result = strike(clash, melee)
    near = np.flatnonzero(melee & clash.is_open)
    if len(near):
        _follow(clash.part(near), hexes[near], result.part(near))


def _follow(clash: Clash, hexes: IntArray, result: Result) -> None:
    """Play what follows a strike in melee: who holds its hex may battle back, else the attacker may gain ground.

    `hexes` are the cells where the targets stood.
    """
    stands = clash.figures > 0
    holds = (clash.target_figures > 0) & (result.travelled == 0)
    backs, gains = np.flatnonzero(stands & holds), np.flatnonzero(stands & ~holds)
    if len(backs):
        _battle_back(clash.part(backs), result.ignored[backs])
    if len(gains):
        _go_after(clash.part(gains), hexes[gains])


def _battle_back(clash: Clash, n_ignored: IntArray) -> None:
    """Let targets that are Bold now, and in no web, battle back (BL-POST-10 to BL-POST-14); that ends the combat."""
    turn, rules = clash.turn, clash.turn.battle.terms.rules
    if clash.kind == "bonus" and not rules.battle_back_on_bonus:
        return
    able = (clash.target_bold() > 0) & ~turn.state["webbed"][clash.rows, clash.on, clash.target]
    if rules.battle_back_needs == "ignored_flag":
        able &= n_ignored > 0
    at = np.flatnonzero(able)
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
        result = strike(bonus)
        is_open = np.flatnonzero(bonus.is_open)
        _follow(bonus.part(is_open), cells[is_open], result.part(is_open))
