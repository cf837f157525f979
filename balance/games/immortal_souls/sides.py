"""One side of a question: a hero or an enemy, and what was set of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from balance.base.errors import Fault, RulesError
from balance.catalogue import apply
from balance.catalogue.tables.cells import show_value
from balance.game.setup import AskedSide
from balance.games.immortal_souls.stances import HERO_ONLY
from balance.games.immortal_souls.tables.characters import Character, Profile, character_of


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
