"""The tables of Immortal Souls, what must hold between them, and the rulebook's rules; records are re-exported."""

from __future__ import annotations

from typing import cast

from balance.catalogue import Catalogue
from balance.game.kit import tables_of
from balance.games.immortal_souls.ruleset import Constants, Switches
from balance.games.immortal_souls.tables.board import Area, Encounter, EncounterCard, EnemyPower, Event, Scroll, Shadow
from balance.games.immortal_souls.tables.cards import Companion, Critical, Enemy, Face, Gem, Hero, Power, Style, Victim
from balance.games.immortal_souls.tables.checks import CHECKS
from balance.games.immortal_souls.tables.items import Armour, Artefact, Item, Weapon
from balance.games.immortal_souls.tables.quests import Decision, Quest, Room, Search, Trap, Treasure, Ware

__all__ = [
    "SPEC",
    "Area",
    "Armour",
    "Artefact",
    "Companion",
    "Critical",
    "Encounter",
    "EncounterCard",
    "Enemy",
    "EnemyPower",
    "Event",
    "Face",
    "Gem",
    "Hero",
    "Item",
    "Power",
    "Scroll",
    "Shadow",
    "Style",
    "Victim",
    "Weapon",
    "constants_of",
    "faces_of",
    "rules_of",
]

SPEC = tables_of(
    "immortal_souls",
    Switches,
    Constants,
    CHECKS,
    faces=Face,
    criticals=Critical,
    heroes=Hero,
    gems=Gem,
    weapons=Weapon,
    armours=Armour,
    artefacts=Artefact,
    items=Item,
    powers=Power,
    companions=Companion,
    enemies=Enemy,
    enemy_powers=EnemyPower,
    scrolls=Scroll,
    encounter_cards=EncounterCard,
    events=Event,
    areas=Area,
    encounters=Encounter,
    shadows=Shadow,
    quests=Quest,
    rooms=Room,
    treasures=Treasure,
    traps=Trap,
    searches=Search,
    decisions=Decision,
    wares=Ware,
)


def faces_of(catalogue: Catalogue, die: str) -> tuple[tuple[str, ...], ...]:
    """Return the results on each face of the "red" or the "blue" die."""
    return tuple(face.results for face in catalogue.entries(Face).values() if face.die == die)


def rules_of(catalogue: Catalogue) -> Switches:
    """Return the readings in force of the catalogue's open rules."""
    return cast("Switches", catalogue.rules)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the numbers that the rulebook states, as the catalogue has them."""
    return cast("Constants", catalogue.constants)
