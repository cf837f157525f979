"""Forces as they are named in a question, `ADVENTURE:FORCE`, with what is set of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from balance.base.errors import CatalogueError, Fault, RulesError, UsageError, comma_list, unknown
from balance.base.text import slug
from balance.catalogue import Catalogue, apply
from balance.game.question.board_story import cell_name
from balance.game.setup import AskedSide, EntrantKind
from balance.games.battlelore.adventure.map.adventure import Adventure, Council, Deployed, Force, cell_of, split_place
from balance.games.battlelore.adventure.map.files import adventure_files, adventure_of, adventures_in
from balance.games.battlelore.adventure.map.force_lines import MOST_UNITS
from balance.games.battlelore.adventure.question.columns import ForceStance
from balance.games.battlelore.sides import parse_fighter
from balance.games.battlelore.tables import constants_of


@dataclass(frozen=True)
class AskedForce:
    """A force as it was asked for.

    `adventure`: its adventure, with what is set of this force. `side`: which of the adventure's forces it is, 0 or 1.
    `stance`: what was set.
    """

    adventure: Adventure
    side: int
    stance: ForceStance

    @property
    def force(self) -> Force:
        """The force after everything that was set."""
        return self.adventure.forces[self.side]

    def inputs(self) -> dict[str, Any]:
        """Return the force as asked for with all defaults filled in, as plain JSON values."""
        force = self.force
        return {
            "id": f"{self.adventure.id}:{force.name}",
            "name": force_label(self.adventure, force),
            "camp": force.camp,
            **self.stance.model_dump(mode="json"),
            "banners": force.banners,
            "cards": force.cards,
            "units": [f"{unit.unit}@{cell_name(unit.cell)}" for unit in force.units],
            **(asdict(force.council) if self.adventure.lore else {}),
        }


def force_label(adventure: Adventure, force: Force) -> str:
    """Return the name of a force for people, such as "English (Agincourt)"."""
    return f"{force.name.replace('_', ' ').capitalize()} ({adventure.title})"


def pair_of(catalogue: Catalogue, name: str) -> tuple[str, str]:
    """Return the two forces of an adventure, `ADVENTURE:FORCE`; the first has its edge at row A.

    `CatalogueError` if there is no such adventure, or its file has faults.
    """
    adventure = adventure_of(catalogue, name)
    a, b = (f"{adventure.id}:{force.name}" for force in adventure.forces)
    return a, b


def adventure_ids(catalogue: Catalogue) -> list[str]:
    """Return the names of the adventures that ship or are the catalogue's own."""
    return list(adventure_files(catalogue))


def _find(catalogue: Catalogue, text: str, location: str = "") -> tuple[Adventure, int]:
    """Return the adventure and the side, 0 or 1, of an id `ADVENTURE:FORCE`.

    `UsageError` if it names an adventure alone, `CatalogueError` if there is no such adventure or force.
    """
    name, colon, force_name = text.partition(":")
    adventure = adventure_of(catalogue, name, location)
    names = [force.name for force in adventure.forces]
    if not colon:
        tip = f"write {adventure.id}:{names[0]} or {adventure.id}:{names[1]}"
        raise UsageError(Fault("is an adventure, and no force of one", location, found=text, tip=tip))
    if slug(force_name) not in names:
        raise CatalogueError(unknown(force_name, names, f"is no force of {adventure.id}", location))
    return adventure, names.index(slug(force_name))


def read_force(request: AskedSide[Any, ForceStance]) -> AskedForce:
    """Return a force with what is set of it.

    `BalanceError` if there is no such adventure, force or field, or what is set breaks a rule.
    """
    adventure, side = _find(request.catalogue, request.text, request.root)
    stance = apply(request.stance, dict(request.fields), request.place)
    force = adventure.forces[side]
    faults = list[Fault]()
    units = _without(force, stance, request.place, faults) + _more(request.catalogue, stance, request.place, faults)
    faults += _place_faults(adventure, side, units, request.place)
    council = _council(request.catalogue, adventure, force, stance, request.place, faults)
    if faults:
        raise RulesError(faults)
    changed_force = replace(
        force,
        units=units,
        banners=stance.banners or force.banners,
        cards=stance.cards or force.cards,
        council=council,
        tokens=force.tokens if stance.tokens is None else stance.tokens,
    )
    forces = (changed_force, adventure.forces[1]) if side == 0 else (adventure.forces[0], changed_force)
    return AskedForce(replace(adventure, forces=forces), side, stance)


def _council(
    catalogue: Catalogue, adventure: Adventure, force: Force, stance: ForceStance, place: str, faults: list[Fault]
) -> Council:
    """Return the war council of a force with the levels that are set, and add faults (BL-WC-07)."""
    names = [field.name for field in fields(Council)]
    levels = {name: level for name in names if (level := getattr(stance, name)) is not None}
    lore_fields = [*levels, *(["tokens"] if stance.tokens is not None else [])]
    if not adventure.lore:
        message = f"is for adventures with Lore, and {adventure.id} has none"
        faults += (Fault(message, f"{place}.{name}", found=str(getattr(stance, name))) for name in lore_fields)
    council = replace(force.council, **levels)
    most_levels = constants_of(catalogue).war_council.most_levels
    if levels and (total := sum(asdict(council).values())) > most_levels:
        faults.append(Fault(f"has a council of {total} levels (BL-WC-07)", place, allowed=f"at most {most_levels}"))
    return council


def _without(force: Force, stance: ForceStance, place: str, faults: list[Fault]) -> tuple[Deployed, ...]:
    """Return the units of a force except those in the hexes of `without`; a hex without unit is a fault."""
    cells = {cell_name(unit.cell): unit.cell for unit in force.units}
    names = [text.strip().upper() for text in stance.without]
    faults += (
        Fault("holds no unit of this force", f"{place}.without", found=name, allowed=comma_list(cells))
        for name in names
        if name not in cells
    )
    return tuple(unit for unit in force.units if cell_name(unit.cell) not in names)


def _more(catalogue: Catalogue, stance: ForceStance, place: str, faults: list[Fault]) -> tuple[Deployed, ...]:
    """Return the units added by `more`, each `UNIT@HEX`."""
    units = list[Deployed]()
    for text in stance.more:
        pair = split_place(text)
        cell = cell_of(pair[1]) if pair else None
        if pair is None or cell is None:
            faults.append(Fault("is no unit at a hex", f"{place}.more", found=text, tip="such as blue_foot@C4"))
            continue
        parse_fighter(catalogue, pair[0], f"{place}.more")
        units.append(Deployed("+".join(map(slug, pair[0].split("+"))), cell))
    return tuple(units)


def _place_faults(adventure: Adventure, side: int, units: tuple[Deployed, ...], place: str) -> Iterator[Fault]:
    """Yield faults for two units in a hex of a changed force, and for too many units or none."""
    cells = {unit.cell for unit in adventure.forces[1 - side].units}
    for unit in units:
        if unit.cell in cells:
            yield Fault("holds a unit already (BL-MOV-04)", f"{place}.more", found=cell_name(unit.cell))
        cells.add(unit.cell)
    if not 0 < len(units) <= MOST_UNITS:
        yield Fault(f"has {len(units)} units", place, allowed=f"1 to {MOST_UNITS}")


def _label(catalogue: Catalogue, entrant: str) -> str:
    adventure, side = _find(catalogue, entrant)
    return force_label(adventure, adventure.forces[side])


def _banners(catalogue: Catalogue, entrant: str) -> int:
    """Return the worth of a force: a banner for each of its units (BL-WIN-02)."""
    adventure, side = _find(catalogue, entrant)
    return len(adventure.forces[side].units)


def _ids(catalogue: Catalogue) -> list[str]:
    return [f"{adventure.id}:{force.name}" for adventure in adventures_in(catalogue) for force in adventure.forces]


def _cards(catalogue: Catalogue, entrant: str) -> Iterator[tuple[str, str]]:
    """Yield (table, id) of the rows that a force is made of."""
    adventure, side = _find(catalogue, entrant)
    for name in dict.fromkeys(unit.unit for unit in adventure.forces[side].units):
        fighter = parse_fighter(catalogue, name)
        yield "units", fighter.unit.id
        yield "weapons", fighter.weapon.id
        if not fighter.is_creature:
            yield "races", fighter.race.id


FORCE = EntrantKind(
    "force",
    ids=_ids,
    label=_label,
    cost_points=_banners,
    read=read_force,
    written="ADVENTURE:FORCE",
    cards=_cards,
)
"""A force of an adventure."""
