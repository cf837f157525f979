"""One side of a question: a unit in formation with its upgrades, and what was set of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from balance.base.errors import Fault, RulesError, UsageError, suggestion, unknown
from balance.base.errors import listed as all_of
from balance.catalogue import Catalogue, apply
from balance.game.setup import AskedSide
from balance.games.runewars.rules.formation import Formation, ranks_of, trays_of
from balance.games.runewars.rules.surges import each_once
from balance.games.runewars.situation import Stance
from balance.games.runewars.tables import Formation as FormationCard
from balance.games.runewars.tables import (
    SurgeAbility,
    Unit,
    Upgrade,
    constants_of,
    parse_amount,
    parse_surges,
    surge_faults,
)

__all__ = ["Entrant", "Side", "cards_of", "listed", "parse_entrant", "read_side"]

WRITTEN = "UNIT[+COLUMNSxRANKS][+UPGRADE...]"


@dataclass(frozen=True)
class Entrant:
    """A unit as it is written: `spearmen+3x2+honed_blades`; without a formation its first one."""

    unit: Unit
    card: FormationCard
    upgrades: tuple[Upgrade, ...]

    @property
    def name(self) -> str:
        """Its name for people."""
        upgrades = "".join(f", {one.name}" for one in self.upgrades)
        return f"{self.unit.name} {self.card.columns}x{self.card.ranks}{upgrades}"

    @property
    def cost_points(self) -> int:
        """What formation and upgrades cost."""
        return self.card.cost_points + sum(one.cost_points for one in self.upgrades)


def listed(catalogue: Catalogue) -> list[str]:
    """Return every unit in each of its formations."""
    cards = catalogue.entries(FormationCard).values()
    return [f"{card.unit}+{card.columns}x{card.ranks}" for card in cards]


def parse_entrant(catalogue: Catalogue, text: str, where: str = "") -> Entrant:
    """Return a unit as it is written.

    Raises
    ------
    BalanceError
        A unit or an upgrade that is not known, a formation that the unit does not have, an upgrade that it may not.
    """
    first, *rest = text.split("+")
    unit = cast("Unit", catalogue.find("units", first, where))
    own = {f"{c.columns}x{c.ranks}": c for c in catalogue.entries(FormationCard).values() if c.unit == unit.id}
    shapes = [part for part in rest if part[:1].isdecimal()]
    faults = [unknown(shape, own, f"is no formation of {unit.name}", where) for shape in shapes if shape not in own]
    if len(shapes) > 1:
        faults.append(Fault("are several formations of one unit", where, found=text, allowed=WRITTEN))
    if faults:
        raise UsageError(faults)
    upgrades = tuple(
        cast("Upgrade", catalogue.find("upgrades", part, where, _upgrades_for(catalogue, unit)))
        for part in rest
        if part not in shapes
    )
    if faults := list(_upgrade_faults(unit, upgrades, where)):
        raise RulesError(faults)
    return Entrant(unit, own[shapes[0]] if shapes else next(iter(own.values())), upgrades)


def _upgrades_for(catalogue: Catalogue, unit: Unit) -> Iterator[str]:
    """Yield the upgrades that a unit of this faction may have."""
    yield from (one.id for one in catalogue.entries(Upgrade).values() if one.faction in (None, unit.faction))


def _upgrade_faults(unit: Unit, upgrades: tuple[Upgrade, ...], where: str) -> Iterator[Fault]:
    for place, one in enumerate(upgrades):
        if one.faction and one.faction != unit.faction:
            yield Fault(f"is for units of {one.faction} (RW-CARD.4)", where, found=one.id, allowed=f"of {unit.faction}")
        if one in upgrades[:place]:
            yield Fault("is on the unit already", where, found=one.id)
    if len([one for one in upgrades if one.figure_health]) > 1:
        yield Fault("has more than one figure upgrade", where, found=unit.id)


def cards_of(catalogue: Catalogue, text: str) -> Iterator[tuple[str, str]]:
    """Yield the cards that an entrant is made of."""
    entrant = parse_entrant(catalogue, text)
    yield "units", entrant.unit.id
    yield "formations", entrant.card.id
    yield from (("upgrades", one.id) for one in entrant.upgrades)


@dataclass(frozen=True)
class Side:
    """A unit and what was set of it, resolved."""

    entrant: Entrant
    stance: Stance
    formation: Formation
    figure: Upgrade | None

    def said(self, name: str, otherwise: Any) -> Any:
        """Return what was set, or what the cards say."""
        value = getattr(self.stance, name)
        return otherwise if value is None else value

    def printed(self, name: str) -> Any:
        """Return what was set, or what the unit's card says, and a keyword of upgrades added (RW-DMG.6)."""
        own = getattr(self.entrant.unit, name)
        more = sum(getattr(one, name, 0) for one in self.entrant.upgrades if not one.exhausts)
        if isinstance(own, int):
            return self.said(name, own + more)
        amount = parse_amount(own)
        return self.said(name, str(replace(amount, number=amount.number + more)))

    def when_ready(self, name: str) -> int:
        """Return what upgrades add that exhaust when they are used (RW-GEN.1)."""
        return sum(getattr(one, name) for one in self.entrant.upgrades if one.exhausts)

    @property
    def figure_health(self) -> int:
        """Wounds of its figure upgrade, 0 for none."""
        return int(self.said("upgrade_health", self.figure.figure_health if self.figure else 0))

    @property
    def shoots(self) -> bool:
        """Whether its unit card has a ranged attack."""
        return any(getattr(self.entrant.unit, f"ranged_{colour}") != "0" for colour in ("red", "blue", "white"))

    @property
    def figure_slots(self) -> int:
        """Slots that the figure upgrade fills."""
        return self.figure.figure_slots if self.figure and self.figure_health else 0

    @property
    def left(self) -> int:
        """Wounds that its ordinary figures can take at the start."""
        figures = self.formation.trays * self.formation.figures_per_tray - self.figure_slots
        return figures * self.formation.wound_threshold - self.stance.wounds_suffered

    @property
    def trays(self) -> int:
        """Trays that it has at the start."""
        return int(trays_of(self.formation, np.array(self.left), self.figure_slots))

    def most_ranks_behind(self, lasts: bool) -> tuple[int, bool]:
        """Return the most full ranks behind its front, and whether there may be a partial one.

        Ranks as they are at the start, or in a fight that `lasts`, in which trays fall and may be added.
        """
        width, full, partial_rank = ranks_of(self.formation.columns, np.array(self.trays))
        if lasts and self.stance.trays_added:
            return self.formation.most_ranks - 1, self.formation.columns > 1
        return int(full) - 1, bool(partial_rank) or (lasts and bool(full > 1) and bool(width > 1))

    def surges(self, attack: str, each_card: bool) -> tuple[SurgeAbility, ...]:
        """Return what its surges buy in an attack, at the costs that are paid, its own card first.

        The same unique ability on two cards counts once for each, or once in all (RW-Q6).
        """
        cards = [
            getattr(self.entrant.unit, f"{attack}_surges"),
            *(one.surge_abilities for one in self.entrant.upgrades),
        ]
        found = parse_surges(self.said("surge_abilities", ",".join(filter(None, cards))))
        return self._paid(each_once(found, each_card))

    @property
    def lent(self) -> tuple[SurgeAbility, ...]:
        """What surges of a friend who borrows from its upgrades buy, at the costs that it pays itself (RW-SURGE.3)."""
        return self._paid(parse_surges(",".join(one.surge_abilities or "" for one in self.entrant.upgrades)))

    def _paid(self, abilities: tuple[SurgeAbility, ...]) -> tuple[SurgeAbility, ...]:
        off = sum(one.surge_discount for one in self.entrant.upgrades)
        return tuple(one.cheaper(off) for one in abilities)

    def inputs(self) -> dict[str, Any]:
        """Return what was asked of this side, resolved, as plain values."""
        given = {k: v for k, v in self.stance.model_dump(mode="json").items() if v is not None}
        entrant = self.entrant
        upgrades = [one.id for one in entrant.upgrades]
        told = {"id": entrant.unit.id, "name": entrant.name, "cost_points": entrant.cost_points, "upgrades": upgrades}
        shape = {"columns": self.formation.columns, "trays": self.formation.trays}
        return {**told, "card": entrant.unit.model_dump(mode="json"), **given, **shape}


def read_side(asked: AskedSide[Any, Stance]) -> Side:
    """Return a side with what was set of it.

    Raises
    ------
    BalanceError
        An unknown id or field, a value out of range, a formation that cannot be, or a unit that is destroyed already.
    """
    entrant = parse_entrant(asked.catalogue, asked.text, asked.root)
    stance, constants = apply(asked.stance, asked.fields, asked.where), constants_of(asked.catalogue)
    columns, ranks = stance.columns or entrant.card.columns, stance.ranks or entrant.card.ranks
    slots = stance.figures_per_tray or getattr(constants.slots_per_tray, entrant.unit.type)
    threshold = stance.wound_threshold or entrant.unit.wound_threshold
    formation = Formation(columns, columns * ranks + stance.partial, slots, threshold, constants.most_ranks)
    figure = next((one for one in entrant.upgrades if one.figure_health), None)
    side = Side(entrant, stance, formation, figure)
    if faults := list(_faults(side, columns, ranks, asked)):
        raise RulesError(faults)
    return side


def _faults(side: Side, columns: int, ranks: int, asked: AskedSide[Any, Stance]) -> Iterator[Fault]:
    where, stance, most = asked.where, side.stance, side.formation.most_ranks
    if stance.partial >= columns:
        tip = "a rank as wide as the front is a full one: set ranks" if stance.partial == columns else ""
        message = f"is no partial rank behind a front of {columns}"
        yield Fault(message, where, None, "partial", str(stance.partial), f"0 to {columns - 1}", tip)
    if (n_ranks := ranks + (stance.partial > 0)) > most:
        allowed = f"1 to {most}, a partial one included"
        yield Fault("are more ranks than a unit may have (RW-TRAY.4)", where, None, "ranks", str(n_ranks), allowed)
    if side.figure and side.figure_slots >= (slots := side.formation.trays * side.formation.figures_per_tray):
        message, allowed = f"fills {side.figure_slots} slots of a unit that has {slots}", "a larger formation"
        yield Fault(message, asked.root, found=side.figure.id, allowed=allowed)
    elif side.left < 1:
        allowed = f"0 to {side.left + stance.wounds_suffered - 1}"
        found = str(stance.wounds_suffered)
        yield Fault("leave nobody of the unit", where, None, "wounds_suffered", found, allowed)
    known = list(asked.catalogue.tables["conditions"])
    for one in stance.conditions:
        if one not in known:
            yield Fault("is no condition", where, None, "conditions", one, all_of(known), suggestion(one, known))
    for fault in surge_faults(stance.surge_abilities, known, "surge_abilities"):
        yield replace(fault, path=where)
