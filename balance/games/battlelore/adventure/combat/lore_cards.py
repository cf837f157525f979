"""Lore cards played in an attack: before the roll and after it (BL-LORE-11, BL-LORE-12)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.combat.throws import FLAG, SWORD, helmets, throw
from balance.games.battlelore.adventure.lore.windows import Aims, is_on, may_play, open_window
from balance.games.battlelore.adventure.terms.lore_deck import MECHANISMS, PHASES
from balance.games.battlelore.tables import Mechanism

MELEE, RANGED = PHASES.index("melee"), PHASES.index("ranged")
AGILITY, SHIELD, BACKSTAB = (MECHANISMS.index(name) for name in ("agility", "shield", "backstab"))


def before_roll(clash: Clash, melee: IntArray) -> IntArray:
    """Let both sides play cards before an attack is rolled; return how many helmets do not count, `int64[m]`.

    `melee`, `int64[m]`, is 1 where the two are adjacent. Nobody plays cards when a unit battles back.
    """
    turn, state, deck = clash.turn, clash.turn.state, clash.turn.battle.lore_deck
    if clash.kind == "attack":
        _strengthen(clash, melee)
    fewer = np.zeros(len(clash.rows), np.int64)
    playable = may_play(turn, clash.on, clash.rows, ("before_roll",))
    if playable.any():
        own, attacker = Aims(clash.on, _only(clash, clash.target)), Aims(clash.by, _only(clash, clash.unit))
        aims: Mapping[Mechanism, Aims] = {"agility": own, "fearless": own, "parry": attacker}
        card, _ = open_window(turn, clash.on, clash.rows, playable, aims)
        is_agile = deck.mechanism.take(card) == AGILITY
        fewer = state["lore_value"][clash.rows, clash.on].astype(np.int64) * is_agile
    return fewer


def _strengthen(clash: Clash, melee: IntArray) -> None:
    """Let the attacker's owner play a card on its unit, which may add dice."""
    turn, state, deck = clash.turn, clash.turn.state, clash.turn.battle.lore_deck
    playable = may_play(turn, clash.by, clash.rows, ("combat", "melee", "ranged"))
    playable &= np.where(melee[:, None] > 0, deck.phase != RANGED, deck.phase != MELEE)
    if not playable.any():
        return
    aim = Aims(clash.by, _only(clash, clash.unit))
    aims: Mapping[Mechanism, Aims] = {"dice": aim, "cry": aim, "berserk": aim}
    card, _ = open_window(turn, clash.by, clash.rows, playable, aims)
    value = state["lore_value"][clash.rows, clash.by].astype(np.int8)
    value = value * ((card >= 0) & (deck.mechanism.take(card) != MECHANISMS.index("cry")))
    is_melee = np.append(deck.phase, -1).take(card) == MELEE
    state["melee_bonus"][clash.rows, clash.unit] += value * is_melee
    state["bonus"][clash.rows, clash.unit] += value * ~is_melee


def _only(clash: Clash, unit: IntArray) -> BoolArray:
    """Return one unit per trial as a mask over slots, `bool[m, K]`."""
    return np.asarray(np.arange(clash.turn.battle.n_slots) == unit[:, None])


def dice_under_cards(clash: Clash, dice: IntArray) -> IntArray:
    """Return the dice rolled, `int64[m]`: `dice`, or the number that a Parry sets in their place."""
    turn = clash.turn
    parried = is_on(turn.battle, turn.state, clash.on, clash.rows, "parry", clash.unit)
    return np.where(parried, turn.state["lore_value"][clash.rows, clash.on], dice).astype(np.int64)


def after_roll(clash: Clash, faces: IntArray, melee: IntArray, fewer: IntArray) -> IntArray:
    """Return a roll by letter after cards, `int64[m, 6]`; a unit may be hit by its own bonus strikes.

    `fewer` helmets do not count; `melee`, `int64[m]`, is 1 where the two are adjacent.
    """
    turn, before = clash.turn, faces.copy()
    goes_berserk = is_on(turn.battle, turn.state, clash.by, clash.rows, "berserk", clash.unit) & (melee > 0)
    if len(at := np.flatnonzero(goes_berserk)):
        strikes = clash.swords(faces[:, SWORD], melee)
        faces[at] += throw(turn, clash.rows[at], clash.by, "berserk", strikes[at])
    playable, strikes = may_play(turn, clash.on, clash.rows, ("after_roll",)), np.zeros(len(clash.rows), np.int64)
    if playable.any():
        strikes = _turn_aside(clash, faces, melee, playable)
    rows = np.arange(len(clash.rows))
    faces[rows, clash.colours] = np.maximum(faces[rows, clash.colours] - fewer, 0)
    changed = np.flatnonzero((faces != before).any(axis=1))
    turn.report("roll_changed", clash.by, clash.rows[changed], faces=faces[changed])
    if len(at := np.flatnonzero(strikes)):
        _hit_attackers(clash.part(at), strikes[at])
    return faces


def _turn_aside(clash: Clash, faces: IntArray, melee: IntArray, playable: BoolArray) -> IntArray:
    """Let the target's owner play a card, which changes `faces` in place; return the strikes that hit the attacker."""
    turn, deck = clash.turn, clash.turn.battle.lore_deck
    strikes = clash.swords(faces[:, SWORD], melee) * melee
    aims: Mapping[Mechanism, Aims] = {
        "shield": Aims(clash.on, _only(clash, clash.target)),
        "backstab": Aims(clash.by, _only(clash, clash.unit) & (strikes > 0)[:, None]),
    }
    card, _ = open_window(turn, clash.on, clash.rows, playable, aims)
    mechanism = deck.mechanism.take(card)
    shielded = np.flatnonzero(mechanism == SHIELD)
    faces[shielded, clash.colours[shielded]] = 0
    faces[shielded, FLAG] = 0
    is_stabbed = mechanism == BACKSTAB
    faces[is_stabbed, SWORD] = 0
    return np.asarray(strikes * is_stabbed)


def _hit_attackers(clash: Clash, strikes: IntArray) -> None:
    """Take figures from attackers for their own bonus strikes; creatures die only of a critical hit."""
    turn, muster = clash.turn, clash.turn.battle.muster
    colours, losses = muster.colour.take(clash.members), np.minimum(strikes, clash.figures)
    creatures = np.flatnonzero(muster.creature.take(clash.members))
    if len(creatures):
        again = throw(turn, clash.rows[creatures], clash.on, "critical", strikes[creatures])
        losses[creatures] = clash.figures[creatures] * (helmets(again, colours[creatures]) > 0)
    lose(turn, clash.rows, clash.by, clash.unit, losses, "backstab")
