"""Building blocks for games: columns, sides, turn orders, cards, armies and fights."""

from balance.catalogue import Better, EntryId, Record, Rules
from balance.game.game import RULE_IDS
from balance.game.kit.card_armies import Armies, any_armies, army_lists
from balance.game.kit.cards import Card, CardSide, Named, cards_of, names_known, tables_of
from balance.game.kit.standard import (
    TURN_ORDERS,
    WINNER,
    each_side,
    never,
    once,
    orders,
    per_side,
    read_asked,
    turn_about,
)

__all__ = [
    "RULE_IDS",
    "TURN_ORDERS",
    "WINNER",
    "Armies",
    "Better",
    "Card",
    "CardSide",
    "EntryId",
    "Named",
    "Record",
    "Rules",
    "any_armies",
    "army_lists",
    "cards_of",
    "each_side",
    "names_known",
    "never",
    "once",
    "orders",
    "per_side",
    "read_asked",
    "tables_of",
    "turn_about",
]
