"""Command cards told a second time: which units a card orders, by trying every way to match units to its orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from balance.games.battlelore.tables import CommandCard
from tests.games.battlelore.adventure.reference_board import adjacent
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_terms import Unit

SECTIONS = ("left", "centre", "right")
ANY = "any"
PAID, NOBODY = 1000, 2000
"""What stands before the places of units that cost tokens, and the place of "nobody else"."""


def mirrored(game: Game, card: int) -> int:
    """Return the card that does the same with left and right swapped."""

    def orders(one: CommandCard) -> tuple[object, ...]:
        return one.effect, one.centre, one.anywhere, one.left, one.right

    effect, centre, anywhere, left, right = orders(game.terms.cards[card])
    wanted = (effect, centre, anywhere, right, left)
    return next(number for number, other in enumerate(game.terms.cards) if orders(other) == wanted)


@dataclass
class Orders:
    """The orders of a card: how many units of each sort, and who may be one of them.

    `slots` counts orders by what they ask for: a section, a helmet's colour, or anything; `command` is the number of
    cards in hand with the one being played.
    """

    game: Game
    card: CommandCard
    slots: Counter[str]

    @property
    def effect(self) -> str:
        return self.card.effect

    @property
    def sectional(self) -> bool:
        return self.effect in ("section", "scout")

    def fits(self, unit: Unit) -> set[str]:
        """Return the sorts of orders that a unit can fill."""
        if self.sectional:
            here = self.game.board.sections(unit.side, unit.at) & set(self.slots)
            return here or (set(self.slots) if unit.creature and self.game.terms.lore else set())
        if self.effect == "battlelore":
            return {unit.colour, ANY} & set(self.slots)
        return set(self.slots) if self._is_named(unit) else set()

    def _is_named(self, unit: Unit) -> bool:
        """Whether a tactic card speaks of a unit; cards of foot or mounted units never do of creatures (BL-CMD-14)."""
        if self.effect.startswith("colour_"):
            return unit.colour == self.effect.removeprefix("colour_")
        if self.effect == "darken_the_sky":
            ranged = unit.fighter.weapon.range_hexes > 1
            return ranged and not self.game.enemies_beside(unit)
        kinds = {"mounted_charge": "mounted", "foot_onslaught": "foot"}
        return unit.kind == kinds.get(self.effect, unit.kind)

    def cost(self, unit: Unit) -> int:
        """Return the tokens that ordering a unit costs (BL-CMD-15, BL-CRE-16)."""
        lore = self.game.terms.constants.lore
        outside = self.sectional and not self.game.board.sections(unit.side, unit.at) & set(self.slots)
        return outside * lore.out_of_section + unit.webbed * lore.free_from_web

    def can_match(self, units: Iterable[Unit]) -> bool:
        """Whether all of some units can be ordered, each by an order of its own."""
        return _matched([self.fits(unit) for unit in units], self.slots.copy())

    def candidates(self) -> list[Unit]:
        """Return the units that may be ordered beside those that are, whatever they cost."""
        army = self.game.army(self.game.side)
        ordered = [unit for unit in army if unit.ordered]
        return [
            unit
            for unit in army
            if not unit.ordered and self._joins(unit, ordered) and self.can_match([*ordered, unit])
        ]

    def can_order_all(self, units: list[Unit]) -> bool:
        """Whether some units can be ordered together, beside those that are, and in any order."""
        ordered = [unit for unit in self.game.army(self.game.side) if unit.ordered]
        return self.effect != "foot_onslaught" and self.can_match([*ordered, *units])

    def _joins(self, unit: Unit, ordered: list[Unit]) -> bool:
        """Whether a unit stands by the group that a Foot Onslaught orders."""
        grouped = self.effect == "foot_onslaught" and ordered
        return not grouped or any(adjacent(unit.at, other.at) for other in ordered)


def _matched(fits: list[set[str]], slots: Counter[str]) -> bool:
    if not fits:
        return True
    for slot in sorted(fits[0]):
        if slots[slot] > 0:
            slots[slot] -= 1
            if _matched(fits[1:], slots):
                return True
            slots[slot] += 1
    return False


def orders_of(game: Game, card: CommandCard, command: int) -> Orders:
    """Return the orders of a card; the dice of BattleLore are thrown."""
    numbers = {"left": card.left, "centre": card.centre, "right": card.right, ANY: card.anywhere}
    if card.effect == "counter_attack":
        numbers = {ANY: 1}
    elif card.effect == "battlelore":
        numbers = _thrown_orders(game, command)
    return Orders(game, card, +Counter({slot: command if n < 0 else n for slot, n in numbers.items()}))


def _thrown_orders(game: Game, command: int) -> dict[str, int]:
    faces = game.throw("battlelore", command)
    if game.terms.lore:
        game.gain(game.side, faces.count("L"))
    return {"green": faces.count("G"), "blue": faces.count("B"), "red": faces.count("R"), ANY: faces.count("S")}
