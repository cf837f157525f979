"""Heroes and enemies with what they carry: ids such as `ecarus+great_axe`, `auriel+thunder_lord_1` or `red_bandit`.

An id is a hero with what he holds and wears instead of what his row says, or an enemy with another weapon. A power in
an id is what an attack is made with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from balance.base.errors import CatalogueError, Fault, RulesError, listed, suggestion
from balance.catalogue import Catalogue, Record, slug
from balance.games.immortal_souls.rules.effects import DamageType
from balance.games.immortal_souls.tables.cards import Companion, Enemy, Gem, Hero, Power
from balance.games.immortal_souls.tables.items import Armour, Artefact, Item, Weapon
from balance.games.immortal_souls.tables.soul_ranks import at_rank, usable_powers
from balance.games.immortal_souls.tables.tables import constants_of

__all__ = [
    "Character", "Profile", "attack_powers", "calling_power", "cards_of", "character_of", "named_powers",
    "powers_of_hero",
    "soul_points_of", "unarmed",
]  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """An attack as it is printed: of a weapon or of a power."""

    id: str
    sure: int
    red: int
    blue: int
    damage_type: DamageType
    effects: tuple[str, ...]
    range_areas: int = 0

    @classmethod
    def of(cls, card: Weapon | Power) -> Profile:
        """Return the attack that a card prints."""
        return cls(card.id, card.sure, card.red, card.blue, card.damage_type, tuple(card.effects), card.range_areas)


@dataclass(frozen=True)
class Character:
    """A hero at a rank or an enemy, with what it carries, as its cards are printed.

    Attributes
    ----------
    id, name
        The id in full, and the name for people.
    card
        The hero, the enemy or the companion.
    hands
        What it attacks with: the main weapon, then the other one if there is one.
    named
        The power that its id names, if it is an attack.
    power
        The power of a hero that is an attack of its own, if he has one, and its hourglasses.
    armour, shields, defence_dice, defence_effects
        Of all that it wears.
    health, combat_activities, actions
        Of its gem or card.
    weapons, artefacts, items
        The cards of what a hero holds, wears and carries.
    """

    id: str
    name: str
    card: Hero | Enemy | Companion
    hands: tuple[Profile, ...]
    named: Profile | None
    power: tuple[Profile, int] | None
    armour: int
    shields: int
    defence_dice: int
    defence_effects: tuple[str, ...]
    health: int
    combat_activities: int
    actions: int
    saves_dice: int
    weapons: tuple[Weapon, ...] = ()
    artefacts: tuple[Artefact, ...] = ()
    items: tuple[Item, ...] = ()
    hides: bool = False

    @property
    def is_hero(self) -> bool:
        """Whether it is a hero."""
        return isinstance(self.card, Hero)


def soul_points_of(catalogue: Catalogue, text: str) -> int:
    """Return what an id costs: the Soul Points for an enemy; heroes have no price."""
    head = text.partition("+")[0]
    enemy = _enemies(catalogue).get(_found(catalogue, head, ""))
    return enemy.soul_points if enemy is not None else 0


def _enemies(catalogue: Catalogue) -> Mapping[str, Enemy]:
    return catalogue.entries(Enemy)


def _found(catalogue: Catalogue, head: str, where: str) -> str:
    """Return the id of the hero or enemy that is meant: by id, by name, or by rank and kind in either order."""
    heroes, enemies = catalogue.entries(Hero), _enemies(catalogue)
    known = {slug(hero.name): hero.id for hero in heroes.values()} | {
        slug(enemy.name): enemy.id for enemy in enemies.values()
    }
    known |= {f"{enemy.kind}_{enemy.rank}": enemy.id for enemy in enemies.values()}
    known |= {entry: entry for entry in (*heroes, *enemies)}
    if slug(head) not in known:
        tip = suggestion(slug(head), known)
        raise CatalogueError(
            Fault("is no hero and no enemy", where, found=head, allowed=listed([*heroes, *enemies]), tip=tip)
        )
    return known[slug(head)]


def character_of(catalogue: Catalogue, text: str, rank: int = 1, where: str = "") -> Character:
    """Read an id such as `ecarus`, `shae+crystal_dagger`, `auriel+thunder_lord_1` or `red_bandit+knife_red`.

    Raises
    ------
    CatalogueError
        A hero, an enemy or an item that does not exist; names the nearest.
    RulesError
        What cannot be held or worn together, or that this style may not use (IS-ITEM.2, IS-ITEM.3).
    """
    head, *items = text.split("+")
    found = _found(catalogue, head, where)
    if found in catalogue.entries(Hero):
        return _hero(catalogue, catalogue.entries(Hero)[found], items, rank, where)
    return _enemy(catalogue, _enemies(catalogue)[found], items, where)


def _items(
    catalogue: Catalogue, names: list[str], where: str, fits: Callable[[Record], bool] = lambda card: True
) -> Iterator[Record]:
    """Yield the items that are meant; of an unknown one the error names the nearest that fits who has it."""
    tables: tuple[type[Record], ...] = (Weapon, Armour, Artefact, Power, Item)
    known = {entry: card for table in tables for entry, card in catalogue.entries(table).items()}
    known |= {slug(str(vars(card)["name"])): card for card in known.values()}
    if strange := [name for name in names if slug(name) not in known]:
        fitting, what = [name for name, card in known.items() if fits(card)], "weapon, armour, artefact, item or power"
        tips = [suggestion(slug(name), fitting) for name in strange]
        raise CatalogueError(
            [Fault(f"is no {what}", where, found=name, tip=tip) for name, tip in zip(strange, tips, strict=True)]
        )
    yield from (known[slug(name)] for name in names)


def _enemy(catalogue: Catalogue, enemy: Enemy, names: list[str], where: str) -> Character:
    weapons = catalogue.entries(Weapon)
    held = list(_items(catalogue, names, where, lambda card: isinstance(card, Weapon)))
    if wrong := [card for card in held if not isinstance(card, Weapon)]:
        raise RulesError(Fault("is no weapon, and an enemy carries nothing else", where, found=_id(wrong[0])))
    own = [weapons[name] for name in (enemy.weapon, enemy.off_weapon) if name]
    hands = [Profile.of(cast("Weapon", card)) for card in held] or [Profile.of(weapon) for weapon in own]
    text = "+".join([enemy.id, *(_id(card) for card in held)])
    name = " + ".join([enemy.name, *(str(getattr(card, "name", "")) for card in held)])
    return Character(
        text, name, enemy, tuple(hands), None, None, enemy.armour, enemy.shields, enemy.defence_dice,
        tuple(enemy.defence_effects), enemy.health, enemy.attacks, 0, 0,
    )  # fmt: skip


def _id(card: Record) -> str:
    return str(vars(card)["id"])


def _hero(catalogue: Catalogue, hero: Hero, names: list[str], rank: int, where: str) -> Character:
    held = list(_items(catalogue, names, where, partial(_may_use, hero)))
    weapons, powers = _of(held, Weapon), [at_rank(power, rank) for power in _of(held, Power)]
    worn = _of(held, Armour) or _own(catalogue, Armour, (hero.armour,))
    carried = _of(held, Artefact) or _own(catalogue, Artefact, hero.artefacts)
    hands = weapons or _own(catalogue, Weapon, (hero.weapon, hero.off_hand))
    faults = [*_faults(hero, rank, held, where), *_slot_faults(hands, worn, weapons, where)]
    if faults := [*faults, *_carry_faults(hero, held, where)]:
        raise RulesError(faults)
    gem = next(gem for gem in catalogue.entries(Gem).values() if (gem.hero, gem.rank) == (hero.id, rank))
    attacks = tuple(Profile.of(card) for card in hands) or (unarmed(catalogue),)
    magic = tuple(effect for item in carried for effect in item.effects)
    own_dice = sum(armour.defence_dice for armour in worn) if worn else constants_of(catalogue).defence.unarmoured_dice
    wears: tuple[Armour | Artefact, ...] = (*worn, *carried)
    return Character(
        id="+".join([hero.id, *(_id(card) for card in held)]),
        name=" + ".join([hero.name, *(str(getattr(card, "name", "")) for card in held)]),
        card=hero,
        hands=tuple(replace(attack, effects=attack.effects + magic) for attack in attacks),
        named=next((Profile.of(power) for power in powers if power.is_attack), None),
        power=_power(catalogue, hero, gem, powers),
        armour=sum(item.armour for item in wears),
        shields=sum(item.shields for item in wears),
        defence_dice=own_dice + sum(item.defence_dice for item in carried),
        defence_effects=tuple(effect for item in wears for effect in item.defence_effects),
        health=gem.health,
        combat_activities=gem.combat_activities,
        actions=gem.actions,
        saves_dice=max([1, *(power.saves_dice for power in (*powers, *usable_powers(catalogue, hero, gem)))]),
        weapons=tuple(hands),
        artefacts=tuple(carried),
        items=tuple(_of(held, Item)),
        hides=any(item.hides for item in carried),
    )


def _of(held: list[Record], kind: type[Any]) -> list[Any]:
    return [card for card in held if isinstance(card, kind)]


def _own(catalogue: Catalogue, kind: type[Any], names: tuple[str | None, ...]) -> list[Any]:
    return [catalogue.entries(kind)[name] for name in names if name]


def unarmed(catalogue: Catalogue) -> Profile:
    """Return the attack of a hero without a weapon: IS-HIT.15."""
    rule = constants_of(catalogue).attack
    return Profile("unarmed", rule.unarmed_sure, rule.unarmed_red, rule.unarmed_blue, "none", ())


def _power(catalogue: Catalogue, hero: Hero, gem: Gem, named: list[Power]) -> tuple[Profile, int] | None:
    """Return the power he attacks with in a duel: the one that is named, else the first that is an attack."""
    attacks = _attacks([*named, *usable_powers(catalogue, hero, gem)])
    return (Profile.of(attacks[0]), attacks[0].cooldown) if attacks and attacks[0].cooldown else None


def _attacks(powers: list[Power]) -> list[Power]:
    return [power for power in powers if power.is_attack and power.activation == "combat"]


def attack_powers(catalogue: Catalogue, text: str, rank: int) -> list[Power]:
    """Return the powers that a hero of this rank attacks with: those his id names, else all that he has."""
    named = named_powers(catalogue, text, rank)
    return [power for power in _attacks(named or powers_of_hero(catalogue, text, rank)) if power.cooldown]


def calling_power(catalogue: Catalogue, text: str, rank: int) -> Power | None:
    """Return the power by which a hero of this rank calls a companion: one that his id names, else one that he has."""
    named = named_powers(catalogue, text, rank)
    return next((power for power in named or powers_of_hero(catalogue, text, rank) if power.companion), None)


def named_powers(catalogue: Catalogue, text: str, rank: int) -> list[Power]:
    """Return the powers that the id of a hero names, as they are at a rank."""
    return [at_rank(power, rank) for power in _of(list(_items(catalogue, text.split("+")[1:], "")), Power)]


def powers_of_hero(catalogue: Catalogue, text: str, rank: int) -> list[Power]:
    """Return the printed levels of the powers that a hero of this rank has, innate ones first."""
    hero = catalogue.entries(Hero)[_found(catalogue, text.partition("+")[0], "")]
    gem = next(gem for gem in catalogue.entries(Gem).values() if (gem.hero, gem.rank) == (hero.id, rank))
    return usable_powers(catalogue, hero, gem)


def _faults(hero: Hero, rank: int, held: list[Record], where: str) -> Iterator[Fault]:
    """Yield what this hero may not use."""
    for card in held:
        styles = getattr(card, "styles", ())
        if styles and hero.style not in styles:
            yield Fault(
                f"is not for the style {hero.style} (IS-ITEM.2)", where, found=_id(card), allowed=listed(styles)
            )
        if isinstance(card, Power) and card.hero and hero.id not in card.hero:
            yield Fault(f"is no power of {hero.id} (IS-POW.1)", where, found=card.id, allowed=listed(card.hero))
        if isinstance(card, Power) and card.rank > rank:
            yield Fault(
                f"needs rank {card.rank} (IS-POW.3)", where, found=card.id, tip=f"set rank={card.rank} for this side"
            )


def _may_use(hero: Hero, card: Record) -> bool:
    """Whether a card is one that this hero may use at some rank."""
    of_enemies = isinstance(card, Weapon) and card.hand == "enemy"
    return not of_enemies and not any(_faults(hero, card.rank if isinstance(card, Power) else 1, [card], ""))


def _carry_faults(hero: Hero, held: list[Record], where: str) -> Iterator[Fault]:
    """Yield that a hero carries too much (IS-ITEM.11)."""
    if len(items := _of(held, Item)) > hero.carry:
        found = "+".join(item.id for item in items)
        yield Fault("is more than he carries (IS-ITEM.11)", where, found=found, allowed=f"{hero.carry} items")


def _slot_faults(hands: list[Weapon], worn: list[Armour], named: list[Weapon], where: str) -> Iterator[Fault]:
    """Yield what cannot be held or worn at once (IS-ITEM.3)."""
    if len(worn) > 1:
        yield Fault("are two armours", where, found="+".join(armour.id for armour in worn), allowed="one armour")
    texts = "+".join(weapon.id for weapon in hands)
    if named and (len(hands) > 2 or (len(hands) == 2 and any(weapon.hand == "two" for weapon in hands))):
        yield Fault(
            "cannot be held at once (IS-ITEM.3)", where, found=texts, allowed="one in each hand, or one in both"
        )
    elif named and len(hands) == 2 and hands[0].hand == hands[1].hand != "either":
        yield Fault("are for the same hand (IS-ITEM.3)", where, found=texts)
    for weapon in named:
        if weapon.hand == "enemy":
            yield Fault("is a weapon of enemies", where, found=weapon.id)


def cards_of(catalogue: Catalogue, text: str) -> Iterator[tuple[str, str]]:
    """Yield the table and id of every card that a character is made of."""
    card = character_of(catalogue, text, 7).card
    held = {_id(item): item for item in _items(catalogue, text.split("+")[1:], "")}
    yield ("heroes" if isinstance(card, Hero) else "enemies"), card.id
    hands = (card.weapon, getattr(card, "off_weapon", None) or getattr(card, "off_hand", None))
    own: dict[type[Record], tuple[str | None, ...]] = {Weapon: hands}
    own |= {Armour: (card.armour,), Artefact: card.artefacts} if isinstance(card, Hero) else {}
    kept = [name for kind, names in own.items() if not _of([*held.values()], kind) for name in names if name]
    for name in (*held, *kept):
        yield from (
            (table, name)
            for table in ("weapons", "armours", "artefacts", "items", "powers")
            if name in catalogue.tables[table]
        )
    if isinstance(card, Hero):
        yield from (("gems", gem.id) for gem in catalogue.entries(Gem).values() if gem.hero == card.id)
        levels = catalogue.entries(Power).values()
        more = [level for level in levels if level.power in card.powers and level.id not in held]
        yield from (("powers", level.id) for level in more)
        yield from dict.fromkeys(_cards_called(catalogue, [*_of([*held.values()], Power), *more]))


def _cards_called(catalogue: Catalogue, powers: list[Power]) -> Iterator[tuple[str, str]]:
    """Yield the cards of the companions that powers call, and those of what they attack with."""
    for companion in (catalogue.entries(Companion)[power.companion] for power in powers if power.companion):
        yield "companions", companion.id
        yield from (("weapons", arm) for arm in (companion.weapon, companion.innate) if arm)
