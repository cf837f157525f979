"""One conflict turn (level A), from the reveal to the immediate discards, as pure functions of arrays.

A turn is: both pay MP for their cards; the Attacker, then the Defender select a troop; both gain its MP bonus; the
strike is protected from or deals damage; a troop hit harder than its discard value is discarded. On a tie both sides
strike. There is no chance in any of it. Everything here works for arrays of any shape that broadcast together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.games.edadh.rules.mastery import A_ATTACKS, B_ATTACKS, TIE, Mastery
from balance.games.edadh.rules.strike import LEVEL_GROUND, Blow, Flags, Ground, Ints, Profile, RuleOptions, strike


class Outcome(NamedTuple):
    """What a turn does to the two sides; each pair is (side a, side b), each an array `int[...]`.

    `cost` is the MP paid, `bonus` the MP gained by the Selected Troop, `mp_loss` what *(5) takes afterwards, `damage`
    the rise of the damage marker, `discard_damage` what discard values are compared with (WE-Q9), `is_discarded`
    whether the Selected Troop is discarded at once (WE-DISC.1).
    """

    cost: tuple[IntArray, IntArray]
    bonus: tuple[IntArray, IntArray]
    mp_loss: tuple[IntArray, IntArray]
    damage: tuple[IntArray, IntArray]
    discard_damage: tuple[IntArray, IntArray]
    is_discarded: tuple[BoolArray, BoolArray]


def resolve_turn(
    mastery: Mastery,
    cards: tuple[Ints, Ints],
    troops: tuple[Profile[Ints], Profile[Ints]],
    read: RuleOptions,
    *,
    grounds: tuple[Ground, Ground] = (LEVEL_GROUND, LEVEL_GROUND),
    helpers_att: tuple[Ints, Ints] = (0, 0),
    champion_damage: tuple[Ints, Ints] = (0, 0),
    relief: tuple[Ints, Ints] = (0, 0),
) -> Outcome:
    """Resolve a whole turn, given both cards (CVs 1 to 12) and both Selected Troops; pairs are (side a, side b).

    `grounds` lie on either side's own half, `helpers_att` is the att of the troops combined with its own, and `relief`
    is the damage that a standard takes from a side's total (WE-STD.2).

    >>> from balance.games.edadh.cards.records import MasteryValue
    >>> from balance.game.loaded import load
    >>> mastery = Mastery.of(load("edadh").catalogue.entries(MasteryValue))
    >>> shieldsmen, spears = Profile(3, 1, 3, 1, 5, 6, 4, 2, 4), Profile(3, 1, 1, 2, 7, 5, 5, 2, 4)
    >>> turn = resolve_turn(mastery, (12, 5), (shieldsmen, spears), RuleOptions())
    >>> [int(x) for x in turn.cost], [int(x) for x in turn.damage], bool(turn.is_discarded[0])
    ([1, 3], [5, 0], True)
    """
    card_a, card_b = cards
    in_turn = np.greater(card_a, 0)
    on_b, on_a = (
        strike(
            troops[side], troops[foe], _gate(mastery, cards[foe], cards[side], read), mastery.extra[cards[side]], read,
            has_initiative=mastery.initiative[card_a, card_b] != TIE, ground=grounds[foe],
            helpers_att=helpers_att[side], champion_damage=champion_damage[side],
        )
        for side, foe in ((0, 1), (1, 0))
    )  # fmt: skip
    blows = _blows_that_land(mastery.initiative[card_a, card_b], in_turn, on_a, on_b, relief, read)
    damage = (blows[0].damage, blows[1].damage)
    discard_damage = (blows[0].largest_move, blows[1].largest_move) if read.discard_on_each_move else damage
    return Outcome(
        cost=(mastery.cost[card_a, card_b], mastery.cost[card_b, card_a]),
        bonus=(np.where(in_turn, troops[0].mp_bonus, 0), np.where(in_turn, troops[1].mp_bonus, 0)),
        mp_loss=(blows[0].mp_loss, blows[1].mp_loss),
        damage=damage,
        discard_damage=discard_damage,
        is_discarded=(discard_damage[0] > troops[0].dv, discard_damage[1] > troops[1].dv),
    )


def _gate(mastery: Mastery, defender: Ints, attacker: Ints, read: RuleOptions) -> BoolArray:
    """Return whether the defender's CV lets protect from the attacker's (WE-PROT.1); not on ties in one reading."""
    gate: BoolArray = mastery.may_protect[defender, attacker]
    if read.tie_protect == "never":
        gate = gate & (mastery.initiative[defender, attacker] != TIE)
    return gate


def _blows_that_land(
    initiative: Ints, in_turn: Flags, on_a: Blow, on_b: Blow, relief: tuple[Ints, Ints], read: RuleOptions
) -> tuple[Blow, Blow]:
    """Return the blows on either side: the Attacker's, or on a tie first a's, then b's (WE-DMG.2)."""
    a_strikes, b_strikes = in_turn & (initiative != B_ATTACKS), in_turn & (initiative != A_ATTACKS)
    if read.tie_protect == "ends_turn":
        b_strikes = b_strikes & ~((initiative == TIE) & on_b.is_protected)
    return _blow_where(on_a, b_strikes, relief[0]), _blow_where(on_b, a_strikes, relief[1])


def _blow_where(blow: Blow, mask: Flags, relief: Ints) -> Blow:
    """Return a blow that falls only where `mask` is true, less what a standard takes from the turn's total."""
    damage = np.maximum(np.where(mask, blow.damage, 0) - relief, 0)
    largest = np.minimum(np.where(mask, blow.largest_move, 0), damage)
    return blow._replace(damage=damage, largest_move=largest, mp_loss=np.where(mask, blow.mp_loss, 0))
