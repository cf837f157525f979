"""One side of a question: a unit in formation with its upgrades, and what was set of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from balance.base.errors import Fault, RulesError, UsageError, suggestion, unknown
from balance.base.errors import comma_list as all_of
from balance.catalogue import Catalogue, apply
from balance.game.setup import AskedSide
from balance.games.runewars.cells import SurgeAbility, parse_amount, parse_surges, surge_faults
from balance.games.runewars.rules.formation import Formation, ranks_of, trays_of
from balance.games.runewars.rules.surges import each_once
from balance.games.runewars.situation import Stance
from balance.games.runewars.tables import Formation as FormationCard
from balance.games.runewars.tables import Unit, Upgrade, constants_of

ENTRANT_FORMAT = "UNIT[+COLUMNSxRANKS][+UPGRADE...]"


@dataclass(frozen=True)
class Entrant:
    """A unit as it is written: `spearmen+3x2+honed_blades`; without a formation its first one."""

    unit: Unit
    card: FormationCard
    upgrades: tuple[Upgrade, ...]

    @property
    def name(self) -> str:
        """Its name for people, such as "Spearmen 3x2, Honed Blades"."""
        upgrades = "".join(f", {upgrade.name}" for upgrade in self.upgrades)
        return f"{self.unit.name} {self.card.columns}x{self.card.ranks}{upgrades}"

    @property
    def cost_points(self) -> int:
        """Points of its formation and upgrades together."""
        return self.card.cost_points + sum(upgrade.cost_points for upgrade in self.upgrades)


def entrant_names(catalogue: Catalogue) -> list[str]:
    """Return every unit in each of its formations, written as `spearmen+3x2`."""
    return list(map(_written, catalogue.entries(FormationCard).values()))


def _written(card: FormationCard) -> str:
    """Return how a unit in a formation is written."""
    return f"{card.unit}+{card.columns}x{card.ranks}"


def parse_entrant(catalogue: Catalogue, text: str, path: str = "") -> Entrant:
    """Return a unit as it is written, such as `spearmen+3x2+honed_blades`; `path` is where faults say it was typed.

    Raise BalanceError for a unit or an upgrade that is not known, a formation that the unit does not have, or an
    upgrade that it may not have.
    """
    first, *rest = text.split("+")
    unit = cast("Unit", catalogue.find("units", first, path))
    formations = {f"{c.columns}x{c.ranks}": c for c in catalogue.entries(FormationCard).values() if c.unit == unit.id}
    shapes = [part for part in rest if part[:1].isdecimal()]
    faults = [
        unknown(shape, formations, f"is no formation of {unit.name}", path)
        for shape in shapes
        if shape not in formations
    ]
    if len(shapes) > 1:
        faults.append(Fault("are several formations of one unit", path, found=text, allowed=ENTRANT_FORMAT))
    if faults:
        raise UsageError(faults)
    upgrades = tuple(
        cast("Upgrade", catalogue.find("upgrades", part, path, _upgrades_for(catalogue, unit)))
        for part in rest
        if part not in shapes
    )
    if faults := list(_upgrade_faults(unit, upgrades, path)):
        raise RulesError(faults)
    return Entrant(unit, formations[shapes[0]] if shapes else next(iter(formations.values())), upgrades)


def _upgrades_for(catalogue: Catalogue, unit: Unit) -> Iterator[str]:
    """Yield the ids of upgrades of the unit's faction, and of no faction."""
    yield from (
        upgrade.id for upgrade in catalogue.entries(Upgrade).values() if upgrade.faction in (None, unit.faction)
    )


def _upgrade_faults(unit: Unit, upgrades: tuple[Upgrade, ...], path: str) -> Iterator[Fault]:
    for number, upgrade in enumerate(upgrades):
        if upgrade.faction and upgrade.faction != unit.faction:
            yield Fault(
                f"is for units of {upgrade.faction} (RW-CARD.4)", path, found=upgrade.id, allowed=f"of {unit.faction}"
            )
        if upgrade in upgrades[:number]:
            yield Fault("is on the unit already", path, found=upgrade.id)
    if len([upgrade for upgrade in upgrades if upgrade.figure_health]) > 1:
        yield Fault("has more than one figure upgrade", path, found=unit.id)


def ranks_in_steps(catalogue: Catalogue) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the units of one rank whose attack is said in steps: those that hang on no rune and roll nothing again."""
    of_types = constants_of(catalogue).slots_per_tray
    for card in catalogue.entries(FormationCard).values():
        unit = catalogue.entries(Unit)[card.unit]
        amounts = [unit.brutal, unit.defence]
        if card.ranks != 1 or unit.precise or unit.guard_rerolls != "0" or not all(map(str.isdecimal, amounts)):
            continue
        numbers = {name: getattr(unit, name) for name in ("lethal", "protected", "mortal_ward", "defence")}
        dice = {colour: getattr(unit, f"melee_{colour}") for colour in ("red", "blue", "white")}
        figures = card.columns * getattr(of_types, unit.type)
        more = {"threat": card.columns + int(unit.brutal), "wounds": figures * unit.wound_threshold}
        keywords = ("buys_hits",) if (unit.melee_surges or "").startswith("hits@2") else ()
        yield _written(card), {**numbers, **dice, **more, "keywords": keywords}


def cards_of(catalogue: Catalogue, text: str) -> Iterator[tuple[str, str]]:
    """Yield table and id of each card that an entrant, such as `spearmen+3x2`, is made of."""
    entrant = parse_entrant(catalogue, text)
    yield "units", entrant.unit.id
    yield "formations", entrant.card.id
    yield from (("upgrades", upgrade.id) for upgrade in entrant.upgrades)


@dataclass(frozen=True)
class Side:
    """A unit with its stance, the formation in which it stands, and its figure upgrade, None without one."""

    entrant: Entrant
    stance: Stance
    formation: Formation
    figure: Upgrade | None

    def stance_value(self, name: str, otherwise: Any) -> Any:
        """Return the stance's field of this name if it was set, else `otherwise`, what the cards say."""
        value = getattr(self.stance, name)
        return otherwise if value is None else value

    def value_of(self, name: str) -> Any:
        """Return what was set; else what the unit's card says, with the keywords of its upgrades added (RW-DMG.6)."""
        card_value = getattr(self.entrant.unit, name)
        more = sum(getattr(upgrade, name, 0) for upgrade in self.entrant.upgrades if not upgrade.exhausts)
        if isinstance(card_value, int):
            return self.stance_value(name, card_value + more)
        amount = parse_amount(card_value)
        return self.stance_value(name, str(replace(amount, number=amount.number + more)))

    def when_ready(self, name: str) -> int:
        """Return the sum of a keyword over upgrades that exhaust when they are used (RW-GEN.1)."""
        return sum(getattr(upgrade, name) for upgrade in self.entrant.upgrades if upgrade.exhausts)

    @property
    def figure_health(self) -> int:
        """Wounds that remove its figure upgrade, 0 without one."""
        return int(self.stance_value("upgrade_health", self.figure.figure_health if self.figure else 0))

    @property
    def shoots(self) -> bool:
        """Whether its unit card has a ranged attack."""
        return any(getattr(self.entrant.unit, f"ranged_{colour}") != "0" for colour in ("red", "blue", "white"))

    @property
    def pace(self) -> tuple[int, int, int]:
        """What is added to initiatives and to marches of its dial, and the farthest band at which it shoots."""
        unit, more = self.entrant.unit, [getattr(self.stance, name, 0) for name in ("initiative", "speed_bands")]
        reach = getattr(self.stance, "range_bands", None)
        reach = (unit.range_bands if reach is None else reach) if self.shoots else 0
        return unit.initiative + more[0], unit.speed_bands + more[1], reach

    @property
    def figure_slots(self) -> int:
        """Slots that the figure upgrade fills, 0 without one."""
        return self.figure.figure_slots if self.figure and self.figure_health else 0

    @property
    def health(self) -> int:
        """Wounds that its ordinary figures can still take at the start."""
        figures = self.formation.trays * self.formation.figures_per_tray - self.figure_slots
        return figures * self.formation.wound_threshold - self.stance.wounds_suffered

    @property
    def trays(self) -> int:
        """Trays on which figures stand at the start, after wounds suffered before."""
        return int(trays_of(self.formation, np.array(self.health), self.figure_slots))

    def most_ranks_behind(self, lasts: bool) -> tuple[int, bool]:
        """Return the most full ranks behind its front, and whether there may be a partial one, for re-rolls.

        They are those at the start, or if it `lasts` those of a whole fight, in which trays fall and may be added.
        """
        width, full, partial_rank = ranks_of(self.formation.columns, np.array(self.trays))
        if lasts and self.stance.trays_added:
            return self.formation.most_ranks - 1, self.formation.columns > 1
        return int(full) - 1, bool(partial_rank) or (lasts and bool(full > 1) and bool(width > 1))

    def surges(self, attack: str, each_card: bool) -> tuple[SurgeAbility, ...]:
        """Return what its surges buy in a "melee" or "ranged" attack, at the costs that are paid, its own card first.

        The same unique ability on two cards counts once for each, `each_card`, or once in all (RW-Q6).
        """
        cards = [
            getattr(self.entrant.unit, f"{attack}_surges"),
            *(upgrade.surge_abilities for upgrade in self.entrant.upgrades),
        ]
        abilities = parse_surges(self.stance_value("surge_abilities", ",".join(filter(None, cards))))
        return self._at_own_cost(each_once(abilities, each_card))

    @property
    def loan(self) -> tuple[SurgeAbility, ...]:
        """Surge abilities that a friend may borrow from its upgrades, at the costs that it pays itself (RW-SURGE.3)."""
        return self._at_own_cost(
            parse_surges(",".join(upgrade.surge_abilities or "" for upgrade in self.entrant.upgrades))
        )

    def _at_own_cost(self, abilities: tuple[SurgeAbility, ...]) -> tuple[SurgeAbility, ...]:
        off = sum(upgrade.surge_discount for upgrade in self.entrant.upgrades)
        return tuple(upgrade.cheaper(off) for upgrade in abilities)

    def inputs(self) -> dict[str, Any]:
        """Return what was asked of this side, with card, formation and cost, as JSON values."""
        settings = {k: v for k, v in self.stance.model_dump(mode="json").items() if v is not None}
        entrant = self.entrant
        upgrades = [upgrade.id for upgrade in entrant.upgrades]
        unit = {"id": entrant.unit.id, "name": entrant.name, "cost_points": entrant.cost_points, "upgrades": upgrades}
        shape = {"columns": self.formation.columns, "trays": self.formation.trays}
        return {**unit, "card": entrant.unit.model_dump(mode="json"), **settings, **shape}


def read_side(question: AskedSide[Any, Stance]) -> Side:
    """Return a side with what was set of it.

    Raise BalanceError for an unknown id or field, a value out of range, a formation that cannot be, or a unit of which
    nobody is left.
    """
    entrant = parse_entrant(question.catalogue, question.text, question.root)
    stance, constants = apply(question.stance, question.fields, question.place), constants_of(question.catalogue)
    columns, ranks = stance.columns or entrant.card.columns, stance.ranks or entrant.card.ranks
    slots = stance.figures_per_tray or getattr(constants.slots_per_tray, entrant.unit.type)
    threshold = stance.wound_threshold or entrant.unit.wound_threshold
    formation = Formation(columns, columns * ranks + stance.partial, slots, threshold, constants.most_ranks)
    figure = next((upgrade for upgrade in entrant.upgrades if upgrade.figure_health), None)
    side = Side(entrant, stance, formation, figure)
    if faults := list(_faults(side, columns, ranks, question)):
        raise RulesError(faults)
    return side


def _faults(side: Side, columns: int, ranks: int, question: AskedSide[Any, Stance]) -> Iterator[Fault]:
    path, stance, max_ranks = question.place, side.stance, side.formation.most_ranks
    if stance.partial >= columns:
        tip = "a rank as wide as the front is a full one: set ranks" if stance.partial == columns else ""
        message = f"is no partial rank behind a front of {columns}"
        yield Fault(message, path, None, "partial", str(stance.partial), f"0 to {columns - 1}", tip)
    if (n_ranks := ranks + (stance.partial > 0)) > max_ranks:
        rule = f"1 to {max_ranks}, a partial one included"
        yield Fault("are more ranks than a unit may have (RW-TRAY.4)", path, None, "ranks", str(n_ranks), rule)
    if side.figure and side.figure_slots >= (slots := side.formation.trays * side.formation.figures_per_tray):
        message, rule = f"fills {side.figure_slots} slots of a unit that has {slots}", "a larger formation"
        yield Fault(message, question.root, found=side.figure.id, allowed=rule)
    elif side.health < 1:
        rule = f"0 to {side.health + stance.wounds_suffered - 1}"
        wounds = str(stance.wounds_suffered)
        yield Fault("leave nobody of the unit", path, None, "wounds_suffered", wounds, rule)
    conditions = list(question.catalogue.tables["conditions"])
    for condition in stance.conditions:
        if condition not in conditions:
            tip = suggestion(condition, conditions)
            yield Fault("is no condition", path, None, "conditions", condition, all_of(conditions), tip)
    for fault in surge_faults(stance.surge_abilities, conditions, "surge_abilities"):
        yield replace(fault, path=path)
