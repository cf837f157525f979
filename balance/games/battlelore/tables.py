"""The tables of BattleLore: units, weapons, races, terrains, the troops of the compendium, and the rulebook's rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, cast

from pydantic import Field

from balance.base.errors import Fault
from balance.catalogue import Better, Catalogue, EntryId, Header, Name, Record, SortedSet
from balance.catalogue.tables.schema import Tables
from balance.game.kit import names_known, tables_of
from balance.games.battlelore.ruleset import BattleLoreRules, Constants

Colour = Literal["green", "blue", "red"]
Kind = Literal["foot", "mounted", "creature"]
Swords = Literal["all", "all_but_one", "none"]
Power = Literal["poison", "web"]
Effect = Literal[
    "section",
    "scout",
    "colour_green",
    "colour_blue",
    "colour_red",
    "mounted_charge",
    "foot_onslaught",
    "darken_the_sky",
    "leadership",
    "counter_attack",
    "battlelore",
]
Master = Literal["wizard", "rogue", "cleric", "warrior"]
Phase = Literal[
    "instead", "command", "movement", "combat", "melee", "ranged", "before_roll", "after_roll", "answer", "with"
]
Aim = Literal[
    "nobody",
    "opponent",
    "own_unit",
    "enemy_unit",
    "any_unit",
    "ordered_unit",
    "ordered_units",
    "attacking_unit",
    "defending_unit",
    "attacking_enemy",
]
Mechanism = Literal[
    "gain",
    "steal",
    "heal",
    "confuse",
    "mists",
    "fireball",
    "doom",
    "teleport",
    "speed",
    "speed_all",
    "dice",
    "cry",
    "berserk",
    "agility",
    "fearless",
    "parry",
    "shield",
    "backstab",
    "assault",
    "cancel",
    "keep",
]
_COMMAND: tuple[Phase, ...] = ("command",)
_BEFORE: tuple[Phase, ...] = ("before_roll",)
_AFTER: tuple[Phase, ...] = ("after_roll",)
PHASES_OF: dict[Mechanism, tuple[Phase, ...]] = {
    **dict.fromkeys(("gain", "steal", "heal", "confuse", "mists", "fireball", "doom", "teleport"), _COMMAND),
    "speed": ("movement",),
    "speed_all": ("movement",),
    "dice": ("combat", "melee", "ranged"),
    "cry": ("combat", "melee", "ranged"),
    "berserk": ("melee",),
    **dict.fromkeys(("agility", "fearless", "parry"), _BEFORE),
    **dict.fromkeys(("shield", "backstab"), _AFTER),
    "assault": ("instead",),
    "cancel": ("answer",),
    "keep": ("with",),
}
"""When a Lore card may be played, by what it does."""

CardId = Annotated[EntryId, Field(description="The name used in commands.")]
CardName = Annotated[Name, Field(description="The name for people."), Header(("nome",))]
Hexes = Annotated[int, Field(ge=0, le=20)]
Cap = Annotated[int | None, Field(ge=0, le=20)]
Orders = Annotated[int, Field(ge=-1, le=99)]
MORE_SWORDS = Better(order=("none", "all_but_one", "all"))


class Unit(Record):
    """A colour and a kind of unit, or a creature (BL-TRP-01, BL-TRP-03, BL-CRE-02)."""

    id: CardId
    name: CardName
    colour: Annotated[
        Colour, Field(description="Colour of its banner: which helmet hits it."), Header(("color", "colore"))
    ]
    kind: Annotated[Kind, Field(description="Foot, mounted or creature."), Header(("tipo",))]
    figures: Annotated[
        int,
        Field(ge=1, le=99, description="Figures at full strength."),
        Header(("figure", "miniature", "vita")),
        Better("more"),
    ]
    dice: Annotated[
        int, Field(ge=0, le=20, description="Battle dice it rolls."), Header(("dadi",), unit="dice"), Better("more")
    ]
    battle_move: Annotated[
        Hexes, Field(description="How far it may move and battle."), Header(unit="hexes"), Better("more")
    ]
    move: Annotated[
        Hexes,
        Field(description="How far it may move without battle."),
        Header(("movimento",), unit="hexes"),
        Better("more"),
    ]
    hexes_per_flag: Annotated[Hexes, Field(description="Hexes it retreats for a flag."), Header(unit="hexes")]
    weapon: Annotated[EntryId, Field(description="What it carries if nothing is said."), Header(("arma",))]
    powers: Annotated[
        tuple[Power, ...],
        SortedSet,
        Field(description="Special powers of a creature."),
        Header(("poteri",)),
        Better(words=("poison", "web")),
    ]


class Weapon(Record):
    """A weapon card (BL-WPN-05)."""

    id: CardId
    name: CardName
    range_hexes: Annotated[
        int,
        Field(ge=1, le=20, description="How far it reaches; 1 is melee only."),
        Header(("range", "raggio", "gittata"), unit="hexes"),
        Better("more"),
    ]
    swords_vs_foot: Annotated[Swords, Field(description="Bonus strikes that hit a unit on foot."), MORE_SWORDS]
    swords_vs_mounted: Annotated[Swords, Field(description="Bonus strikes that hit a mounted unit."), MORE_SWORDS]
    swords_point_blank: Annotated[bool, Field(description="Whether bonus strikes hit in melee."), Better("more")]
    after_moving: Annotated[
        Literal["full", "bow", "crossbow"], Field(description="Which rule lowers its dice after a move.")
    ]
    natural: Annotated[bool, Field(description="Whether it is a creature's own.")]

    @property
    def is_ranged(self) -> bool:
        """Whether it may attack beyond the adjacent hex (BL-RNG-04)."""
        return self.range_hexes > 1


class Race(Record):
    """What a race adds to its troops (BL-DWF, BL-GOB)."""

    id: CardId
    name: CardName
    foot_bold: Annotated[int, Field(ge=0, le=9, description="Flags its foot may always ignore."), Header(unit="flags")]
    mounted_bold: Annotated[
        int, Field(ge=0, le=9, description="Flags its mounted troops may always ignore."), Header(unit="flags")
    ]
    hexes_per_flag: Annotated[Hexes, Field(description="Hexes its troops retreat for a flag."), Header(unit="hexes")]
    panics: Annotated[bool, Field(description="Whether a retreat costs panic losses.")]
    charge_hexes: Annotated[Hexes, Field(description="How far its foot may charge, 0 for never."), Header(unit="hexes")]


class Terrain(Record):
    """A terrain or structure of one hex (BL-TER, BL-LMK)."""

    id: CardId
    name: CardName
    structure: Annotated[bool, Field(description="Built or magical: gives creatures no morale (BL-CRE-06).")]
    passable: Annotated[bool, Field(description="Whether units may enter.")]
    stops: Annotated[bool, Field(description="Whether a unit that enters must stop.")]
    battle_on_entry: Annotated[bool, Field(description="Whether a unit that entered may battle this turn.")]
    cap_out: Annotated[Cap, Field(description="Most base dice when battling from it."), Header(unit="dice")]
    cap_in: Annotated[Cap, Field(description="Most base dice when attacking into it."), Header(unit="dice")]
    cap_in_level: Annotated[bool, Field(description="Whether the cap holds from a hex of the same terrain too.")]
    free_along: Annotated[bool, Field(description="Whether coming from the same terrain lifts its limits on entry.")]
    blocks_sight: Annotated[bool, Field(description="Whether it blocks line of sight.")]
    bold: Annotated[int, Field(ge=0, le=9, description="Flags its occupant may ignore."), Header(unit="flags")]
    bold_beside: Annotated[
        int, Field(ge=0, le=9, description="Flags that its owner's units next to it may ignore."), Header(unit="flags")
    ] = 0
    owners_only: Annotated[bool, Field(description="Whether its morale is for its owner's units only.")] = False


class Troop(Record):
    """A unit of the compendium: a name for a unit of a race with a weapon."""

    id: CardId
    name: CardName
    race: EntryId
    unit: EntryId
    weapon: EntryId


class CommandCard(Record):
    """A command card: how many units it orders, and where (BL-CMD-01 to BL-CMD-04); -1 is "equal to command"."""

    id: CardId
    name: CardName
    effect: Annotated[Effect, Field(description="Which units it orders, and what they may do.")]
    left: Annotated[Orders, Field(description="Units it orders in the left section."), Header(unit="units")]
    centre: Annotated[Orders, Field(description="Units it orders in the centre."), Header(unit="units")]
    right: Annotated[Orders, Field(description="Units it orders in the right section."), Header(unit="units")]
    anywhere: Annotated[Orders, Field(description="Units it orders wherever they are."), Header(unit="units")]
    count: Annotated[
        int, Field(ge=0, le=99, description="How many of it the deck has."), Header(("copies", "copie"), unit="cards")
    ]


class LoreCard(Record):
    """A Lore card: when it is played, on whom, and what it does by how much (BL-LORE-05, BL-LORE-06)."""

    id: CardId
    master: Annotated[Master, Field(description="The class of Lore Master it is for."), Header(("class", "classe"))]
    number: Annotated[int, Field(ge=1, le=99, description="Its number in its class.")]
    name: CardName
    cost: Annotated[int, Field(ge=0, le=99, description="What it costs."), Header(("costo",), unit="Lore")]
    cost_per_level: Annotated[
        int, Field(ge=-20, le=20, description="What it costs more for each level of its master."), Header(unit="Lore")
    ]
    phase: Annotated[Phase, Field(description="The moment at which it is played."), Header(("fase",))]
    target: Annotated[Aim, Field(description="Whom it is played on."), Header(("bersaglio",))]
    mechanism: Annotated[Mechanism, Field(description="What it does.")]
    base: Annotated[int, Field(ge=-20, le=20, description="By how much: dice, hexes, figures, tokens or units.")]
    per_level: Annotated[int, Field(ge=-20, le=20, description="By how much more for each level of its master.")]
    count: Annotated[int, Field(ge=0, le=99, description="How many of it there are."), Header(unit="cards")]


def _lore_cards(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield a fault for each Lore card whose mechanism cannot happen in its phase."""
    for entry_id, entry in tables["lore_cards"].items():
        card = cast("LoreCard", entry)
        if card.phase not in PHASES_OF[card.mechanism]:
            allowed = f"for {card.mechanism}: {', '.join(PHASES_OF[card.mechanism])}"
            yield "lore_cards", entry_id, Fault("is no moment for that", "", None, "phase", card.phase, allowed)


def _moves(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield a fault for each unit that may battle after a longer move than it can make."""
    for entry_id, entry in tables["units"].items():
        unit = cast("Unit", entry)
        if unit.battle_move > unit.move:
            limit = f"at most {unit.move}, its move"
            yield "units", entry_id, Fault("is out of range", "", None, "battle_move", str(unit.battle_move), limit)


SPEC = tables_of(
    "battlelore",
    BattleLoreRules,
    Constants,
    (
        names_known("units", weapon="weapons"),
        names_known("troops", race="races", unit="units", weapon="weapons"),
        _moves,
        _lore_cards,
    ),
    units=Unit,
    weapons=Weapon,
    races=Race,
    terrains=Terrain,
    troops=Troop,
    command_cards=CommandCard,
    lore_cards=LoreCard,
)


def rules_of(catalogue: Catalogue) -> BattleLoreRules:
    """Return the readings in force of a catalogue, as its record type."""
    return cast("BattleLoreRules", catalogue.rules)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the constants of a catalogue, as their record type."""
    return cast("Constants", catalogue.constants)
