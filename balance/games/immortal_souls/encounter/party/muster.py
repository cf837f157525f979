"""The tables of a party and of the enemies of an encounter, from their cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from balance.base.arrays import IntArray
from balance.catalogue import Catalogue
from balance.chance.rolls.rolls import Policy
from balance.games.immortal_souls.encounter.board.activation import JOLLY, RANKS
from balance.games.immortal_souls.encounter.board.areas import ENEMY, FLYER, HERO
from balance.games.immortal_souls.encounter.board.victims import STYLES, VICTIMS
from balance.games.immortal_souls.encounter.party.companions import pack_of
from balance.games.immortal_souls.encounter.party.fighters import Bestiary, Party
from balance.games.immortal_souls.encounter.party.gear import MISS, Gear, gear_of
from balance.games.immortal_souls.encounter.party.options import PartyStance
from balance.games.immortal_souls.rules.defence import Guard
from balance.games.immortal_souls.rules.effects import DAMAGE_TYPES, change_of, parse_effect
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS
from balance.games.immortal_souls.rules.policies import attacks_by, defends_by
from balance.games.immortal_souls.rules.strike import FIRES, Strike
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.cards import Companion, Enemy, Hero
from balance.games.immortal_souls.tables.characters import (
    Profile,
    attack_powers,
    character_of,
    named_powers,
    powers_of_hero,
)
from balance.games.immortal_souls.tables.items import Weapon
from balance.games.immortal_souls.workshop import Workshop, immune_of, profile_of

MOST_RANK = 7
DICE_MORE = 4
"""Enemy powers may add 0 to 3 dice to a defence."""


@dataclass
class Arsenal:
    """What is gathered while an encounter is set up: attacks with damage types, guards and distinct defences."""

    shop: Workshop
    hero_strikes: list[tuple[Strike, str]]
    enemy_strikes: list[tuple[Strike, str]]
    hero_guards: list[Mapping[str, Guard]]
    enemy_guards: list[Mapping[str, Guard]]
    defences: list[Guard]
    hero_names: list[str] = field(default_factory=list)

    def defence(self, guard: Guard) -> int:
        """Return the number of a guard's defence dice and effects, all that counts here; add them if they are new."""
        plain = replace(guard, armour=0, change=0, immune=frozenset(), health=1, start=())
        if plain not in self.defences:
            self.defences.append(plain)
        return self.defences.index(plain)

    def name_attack(self, number: int, name: str) -> None:
        """Name an attack of heroes for replays; only the first name of a number counts."""
        if number == len(self.hero_names):
            self.hero_names.append(name)

    def strike(
        self, among: list[tuple[Strike, str]], profile: Profile, policy: Policy, bonus: int,
        watched_results: tuple[str, ...] = (),
    ) -> int:  # fmt: skip
        """Return the number of an attack in the list `among`, to which it is added if it is new.

        `bonus` are hits that are always added; `watched_results` are told apart in rolls though nothing costs them.
        """
        entry = self.shop.strike(profile, bonus, (), policy, watched_results), str(profile.damage_type)
        if entry not in among:
            among.append(entry)
        return among.index(entry)


def party_of(arsenal: Arsenal, units: Sequence[Side], most_rank: int) -> Party:
    """Return the tables of a party and its companions; ranks above `most_rank` and a hero's own are never reached.

    Attacks and guards of heroes are added to the arsenal.
    """
    catalogue = arsenal.shop.catalogue
    heroes = [_hero_by_rank(arsenal, side, most_rank) for side in units]
    saves = [_save(arsenal.shop, side) for side in units]
    companions, pack = pack_of(catalogue, units, MOST_RANK, [len(row) for row in heroes])
    units, heroes = [*units, *companions], [*heroes, *([side.character] for side in companions)]
    weapon, off_hand, kits, powers, reach, cooldown = _hero_strikes(arsenal, units, [len(row) for row in heroes])
    arsenal.hero_guards += [_guards(arsenal.shop, side, defends_by("by_rules", True)) for side in units]
    ranks = [len(row) for row in heroes]
    helps = [[_helps(catalogue, side, rank) for rank in range(1, n + 1)] for side, n in zip(units, ranks, strict=True)]

    def by_rank(name: str) -> IntArray:
        rows = [[side.value_or(name, getattr(character, name)) for character in ranks]
                for side, ranks in zip(units, heroes, strict=True)]  # fmt: skip
        return _pad_ranks(rows)

    extra, taunts, heals, far, long, wide = (
        _pad_ranks([[values[place] for values in row] for row in helps]) for place in range(6)
    )
    return Party(
        names=tuple(side.character.name for side in units),
        rank=np.array([side.stance.rank for side in units]),
        health=by_rank("health"), activities=by_rank("combat_activities"), actions=by_rank("actions"),
        **_loadout(units),
        defence=np.array([arsenal.defence(guards["none"]) for guards in arsenal.hero_guards]),
        change=np.array([[guards[kind].change for kind in DAMAGE_TYPES] for guards in arsenal.hero_guards]),
        save_good=np.array([saves[owner][0] for owner in pack.owner]),
        save_total=np.array([saves[owner][1] for owner in pack.owner]),
        weapon=weapon, kits=kits, powers=powers, reach=reach, cooldown=cooldown, off_hand=off_hand,
        extra=extra, taunts=taunts, heals=heals, heal_reach=far, heal_cooldown=long, heal_radius=wide,
        damage_type=np.array([DAMAGE_TYPES.index(kind) for _, kind in arsenal.hero_strikes]),
        begins={name: np.array([int(getattr(side.stance, name, 0)) * (name not in immune_of(side)) for side in units])
                for name in (*CONDITIONS, *REDS, *FIRES, "hidden")},
        pack=pack,
    )  # fmt: skip


def _loadout(units: Sequence[Side]) -> dict[str, Any]:
    """Return how heroes and companions walk, fight and are protected, and what they carry, as columns of a `Party`."""
    cards = [_card(side) for side in units]
    return {
        "movement": np.array(
            [side.value_or("movement", card.movement) for side, card in zip(units, cards, strict=True)]
        ),
        "style": np.array([STYLES.index(card.style) for card in cards]),
        "armour": np.array([side.value_or("armour", side.character.armour) for side in units]),
        "shields": np.array([side.value_or("shields", side.character.shields) for side in units]),
        "walker": np.array([FLYER if side.value_or("flying", False) else HERO for side in units]),
        "items": tuple(item for side in units for item in side.character.items),
        "bearers": np.array([hero for hero, side in enumerate(units) for _ in side.character.items], np.int64),
        "carry": np.array([card.carry for card in cards if isinstance(card, Hero)]),
        "hides": np.array([side.character.hides for side in units]),
    }


def _hero_strikes(
    arsenal: Arsenal, units: Sequence[Side], ranks: Sequence[int]
) -> tuple[IntArray, IntArray, tuple[Gear | None, ...], IntArray, IntArray, IntArray]:
    """Return the attacks by hero with the first, the second weapon and powers, kits, and range and cooldown by attack.

    In the order: first weapon, second weapon, kits, powers, range, cooldown.
    """
    catalogue, spends = arsenal.shop.catalogue, attacks_by("by_rules", True)
    weapons = catalogue.entries(Weapon)
    weapon, off_hand, powers = list[int](), list[int](), list[list[list[int]]]()
    reach, cooldown, kits = dict[int, int](), dict[int, int](), list[Gear | None]()

    def number_of(profile: Profile, bonus: int) -> tuple[int, Strike]:
        card = weapons.get(profile.id)
        number = arsenal.strike(arsenal.hero_strikes, profile, spends, bonus, (MISS,) * bool(card and card.projectile))
        arsenal.name_attack(number, card.name if card else "fists")
        reach[number], cooldown[number] = _range_of(weapons, profile.id), 0
        return number, arsenal.hero_strikes[number][0]

    for side in units:
        weapon.append(number_of(profile_of(side, side.hand), side.stance.bonus_hits)[0])
        off_hand_profiles = side.character.hands[1:]
        off_hand.append(number_of(off_hand_profiles[0], 0)[0] if off_hand_profiles else -1)
        kits.append(gear_of(arsenal.shop, side, number_of))
    for side, highest in zip(units, ranks, strict=True):
        strikes_by_rank: list[list[int]] = [[]]
        for rank in range(1, highest + 1):
            strikes_by_rank.append([])
            for card in attack_powers(catalogue, side.character.id, rank) if side.character.is_hero else ():
                number = arsenal.strike(arsenal.hero_strikes, Profile.of(card), spends, 0)
                arsenal.name_attack(number, card.name)
                reach[number], cooldown[number] = card.range_areas, card.cooldown
                strikes_by_rank[rank].append(number)
        powers.append(strikes_by_rank)
    numbers = range(len(arsenal.hero_strikes))
    far, long = (np.array([values[number] for number in numbers]) for values in (reach, cooldown))
    return np.array(weapon), np.array(off_hand), tuple(kits), _powers(powers), far, long


def _helps(catalogue: Catalogue, side: Side, rank: int) -> tuple[int, ...]:
    """Return a hero's extra attacks, Taunt range, and wounds, range, hourglasses and radius of his healing at a rank.

    A range is -1 without Taunt, and the radius for who heals one (IS-AOE.3). A companion's extra attack is that of its
    innate power.
    """
    if not side.character.is_hero:
        return len(side.character.hands) - 1, -1, 0, 0, 0, -1
    powers, text = powers_of_hero(catalogue, side.character.id, rank), side.character.id
    extra = max(power.extra_attacks for power in powers) if powers else 0
    taunts = max([-1, *(power.range_areas for power in powers if power.taunts and power.activation == "free")])
    id_powers = [power for power in named_powers(catalogue, text, rank) if power.rank <= rank]
    healing = [
        power for power in (*id_powers, *powers) if power.heals and power.activation == "action" and power.cooldown
    ]
    if not healing:
        return extra, taunts, 0, 0, 0, -1
    first = healing[0]
    radius = max([-1, *(parse_effect(effect).number or 0 for effect in first.effects)])
    return extra, taunts, first.heals, first.range_areas, first.cooldown, radius


def _pad_ranks(rows: Sequence[Sequence[int]]) -> IntArray:
    """Return values by hero and rank, `int64[heroes, 8]`; ranks that are not reached have those of the last."""
    return np.array([[row[0], *row, *[row[-1]] * (MOST_RANK - len(row))] for row in rows])


def _card(side: Side) -> Hero | Companion:
    return cast("Hero | Companion", side.character.card)


def _hero_by_rank(arsenal: Arsenal, side: Side, most_rank: int) -> list[Any]:
    """Return the hero at each rank from 1 to the highest he may reach, without the powers that his id names."""
    text, catalogue, start_rank = side.character.id, arsenal.shop.catalogue, side.stance.rank
    plain = "+".join(part for part in text.split("+") if part not in catalogue.tables["powers"])
    return [character_of(catalogue, plain, rank) for rank in range(1, max(most_rank, start_rank) + 1)]


def _powers(powers: Sequence[Sequence[Sequence[int]]]) -> IntArray:
    max_powers = max(1, *(len(strikes) for hero in powers for strikes in hero))
    table = np.full((len(powers), MOST_RANK + 1, max_powers), -1)
    for hero, ranks in enumerate(powers):
        for rank in range(1, MOST_RANK + 1):
            strikes = ranks[min(rank, len(ranks) - 1)]
            table[hero, rank, : len(strikes)] = strikes
    return table


def _range_of(weapons: Mapping[str, Weapon], name: str) -> int:
    return weapons[name].range_areas if name in weapons else 0


def _save(shop: Workshop, side: Side) -> tuple[int, int]:
    """Return (good, all) cases of a save (IS-SAVE.1): it succeeds if any of its dice shows the hero's result."""
    target_result, faces = side.value_or("save", cast("Hero", side.character.card).save), shop.faces["blue"]
    bad, dice = sum(target_result not in face for face in faces), side.character.saves_dice
    return len(faces) ** dice - bad**dice, len(faces) ** dice


def _guards(shop: Workshop, side: Side, policy: Policy) -> dict[str, Guard]:
    return {kind: shop.guard(side, kind, policy) for kind in DAMAGE_TYPES}


def beasts_of(
    arsenal: Arsenal, kinds: Sequence[Enemy], variants: Sequence[tuple[str, ...]], bits: Mapping[str, int],
    scrolls: Mapping[str, int], within: Sequence[int], is_large_party: bool,
) -> Bestiary:  # fmt: skip
    """Return the tables of kinds of enemies, with nobody as the last.

    `variants` are the effects that sets of enemy powers add to attacks, `bits` and `scrolls` number powers and scrolls,
    and `within` is how far rules of each scroll attack. In a large party the second health value holds (IS-HP.11).
    """
    sides = [Side(character_of(arsenal.shop.catalogue, enemy.id), PartyStance()) for enemy in kinds]
    strikes = [_enemy_strikes(arsenal, side, variants) for side in sides]
    guards = [_guards(arsenal.shop, side, defends_by("by_rules", False)) for side in sides]
    arsenal.enemy_guards += guards
    defence = [[arsenal.defence(replace(guard["none"], defence_dice=guard["none"].defence_dice + more)) for more in
                range(DICE_MORE)] for guard in guards]  # fmt: skip
    weapons = arsenal.shop.catalogue.entries(Weapon)
    hands = [[side.character.hands[0], side.character.hands[-1]] for side in sides]
    return Bestiary(
        **_card_columns(kinds, is_large_party),
        change=_with_empty_row([change_of(enemy.modifiers, kind, all_but_untyped=arsenal.shop.rules.untyped_is_all_but)
                            for kind in DAMAGE_TYPES] for enemy in kinds),
        defence=_with_empty_row(defence),
        strike=_with_empty_row(strikes),
        reach=_with_empty_row([_range_of(weapons, hand.id) for hand in profiles] for profiles in hands),
        damage_type=_with_empty_row([DAMAGE_TYPES.index(hand.damage_type) for hand in profiles] for profiles in hands),
        scroll=_with_empty_row(scrolls[enemy.scroll] for enemy in kinds),
        powers=_with_empty_row(sum(1 << bits[name] for name in enemy.powers) for enemy in kinds),
        attacks_within=_with_empty_row(within[scrolls[enemy.scroll]] for enemy in kinds),
    )  # fmt: skip


def _card_columns(kinds: Sequence[Enemy], is_large_party: bool) -> dict[str, Any]:
    """Return what the cards of enemies print, as fields of a `Bestiary`."""
    return {
        "names": tuple(enemy.name for enemy in kinds),
        "rank": _with_empty_row(RANKS.index(enemy.rank) for enemy in kinds),
        "style": _with_empty_row(JOLLY if enemy.style == "jolly" else STYLES.index(enemy.style) for enemy in kinds),
        "victim": _with_empty_row(VICTIMS.index(enemy.victim) for enemy in kinds),
        "health": _with_empty_row(enemy.health_many if is_large_party else enemy.health for enemy in kinds),
        "armour": _with_empty_row(enemy.armour for enemy in kinds),
        "shields": _with_empty_row(enemy.shields for enemy in kinds),
        "walker": _with_empty_row(FLYER if enemy.flying else ENEMY for enemy in kinds),
        "icons": _with_empty_row(enemy.power_icons for enemy in kinds),
        "charges": _with_empty_row(enemy.charges for enemy in kinds),
        "minis": _with_empty_row(enemy.minis for enemy in kinds),
        "soul_points": _with_empty_row(enemy.soul_points for enemy in kinds),
        "crowns": _with_empty_row(enemy.crowns for enemy in kinds),
        "no_ko": _with_empty_row(int(enemy.flying) for enemy in kinds) > 0,
        "no_stun": _with_empty_row(int(enemy.stun_immune) for enemy in kinds) > 0,
        "vindictive": _with_empty_row(int(enemy.vindictive) for enemy in kinds) > 0,
        "is_master": _with_empty_row(int(enemy.rank == "purple") for enemy in kinds) > 0,
        "flips_at": _with_empty_row(enemy.flips_at_health or 0 for enemy in kinds),
    }


def _with_empty_row(rows: Iterable[Any]) -> IntArray:
    """Return the rows with one of zeros appended, for nobody."""
    table = np.array(list(rows))
    return np.concatenate((table, np.zeros_like(table[:1])))


def _enemy_strikes(arsenal: Arsenal, side: Side, variants: Sequence[tuple[str, ...]]) -> list[list[int]]:
    """Return the attacks of an enemy, by number: for each hand one with each variant of effects."""
    hands, spends = side.character.hands, attacks_by("by_rules", False)
    return [
        [arsenal.strike(arsenal.enemy_strikes, replace(hand, effects=hand.effects + more), spends, 0)
         for more in variants]
        for hand in (hands[0], hands[-1])
    ]  # fmt: skip
