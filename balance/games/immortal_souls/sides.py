"""One side of a question: a hero or an enemy, and what was set of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from balance.base.errors import Fault, RulesError
from balance.catalogue import Catalogue, apply
from balance.catalogue.tables.cells import show_value
from balance.game.setup import AskedSide
from balance.games.immortal_souls.rules.effects import change_of
from balance.games.immortal_souls.stances import HERO_ONLY
from balance.games.immortal_souls.tables.cards import Enemy
from balance.games.immortal_souls.tables.characters import Character, Profile, character_of

TYPES_IN_STEPS = ("slashing", "piercing", "blunt", "arcane")
"""Types of damage that an attack said in steps may have."""


@dataclass(frozen=True)
class Side:
    """A character and the stance in which fields may be set; None there means what the cards say."""

    character: Character
    stance: Any

    @property
    def hand(self) -> Profile:
        """The weapon that attacks: of the main hand, or of the other one if that was set."""
        return self.character.hands[-1 if self.stance.hand == "off" else 0]

    def inputs(self) -> dict[str, Any]:
        """Return id, name and card of this side, and the fields that were set, as JSON values."""
        character, settings = self.character, self.stance.model_dump(mode="json")
        card = character.card.model_dump(mode="json")
        return {
            "id": character.id,
            "name": character.name,
            "card": card,
            **{k: v for k, v in settings.items() if v is not None},
        }

    def value_or(self, name: str, otherwise: Any) -> Any:
        """Return the stance's field of this name, or `otherwise`, what the cards say, if it was not set."""
        value = getattr(self.stance, name, None)
        return otherwise if value is None else value


def enemies_in_steps(catalogue: Catalogue) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the enemies, whose attack with the weapon of the main hand is said in steps where nothing is bought."""
    for enemy in catalogue.entries(Enemy):
        character = character_of(catalogue, enemy)
        hand, modifiers = character.hands[0], cast("Enemy", character.card).modifiers
        if hand.damage_type not in TYPES_IN_STEPS:
            continue
        dice = {"sure": hand.sure, "red": hand.red, "blue": hand.blue}
        defence = {name: getattr(character, name) for name in ("armour", "shields", "defence_dice")}
        changes = {f"vs_{kind}": change_of(modifiers, kind) for kind in TYPES_IN_STEPS}
        yield enemy, {**dice, **defence, **changes, "keywords": (hand.damage_type,)}


def read_side(request: AskedSide[Any, Any]) -> Side:
    """Return a side with what was set of it.

    Raise BalanceError for an unknown id or field, a value out of range, or what only a hero has set of an enemy.
    """
    stance = apply(request.stance, request.fields, request.place)
    character = character_of(request.catalogue, request.text, stance.rank, request.root)
    if not character.is_hero and (
        faults := [
            Fault("is only for heroes", request.place, None, name, show_value(value))
            for name in HERO_ONLY
            if (value := getattr(stance, name, None)) is not None
        ]
    ):
        raise RulesError(faults)
    return Side(character, stance)
