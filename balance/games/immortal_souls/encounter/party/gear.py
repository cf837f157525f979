"""Equipment that changes in an encounter: charges, soul weapons and projectiles (IS-ITEM.6, IS-ITEM.10, IS-ITEM.15).

Each such thing of a hero works or does not: an artefact while it has the charges of a use, a soul weapon as its better
side while its gem is paid for, a projectile until it is lost. What he attacks with is looked up by the set of those
that work, as bits. The column `gear` holds their charges, `[n, heroes, things]`; a soul weapon or a projectile has 1
or 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.immortal_souls.rules.strike import Strike
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.characters import Profile, unarmed
from balance.games.immortal_souls.tables.items import Weapon
from balance.games.immortal_souls.workshop import Workshop, profile_of

MISS = "MIS"
"""What loses a projectile."""


@dataclass(frozen=True)
class Thing:
    """A thing that changes.

    `kind`: "soul", "projectile" or "charges". `place`: which hand holds it, or which of his artefacts it is, from 0.
    `start` and `takes`: charges at the start, and those that a use takes; both 1 for a projectile, and 0 and 1 for a
    soul weapon. `souls`: the Soul Points of its gem.
    """

    name: str
    kind: str
    place: int
    start: int
    takes: int
    souls: int = 0


@dataclass(frozen=True, eq=False)
class Gear:
    """The things of a hero that change, G of them.

    `strikes`: the number of the attack with his weapon and with his second one by the set of things that work, -1 for
    none, `int[2, 2**G]`. `uses`: by (thing, attack): which of its sets of effects use the artefact, or which of its
    rolls lose the projectile.
    """

    things: tuple[Thing, ...]
    strikes: IntArray
    uses: dict[tuple[int, int], BoolArray]

    @property
    def souls(self) -> tuple[tuple[int, int], ...]:
        """Its soul weapons: the number among `things` and the Soul Points of each."""
        return tuple((bit, thing.souls) for bit, thing in enumerate(self.things) if thing.kind == "soul")


def things_of(side: Side) -> tuple[Thing, ...]:
    """Return the soul weapons, projectiles and artefacts with charges of a hero."""
    character, things = side.character, list[Thing]()
    for place, weapon in enumerate(character.weapons):
        if weapon.front and weapon.gem_souls:
            things.append(Thing(weapon.name, "soul", place, 0, 1, weapon.gem_souls))
        if weapon.projectile:
            things.append(Thing(weapon.name, "projectile", place, 1, 1))
    return (
        *things,
        *(Thing(artefact.name, "charges", place, artefact.charges, artefact.per_use)
          for place, artefact in enumerate(character.artefacts) if artefact.charges and artefact.effects),
    )  # fmt: skip


def gear_of(shop: Workshop, side: Side, number_of: Callable[[Profile, int], tuple[int, Strike]]) -> Gear | None:
    """Return the equipment of a hero that changes, None without any.

    `number_of` takes a profile and its bonus hits, and returns the number of the attack and the attack.
    """
    things = things_of(side)
    if not things:
        return None
    strikes, uses = np.full((2, 1 << len(things)), -1), dict[tuple[int, int], BoolArray]()
    for form in range(1 << len(things)):
        is_working = [form >> bit & 1 > 0 for bit in range(len(things))]
        for slot, place in enumerate(_weapon_hands(side, things, is_working)):
            if place is None:
                continue
            printed_profile, sources = _printed_profile(shop, side, things, is_working, place)
            profile = profile_of(side, printed_profile) if slot == 0 else printed_profile
            number, strike = number_of(profile, 0 if slot else side.stance.bonus_hits)
            strikes[slot, form] = number
            for bit, thing in enumerate(things):
                if thing.kind == "projectile" and thing.place == place:
                    uses[bit, number] = strike.roll_distribution.outcomes[:, strike.kinds.index(MISS)] > 0
                elif thing.kind == "charges" and is_working[bit] and profile.effects == printed_profile.effects:
                    uses[bit, number] = _sets_with_artefact(strike, sources, thing.place)
    return Gear(things, strikes, uses)


def _weapon_hands(side: Side, things: Sequence[Thing], is_working: Sequence[bool]) -> tuple[int | None, int | None]:
    """Return the hands of the first and of the second weapon: -1 for bare hands, None for no second weapon."""
    lost_places = {thing.place for thing, works in zip(things, is_working, strict=True)
            if thing.kind == "projectile" and not works}  # fmt: skip
    hands = range(max(len(side.character.weapons), 1))
    remaining_places = [
        place for place in (reversed(hands) if side.stance.hand == "off" else hands) if place not in lost_places
    ]
    return (remaining_places[0] if remaining_places and side.character.weapons else -1), (
        1 if 1 in hands and 1 not in lost_places else None
    )


def _printed_profile(
    shop: Workshop, side: Side, things: Sequence[Thing], is_working: Sequence[bool], place: int
) -> tuple[Profile, list[int]]:
    """Return an attack as printed while some things work, and the number of each effect's artefact, -1 for none."""
    off = {(thing.kind, thing.place) for thing, works in zip(things, is_working, strict=True) if not works}
    character = side.character
    if place < 0:
        rule = unarmed(shop.catalogue)
    elif ("soul", place) in off:
        rule = Profile.of(shop.catalogue.entries(Weapon)[str(character.weapons[place].front)])
    else:
        rule = Profile.of(character.weapons[place])
    magic = [(text, number) for number, card in enumerate(character.artefacts) if ("charges", number) not in off
             for text in card.effects]  # fmt: skip
    effects = (*rule.effects, *(text for text, _ in magic))
    return replace(rule, effects=effects), [-1] * len(rule.effects) + [number for _, number in magic]


def _sets_with_artefact(strike: Strike, sources: Sequence[int], artefact: int) -> BoolArray:
    """Return which sets of effects include one of an artefact, `bool[sets + 1]`; the last set is empty."""
    effect_sources = [source for source, effect in zip(sources, strike.effects, strict=True) if effect.name != "reroll"]
    return np.array(
        [any(effect_sources[effect] == artefact for effect in effect_set) for effect_set in (*strike.purchase.sets, ())]
    )


def gear_at_start(kits: Sequence[Gear | None], n: int) -> State:
    """Return the `gear` column of `n` trials at the start, `int16[n, heroes, things]`, all charges full (IS-ITEM.10).

    It is empty if no hero has a thing that changes.
    """
    max_things = max((len(kit.things) for kit in kits if kit), default=0)
    if not max_things:
        return {}
    start = np.zeros((n, len(kits), max_things), np.int16)
    for hero, kit in enumerate(kits):
        if kit:
            start[:, hero, : len(kit.things)] = [thing.start for thing in kit.things]
    return {"gear": start}


def attack_with(kit: Gear, hero: int, state: State, slot: int) -> IntArray:
    """Return the number of the attack with a hero's first or second weapon, slot 0 or 1, `int[n]`; -1 for none."""
    takes = np.array([thing.takes for thing in kit.things])
    works = state["gear"][:, hero, : len(takes)] >= takes
    return np.asarray(kit.strikes[slot, works @ (1 << np.arange(len(takes)))])


def wear_out(
    kit: Gear, hero: int, state: State, rows: IntArray, strike: IntArray, roll: IntArray, purchase: IntArray
) -> None:
    """Take the charges that attacks used, and the projectiles that missed: IS-ITEM.10, IS-ITEM.15.

    `strike`, `roll` and `purchase` are numbers of the attack, its roll and its set of effects, `int[m]` each.
    """
    for (bit, number), table in kit.uses.items():
        thing = kit.things[bit]
        outcome = purchase if thing.kind == "charges" else roll
        matches = np.flatnonzero(strike == number)
        used_rows = rows[matches[table[outcome[matches]]]]
        state["gear"][used_rows, hero, bit] -= np.where(
            state["gear"][used_rows, hero, bit] >= thing.takes, thing.takes, 0
        )


def awaken_weapons(kit: Gear, hero: int, state: State, about_to: BoolArray) -> None:
    """Pay the gems of a hero who is `about_to` attack, `bool[n]`, from the common Soul Points: IS-ITEM.6, IS-ECO.3.

    He does so whenever there are enough.
    """
    for bit, souls in kit.souls:
        pays = about_to & (state["gear"][:, hero, bit] == 0) & (state["points"] >= souls)
        state["gear"][pays, hero, bit] = 1
        state["points"][pays] -= souls


def fade_weapons(kits: Sequence[Gear | None], state: State) -> None:
    """Turn soul weapons to their front side again, as the Time Phase does (IS-POW.9)."""
    for hero, kit in enumerate(kits):
        for bit, _ in kit.souls if kit else ():
            state["gear"][:, hero, bit] = 0
