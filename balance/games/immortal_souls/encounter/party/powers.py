"""Enemy powers as tables: what each set of them adds, and when the others are used (IS-ENE.4, IS-ENE.5, IS-ENE.9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from balance.base.arrays import IntArray
from balance.catalogue import Catalogue
from balance.games.immortal_souls.encounter.board.activation import RANKS
from balance.games.immortal_souls.encounter.party.fighters import EnemyPowers
from balance.games.immortal_souls.rules.effects import DAMAGE_TYPES, change_of
from balance.games.immortal_souls.ruleset import Switches
from balance.games.immortal_souls.tables.board import EnemyPower
from balance.games.immortal_souls.tables.cards import Enemy

HANDS = ("primary", "secondary")


def powers_of(
    catalogue: Catalogue, kinds: Sequence[Enemy], rules: Switches, *, champions: bool = False
) -> tuple[EnemyPowers, dict[str, int], list[tuple[str, ...]]]:
    """Return the powers that enemies of these kinds may have, their numbers, and the effects that sets of them add.

    With `champions` any enemy may draw an Enemy Power card, as champions of Shadows do.
    """
    powers, draw = _possible_powers(catalogue, kinds, champions)
    sets = (np.arange(1 << len(powers))[:, None] >> np.arange(len(powers))) & 1
    groups = [power.group for power in powers]
    effect_places, variants = _variants(powers)

    def total(values: Sequence[int]) -> IntArray:
        return np.asarray(sets @ np.array(values, np.int64), np.int16)

    leads = [power.trigger == "dominating" for power in powers]
    change = [[change_of(power.modifiers, kind, all_but_untyped=rules.untyped_is_all_but) for kind in DAMAGE_TYPES]
              for power in powers]  # fmt: skip
    again = [(place, HANDS.index(power.extra_attack), power.trigger) for place, power in enumerate(powers)
             if power.extra_attack in HANDS]  # fmt: skip
    table = EnemyPowers(
        ids=tuple(power.id for power in powers),
        armour=total([power.armour for power in powers]),
        shields=total([power.shields for power in powers]),
        dice=total([power.defence_dice for power in powers]),
        hits=total([power.hits * (not lead) for power, lead in zip(powers, leads, strict=True)]),
        leading_hits=total([power.hits * lead for power, lead in zip(powers, leads, strict=True)]),
        curse=np.asarray((sets * [-power.hero_hits for power in powers]).max(axis=1, initial=0), np.int16),
        variant=np.asarray(sets[:, effect_places] @ (1 << np.arange(len(effect_places))), np.int64),
        change=np.asarray(sets @ np.array(change, np.int64).reshape(len(powers), len(DAMAGE_TYPES)), np.int16),
        group=np.array([sum(1 << bit for bit, name in enumerate(groups) if name == group)
                        for group in groups], np.int64),
        healing=tuple((place, power.heals) for place, power in enumerate(powers) if power.heals),
        again_on_attack=tuple((place, hand) for place, hand, trigger in again if trigger == "attack"),
        again_on_wounds=tuple((place, hand) for place, hand, trigger in again if trigger == "wounds_dealt"),
        on_entering=tuple((place, hand) for place, hand, trigger in again if trigger == "hero_enters"),
        takes_charge=np.array([power.charged for power in powers], bool),
        allows_save=np.array([power.save for power in powers], bool),
        cards=np.array([place for place, power in enumerate(powers) if draw for _ in range(power.copies)], np.int64),
    )  # fmt: skip
    return table, {power.id: place for place, power in enumerate(powers)}, variants


def _possible_powers(catalogue: Catalogue, kinds: Sequence[Enemy], champions: bool) -> tuple[list[EnemyPower], bool]:
    """Return the powers of these kinds, those of scrolls first (IS-ENE.10), and whether any may draw cards."""
    catalogue_powers = catalogue.entries(EnemyPower)
    draw = champions or any(enemy.power_icons or RANKS.index(enemy.rank) <= RANKS.index("blue") for enemy in kinds)
    scrolls = {name for enemy in kinds for name in enemy.powers}
    powers = [power for power in catalogue_powers.values() if power.id in scrolls or (draw and power.copies)]
    return sorted(powers, key=lambda power: power.id not in scrolls), draw


def _variants(powers: Sequence[EnemyPower]) -> tuple[list[int], list[tuple[str, ...]]]:
    """Return which powers add effects to attacks, and the effects that each set of those adds."""
    effect_places = [place for place, power in enumerate(powers) if power.effects]
    sets = range(1 << len(effect_places))
    return effect_places, [
        tuple(text for bit, place in enumerate(effect_places) if number >> bit & 1 for text in powers[place].effects)
        for number in sets
    ]
