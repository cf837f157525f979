"""Lore cards played in an attack: before the roll and after it (BL-LORE-11, BL-LORE-12)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.battlelore.adventure.combat.clash import Clash
from balance.games.battlelore.adventure.combat.losses import lose
from balance.games.battlelore.adventure.combat.throws import Throws
from balance.games.battlelore.adventure.lore.windows import Aims, is_on, may_play, open_window
from balance.games.battlelore.adventure.terms.lore_deck import MECHANISMS, PHASES
from balance.games.battlelore.rules.dice import FLAG, LORE, SWORD, throw
from balance.games.battlelore.rules.strike import wounded
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


def after_roll(clash: Clash, letters: IntArray, melee: IntArray, fewer: IntArray) -> IntArray:
    """Return a roll by letter after cards, `int64[m, 6]`; a unit may be hit by its own bonus strikes.

    `fewer` helmets do not count; `melee`, `int64[m]`, is 1 where the two are adjacent. Lore faces that a Battle Cry
    makes hits are helmets in the end.
    """
    turn, before, helmet = clash.turn, letters.copy(), (np.arange(len(letters)), clash.struck.colour)
    goes_berserk = _is_on_attacker(clash, "berserk") & (melee > 0)
    if goes_berserk.any():
        letters += throw(clash.struck.faces, clash.swords(letters, melee) * goes_berserk, clash.rolls, "berserk")
    playable = may_play(turn, clash.on, clash.rows, ("after_roll",))
    strikes: IntArray = np.zeros(len(clash.rows), np.int64)
    if playable.any():
        strikes = _turn_aside(clash, letters, melee, playable)
    letters[helmet] = np.maximum(letters[helmet] - fewer, 0)
    changed = np.flatnonzero((letters != before).any(axis=1))
    turn.report("roll_changed", clash.by, clash.rows[changed], faces=letters[changed])
    if len(at := np.flatnonzero(strikes)):
        _hit_attackers(clash.part(at), strikes[at])
    cries = _is_on_attacker(clash, "cry")
    letters[helmet] += letters[:, LORE] * cries
    letters[cries, LORE] = 0
    return letters


def _is_on_attacker(clash: Clash, mechanism: Mechanism) -> BoolArray:
    return is_on(clash.turn.battle, clash.turn.state, clash.by, clash.rows, mechanism, clash.unit)


def _turn_aside(clash: Clash, letters: IntArray, melee: IntArray, playable: BoolArray) -> IntArray:
    """Let the target's owner play a card, which changes `letters` in place; return the strikes on the attacker."""
    turn, deck, strikes = clash.turn, clash.turn.battle.lore_deck, clash.swords(letters, melee) * melee
    aims: Mapping[Mechanism, Aims] = {
        "shield": Aims(clash.on, _only(clash, clash.target)),
        "backstab": Aims(clash.by, _only(clash, clash.unit) & (strikes > 0)[:, None]),
    }
    card, _ = open_window(turn, clash.on, clash.rows, playable, aims)
    mechanism = deck.mechanism.take(card)
    shielded = np.flatnonzero(mechanism == SHIELD)
    letters[shielded, clash.struck.colour[shielded]] = 0
    letters[shielded, FLAG] = 0
    is_stabbed = mechanism == BACKSTAB
    letters[is_stabbed, SWORD] = 0
    return np.asarray(strikes * is_stabbed)


def _hit_attackers(clash: Clash, strikes: IntArray) -> None:
    """Take figures from attackers for their own bonus strikes; creatures die only of a critical hit."""
    turn, stabbed = clash.turn, clash.turn.battle.muster.targets(clash.members)
    losses = wounded(stabbed, strikes, Throws(turn, clash.on, clash.rows), "")
    lose(turn, clash.rows, clash.by, clash.unit, losses, "backstab")
