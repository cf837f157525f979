"""Mastery cards as tables: who attacks, what it costs, who may protect (WE-CARD, WE-INIT, WE-MP, WE-PROT.1, WE-XDMG).

All tables are indexed by conflict value (CV), 1 to 12; 0 stands for "no card", for a side that has no turn to play.
With the printed cards the Attacker is whoever is 1 to 5 ahead on a ring of 12, and values 0 or 6 apart tie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, IntArray
from balance.games.edadh.cards.records import MasteryValue

N_CARDS = 12
N_VALUES = N_CARDS + 1
"""Length of an axis of conflict values: 0 for none, then 1 to 12."""
TIE, A_ATTACKS, B_ATTACKS = 0, 1, 2
"""Who has the initiative."""
ROLE_OF = np.array([0, 1, -1], np.int8)
"""The role of side a for each: 1 Attacker, -1 Defender."""


@dataclass(frozen=True, eq=False)
class Mastery:
    """What the mastery cards say about every pair of conflict values (CVs); row and column 0 stand for no card.

    `cost`: `int16[13, 13]`: MP paid for [own CV, opponent's CV] (WE-MP). `initiative`: `int8[13, 13]`: TIE, A_ATTACKS
    or B_ATTACKS for [a's CV, b's CV] (WE-INIT). `may_protect`: `bool[13, 13]`: whether [defender's CV] lets protect
    from [attacker's CV] (WE-PROT.1). `extra`: `int16[13]`: damage the Attacker's card adds (WE-XDMG.1).
    """

    cost: npt.NDArray[np.int16]
    initiative: npt.NDArray[np.int8]
    may_protect: BoolArray
    extra: npt.NDArray[np.int16]

    @classmethod
    def of(cls, cards: Mapping[str, MasteryValue], *, protect_from_placed: bool = True) -> Mastery:
        """Read the tables off the twelve cards by id.

        With `protect_from_placed` the protection list is compared with the CV as placed; otherwise a CV that turned
        cannot be protected from.
        """
        cost, extra = np.zeros((N_VALUES, N_VALUES), np.int16), np.zeros(N_VALUES, np.int16)
        initiative = np.zeros((N_VALUES, N_VALUES), np.int8)
        may_protect = np.zeros((N_VALUES, N_VALUES), bool)
        for own_value in range(1, N_VALUES):
            card = cards[str(own_value)]
            extra[own_value] = card.extra_damage
            for foe in range(1, N_VALUES):
                cost[own_value, foe] = _cost(card, foe)
                initiative[own_value, foe] = _initiative(cards, own_value, foe)
                applies = protect_from_placed or effective_value(cards, foe, own_value) == foe
                may_protect[own_value, foe] = foe in card.protects_against and applies
        return cls(cost, initiative, may_protect, extra)

    def roles(self, card_a: IntArray, card_b: IntArray) -> npt.NDArray[np.int8]:
        """Return 1 where side a is the Attacker, -1 where side b is, 0 on a tie or without a turn (CV 0), `int8[n]`.

        >>> from balance.game.loaded import load
        >>> mastery = Mastery.of(load("edadh").catalogue.entries(MasteryValue))
        >>> mastery.roles(np.array([5, 4, 2]), np.array([12, 9, 8])).tolist()
        [1, -1, 0]
        """
        return ROLE_OF[self.initiative].ravel().take(card_a * N_VALUES + card_b)


def effective_value(cards: Mapping[str, MasteryValue], own_value: int, foe: int) -> int:
    """Return a CV, 1 to 12, or the alternative it turns into against the opponent's (WE-CARD.2)."""
    card = cards[str(own_value)]
    return card.alternative if card.alternative is not None and foe in card.alternative_against else own_value


def _cost(card: MasteryValue, foe: int) -> int:
    is_reduced = card.mp_reduced is not None and foe in card.mp_reduced_against
    return card.mp_reduced if is_reduced and card.mp_reduced is not None else card.mp_cost


def _initiative(cards: Mapping[str, MasteryValue], own_value: int, foe: int) -> int:
    if foe in (own_value, cards[str(own_value)].other_end):
        return TIE
    own_effective, foe_effective = effective_value(cards, own_value, foe), effective_value(cards, foe, own_value)
    if (own_effective != own_value) != (foe_effective != foe):
        return A_ATTACKS if own_effective != own_value else B_ATTACKS
    return TIE if own_effective == foe_effective else A_ATTACKS if own_effective > foe_effective else B_ATTACKS
