"""The tables of Runewars: dice, runes, units, formations, upgrades, conditions, morale cards, dials and grounds.

Cells that hold more than a word or a number are written as `balance.games.runewars.cells` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, Self, cast

from pydantic import Field, model_validator

from balance.base.errors import Fault
from balance.catalogue import Better, Catalogue, EntryId, Header, Name, Record, SortedSet
from balance.catalogue.tables.cells import BadCell
from balance.catalogue.tables.schema import Tables
from balance.game.kit import names_known, tables_of
from balance.games.runewars.cells import (
    EFFECTS,
    AmountText,
    DefenceText,
    DiceText,
    Icons,
    RuneSide,
    SurgesText,
    surge_faults,
)
from balance.games.runewars.ruleset import Constants, Switches

Faction = Literal["daqan", "waiqar", "latari", "uthuk"]
Morale = Literal["doubt", "fear", "rage"]
Die = Literal["red", "blue", "white"]
UnitType = Literal["infantry", "cavalry", "siege", "hero"]
Action = Literal["melee", "shoot", "march", "shift", "reform", "rally"]
Terrain = Literal["obstacle", "blocking", "opening", "elevated", "agony", "unit_a", "unit_b"]
Slot = Literal["artifact", "champion", "equipment", "heavy", "heraldry", "music", "training", "unique"]
SIDES = {"red": 8, "blue": 8, "white": 12}


CardId = Annotated[EntryId, Field(description="The name used in commands.")]
CardName = Annotated[Name, Field(description="The name for people."), Header(("nome",))]
Owner = Annotated[EntryId, Field(description="The unit whose it is."), Header(("unita",))]
Count = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=20)]
Points = Annotated[int, Field(ge=0, le=999, description="What it costs."), Header(("punti",), unit="points")]
Dice = Annotated[
    int, Field(ge=0, le=9, description="Dice of this colour in melee."), Header(unit="dice"), Better("more")
]
RangedDice = Annotated[
    DiceText, Field(description="Dice of this colour at range, an amount."), Header(unit="dice"), Better("more")
]
Surges = Annotated[SurgesText | None, Field(description="What surges buy, such as hits@2,mortal_strikes@2u.")]
Lethal = Annotated[
    Count, Field(description="Joins the damage pool."), Header(("massacro",), unit="damage"), Better("more")
]
Precise = Annotated[
    int, Field(ge=0, le=9, description="Full ranks more, for re-rolls."), Header(unit="ranks"), Better("more")
]
ProtectedDamage = Annotated[
    Count, Field(description="Taken off the damage pool."), Header(("protezione",), unit="damage"), Better("more")
]
ExtraIcons = Annotated[int, Field(ge=0, le=20, description="Icons it adds to an attack.")]
Wounds = Header(("ferite",), unit="wounds")


class Face(Record):
    """A face of a die, with all icons that it shows."""

    id: CardId
    die: Annotated[Die, Field(description="The die it is on."), Header(("dado",))]
    results: Icons


class Rune(Record):
    """A token with two sides that is thrown."""

    id: CardId
    name: CardName
    one: RuneSide
    other: RuneSide


class Unit(Record):
    """A unit card; it is printed without its formations, which are cards of their own."""

    id: CardId
    name: CardName
    faction: Annotated[Faction, Field(description="Whose unit it is."), Header(("fazione",))]
    type: Annotated[UnitType, Field(description="Decides how many figures a tray holds."), Header(("tipo",))]
    defence: Annotated[
        DefenceText, Field(description="Damage that is a wound, an amount."), Header(("difesa",)), Better("more")
    ]
    wound_threshold: Annotated[Positive, Field(description="Wounds that remove a figure."), Wounds, Better("more")]
    melee_red: Dice
    melee_blue: Dice
    melee_white: Dice
    ranged_red: RangedDice
    ranged_blue: RangedDice
    ranged_white: RangedDice
    melee_surges: Surges
    ranged_surges: Surges
    brutal: Annotated[
        AmountText, Field(description="Joins the threat in attack, an amount."), Header(("brutale",)), Better("more")
    ]
    lethal: Lethal
    precise: Precise
    protected: ProtectedDamage
    mortal_ward: Annotated[Count, Field(description="Mortal strikes taken off while defending."), Better("more")]
    guard_rerolls: Annotated[
        AmountText, Field(description="Dice of its attacker rolled again, an amount."), Better("more")
    ]
    regenerate: Annotated[
        AmountText, Field(description="Figures that come back each round, an amount."), Better("more")
    ]
    steadfast: Annotated[
        tuple[Morale, ...],
        SortedSet,
        Field(description="Morale cards that need an icon more."),
        Better(words=("doubt", "fear", "rage")),
    ]
    attacks_all: Annotated[bool, Field(description="Whether it then attacks every other engaged enemy.")]
    borrows_surges: Annotated[bool, Field(description="Whether it has surge abilities of upgrades of friends.")]
    not_played: Annotated[Name | None, Field(description="What the card says and is not played.")]
    range_bands: Annotated[
        int,
        Field(ge=0, le=5, description="The farthest band it shoots at, 0: none."),
        Header(unit="bands"),
        Better("more"),
    ] = 0
    initiative: Annotated[
        int, Field(ge=-9, le=9, description="Added to each initiative of its dial."), Better("less")
    ] = 0
    speed_bands: Annotated[
        int, Field(ge=-9, le=9, description="Added to each march of its dial."), Header(unit="bands"), Better("more")
    ] = 0


class Formation(Record):
    """A shape that a unit may be fielded in; the first of a unit is its default."""

    id: CardId
    unit: Owner
    columns: Annotated[int, Field(ge=1, le=9, description="Trays of a rank."), Header(("colonne",), unit="trays")]
    ranks: Annotated[int, Field(ge=1, le=4, description="Full ranks."), Header(("ranghi",), unit="ranks")]
    cost_points: Points


class Upgrade(Record):
    """An upgrade card; one with a figure puts it into the unit, in place of others."""

    id: CardId
    name: CardName
    slot: Annotated[Slot, Field(description="The slot that it takes.")]
    faction: Annotated[Faction | None, Field(description="Who may have it; nobody named: all."), Header(("fazione",))]
    cost_points: Points
    lethal: Lethal
    brutal: Annotated[Count, Field(description="Joins the threat in attack."), Header(("brutale",)), Better("more")]
    precise: Precise
    protected: ProtectedDamage
    surge_discount: Annotated[
        Count, Field(description="Surges less that each ability costs."), Header(unit="surges"), Better("more")
    ]
    surge_abilities: Surges
    exhausts: Annotated[bool, Field(description="Whether it is used once, until its unit rallies."), Better("less")]
    figure_defence: Annotated[Count, Field(description="Damage that is a wound of its figure."), Header(unit="damage")]
    figure_health: Annotated[Count, Field(description="Wounds that remove its figure."), Wounds]
    figure_slots: Annotated[int, Field(ge=0, le=9, description="Slots that its figure takes; 0: it has none.")]

    @model_validator(mode="after")
    def _has_a_whole_figure(self) -> Self:
        if len({bool(n) for n in (self.figure_defence, self.figure_health, self.figure_slots)}) > 1:
            raise BadCell("has half a figure", allowed="figure_defence, figure_health and figure_slots, or none")
        return self


class Condition(Record):
    """A state such as blight that an enemy's surges put a unit into (RW-COND)."""

    id: CardId
    name: CardName
    unique: Annotated[bool, Field(description="Whether an effect has it on one unit at most."), Header(("unica",))]
    added_damage: Annotated[Count, Field(description="Joins the pool of attacks on it."), Header(unit="damage")]


class MoraleCard(Record):
    """A kind of card of the morale deck, with what it requires and what it does."""

    id: CardId
    name: CardName
    type: Annotated[Morale, Field(description="Doubt, fear or rage."), Header(("tipo",))]
    icons: Annotated[Positive, Field(description="Morale icons that it takes.")]
    copies: Annotated[Count, Field(description="Cards in the deck."), Header(("copie",), unit="cards")]
    wounds: Annotated[Count, Field(description="Wounds it costs."), Wounds]
    loses_attack: Annotated[bool, Field(description="Whether the unit loses its next attack.")]
    panic: Annotated[Count, Field(description="Panic tokens it gives."), Header(("panico",))]


class Dial(Record):
    """What a unit may order: an action and the modifier with it."""

    id: CardId
    unit: Owner
    name: CardName
    initiative: Annotated[Positive, Field(description="The lower acts first."), Header(("iniziativa",))]
    attacks: Annotated[bool, Field(description="Whether it is a melee attack."), Header(("attacca",))]
    add_hits: ExtraIcons
    add_mortal_strikes: ExtraIcons
    add_surges: ExtraIcons
    add_morale: ExtraIcons
    defend: Annotated[AmountText, Field(description="Value of its defend modifier, an amount."), Header(("difende",))]
    rallies: Annotated[bool, Field(description="Whether it readies exhausted cards (RW-GEN.1).")]
    action: Annotated[Action, Field(description="What its unit does."), Header(("azione",))] = "melee"
    distance_bands: Annotated[int, Field(ge=0, le=9, description="How far it goes."), Header(unit="bands")] = 0
    charge: Annotated[
        bool, Field(description="Whether a march strikes whom it collides with."), Header(("carica",))
    ] = False
    turn_degrees: Annotated[
        int, Field(ge=0, le=180, description="How far it may wheel before it marches."), Header(unit="degrees")
    ] = 0

    def goes(self, more_bands: int) -> int:
        """Return how many bands it takes its unit, if marches go so much further."""
        return max(0, self.distance_bands + more_bands * (self.action == "march"))

    @property
    def is_for_contact(self) -> bool:
        """Whether a unit in contact has a use for it: it attacks or defends."""
        return self.attacks or (self.defend != "0" and self.action in ("rally", "reform"))


class Ground(Record):
    """A table to play on; its middle is where x and y are 0."""

    id: CardId
    name: CardName
    width_mm: Annotated[int, Field(ge=300, le=9999, description="From left to right."), Header(unit="mm")]
    depth_mm: Annotated[int, Field(ge=300, le=9999, description="From side a's edge to side b's."), Header(unit="mm")]


class TerrainPiece(Record):
    """A rectangle on a table: terrain, or a unit of a side that stands there and takes no part."""

    id: CardId
    ground: Annotated[EntryId, Field(description="The table it is on.")]
    kind: Annotated[Terrain, Field(description="What it does to moves and to sight.")]
    x_mm: Annotated[int, Field(ge=-9999, le=9999, description="Its centre, to the right."), Header(unit="mm")]
    y_mm: Annotated[int, Field(ge=-9999, le=9999, description="Its centre, towards side b."), Header(unit="mm")]
    width_mm: Annotated[int, Field(ge=1, le=9999, description="Across its heading."), Header(unit="mm")]
    depth_mm: Annotated[int, Field(ge=1, le=9999, description="Along its heading."), Header(unit="mm")]
    heading_degrees: Annotated[
        int, Field(ge=0, le=359, description="0 is towards side b; clockwise."), Header(unit="degrees")
    ]


def _dice(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield dice whose number of faces is not that of their sides."""
    faces = [cast("Face", entry) for entry in tables["faces"].values()]
    for die, sides in SIDES.items():
        die_faces = [face for face in faces if face.die == die]
        if len(die_faces) != sides:
            message = f"is a die with {len(die_faces)} faces"
            yield "faces", (die_faces or faces)[-1].id, Fault(message, field="die", found=die, allowed=f"{sides} faces")


def _formations(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield units without a formation, and formations that a unit has twice."""
    owners: dict[tuple[str, str], str] = {}
    for entry in tables["formations"].values():
        form = cast("Formation", entry)
        shape = f"{form.columns}x{form.ranks}"
        if (first := owners.setdefault((form.unit, shape), form.id)) != form.id:
            yield "formations", form.id, Fault(f"is a formation that {form.unit} has already, {first}", found=shape)
    for unit in (unit for unit in tables["units"] if unit not in {owner for owner, _ in owners}):
        yield "units", unit, Fault("has no formation", field="id", found=unit, tip="add a row for it to formations")


def _surges(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield surge abilities for effects and conditions that do not exist, and conditions named like an effect."""
    conditions = tuple(tables["conditions"])
    for table, field in (("units", "melee_surges"), ("units", "ranged_surges"), ("upgrades", "surge_abilities")):
        for entry_id, entry in tables[table].items():
            yield from ((table, entry_id, fault) for fault in surge_faults(getattr(entry, field), conditions, field))
    for condition in (name for name in conditions if name in EFFECTS):
        yield "conditions", condition, Fault("is the name of an effect", field="id", found=condition)


def _dials(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield settings of dials whose action and measures do not fit each other."""
    for name, entry in tables["dials"].items():
        dial = cast("Dial", entry)
        moves, marches = dial.action in ("march", "shift"), dial.action == "march"
        wrong = {
            "distance_bands": bool(dial.distance_bands) != moves,
            "charge": dial.charge and not marches,
            "turn_degrees": bool(dial.turn_degrees) and not marches,
            "attacks": dial.attacks != (dial.action == "melee"),
        }
        for field in (field for field, is_wrong in wrong.items() if is_wrong):
            value = str(getattr(dial, field)).lower()
            yield "dials", name, Fault(f"does not fit the action {dial.action}", field=field, found=value)


SPEC = tables_of(
    "runewars",
    Switches,
    Constants,
    (
        names_known("formations", unit="units"),
        names_known("dials", unit="units"),
        names_known("terrain", ground="grounds"),
        _dice,
        _formations,
        _surges,
        _dials,
    ),
    faces=Face,
    runes=Rune,
    units=Unit,
    formations=Formation,
    upgrades=Upgrade,
    conditions=Condition,
    morale_cards=MoraleCard,
    dials=Dial,
    grounds=Ground,
    terrain=TerrainPiece,
)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the numbers that the rules state, as the catalogue has them."""
    return cast("Constants", catalogue.constants)
