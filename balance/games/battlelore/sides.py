"""Who fights: ids such as `goblin_blue_foot+short_sword`, and what a side brings beside its cards.

An id is `[RACE_]COLOUR_KIND[+WEAPON]`, or a creature's. Without a race it is human, without a weapon it carries what
its entry in `units.csv` says. A side's overrides may name what the cards do not tell (`figures`, `race`, `supported`,
`moved` ...), a field of its unit (`dice`, `colour`; `unit.figures` is full strength) or of its weapon (`weapon.range`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Generic, TypeVar, cast

from pydantic import Field

from balance.base.errors import CatalogueError, Fault, RulesError, comma_list, suggestion
from balance.base.text import slug
from balance.catalogue import Catalogue, EntryId, Header, Record, apply, leaf_columns
from balance.game.armies.lost_actions import LostActions
from balance.game.setup import AskedSide
from balance.games.battlelore.tables import Race, Troop, Unit, Weapon, constants_of

HUMAN = "human"


@dataclass(frozen=True)
class Fighter:
    """A unit of a race with its weapon, as its cards are printed."""

    unit: Unit
    race: Race
    weapon: Weapon

    @property
    def is_creature(self) -> bool:
        """Whether it is a creature: one figure, neither foot nor mounted (BL-CRE-01)."""
        return self.unit.kind == "creature"

    @property
    def id(self) -> str:
        """The id in full, such as `goblin_blue_foot+short_sword`; a creature's is its own."""
        if self.is_creature:
            return self.unit.id
        race = "" if self.race.id == HUMAN else f"{self.race.id}_"
        return f"{race}{self.unit.id}+{self.weapon.id}"

    @property
    def name(self) -> str:
        """The name for people, such as `Goblinoid Blue foot + Short Sword`."""
        if self.is_creature:
            return self.unit.name
        race = "" if self.race.id == HUMAN else f"{self.race.name} "
        return f"{race}{self.unit.name} + {self.weapon.name}"


class Stance(Record):
    """What a unit brings to a combat that its cards do not print."""

    race: Annotated[EntryId | None, Field(description="Its race; the id's if nothing is said.")] = None
    figures: Annotated[
        int | None, Field(ge=1, le=99, description="Figures it has left; full strength if nothing is said.")
    ] = None
    supported: Annotated[bool, Field(description="Adjacent to two friendly units or more (BL-MOR-07).")] = False
    bold: Annotated[
        int, Field(ge=0, le=99, description="Further flags it may ignore, as by a Lore card."), Header(unit="flags")
    ] = 0
    webbed: Annotated[bool, Field(description="Caught in a web (BL-CRE-15).")] = False
    poisoned: Annotated[bool, Field(description="Poisoned (BL-CRE-14).")] = False
    beside: Annotated[
        tuple[EntryId, ...],
        Field(description="Structures of its own side next to it, such as a stronghold (BL-LMK-11)."),
    ] = ()
    in_enemy_structure: Annotated[
        bool, Field(description="Whether the structure it stands in is the enemy's (BL-LMK-04, BL-LMK-11).")
    ] = False
    stored_lore: Annotated[
        int,
        Field(ge=0, le=9, description="Lore stored beside a creature (BL-CRE-11)."),
        Header(("stored",), unit="Lore"),
    ] = 0


class DuellistStance(Stance, LostActions):
    """What a side brings to a duel: a stance, and attacks that it loses."""


class AttackerStance(Stance):
    """What an attacker brings beside a stance: whether it moved, and whether it was freed from a web."""

    moved: Annotated[bool, Field(description="Whether it moved this turn, before battle (BL-WPN-02, BL-WPN-04).")] = (
        False
    )
    freed: Annotated[bool, Field(description="Webbed, and freed this turn for its price (BL-CRE-16).")] = False


S = TypeVar("S", bound=Stance)


@dataclass(frozen=True)
class Side(Generic[S]):
    """A fighter and its stance after overrides."""

    fighter: Fighter
    stance: S

    @property
    def figures(self) -> int:
        """Figures it has left; full strength if the stance does not say."""
        return self.fighter.unit.figures if self.stance.figures is None else self.stance.figures

    def inputs(self) -> dict[str, Any]:
        """Return what was asked of this side, resolved, as plain values."""
        fighter = self.fighter
        return {
            "id": fighter.id,
            "name": fighter.name,
            "unit": fighter.unit.model_dump(mode="json"),
            "weapon": fighter.weapon.model_dump(mode="json"),
            **self.stance.model_dump(mode="json"),
            "race": "" if fighter.is_creature else fighter.race.id,
            "figures": self.figures,
        }


def parse_fighter(catalogue: Catalogue, text: str, location: str = "") -> Fighter:
    """Return the fighter of an id such as `red_mounted+long_sword` or `giant_spider`, or of a troop's name.

    An id may begin with a race, as in `dwarf_blue_foot`. `CatalogueError`, with the nearest, for an unknown unit, race
    or weapon; `RulesError` for two weapons, or one that the unit cannot use. `location` is the place of faults.
    """
    if (troop := _troop(catalogue, text)) is not None:
        return fighter_of(catalogue, troop)
    head, *arms = text.split("+")
    race, unit = _race_and_unit(catalogue, slug(head), location)
    if len(arms) > 1:
        raise RulesError(
            Fault("are too many weapons (BL-TRP-02)", location, found="+".join(arms), allowed="one weapon")
        )
    natural = unit.kind == "creature"
    usable = [weapon.id for weapon in catalogue.entries(Weapon).values() if weapon.natural is natural]
    weapon = cast("Weapon", catalogue.find("weapons", arms[0] if arms else unit.weapon, location, usable))
    if weapon.natural is not natural:
        fault = f"is not a weapon {unit.id} can use (BL-WPN-05, BL-CRE-01)"
        raise RulesError(Fault(fault, location, found=weapon.id, allowed=", ".join(usable)))
    return Fighter(unit, race, weapon)


def _troop(catalogue: Catalogue, text: str) -> Troop | None:
    """Return the troop with this id or name, None if it is a unit's too, which goes first."""
    if "+" in text or slug(text) in catalogue.entries(Unit):
        return None
    matches = [troop for troop in catalogue.entries(Troop).values() if slug(text) in (troop.id, slug(troop.name))]
    return matches[0] if matches else None


def _race_and_unit(catalogue: Catalogue, head: str, location: str) -> tuple[Race, Unit]:
    races, units = catalogue.entries(Race), catalogue.entries(Unit)
    troops = [unit for unit in units if units[unit].kind != "creature"]
    entries = {f"{slug(race.name)}_{unit}": (race.id, unit) for race in races.values() for unit in troops}
    entries |= {f"{race}_{unit}": (race, unit) for race in races for unit in troops}
    entries |= {unit: (HUMAN, unit) for unit in units}
    if head not in entries:
        names = [*entries, *catalogue.entries(Troop)]
        tip = suggestion(head, names, f"a race may stand before it: {', '.join(races)}")
        raise CatalogueError(Fault("is not in units", location, found=head, allowed=comma_list(units), tip=tip))
    race, unit = entries[head]
    return _race(catalogue, race, location), units[unit]


def _race(catalogue: Catalogue, text: str, location: str) -> Race:
    """Return a race by its id or by its name, such as `dwarf` or `iron_dwarf`."""
    by_name = {slug(race.name): race.id for race in catalogue.entries(Race).values()}
    return cast("Race", catalogue.find("races", by_name.get(slug(text), text), location))


def fighter_of(catalogue: Catalogue, troop: Troop) -> Fighter:
    """Return the fighter of a row of the troops."""
    unit, race = catalogue.entries(Unit)[troop.unit], catalogue.entries(Race)[troop.race]
    return Fighter(unit, race, catalogue.entries(Weapon)[troop.weapon])


def roster(catalogue: Catalogue) -> dict[str, str]:
    """Return id -> name of every unit of the compendium: its troops, then the other units.

    A creature is no troop, and a unit that is in no troop fights as printed, as a human one.
    """
    troops = catalogue.entries(Troop).values()
    troop_names = {fighter_of(catalogue, troop).id: troop.name for troop in troops}
    troop_units = {troop.unit for troop in troops}
    other_units = [unit for unit in catalogue.entries(Unit).values() if unit.id not in troop_units]
    creatures = {unit.id: unit.name for unit in other_units if unit.kind == "creature"}
    human = {f"{unit.id}+{unit.weapon}": unit.name for unit in other_units if unit.kind != "creature"}
    return troop_names | (human if HUMAN in catalogue.entries(Race) else {}) | creatures


def troops_in_steps(catalogue: Catalogue) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the troops whose attack is said in steps: those that strike, and do not shoot."""
    for fighter in (fighter_of(catalogue, troop) for troop in catalogue.entries(Troop).values()):
        if fighter.weapon.range_hexes == 1:
            keywords = (fighter.unit.colour, fighter.unit.kind, fighter.weapon.id)
            yield fighter.id, {"dice": fighter.unit.dice, "keywords": keywords}


def read_side(request: AskedSide[Any, S]) -> Side[S]:
    """Return a side with its overrides applied, and checked against the rules.

    `BalanceError` for an unknown id or field, a value out of range, or what BL-TRP-03, BL-TRP-05 or BL-CRE-11 and 12
    forbid.
    """
    catalogue, text, place = request.catalogue, request.text, request.place
    stance_fields, fields = request.split()
    if other_weapon := fields.pop("weapon", ""):
        text = f"{text.partition('+')[0]}+{other_weapon}"
    arm = {path.removeprefix("weapon."): value for path, value in fields.items() if path.startswith("weapon.")}
    rest = {path.removeprefix("unit."): value for path, value in fields.items() if "weapon." not in path}
    stance = apply(request.stance, stance_fields, place)
    fighter = parse_fighter(catalogue, text, request.root)
    if stance.race is not None and not fighter.is_creature:
        fighter = replace(fighter, race=_race(catalogue, stance.race, f"{place}.race"))
    beside = [*request.stance_fields, *(f"weapon.{name}" for name in leaf_columns(Weapon) if name != "id")]
    unit, weapon = apply(fighter.unit, rest, place, beside), apply(fighter.weapon, arm, f"{place}.weapon")
    side = Side(Fighter(unit, fighter.race, weapon), stance)
    if faults := [*_strength_faults(side, place), *_creature_faults(catalogue, side, place)]:
        raise RulesError(faults)
    return side


def _strength_faults(side: Side[S], place: str) -> list[Fault]:
    full = side.fighter.unit.figures
    if side.figures <= full:
        return []
    kind = {"foot": "on foot", "mounted": "mounted", "creature": "of a creature"}[side.fighter.unit.kind]
    return [
        Fault(f"figures {kind} are too many (BL-TRP-03)", place, None, "figures", str(side.figures), f"1 to {full}")
    ]


def _creature_faults(catalogue: Catalogue, side: Side[S], place: str) -> list[Fault]:
    """Return faults for more stored Lore than allowed, and for a race set of a creature."""
    fighter, stored_lore, faults = side.fighter, side.stance.stored_lore, []
    if fighter.is_creature and side.stance.race is not None:
        fault = "does not apply: a creature is no troop and has no race (BL-TRP-05)"
        faults.append(Fault(fault, place, None, "race", side.stance.race))
    capacity = most_stored(catalogue, fighter)
    if stored_lore > capacity:
        rule = "BL-CRE-12" if fighter.is_creature else "BL-CRE-11: only a creature stores Lore"
        faults.append(
            Fault(
                f"is more than it can store ({rule})", place, None, "stored_lore", str(stored_lore), f"0 to {capacity}"
            )
        )
    return faults


def most_stored(catalogue: Catalogue, fighter: Fighter) -> int:
    """Return the Lore that may be stored beside a unit: the price of its dearest power (BL-CRE-12)."""
    lore = constants_of(catalogue).lore
    return max((getattr(lore, power) for power in fighter.unit.powers), default=0)
