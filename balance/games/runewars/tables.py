"""The tables of Runewars: dice, runes, units with their formations, upgrades, conditions, morale cards and dials.

Cells have three little grammars: what a face shows, `hit+surge`; an amount, `1+stable`; surge abilities, `hits@2`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal, Self, cast

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from balance.base.errors import Fault, listed, suggestion
from balance.catalogue import Catalogue, EntryId, Header, Name, Record, SortedSet
from balance.catalogue.tables.cells import BadCell
from balance.catalogue.tables.schema import Tables, slug
from balance.game.kit import names_known, tables_of
from balance.games.runewars.ruleset import Constants, Switches

__all__ = [
    "EFFECTS",
    "ICONS",
    "RUNES",
    "SPEC",
    "Amount",
    "AmountText",
    "Condition",
    "DefenceText",
    "Dial",
    "DiceText",
    "Face",
    "Formation",
    "MoraleCard",
    "Rune",
    "SurgeAbility",
    "SurgesText",
    "Unit",
    "Upgrade",
    "constants_of",
    "parse_amount",
    "parse_surges",
    "surge_faults",
]

Faction = Literal["daqan", "waiqar", "latari", "uthuk"]
Morale = Literal["doubt", "fear", "rage"]
Die = Literal["red", "blue", "white"]
UnitType = Literal["infantry", "cavalry", "siege", "hero"]
Slot = Literal["artifact", "champion", "equipment", "heavy", "heraldry", "music", "training", "unique"]
SIDES = {"red": 8, "blue": 8, "white": 12}
ICONS = ("hit", "surge", "accuracy", "mortal_strike", "morale")
"""What faces show."""
RUNES = ("stable", "unstable", "natural")
"""Kinds of rune."""
EFFECTS = ("hits", "mortal_strikes", "damage", "accuracy", "morale", "inspiration")
"""What surges buy, beside conditions that the defender receives."""
_AMOUNT = re.compile(r"(?:([0-9]{1,2})\s*\+\s*)?([^\W\d][\w ]*)|([0-9]{1,2})")
_SURGE = re.compile(r"([^\W\d_][^\d@]*?)([0-9]{1,2})?@([0-9]{1,2})(u?)(\+?)(?:\?([^\W\d_].*))?", re.IGNORECASE)


@dataclass(frozen=True)
class Amount:
    """A number, and the kind of rune whose number joins it, or ""."""

    number: int
    rune: str = ""

    def __str__(self) -> str:
        """Return the one way to write it."""
        return self.rune if self.rune and not self.number else "+".join(filter(None, [str(self.number), self.rune]))


def parse_amount(text: str) -> Amount:
    """Read an amount.

    Raises
    ------
    BadCell
        If it is none, or names no kind of rune.

    Examples
    --------
    >>> parse_amount("2"), str(parse_amount("1 + Stable")), str(parse_amount("natural"))
    (Amount(number=2, rune=''), '1+stable', 'natural')
    """
    rule = f"a number from 0 to 99, {listed(RUNES)}, or both, such as 1+stable"
    form = _AMOUNT.fullmatch(text.strip())
    if form is None:
        raise BadCell("is not an amount", allowed=rule)
    before, rune, number = form.groups()
    if rune and slug(rune) not in RUNES:
        raise BadCell("names an unknown rune", suggestion(slug(rune), RUNES), allowed=rule)
    return Amount(int(before or number or 0), slug(rune or ""))


@dataclass(frozen=True)
class SurgeAbility:
    """What surges buy (RW-SURGE.1, RW-SURGE.2).

    Attributes
    ----------
    effect, number
        One of `EFFECTS` and how many, or the id of a condition and 1.
    cost
        Surges it takes; with `plus`, any number of them, and the effect joins for each cost paid.
    unique
        Whether it is resolved once an attack; always with `plus`.
    condition
        What the defender must have, or "".
    """

    effect: str
    number: int
    cost: int
    unique: bool = False
    plus: bool = False
    condition: str = ""

    def __str__(self) -> str:
        """Return the one way to write it."""
        number, once = str(self.number) if self.number > 1 else "", "+" if self.plus else "u" if self.unique else ""
        return f"{self.effect}{number}@{self.cost}{once}{'?' if self.condition else ''}{self.condition}"

    @property
    def is_repeated(self) -> bool:
        """Whether its cost may be paid more than once in an attack (RW-Q13)."""
        return self.plus or not self.unique

    def cheaper(self, surges: int) -> SurgeAbility:
        """Return it at a lower cost, of 1 at least (RW-SURGE.3).

        >>> str(parse_surges("hits@3")[0].cheaper(2)), str(parse_surges("hits@3")[0].cheaper(3))
        ('hits@1', 'hits@1')
        """
        return replace(self, cost=max(1, self.cost - surges))


def parse_surges(text: str | None) -> tuple[SurgeAbility, ...]:
    """Read surge abilities in the order listed; whether their words are known is told by `surge_faults`.

    Raises
    ------
    BadCell
        If one is not written as an ability is, or has a number that it cannot have.

    Examples
    --------
    >>> [str(one) for one in parse_surges("Mortal Strikes @ 2U, damage 2@1+,mortal_strikes@1?blight")]
    ['mortal_strikes@2u', 'damage2@1+', 'mortal_strikes@1?blight']
    >>> parse_surges("none")
    ()
    """
    pieces = [piece.strip() for piece in re.split("[;,|]", text or "") if piece.strip()]
    return () if [slug(piece) for piece in pieces] == ["none"] else tuple(map(_surge, pieces))


def _surge(piece: str) -> SurgeAbility:
    form = _SURGE.fullmatch(re.sub(r"\s*([0-9@?+])\s*", r"\1", piece))
    if form is None:
        rule = "EFFECT[NUMBER]@COST[u][+][?CONDITION], such as hits@2, mortal_strikes@2u or damage2@1+"
        raise BadCell(f"holds {piece!r}, which is not a surge ability", allowed=rule)
    word, number, cost, once, plus, condition = form.groups()
    if not int(cost) * int(number or 1):
        raise BadCell(f"holds {piece!r}, which costs or does nothing", allowed="numbers from 1 to 99")
    return SurgeAbility(slug(word), int(number or 1), int(cost), bool(once or plus), bool(plus), slug(condition or ""))


def surge_faults(text: str | None, conditions: Collection[str], field: str) -> Iterator[Fault]:
    """Tell which surge abilities have an effect, or ask for a condition, that there is not.

    Parameters
    ----------
    text
        Surge abilities as they are written in a cell.
    conditions
        Ids of the conditions that there are.
    field
        The column, for faults.
    """
    for surge in parse_surges(text):
        checks = ((surge.effect, (*EFFECTS, *conditions), "effect"), (surge.condition, conditions, "condition"))
        for word, names, kind in checks:
            if word and word not in names:
                message, tip = f"has an unknown {kind}, {word}", suggestion(word, names)
                yield Fault(message, "", None, field, text, listed(names), tip)
        if surge.effect in conditions and surge.number > 1:
            yield Fault(f"has a number for {surge.effect}, which a unit has once", "", None, field, text, surge.effect)


def _surges_text(text: str) -> str:
    return ",".join(map(str, parse_surges(text))) or "none"


def _icons_text(words: tuple[str, ...], text: str) -> str:
    names = [slug(word) for word in text.split("+")]
    for word in names:
        if word not in words and names != ["blank"]:
            rule, choices = f"blank, or {listed(words)}, joined by +", words if len(names) > 1 else ("blank", *words)
            raise BadCell(f"shows {word!r}, which is unknown", suggestion(word, choices), allowed=rule)
    return "+".join(names)


def _within(low: int, high: int, text: str) -> str:
    amount = parse_amount(text)
    if not low <= amount.number <= high:
        rule = f"a number from {low} to {high}, to which {listed(RUNES)} may be joined by +"
        raise BadCell("is out of range", allowed=rule)
    return str(amount)


AmountText = Annotated[str, AfterValidator(partial(_within, 0, 99))]
"""A cell that holds an amount, as `Amount` writes it."""
DefenceText = Annotated[str, AfterValidator(partial(_within, 1, 99))]
"""An amount of at least 1, whatever the runes show."""
DiceText = Annotated[str, AfterValidator(partial(_within, 0, 9))]
"""An amount of dice, 9 at most beside the runes."""
SurgesText = Annotated[str, StringConstraints(max_length=200), AfterValidator(_surges_text)]
"""A cell of surge abilities, each as `SurgeAbility` writes it, parted by commas; `none` for no ability."""
Icons = Annotated[str, AfterValidator(partial(_icons_text, ICONS)), Field(description="blank, or icons joined by +.")]
RuneSide = Annotated[
    str, AfterValidator(partial(_icons_text, RUNES)), Field(description="blank, or runes joined by +.")
]
CardId = Annotated[EntryId, Field(description="The name used in commands.")]
CardName = Annotated[Name, Field(description="The name for people."), Header(("nome",))]
Owner = Annotated[EntryId, Field(description="The unit whose it is."), Header(("unita",))]
Count = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=20)]
Points = Annotated[int, Field(ge=0, le=999, description="What it costs."), Header(("punti",), unit="points")]
Dice = Annotated[int, Field(ge=0, le=9, description="Dice of this colour in melee."), Header(unit="dice")]
RangedDice = Annotated[DiceText, Field(description="Dice of this colour at range, an amount."), Header(unit="dice")]
Surges = Annotated[SurgesText | None, Field(description="What surges buy, such as hits@2,mortal_strikes@2u.")]
Lethal = Annotated[Count, Field(description="Joins the damage pool."), Header(("massacro",), unit="damage")]
Precise = Annotated[int, Field(ge=0, le=9, description="Full ranks more, for re-rolls."), Header(unit="ranks")]
ProtectedDamage = Annotated[
    Count, Field(description="Taken off the damage pool."), Header(("protezione",), unit="damage")
]
ExtraIcons = Annotated[int, Field(ge=0, le=20, description="Icons it adds to an attack.")]
Wounds = Header(("ferite",), unit="wounds")


class Face(Record):
    """A face of a die."""

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
    """A unit card."""

    id: CardId
    name: CardName
    faction: Annotated[Faction, Field(description="Whose unit it is."), Header(("fazione",))]
    type: Annotated[UnitType, Field(description="Decides how many figures a tray holds."), Header(("tipo",))]
    defence: Annotated[DefenceText, Field(description="Damage that is a wound, an amount."), Header(("difesa",))]
    wound_threshold: Annotated[Positive, Field(description="Wounds that remove a figure."), Wounds]
    melee_red: Dice
    melee_blue: Dice
    melee_white: Dice
    ranged_red: RangedDice
    ranged_blue: RangedDice
    ranged_white: RangedDice
    melee_surges: Surges
    ranged_surges: Surges
    brutal: Annotated[AmountText, Field(description="Joins the threat in attack, an amount."), Header(("brutale",))]
    lethal: Lethal
    precise: Precise
    protected: ProtectedDamage
    mortal_ward: Annotated[Count, Field(description="Mortal strikes taken off while defending.")]
    guard_rerolls: Annotated[AmountText, Field(description="Dice of its attacker rolled again, an amount.")]
    regenerate: Annotated[AmountText, Field(description="Figures that come back each round, an amount.")]
    steadfast: Annotated[tuple[Morale, ...], SortedSet, Field(description="Morale cards that need an icon more.")]
    attacks_all: Annotated[bool, Field(description="Whether it then attacks every other engaged enemy.")]
    borrows_surges: Annotated[bool, Field(description="Whether it has surge abilities of upgrades of friends.")]
    not_played: Annotated[Name | None, Field(description="What the card says and is not played.")]


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
    brutal: Annotated[Count, Field(description="Joins the threat in attack."), Header(("brutale",))]
    precise: Precise
    protected: ProtectedDamage
    surge_discount: Annotated[Count, Field(description="Surges less that each ability costs."), Header(unit="surges")]
    surge_abilities: Surges
    exhausts: Annotated[bool, Field(description="Whether it is used once, until its unit rallies.")]
    figure_defence: Annotated[Count, Field(description="Damage that is a wound of its figure."), Header(unit="damage")]
    figure_health: Annotated[Count, Field(description="Wounds that remove its figure."), Wounds]
    figure_slots: Annotated[int, Field(ge=0, le=9, description="Slots that its figure takes; 0: it has none.")]

    @model_validator(mode="after")
    def _has_a_whole_figure(self) -> Self:
        if len({bool(n) for n in (self.figure_defence, self.figure_health, self.figure_slots)}) > 1:
            raise BadCell("has half a figure", allowed="figure_defence, figure_health and figure_slots, or none")
        return self


class Condition(Record):
    """What a unit may be put into by an enemy (RW-COND)."""

    id: CardId
    name: CardName
    unique: Annotated[bool, Field(description="Whether an effect has it on one unit at most."), Header(("unica",))]
    added_damage: Annotated[Count, Field(description="Joins the pool of attacks on it."), Header(unit="damage")]


class MoraleCard(Record):
    """A kind of card of the morale deck."""

    id: CardId
    name: CardName
    type: Annotated[Morale, Field(description="Doubt, fear or rage."), Header(("tipo",))]
    icons: Annotated[Positive, Field(description="Morale icons that it takes.")]
    copies: Annotated[Count, Field(description="Cards in the deck."), Header(("copie",), unit="cards")]
    wounds: Annotated[Count, Field(description="Wounds it costs."), Wounds]
    loses_attack: Annotated[bool, Field(description="Whether the unit loses its next attack.")]
    panic: Annotated[Count, Field(description="Panic tokens it gives."), Header(("panico",))]


class Dial(Record):
    """What a unit may order in melee: an action and the modifier with it."""

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


def _dice(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Each die has as many faces as it has sides."""
    faces = [cast("Face", entry) for entry in tables["faces"].values()]
    for die, sides in SIDES.items():
        die_faces = [face for face in faces if face.die == die]
        if len(die_faces) != sides:
            message = f"is a die with {len(die_faces)} faces"
            yield "faces", (die_faces or faces)[-1].id, Fault(message, field="die", found=die, allowed=f"{sides} faces")


def _formations(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Each unit has a formation, and none of them twice."""
    owners: dict[tuple[str, str], str] = {}
    for entry in tables["formations"].values():
        form = cast("Formation", entry)
        shape = f"{form.columns}x{form.ranks}"
        if (first := owners.setdefault((form.unit, shape), form.id)) != form.id:
            yield "formations", form.id, Fault(f"is a formation that {form.unit} has already, {first}", found=shape)
    for unit in (unit for unit in tables["units"] if unit not in {owner for owner, _ in owners}):
        yield "units", unit, Fault("has no formation", field="id", found=unit, tip="add a row for it to formations")


def _surges(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Surges buy effects and conditions that there are, and no condition is called like an effect."""
    conditions = tuple(tables["conditions"])
    for table, field in (("units", "melee_surges"), ("units", "ranged_surges"), ("upgrades", "surge_abilities")):
        for entry_id, entry in tables[table].items():
            yield from ((table, entry_id, fault) for fault in surge_faults(getattr(entry, field), conditions, field))
    for condition in (name for name in conditions if name in EFFECTS):
        yield "conditions", condition, Fault("is the name of an effect", field="id", found=condition)


SPEC = tables_of(
    "runewars",
    Switches,
    Constants,
    (names_known("formations", unit="units"), names_known("dials", unit="units"), _dice, _formations, _surges),
    faces=Face,
    runes=Rune,
    units=Unit,
    formations=Formation,
    upgrades=Upgrade,
    conditions=Condition,
    morale_cards=MoraleCard,
    dials=Dial,
)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the constants of a catalogue."""
    return cast("Constants", catalogue.constants)
