"""What a combat depends on beside the two units: where they stand, how far apart, who is near; and what is impossible.

Terrains are the ledger's names; two names mean a combination in one hex (`rampart,hill`). Faults name the rule broken,
all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from balance.base.errors import Fault, RulesError, gathering
from balance.catalogue import Catalogue, EntryId, Header, Record
from balance.game.setup import Asked
from balance.games.battlelore.rules.dice import Ground
from balance.games.battlelore.ruleset import BattleLoreRules
from balance.games.battlelore.sides import AttackerStance, Fighter, Side, Stance
from balance.games.battlelore.tables import Terrain

OPEN: tuple[str, ...] = ("countryside",)
PLACE = "§set situation"

Terrains = tuple[EntryId, ...]
Dice = Annotated[int, Field(ge=-20, le=20), Header(unit="dice")]
Hexes = Annotated[int, Field(ge=0, le=99), Header(unit="hexes")]
Adventure = Literal["lore", "medieval"]


class Circumstances(Record):
    """What every kind of question has in common."""

    adventure: Annotated[
        Adventure, Field(description="Whether Lore faces count (BL-DIE-02, BL-DIE-03)."), Header(("mode",))
    ] = "lore"


class AttackSituation(Circumstances):
    """What one attack depends on beside the two units."""

    adjacent: Annotated[
        bool | None, Field(description="Melee, or at range; melee if no distance is given (BL-RNG-02).")
    ] = None
    distance_hexes: Annotated[
        int | None,
        Field(ge=1, le=20, description="Hexes to the target, its own included (BL-RNG-01)."),
        Header(("distance", "range", "range_hexes"), unit="hexes"),
    ] = None
    attacker_terrain: Annotated[Terrains, Field(description="Terrain of the attacker's hex.")] = OPEN
    target_terrain: Annotated[Terrains, Field(description="Terrain of the target's hex.")] = OPEN
    entered_from: Annotated[Terrains, Field(description="Where an attacker that moved came from.")] = OPEN
    extra_dice: Annotated[Dice, Field(description="Dice from cards, after all limits (BL-DICE-06).")] = 0


class CombatSituation(AttackSituation):
    """What a whole combat depends on beside what an attack does."""

    free_hexes: Annotated[Hexes, Field(description="Hexes open behind the target, in a row.")] = 99
    attacker_free_hexes: Annotated[Hexes, Field(description="Hexes open behind the attacker, in a row.")] = 99
    defender_extra_dice: Annotated[Dice, Field(description="Dice from cards when the target battles back.")] = 0
    blockers: Annotated[int, Field(ge=0, le=6, description="Units of its own right behind a creature, in its way.")] = 0
    blocker_figures: Annotated[int, Field(ge=1, le=99, description="Figures each of them has.")] = 4
    ambush: Annotated[bool, Field(description="By a card, the target attacks first (BL-POST-07).")] = False
    retreat_terrain: Annotated[Terrains, Field(description="Terrain behind the target.")] = OPEN
    other: Annotated[str, Field(max_length=80, description="Another enemy next to the target's hex, by id.")] = ""
    other_terrain: Annotated[Terrains, Field(description="Terrain of that enemy's hex.")] = OPEN
    other_figures: Annotated[int | None, Field(ge=1, le=99, description="Figures it has left.")] = None
    other_supported: Annotated[bool, Field(description="Whether it is supported.")] = False
    other_free_hexes: Annotated[Hexes, Field(description="Hexes open behind it, in a row.")] = 99


class DuelSituation(Circumstances):
    """What a duel depends on beside the two units."""

    a_terrain: Annotated[Terrains, Field(description="Terrain of side a's hex.")] = OPEN
    b_terrain: Annotated[Terrains, Field(description="Terrain of side b's hex.")] = OPEN
    a_free_hexes: Annotated[Hexes, Field(description="Hexes open behind side a, in a row.")] = 99
    b_free_hexes: Annotated[Hexes, Field(description="Hexes open behind side b, in a row.")] = 99
    a_extra_dice: Annotated[Dice, Field(description="Dice from cards of side a.")] = 0
    b_extra_dice: Annotated[Dice, Field(description="Dice from cards of side b.")] = 0
    turn_limit: Annotated[
        int, Field(ge=0, le=10_000, description="Player turns to play, 0 for no limit."), Header(("turns",))
    ] = 0


class SkirmishSituation(DuelSituation):
    """What a skirmish depends on beside what a duel does."""

    a_units: Annotated[int, Field(ge=1, le=3, description="Units of side a."), Header(unit="units")] = 2
    b_units: Annotated[int, Field(ge=1, le=3, description="Units of side b."), Header(unit="units")] = 2


def ground_of(catalogue: Catalogue, terrains: Terrains, field: str) -> Ground:
    """Return the ground of a hex that somebody stands in, by the names of its terrains; `field` is the place of faults.

    `CatalogueError` for an unknown terrain, `RulesError` if nobody can stand there.
    """
    place = f"{PLACE}.{field}"
    entries = [cast("Terrain", catalogue.find("terrains", terrain, place)) for terrain in terrains]
    if impassable := [terrain.id for terrain in entries if not terrain.passable]:
        raise RulesError(Fault("is impassable (BL-TER-04)", place, found=", ".join(impassable)))
    return Ground(tuple(entries))


def structures_beside(catalogue: Catalogue, names: Terrains, place: str) -> tuple[Terrain, ...]:
    """Return the structures next to a unit, by their names; `place` is the place of faults.

    `CatalogueError` for an unknown terrain, `RulesError` for one that does nothing for units next to it.
    """
    structures = tuple(cast("Terrain", catalogue.find("terrains", name, place)) for name in names)
    if idle := [terrain.id for terrain in structures if not terrain.bold_beside]:
        helps = [terrain.id for terrain in catalogue.entries(Terrain).values() if terrain.bold_beside]
        fault = Fault(
            "does nothing for units next to it (BL-LMK-11)", place, None, "", ", ".join(idle), ", ".join(helps)
        )
        raise RulesError(fault)
    return structures


def is_adjacent(situation: AttackSituation) -> bool:
    """Return whether an attack is melee: as set, else by its distance, else yes.

    >>> is_adjacent(AttackSituation()), is_adjacent(AttackSituation(distance_hexes=3))
    (True, False)
    """
    if situation.adjacent is not None:
        return situation.adjacent
    return (situation.distance_hexes or 1) == 1


def check_attack(question: Asked[BattleLoreRules, Any, Side[Any]]) -> None:
    """Raise `RulesError` with one fault per rule that forbids an attack or a combat, and per unknown terrain."""
    situation, (attacker, defender) = question.situation, question.sides.values()
    faults = [*_range_faults(situation, attacker.fighter), *_web_faults(attacker, question.rules)]
    faults += _entry_faults(question.catalogue, situation, attacker)
    if isinstance(situation, CombatSituation):
        faults += _combat_faults(situation, defender)
        for field in ("retreat_terrain", "other_terrain"):
            with gathering(faults):
                ground_of(question.catalogue, getattr(situation, field), field)
    if faults:
        raise RulesError(faults)


def _combat_faults(situation: CombatSituation, defender: Side[Stance]) -> Iterator[Fault]:
    if situation.blockers and not defender.fighter.is_creature:
        yield Fault("do not matter: only a creature tramples (BL-CRE-08)", PLACE, None, "blockers")
    if situation.ambush and not is_adjacent(situation):
        yield Fault("is for attacks in melee (BL-POST-01, BL-POST-07)", PLACE, None, "ambush", "true")
    if situation.ambush and defender.stance.webbed:
        yield Fault("unit cannot battle (BL-CRE-15)", "§set defender", None, "webbed", "webbed")


def _range_faults(situation: AttackSituation, fighter: Fighter) -> Iterator[Fault]:
    weapon, distance, adjacent = fighter.weapon, situation.distance_hexes, is_adjacent(situation)
    if distance is not None and adjacent is not (distance == 1):
        rule = "contradicts the distance: adjacent is at distance 1 (BL-RNG-02)"
        yield Fault(rule, PLACE, None, "adjacent", str(adjacent).lower(), f"distance_hexes={distance}")
    if not adjacent and not weapon.is_ranged:
        rule = f"attacks adjacent units only (BL-RNG-04, BL-{'CRE-02' if weapon.natural else 'WPN-05'})"
        yield Fault(rule, PLACE, None, "adjacent", weapon.id, tip="say situation.adjacent=true")
    elif distance is not None and distance > weapon.range_hexes:
        rule = f"is beyond the range of {weapon.id} (BL-RNG-01, BL-RNG-05)"
        yield Fault(rule, PLACE, None, "distance_hexes", str(distance), f"1 to {weapon.range_hexes}")


def _web_faults(attacker: Side[AttackerStance], rules: BattleLoreRules) -> Iterator[Fault]:
    stance = attacker.stance
    if stance.webbed and not stance.freed:
        tip = "say attacker.freed=true if its owner pays to free it (BL-CRE-16)"
        yield Fault("unit cannot battle (BL-CRE-15)", "§set attacker", None, "webbed", "webbed", tip=tip)
    if stance.freed and not stance.webbed:
        yield Fault("is only for a webbed unit (BL-CRE-16)", "§set attacker", None, "freed", "true")
    if stance.freed and stance.moved and rules.freed_unit == "move_or_battle":
        yield Fault("and battling is too much for a freed unit (BL-CRE-16)", "§set attacker", None, "moved", "moving")


def _entry_faults(catalogue: Catalogue, situation: AttackSituation, attacker: Side[AttackerStance]) -> Iterator[Fault]:
    """Yield faults of unknown terrains, and of ground that may not be battled from on the turn of entry."""
    faults: list[Fault] = []
    ground = came_from = Ground()
    with gathering(faults):
        ground = ground_of(catalogue, situation.attacker_terrain, "attacker_terrain")
    with gathering(faults):
        came_from = ground_of(catalogue, situation.entered_from, "entered_from")
    with gathering(faults):
        ground_of(catalogue, situation.target_terrain, "target_terrain")
    yield from faults
    for terrain in ground.barring(came_from) if attacker.stance.moved else ():
        rule = "BL-LMK-13" if terrain.free_along else "BL-LMK-01"
        tip = f"say situation.entered_from={terrain.id} if it came from one" if terrain.free_along else ""
        message = f"may not be battled from on the turn of entry ({rule}), and attacker.moved is true"
        yield Fault(message, PLACE, None, "attacker_terrain", terrain.id, tip=tip)
