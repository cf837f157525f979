"""Heroes and enemies with what they carry: ids such as `ecarus+great_axe`, `auriel+thunder_lord_1` or `red_bandit`.

An id is a hero with what he holds and wears instead of what his row says, or an enemy with another weapon. A power in
an id is what an attack is made with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from balance.base.errors import CatalogueError, Fault, RulesError, comma_list, suggestion
from balance.base.text import slug
from balance.catalogue import Catalogue, Record
from balance.games.immortal_souls.rules.effects import DamageType
from balance.games.immortal_souls.tables.cards import Companion, Enemy, Gem, Hero, Power
from balance.games.immortal_souls.tables.items import Armour, Artefact, Item, Weapon
from balance.games.immortal_souls.tables.soul_ranks import at_rank, usable_powers
from balance.games.immortal_souls.tables.tables import constants_of


@dataclass(frozen=True)
class Profile:
    """An attack of a weapon or a power: sure hits, red and blue dice, effects; range 0 is melee."""

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

    * `id`: in full, with what it carries.
    * `hands`: what it attacks with: the main weapon, then the other one if there is one.
    * `named_power`: the power that its id names, if it is an attack.
    * `power`: the power of a hero that is an attack of its own, if he has one, and its hourglasses.
    * `armour`, `shields`, `defence_dice`, `defence_effects`: of all that it wears.
    * `health`, `combat_activities`, `actions`: of its gem or card.
    * `weapons`, `artefacts`, `items`: the cards of what a hero holds, wears and carries.
    """

    id: str
    name: str
    card: Hero | Enemy | Companion
    hands: tuple[Profile, ...]
    named_power: Profile | None
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
        """Whether it is a hero; companions are none."""
        return isinstance(self.card, Hero)


def soul_points_of(catalogue: Catalogue, text: str) -> int:
    """Return the Soul Points for killing an enemy, by which it is priced; 0 for heroes."""
    head = text.partition("+")[0]
    enemy = _enemies(catalogue).get(_entry_id(catalogue, head, ""))
    return enemy.soul_points if enemy is not None else 0


def _enemies(catalogue: Catalogue) -> Mapping[str, Enemy]:
    return catalogue.entries(Enemy)


def _entry_id(catalogue: Catalogue, head: str, path: str) -> str:
    """Return the id of a hero or enemy by id, name, or rank and kind in either order; raise CatalogueError for none."""
    heroes, enemies = catalogue.entries(Hero), _enemies(catalogue)
    ids = {slug(hero.name): hero.id for hero in heroes.values()} | {
        slug(enemy.name): enemy.id for enemy in enemies.values()
    }
    ids |= {f"{enemy.kind}_{enemy.rank}": enemy.id for enemy in enemies.values()}
    ids |= {entry: entry for entry in (*heroes, *enemies)}
    if slug(head) not in ids:
        tip = suggestion(slug(head), ids)
        raise CatalogueError(
            Fault("is no hero and no enemy", path, found=head, allowed=comma_list([*heroes, *enemies]), tip=tip)
        )
    return ids[slug(head)]


def character_of(catalogue: Catalogue, text: str, rank: int = 1, path: str = "") -> Character:
    """Read an id such as `ecarus`, `shae+crystal_dagger`, `auriel+thunder_lord_1` or `red_bandit+knife_red`.

    Raise CatalogueError, with the nearest name, for what does not exist, and RulesError for what cannot be held or worn
    together, or that this style may not use (IS-ITEM.2, IS-ITEM.3); `path` is where faults say that it is written.
    """
    head, *items = text.split("+")
    entry = _entry_id(catalogue, head, path)
    if entry in catalogue.entries(Hero):
        return _hero(catalogue, catalogue.entries(Hero)[entry], items, rank, path)
    return _enemy(catalogue, _enemies(catalogue)[entry], items, path)


def _items(
    catalogue: Catalogue, names: list[str], path: str, fits: Callable[[Record], bool] = lambda card: True
) -> Iterator[Record]:
    """Yield the cards of ids or names; raise CatalogueError with the nearest that `fits` for unknown ones."""
    tables: tuple[type[Record], ...] = (Weapon, Armour, Artefact, Power, Item)
    cards = {entry: card for table in tables for entry, card in catalogue.entries(table).items()}
    cards |= {slug(str(vars(card)["name"])): card for card in cards.values()}
    if strange := [name for name in names if slug(name) not in cards]:
        fitting_names, kinds = (
            [name for name, card in cards.items() if fits(card)],
            "weapon, armour, artefact, item or power",
        )
        tips = [suggestion(slug(name), fitting_names) for name in strange]
        raise CatalogueError(
            [Fault(f"is no {kinds}", path, found=name, tip=tip) for name, tip in zip(strange, tips, strict=True)]
        )
    yield from (cards[slug(name)] for name in names)


def _enemy(catalogue: Catalogue, enemy: Enemy, names: list[str], path: str) -> Character:
    weapons = catalogue.entries(Weapon)
    cards = list(_items(catalogue, names, path, lambda card: isinstance(card, Weapon)))
    if wrong := [card for card in cards if not isinstance(card, Weapon)]:
        raise RulesError(Fault("is no weapon, and an enemy carries nothing else", path, found=_id(wrong[0])))
    own_weapons = [weapons[name] for name in (enemy.weapon, enemy.off_weapon) if name]
    hands = [Profile.of(cast("Weapon", card)) for card in cards] or [Profile.of(weapon) for weapon in own_weapons]
    text = "+".join([enemy.id, *(_id(card) for card in cards)])
    name = " + ".join([enemy.name, *(str(getattr(card, "name", "")) for card in cards)])
    return Character(
        text, name, enemy, tuple(hands), None, None, enemy.armour, enemy.shields, enemy.defence_dice,
        tuple(enemy.defence_effects), enemy.health, enemy.attacks, 0, 0,
    )  # fmt: skip


def _id(card: Record) -> str:
    return str(vars(card)["id"])


def _hero(catalogue: Catalogue, hero: Hero, names: list[str], rank: int, path: str) -> Character:
    cards = list(_items(catalogue, names, path, partial(_may_use, hero)))
    weapons, powers = _of(cards, Weapon), [at_rank(power, rank) for power in _of(cards, Power)]
    armours = _of(cards, Armour) or _printed_cards(catalogue, Armour, (hero.armour,))
    artefacts = _of(cards, Artefact) or _printed_cards(catalogue, Artefact, hero.artefacts)
    hands = weapons or _printed_cards(catalogue, Weapon, (hero.weapon, hero.off_hand))
    faults = [*_faults(hero, rank, cards, path), *_slot_faults(hands, armours, weapons, path)]
    if faults := [*faults, *_carry_faults(hero, cards, path)]:
        raise RulesError(faults)
    gem = next(gem for gem in catalogue.entries(Gem).values() if (gem.hero, gem.rank) == (hero.id, rank))
    attacks = tuple(Profile.of(card) for card in hands) or (unarmed(catalogue),)
    magic = tuple(effect for item in artefacts for effect in item.effects)
    own_dice = (
        sum(armour.defence_dice for armour in armours) if armours else constants_of(catalogue).defence.unarmoured_dice
    )
    wears: tuple[Armour | Artefact, ...] = (*armours, *artefacts)
    return Character(
        id="+".join([hero.id, *(_id(card) for card in cards)]),
        name=" + ".join([hero.name, *(str(getattr(card, "name", "")) for card in cards)]),
        card=hero,
        hands=tuple(replace(attack, effects=attack.effects + magic) for attack in attacks),
        named_power=next((Profile.of(power) for power in powers if power.is_attack), None),
        power=_power(catalogue, hero, gem, powers),
        armour=sum(item.armour for item in wears),
        shields=sum(item.shields for item in wears),
        defence_dice=own_dice + sum(item.defence_dice for item in artefacts),
        defence_effects=tuple(effect for item in wears for effect in item.defence_effects),
        health=gem.health,
        combat_activities=gem.combat_activities,
        actions=gem.actions,
        saves_dice=max([1, *(power.saves_dice for power in (*powers, *usable_powers(catalogue, hero, gem)))]),
        weapons=tuple(hands),
        artefacts=tuple(artefacts),
        items=tuple(_of(cards, Item)),
        hides=any(item.hides for item in artefacts),
    )


def _of(cards: list[Record], kind: type[Any]) -> list[Any]:
    return [card for card in cards if isinstance(card, kind)]


def _printed_cards(catalogue: Catalogue, kind: type[Any], names: tuple[str | None, ...]) -> list[Any]:
    return [catalogue.entries(kind)[name] for name in names if name]


def unarmed(catalogue: Catalogue) -> Profile:
    """Return the attack of a hero without a weapon: IS-HIT.15."""
    rule = constants_of(catalogue).attack
    return Profile("unarmed", rule.unarmed_sure, rule.unarmed_red, rule.unarmed_blue, "none", ())


def _power(catalogue: Catalogue, hero: Hero, gem: Gem, id_powers: list[Power]) -> tuple[Profile, int] | None:
    """Return the power he attacks with in a duel, and its cooldown: the one named, else the first that is an attack."""
    attacks = _attacks([*id_powers, *usable_powers(catalogue, hero, gem)])
    return (Profile.of(attacks[0]), attacks[0].cooldown) if attacks and attacks[0].cooldown else None


def _attacks(powers: list[Power]) -> list[Power]:
    return [power for power in powers if power.is_attack and power.activation == "combat"]


def attack_powers(catalogue: Catalogue, text: str, rank: int) -> list[Power]:
    """Return the powers that a hero attacks with at a rank, I to VII: those his id names, else all that he has.

    Powers without a cooldown are left out.
    """
    id_powers = named_powers(catalogue, text, rank)
    return [power for power in _attacks(id_powers or powers_of_hero(catalogue, text, rank)) if power.cooldown]


def calling_power(catalogue: Catalogue, text: str, rank: int) -> Power | None:
    """Return the power by which a hero calls a companion at a rank: one his id names; if it names none, one he has."""
    id_powers = named_powers(catalogue, text, rank)
    return next((power for power in id_powers or powers_of_hero(catalogue, text, rank) if power.companion), None)


def named_powers(catalogue: Catalogue, text: str, rank: int) -> list[Power]:
    """Return the powers that the id of a hero names, with their numbers at this rank."""
    return [at_rank(power, rank) for power in _of(list(_items(catalogue, text.split("+")[1:], "")), Power)]


def powers_of_hero(catalogue: Catalogue, text: str, rank: int) -> list[Power]:
    """Return the highest levels of the powers that a hero has at this rank, innate ones first."""
    hero = catalogue.entries(Hero)[_entry_id(catalogue, text.partition("+")[0], "")]
    gem = next(gem for gem in catalogue.entries(Gem).values() if (gem.hero, gem.rank) == (hero.id, rank))
    return usable_powers(catalogue, hero, gem)


def _faults(hero: Hero, rank: int, cards: list[Record], path: str) -> Iterator[Fault]:
    """Yield what the hero may not use for his style, class or rank (IS-ITEM.2, IS-POW.1, IS-POW.3)."""
    for card in cards:
        styles = getattr(card, "styles", ())
        if styles and hero.style not in styles:
            yield Fault(
                f"is not for the style {hero.style} (IS-ITEM.2)", path, found=_id(card), allowed=comma_list(styles)
            )
        if isinstance(card, Power) and card.hero and hero.id not in card.hero:
            yield Fault(f"is no power of {hero.id} (IS-POW.1)", path, found=card.id, allowed=comma_list(card.hero))
        if isinstance(card, Power) and card.rank > rank:
            yield Fault(
                f"needs rank {card.rank} (IS-POW.3)", path, found=card.id, tip=f"set rank={card.rank} for this side"
            )


def _may_use(hero: Hero, card: Record) -> bool:
    """Whether the hero may use the card at some rank."""
    of_enemies = isinstance(card, Weapon) and card.hand == "enemy"
    return not of_enemies and not any(_faults(hero, card.rank if isinstance(card, Power) else 1, [card], ""))


def _carry_faults(hero: Hero, cards: list[Record], path: str) -> Iterator[Fault]:
    """Yield that a hero carries too much (IS-ITEM.11)."""
    if len(items := _of(cards, Item)) > hero.carry:
        ids = "+".join(item.id for item in items)
        yield Fault("is more than he carries (IS-ITEM.11)", path, found=ids, allowed=f"{hero.carry} items")


def _slot_faults(hands: list[Weapon], armours: list[Armour], named_weapons: list[Weapon], path: str) -> Iterator[Fault]:
    """Yield what cannot be held or worn at once (IS-ITEM.3)."""
    if len(armours) > 1:
        yield Fault("are two armours", path, found="+".join(armour.id for armour in armours), allowed="one armour")
    texts = "+".join(weapon.id for weapon in hands)
    if named_weapons and (len(hands) > 2 or (len(hands) == 2 and any(weapon.hand == "two" for weapon in hands))):
        yield Fault("cannot be held at once (IS-ITEM.3)", path, found=texts, allowed="one in each hand, or one in both")
    elif named_weapons and len(hands) == 2 and hands[0].hand == hands[1].hand != "either":
        yield Fault("are for the same hand (IS-ITEM.3)", path, found=texts)
    for weapon in named_weapons:
        if weapon.hand == "enemy":
            yield Fault("is a weapon of enemies", path, found=weapon.id)


def cards_of(catalogue: Catalogue, text: str) -> Iterator[tuple[str, str]]:
    """Yield table and id of every card that a character may be made of at rank VII, companions included."""
    card = character_of(catalogue, text, 7).card
    cards_by_id = {_id(item): item for item in _items(catalogue, text.split("+")[1:], "")}
    yield ("heroes" if isinstance(card, Hero) else "enemies"), card.id
    hands = (card.weapon, getattr(card, "off_weapon", None) or getattr(card, "off_hand", None))
    printed_names: dict[type[Record], tuple[str | None, ...]] = {Weapon: hands}
    printed_names |= {Armour: (card.armour,), Artefact: card.artefacts} if isinstance(card, Hero) else {}
    remaining_names = [
        name
        for kind, names in printed_names.items()
        if not _of([*cards_by_id.values()], kind)
        for name in names
        if name
    ]
    for name in (*cards_by_id, *remaining_names):
        yield from (
            (table, name)
            for table in ("weapons", "armours", "artefacts", "items", "powers")
            if name in catalogue.tables[table]
        )
    if isinstance(card, Hero):
        yield from (("gems", gem.id) for gem in catalogue.entries(Gem).values() if gem.hero == card.id)
        levels = catalogue.entries(Power).values()
        more = [level for level in levels if level.power in card.powers and level.id not in cards_by_id]
        yield from (("powers", level.id) for level in more)
        yield from dict.fromkeys(_cards_called(catalogue, [*_of([*cards_by_id.values()], Power), *more]))


def _cards_called(catalogue: Catalogue, powers: list[Power]) -> Iterator[tuple[str, str]]:
    """Yield table and id of the companions that powers call, and of the companions' weapons."""
    for companion in (catalogue.entries(Companion)[power.companion] for power in powers if power.companion):
        yield "companions", companion.id
        yield from (("weapons", arm) for arm in (companion.weapon, companion.innate) if arm)
