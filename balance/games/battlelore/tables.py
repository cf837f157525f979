"""The tables of BattleLore: units, weapons, races, terrains, the troops of the compendium, and the rulebook's rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, cast

from pydantic import Field

from balance.base.errors import Fault
from balance.catalogue import Catalogue, EntryId, Header, Name, Record, SortedSet
from balance.catalogue.tables.schema import Tables
from balance.game.kit import names_known, tables_of
from balance.games.battlelore.ruleset import BattleLoreRules, Constants

Colour = Literal["green", "blue", "red"]
Kind = Literal["foot", "mounted", "creature"]
Swords = Literal["all", "all_but_one", "none"]
Power = Literal["poison", "web"]

CardId = Annotated[EntryId, Field(description="The name used in commands.")]
CardName = Annotated[Name, Field(description="The name for people."), Header(("nome",))]
Hexes = Annotated[int, Field(ge=0, le=20)]
Cap = Annotated[int | None, Field(ge=0, le=20)]


class Unit(Record):
    """A colour and a kind of unit, or a creature (BL-TRP-01, BL-TRP-03, BL-CRE-02)."""

    id: CardId
    name: CardName
    colour: Annotated[
        Colour, Field(description="Colour of its banner: which helmet hits it."), Header(("color", "colore"))
    ]
    kind: Annotated[Kind, Field(description="Foot, mounted or creature."), Header(("tipo",))]
    figures: Annotated[
        int, Field(ge=1, le=99, description="Figures at full strength."), Header(("figure", "miniature", "vita"))
    ]
    dice: Annotated[int, Field(ge=0, le=20, description="Battle dice it rolls."), Header(("dadi",), unit="dice")]
    battle_move: Annotated[Hexes, Field(description="How far it may move and battle."), Header(unit="hexes")]
    move: Annotated[
        Hexes, Field(description="How far it may move without battle."), Header(("movimento",), unit="hexes")
    ]
    hexes_per_flag: Annotated[Hexes, Field(description="Hexes it retreats for a flag."), Header(unit="hexes")]
    weapon: Annotated[EntryId, Field(description="What it carries if nothing is said."), Header(("arma",))]
    powers: Annotated[
        tuple[Power, ...], SortedSet, Field(description="Special powers of a creature."), Header(("poteri",))
    ]


class Weapon(Record):
    """A weapon card (BL-WPN-05)."""

    id: CardId
    name: CardName
    range_hexes: Annotated[
        int,
        Field(ge=1, le=20, description="How far it reaches; 1 is melee only."),
        Header(("range", "raggio", "gittata"), unit="hexes"),
    ]
    swords_vs_foot: Annotated[Swords, Field(description="Bonus strikes that hit a unit on foot.")]
    swords_vs_mounted: Annotated[Swords, Field(description="Bonus strikes that hit a mounted unit.")]
    swords_point_blank: Annotated[bool, Field(description="Whether bonus strikes hit in melee.")]
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
    """A unit of the compendium: who fights as what, with which weapon."""

    id: CardId
    name: CardName
    race: EntryId
    unit: EntryId
    weapon: EntryId


def _moves(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Nobody may battle after a longer move than it can make."""
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
    ),
    units=Unit,
    weapons=Weapon,
    races=Race,
    terrains=Terrain,
    troops=Troop,
)


def rules_of(catalogue: Catalogue) -> BattleLoreRules:
    """Return the rule options of a catalogue."""
    return cast("BattleLoreRules", catalogue.rules)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the constants of a catalogue."""
    return cast("Constants", catalogue.constants)
