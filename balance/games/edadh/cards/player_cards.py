"""How the policies that ship are put together: rows of `players.csv`, and the mixes of cards they draw from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from balance.catalogue import EntryId, Record
from balance.games.edadh.cards.records import CardId, CardName, Small

ADAPTIVE = "adaptive"
"""In place of a mix: cards that answer the opponent's."""

Weight = Annotated[int, Field(ge=0, le=1000, description="Cards are drawn in proportion to these.")]


class Mix(Record):
    """A fixed mix of cards: one weight for each CV, which is played with the share weight / sum of weights."""

    id: CardId
    name: CardName
    cv1: Weight
    cv2: Weight
    cv3: Weight
    cv4: Weight
    cv5: Weight
    cv6: Weight
    cv7: Weight
    cv8: Weight
    cv9: Weight
    cv10: Weight
    cv11: Weight
    cv12: Weight

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights of CV 1 to 12."""
        return tuple(getattr(self, f"cv{value}") for value in range(1, 13))


class Player(Record):
    """A policy (our own; the rulebook has none)."""

    id: CardId
    name: CardName
    cards: Annotated[EntryId | None, Field(description="A mix, or adaptive; empty for the mix a side names.")]
    troop: Annotated[Literal["any", "guard", "strike", "reply"], Field(description="Which troop it selects.")]
    discards: Annotated[Literal["any", "weakest"], Field(description="Which troop it gives up.")]
    retires: Annotated[Literal["any", "never", "below"], Field(description="When it retires a troop.")]
    retire_below: Annotated[Small | None, Field(description="MP below which it does.")]
