"""What is for sale where armies are drawn: the cards of a catalogue, without those that another army has already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import Fault
from balance.catalogue import Catalogue
from balance.games.warforged.battle.armies.drawing import Drawing
from balance.games.warforged.battle.armies.purchase import NO_MEMBER, Market
from balance.games.warforged.cards import Loadout, Unit, Weapon, legal_loadouts, units_of, weapons_of
from balance.games.warforged.setup import DuelStance, Side

CardT = TypeVar("CardT", Unit, Weapon)


def for_sale(catalogue: Catalogue, stance: DuelStance) -> tuple[Side[DuelStance], ...]:
    """Return whom an army that is drawn may have: every unit that may carry a weapon, unarmed and with each."""
    armed = legal_loadouts(catalogue)
    bare = dict.fromkeys(Loadout(loadout.unit) for loadout in armed)
    return tuple(Side(loadout, stance) for loadout in (*bare, *armed))


def market_of(
    catalogue: Catalogue,
    members: Sequence[Side[DuelStance]],
    stances: Sequence[DuelStance | None],
    sold_units: Iterable[Side[DuelStance]],
) -> Market:
    """Return the market in which armies are bought; members are numbered in their order.

    `stances` are by side, None for a side that buys nobody; cards of `sold_units` are not for sale.
    """
    units, weapons = _in_order(units_of(catalogue)), _in_order(weapons_of(catalogue))
    numbers = {member: number for number, member in enumerate(members)}
    table = np.full((len(stances), len(units), len(weapons) + 1), NO_MEMBER, np.int16)
    for side, stance in enumerate(stances):
        for member in for_sale(catalogue, stance) if stance is not None else ():
            weapon_place = weapons.index(member.loadout.weapons[0]) if member.loadout.weapons else len(weapons)
            table[side, units.index(member.loadout.unit), weapon_place] = numbers[member]
    loadouts = [member.loadout for member in sold_units]
    return Market(
        unit_costs=np.array([unit.cost_points for unit in units], np.int64),
        weapon_costs=np.array([weapon.cost_points for weapon in weapons], np.int64),
        units=_remaining_copies(units, (loadout.unit.id for loadout in loadouts)),
        weapons=_remaining_copies(weapons, (weapon.id for loadout in loadouts for weapon in loadout.weapons)),
        fits=(table[:, :, :-1] != NO_MEMBER).any(axis=0),
        members=table,
    )


def _in_order(cards: Mapping[str, CardT]) -> list[CardT]:
    return [cards[name] for name in sorted(cards)]


def _remaining_copies(cards: Sequence[Unit | Weapon], sold_ids: Iterable[str]) -> IntArray:
    """Return how many of each card are left, `int64[c]`, never below 0."""
    sold_copies = Counter(sold_ids)
    return np.array([max(card.copies - sold_copies[card.id], 0) for card in cards], np.int64)


def too_little(catalogue: Catalogue, side: str, army: Drawing, market: Market) -> Iterator[Fault]:
    """Yield a fault if the points of an army buy nobody who has a weapon; it says how many points would."""
    if army.points >= market.cheapest:
        return
    message, points = "war points buy no unit with a weapon", str(army.points)
    loadouts = legal_loadouts(catalogue)
    cheapest = min(loadouts, key=lambda loadout: (loadout.cost_points, loadout.id), default=None)
    if cheapest is None:
        yield Fault(message, side, found=points, tip="no unit of this catalogue may carry a weapon")
    elif army.points >= cheapest.cost_points:
        yield Fault(message, side, found=points, tip="the other army has taken the cards that they would buy")
    else:
        yield Fault(message, side, found=points, allowed=f"at least {cheapest.cost_points}, for {cheapest.id}")
