"""The gear of a party in a campaign: cards bought and sides forged, as two short ladders in a fixed order (IS-ECO.6).

Whoever wears what is one number, so that what a party fights with is prepared once for each: the cards of the ladder
that are worn as bits, and on top of them how many steps of the other ladder are forged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from balance.catalogue import Catalogue
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.cards import Hero
from balance.games.immortal_souls.tables.items import Armour, Artefact, Weapon
from balance.games.immortal_souls.tables.quests import Ware

LONGEST_LADDER = 2
"""Steps of either ladder: each doubles what is to be prepared."""
FORGED = "_forged"
"""What the id of a forged side ends in."""


@dataclass(frozen=True)
class Step:
    """A card that a hero, by number, may buy or have forged, and its price in crowns."""

    hero: int
    card: str
    price: int


@dataclass(frozen=True)
class Outfit:
    """What a hero has: ids of weapons, armour and artefacts that he wears, and what else he is written with."""

    hero: Hero
    weapons: tuple[str, ...]
    armour: tuple[str, ...]
    artefacts: tuple[str, ...]
    others: tuple[str, ...]

    @classmethod
    def of(cls, catalogue: Catalogue, side: Side, hero: Hero) -> Outfit:
        """Return what the cards and the id of a hero say."""
        parts = side.character.id.split("+")[1:]
        armour = [part for part in parts if part in catalogue.entries(Armour)] or [str(hero.armour)] * bool(hero.armour)
        weapons, artefacts = side.character.weapons, side.character.artefacts
        others = [part for part in parts if part in {**catalogue.tables["items"], **catalogue.tables["powers"]}]
        ids = (tuple(card.id for card in cards) for cards in (weapons, artefacts))
        return cls(hero, next(ids), tuple(armour), next(ids), tuple(others))

    @property
    def worn(self) -> tuple[str, ...]:
        """All that he wears: weapons, armour, artefacts."""
        return (*self.weapons, *self.armour, *self.artefacts)

    @property
    def text(self) -> str:
        """The hero as he is typed."""
        return "+".join((self.hero.id, *self.worn, *self.others))

    def with_card(self, catalogue: Catalogue, card: str) -> Outfit:
        """Return the outfit with an armour in the place of the present one, or with an artefact more."""
        is_armour = card in catalogue.entries(Armour)
        armour, artefacts = ((card,), self.artefacts) if is_armour else (self.armour, (*self.artefacts, card))
        return Outfit(self.hero, self.weapons, armour, artefacts, self.others)

    def forged(self, card: str) -> Outfit:
        """Return the outfit with the forged side of a card."""
        weapons, armour = (
            tuple(name + FORGED * (name == card) for name in names) for names in (self.weapons, self.armour)
        )
        return Outfit(self.hero, weapons, armour, self.artefacts, self.others)


@dataclass(frozen=True, eq=False)
class Ladders:
    """Both ladders of a party.

    `outfits`: of each hero at the start. `cards` and `forging`: the steps, in their order.
    """

    catalogue: Catalogue
    outfits: tuple[Outfit, ...]
    cards: tuple[Step, ...]
    forging: tuple[Step, ...]

    @classmethod
    def of(cls, catalogue: Catalogue, party: Sequence[Side], heroes: Sequence[Hero], forging_price: int) -> Ladders:
        """Return the ladders: wares in their order, each for every hero whose style it fits; then what can be forged.

        A hero is on the first ladder once; what a ware takes the place of is not forged.
        """
        outfits = tuple(Outfit.of(catalogue, side, hero) for side, hero in zip(party, heroes, strict=True))
        wares: dict[str, Armour | Artefact] = {**catalogue.entries(Armour), **catalogue.entries(Artefact)}
        cards = list[Step]()
        for card in (wares[name] for name in catalogue.entries(Ware)):
            for number, outfit in enumerate(outfits):
                fits = not card.styles or outfit.hero.style in card.styles
                if fits and card.id not in outfit.worn and number not in [step.hero for step in cards]:
                    cards.append(Step(number, card.id, card.price_crowns))
        cards = cards[:LONGEST_LADDER]
        armoured = [step.hero for step in cards if step.card in catalogue.entries(Armour)]
        sides = {**catalogue.entries(Weapon), **catalogue.entries(Armour)}
        names = [(number, name) for number, outfit in enumerate(outfits) for name in outfit.weapons[:1]]
        names += [(number, name) for number, outfit in enumerate(outfits) for name in outfit.armour
                  if number not in armoured]  # fmt: skip
        forging = [Step(number, name, forging_price) for number, name in names if name + FORGED in sides]
        return cls(catalogue, outfits, tuple(cards), tuple(forging[:LONGEST_LADDER]))

    @property
    def n_sets(self) -> int:
        """The sets of cards of the first ladder."""
        return 1 << len(self.cards)

    def outfits_at(self, gear: int) -> list[Outfit]:
        """Return what each hero has at a number of gear."""
        n_forged, bits = divmod(gear, self.n_sets)
        outfits = list(self.outfits)
        for bit, step in enumerate(self.cards):
            if bits >> bit & 1:
                outfits[step.hero] = outfits[step.hero].with_card(self.catalogue, step.card)
        for step in self.forging[:n_forged]:
            outfits[step.hero] = outfits[step.hero].forged(step.card)
        return outfits

    @cached_property
    def worn(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """What each hero wears, by number of gear."""
        n_gear = self.n_sets * (len(self.forging) + 1)
        return tuple(tuple(outfit.worn for outfit in self.outfits_at(gear)) for gear in range(n_gear))
