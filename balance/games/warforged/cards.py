"""The cards of Warforged: units, weapons, the rule options and constants of its rules, and what a unit may carry.

A *loadout* is a unit with its weapons. WF-UNIT.3 and WF-UNIT.4 limit it, with WF-WPN.2 for heavy weapons and the
reading of WF-Q23: at most three weapons, and their handling costs within the unit's handling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Annotated, Literal, cast

from pydantic import Field

from balance.base.errors import CatalogueError, Fault, RulesError, gathering
from balance.base.text import slug
from balance.catalogue import Better, Catalogue, EntryId, Header, Name, Record, SortedSet
from balance.catalogue.tables.schema import Tables
from balance.game.kit import tables_of
from balance.games.warforged.ruleset import Constants, Limits, WarforgedRules

__all__ = [
    "SPEC",
    "Ability",
    "Constants",
    "Effect",
    "Limits",
    "Loadout",
    "Unit",
    "WarforgedRules",
    "Weapon",
    "WeaponClass",
    "check_legal",
    "constants_of",
    "legal",
    "legal_loadouts",
    "parse_loadout",
    "such_as",
    "units_of",
    "weapons_of",
]

Ability = Literal["heavy", "jump", "slim", "supershield", "overload"]
Effect = Literal["piercing", "high_explosive", "rapid_fire", "emp", "laser"]
WeaponClass = Literal["main", "secondary", "heavy"]

_ABILITY_WORDS = (
    ("pesante", "heavy"),
    ("salto", "jump"),
    ("salto_potenziato", "jump"),
    ("snello", "slim"),
    ("superschermo", "supershield"),
    ("sovraccarico", "overload"),
)
_EFFECT_WORDS = (("perforante", "piercing"), ("alta_esplosivita", "high_explosive"), ("tiro_rapido", "rapid_fire"))
_CLASS_WORDS = (("principale", "main"), ("secondaria", "secondary"), ("pesante", "heavy"))

Cost = Annotated[
    int,
    Field(ge=0, le=9999, description="What the card costs."),
    Header(("cost", "costo", "pg", "costo_pg", "cost_pg", "punti", "points"), unit="war points"),
]
Copies = Annotated[
    int,
    Field(ge=1, le=99, description="How many of this card there are."),
    Header(("copie", "quantità"), unit="cards"),
    Better("ignored"),
]
CardId = Annotated[EntryId, Field(description="The name used in commands.")]
CardName = Annotated[Name, Field(description="The name on the card."), Header(("nome",))]


class Unit(Record):
    """A unit card (WF-UNIT.1)."""

    id: CardId
    name: CardName
    kind: Annotated[Name, Field(description="What sort of unit it is."), Header(("tipo",)), Better("ignored")]
    cost_points: Cost
    speed_cells: Annotated[
        int,
        Field(ge=0, le=20, description="How far one move takes it."),
        Header(("speed", "velocità", "movimento"), unit="cells"),
        Better("more"),
    ]
    health: Annotated[
        int,
        Field(ge=1, le=999, description="Damage it takes before it is removed."),
        Header(("salute", "vita", "punti_vita", "hp", "hit_points")),
        Better("more"),
    ]
    armour: Annotated[
        int,
        Field(ge=0, le=20, description="Armour dice rolled against a normal hit."),
        Header(("armor", "armatura"), unit="dice"),
        Better("more"),
    ]
    handling: Annotated[
        int,
        Field(ge=0, le=20, description="How much weapon handling it can bear."),
        Header(("maneggevolezza",)),
        Better("more"),
    ]
    abilities: Annotated[
        tuple[Ability, ...],
        SortedSet,
        Field(description="Special abilities."),
        Header(("ability", "abilità", "abilità_speciali", "special_abilities"), words=_ABILITY_WORDS),
        Better(words=("heavy", "jump", "slim", "supershield")),  # a blast of Overload hurts friends as well (WF-Q12)
    ]
    copies: Copies


class Weapon(Record):
    """A weapon card (WF-WPN.1)."""

    id: CardId
    name: CardName
    weapon_class: Annotated[
        WeaponClass,
        Field(description="Main, secondary or heavy."),
        Header(("classe",), name="class", words=_CLASS_WORDS),
        Better(order=("heavy", "main", "secondary")),  # fewer and fewer limits on who carries it (WF-UNIT.3, WF-WPN.2)
    ]
    cost_points: Cost
    handling: Annotated[
        int,
        Field(ge=0, le=20, description="How much of the unit's handling it takes."),
        Header(("handling_cost", "maneggevolezza", "costo_di_maneggevolezza", "costo_maneggevolezza")),
        Better("less"),
    ]
    range_cells: Annotated[
        int,
        Field(ge=1, le=40, description="How far it reaches."),
        Header(("range", "raggio", "gittata"), unit="cells"),
        Better("more"),
    ]
    precision: Annotated[
        int,
        Field(ge=1, le=10, description="A D10 below it hits, equal to it hits critically."),
        Header(("precisione",)),
        Better("more"),
    ]
    damage: Annotated[
        int,
        Field(ge=0, le=99, description="Health one hit removes."),
        Header(("danni", "danno"), unit="health"),
        Better("more"),
    ]
    effects: Annotated[
        tuple[Effect, ...],
        SortedSet,
        Field(description="Weapon effects."),
        Header(("effect", "effetti", "effetto"), words=_EFFECT_WORDS),
        Better(words=("piercing", "rapid_fire", "emp", "laser")),  # High Explosive hurts friends nearby (WF-EFF.2)
    ]
    copies: Copies


def _one_name_each(tables: Tables) -> Iterator[tuple[str, str, Fault]]:
    """Yield a fault for each card with the name of another, since a report could not tell the two apart."""
    for table, entries in tables.items():
        first: dict[str, str] = {}
        for entry_id, entry in entries.items():
            name = cast("Unit | Weapon", entry).name
            if (first_id := first.setdefault(slug(name), entry_id)) != entry_id:
                yield (
                    table,
                    entry_id,
                    Fault("is the name of a second card", field="name", found=name, tip=f"see {first_id}"),
                )


SPEC = tables_of("warforged", WarforgedRules, Constants, (_one_name_each,), units=Unit, weapons=Weapon)


def units_of(catalogue: Catalogue) -> Mapping[str, Unit]:
    """Return the table of units by id, typed as such."""
    return catalogue.entries(Unit)


def weapons_of(catalogue: Catalogue) -> Mapping[str, Weapon]:
    """Return the table of weapons by id, typed as such."""
    return catalogue.entries(Weapon)


def constants_of(catalogue: Catalogue) -> Constants:
    """Return the numbers that the rulebook states, as `rules.toml` has them."""
    return cast("Constants", catalogue.constants)


@dataclass(frozen=True)
class Loadout:
    """A unit with the weapons it carries, in the order they were named; without weapons it can only be attacked."""

    unit: Unit
    weapons: tuple[Weapon, ...] = ()

    @property
    def id(self) -> str:
        """The ids joined by `+`, such as `nexus+assault_rifle`."""
        return "+".join([self.unit.id, *(weapon.id for weapon in self.weapons)])

    @property
    def name(self) -> str:
        """The names joined by ` + `, for people."""
        return " + ".join([self.unit.name, *(weapon.name for weapon in self.weapons)])

    @property
    def cost_points(self) -> int:
        """War points of the unit and its weapons together."""
        return self.unit.cost_points + sum(weapon.cost_points for weapon in self.weapons)


def check_legal(unit: Unit, weapons: Sequence[Weapon], limits: Limits, place: str = "") -> list[Fault]:
    """Return one fault per rule that forbids `unit` to carry `weapons`; each names the rule, and `place`.

    The rules are WF-UNIT.3 (with the reading of WF-Q23), WF-UNIT.4, WF-WPN.2 and WF-BUILD.3.
    """
    heavy = "heavy" in unit.abilities
    faults = []

    def forbid(rule: str, message: str, value: str, limit: str = "", tip: str = "") -> None:
        faults.append(Fault(f"{message} ({rule})", place, field=unit.id, found=value, allowed=limit, tip=tip))

    if len(weapons) > limits.max_weapons:
        forbid("WF-UNIT.3, WF-Q23", "weapons are too many", str(len(weapons)), f"at most {limits.max_weapons}")
    handling = sum(weapon.handling for weapon in weapons)
    if handling > unit.handling:
        tip = "leave a weapon out, or choose one with a lower handling cost"
        forbid("WF-UNIT.3, WF-Q23", "is too much handling", str(handling), f"at most {unit.handling}", tip)
    mains = [weapon.id for weapon in weapons if weapon.weapon_class == "main"]
    if len(mains) > limits.max_main_weapons and not heavy:
        limit = f"{limits.max_main_weapons} without the ability heavy"
        forbid("WF-UNIT.3, WF-UNIT.4", "are too many main weapons", ", ".join(mains), limit)
    for weapon in dict.fromkeys(weapon.id for weapon in weapons if weapon.weapon_class == "heavy" and not heavy):
        forbid("WF-WPN.2, WF-UNIT.4", "is a heavy weapon", weapon, "only on units with the ability heavy")
    for weapon_id, n in Counter(weapon.id for weapon in weapons).items():
        copies = next(weapon.copies for weapon in weapons if weapon.id == weapon_id)
        if n > copies:
            forbid("WF-BUILD.3", f"is carried {n} times", weapon_id, f"{copies} copies exist")
    return faults


def parse_loadout(catalogue: Catalogue, text: str, location: str = "") -> Loadout:
    """Read a loadout such as `nexus+assault_rifle`; a unit alone is one too.

    An unknown unit or weapon raises `CatalogueError`, which names the nearest; a unit that may not carry the weapons
    raises `RulesError`, with one fault per rule broken. Faults name `location`.
    """
    cards: list[Record] = []
    faults: list[Fault] = []
    for place, word in enumerate(text.split("+")):
        with gathering(faults):
            if not place:
                cards.append(catalogue.find("units", word, location))
            else:
                cards.append(catalogue.find("weapons", word, location, _weapons_beside(catalogue, cards)))
    if faults:
        raise CatalogueError(faults)
    loadout = Loadout(cast("Unit", cards[0]), cast("tuple[Weapon, ...]", tuple(cards[1:])))
    return legal(loadout, catalogue, location)


def _weapons_beside(catalogue: Catalogue, cards: Sequence[Record]) -> Iterator[str]:
    """Yield the weapons that the unit read so far may carry beside those read so far; all where it is unknown."""
    limits = constants_of(catalogue).limits
    unit, carried_weapons = next(iter(cards), None), cast("tuple[Weapon, ...]", tuple(cards[1:]))
    for name, weapon in weapons_of(catalogue).items():
        if not isinstance(unit, Unit) or not check_legal(unit, (*carried_weapons, weapon), limits):
            yield name


def such_as(unit: Unit, catalogue: Catalogue) -> str:
    """Return a tip that names a unit with the lightest weapon it may carry, if there is one."""
    weapons = [weapons_of(catalogue)[name] for name in _weapons_beside(catalogue, [unit])]
    if not weapons:
        return "name a unit that may carry a weapon"
    return f"such as {unit.id}+{min(weapons, key=lambda weapon: weapon.handling).id}"


def legal(loadout: Loadout, catalogue: Catalogue, place: str) -> Loadout:
    """Return a loadout; raise RulesError, with one fault per rule broken, if the unit may not carry its weapons."""
    limits = constants_of(catalogue).limits
    if faults := check_legal(loadout.unit, loadout.weapons, limits, place):
        raise RulesError(faults)
    return loadout


def legal_loadouts(catalogue: Catalogue, n_weapons: int = 1) -> list[Loadout]:
    """Return every legal loadout with exactly `n_weapons` weapons, in the order of the tables.

    Two of the same weapon count as a loadout where copies and handling allow; the order of weapons does not matter.
    """
    limits = constants_of(catalogue).limits
    return [
        Loadout(unit, weapons)
        for unit in units_of(catalogue).values()
        for weapons in combinations_with_replacement(weapons_of(catalogue).values(), n_weapons)
        if not check_legal(unit, weapons, limits)
    ]
