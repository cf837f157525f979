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
    """A character and what was set of it."""

    character: Character
    stance: Any

    @property
    def hand(self) -> Profile:
        """The weapon that attacks: of the main hand, or of the other one if that was set."""
        return self.character.hands[-1 if self.stance.hand == "off" else 0]

    def inputs(self) -> dict[str, Any]:
        """Return what was asked of this side, resolved, as plain values."""
        character, settings = self.character, self.stance.model_dump(mode="json")
        card = character.card.model_dump(mode="json")
        return {
            "id": character.id,
            "name": character.name,
            "card": card,
            **{k: v for k, v in settings.items() if v is not None},
        }

    def value_or(self, name: str, otherwise: Any) -> Any:
        """Return what was set, or what the cards say.

        Parameters
        ----------
        name
            Name of the field.
        otherwise
            What the cards say.
        """
        value = getattr(self.stance, name, None)
        return otherwise if value is None else value


def read_side(request: AskedSide[Any, Any]) -> Side:
    """Return a side with what was set of it.

    Raises
    ------
    BalanceError
        An unknown id or field, a value out of range, or what only a hero has set of an enemy.
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
