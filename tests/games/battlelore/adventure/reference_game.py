"""Adventures told a second time: who stands where, luck, decisions, banners. `reference_play` plays them.

Everything here is plain Python and follows the rulebook's ledger and the protocol of decisions, word for word:

* all luck follows from the key of a trial, a count of moments (decisions, throws and cards drawn), a name and a place;
* a decision with one option has no moment; of several the one with the highest word is taken, or, where another engine
  is followed, the one that it took.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from tests.games.battlelore.adventure.reference_board import adjacent, neighbours
from tests.games.battlelore.adventure.reference_terms import (
    Decision,
    DifferenceError,
    GameOverError,
    Keep,
    Spell,
    Terms,
    Unit,
)
from tests.games.warforged.reference_luck import below, word

T = TypeVar("T")
TIE_BITS = 40


class Game:
    """An adventure that is played.

    `script` are the decisions of an engine that is followed, and `by_luck` the sides that it plays at random; `looks`
    is asked at each of them whether both engines are in the same state. `happened` counts what came about.
    """

    def __init__(
        self,
        terms: Terms,
        key: int,
        script: Iterator[Decision] | None = None,
        by_luck: tuple[bool, bool] = (True, True),
        looks: Callable[[Game, Decision], None] | None = None,
    ) -> None:
        self.terms, self.key, self.script, self.by_luck, self.looks = terms, key, script, by_luck, looks
        self.board, self.rules = terms.board, terms.rules
        self.den_exits = [-1, -1]
        self.moments = self.turn = self.winner = self.pool = 0
        self.side = terms.first
        self.units = [
            [Unit(side, slot, fighter, cell, fighter.unit.figures) for slot, (fighter, cell) in enumerate(units)]
            for side, units in enumerate(terms.units)
        ]
        self.slots = max(map(len, self.units))
        self.standing = {unit.at: unit for units in self.units for unit in units}
        self.deck = [card.count for card in terms.cards]
        self.discard = [0] * len(self.deck)
        self.hands = [[0] * len(self.deck) for _ in "ab"]
        self.card, self.last_card = -1, [-1, -1]
        self.banners, self.tokens = [0, 0], [0, 0]
        self.earned = [False] * len(terms.blazons)
        self.lore_deck, self.lore_discard = ([0] * len(terms.lore_cards) for _ in "ab")
        self.lore_hands = [[0] * len(terms.lore_cards) for _ in "ab"]
        self.spells = [Spell(), Spell()]
        self.keeps = self._keeps()
        if terms.lore:
            self.board = replace(self.board, terrain=dict(self.board.terrain), owners=dict(self.board.owners))
        self.happened: Counter[str] = Counter()

    def _keeps(self) -> list[Keep]:
        """Return the strongholds of the map, and those that Commanders of the highest level are going to place."""
        terms, owners = self.terms, sorted(self.board.owners.items())
        keeps = [Keep(side, cell) for cell, side in owners if self.board.has(cell, "stronghold")]
        for side, council in enumerate(terms.councils):
            brings = terms.lore and council.commander == 3  # the adventure has no say in it (BL-LMK-11)
            if brings and all(keep.side != side for keep in keeps):
                keeps.append(Keep(side, -1))
        return keeps

    # luck and decisions

    def throw(self, name: str, n_dice: int) -> list[str]:
        """Return the faces of dice, which are one moment; none for no dice."""
        if n_dice <= 0:
            return []
        faces = self.terms.constants.die.faces
        count, self.moments = self.moments, self.moments + 1
        return [faces[below(word(self.key, count, name, die), 6)] for die in range(n_dice)]

    def decide(self, name: str, side: int, options: Mapping[int, T]) -> T:
        """Return what stands at the place that is decided for."""
        if len(options) == 1:
            return next(iter(options.values()))
        count, self.moments = self.moments, self.moments + 1
        lucky = max(options, key=lambda place: word(self.key, count, name, place) >> (64 - TIE_BITS))
        if self.script is None:
            return options[lucky]
        step = self._next_step(f"{name} of side {side} in turn {self.turn}", frozenset(options))
        if self.by_luck[side] and step.taken != lucky:
            raise DifferenceError(f"{step.what}: luck takes {lucky}, the other engine {step.taken}")
        return options[step.taken]

    def _next_step(self, what: str, places: frozenset[int]) -> Decision:
        """Return what the other engine decides, if it decides the same of the same options in the same state."""
        step = None if self.script is None else next(self.script, None)
        if step is None:
            raise DifferenceError(f"{what} is to be decided, the other engine has nothing to decide")
        if (step.what, step.places) != (what, places):
            ours, theirs = sorted(places - step.places), sorted(step.places - places)
            raise DifferenceError(f"{what}, only here {ours}; there {step.what}, only {theirs}; all {sorted(places)}")
        if self.looks is not None:
            self.looks(self, step)
        return step

    def draw(self) -> int | None:
        """Draw a card from the deck; when it is empty the discards are shuffled first (BL-CMD-12)."""
        if not any(self.deck):
            self.deck, self.discard = self.discard, self.deck
            self.happened["reshuffle"] += any(self.deck)
        if not any(self.deck):
            self.happened["nothing to draw"] += 1
            return None
        count, self.moments = self.moments, self.moments + 1
        place = below(word(self.key, count, "draw"), sum(self.deck))
        card = next(card for card in range(len(self.deck)) if place < sum(self.deck[: card + 1]))
        self.deck[card] -= 1
        return card

    @property
    def effect(self) -> str:
        """What the card of this turn does; nothing where none was played."""
        return self.terms.cards[self.card].effect if self.card >= 0 else ""

    # Lore

    def gain(self, side: int, tokens: int) -> None:
        """Take tokens from the pool, as many as there are (BL-LORE-03)."""
        tokens = min(tokens, self.pool)
        self.pool -= tokens
        self.tokens[side] += tokens

    def pay(self, side: int, tokens: int) -> None:
        """Give tokens back to the pool."""
        self.pool += tokens
        self.tokens[side] -= tokens

    def has_cast(self, side: int, mechanism: str) -> bool:
        """Whether a side has played a Lore card of some mechanism in this turn, and it has its effect."""
        card = self.spells[side].card
        return card >= 0 and self.terms.lore_cards[card].mechanism == mechanism

    def use_lore_faces(self, by: Unit, on: Unit, hits: int, faces: int) -> None:
        """Do with the Lore faces of a throw what the attacker's player decides (BL-CRE-10 to BL-CRE-15)."""
        costs: dict[str, int] = {name: getattr(self.terms.constants.lore, name) for name in by.fighter.unit.powers}
        most, lore = max(costs.values(), default=0), by.stored + faces
        survives = on.creature or hits < on.figures
        options = {0: ""}
        if min(most - by.stored, faces) > 0:
            options[1] = "store"
        if survives and not on.webbed and lore >= costs.get("web", lore + 1):
            options[2] = "web"
        if survives and not on.poisoned and hits and lore >= costs.get("poison", lore + 1):
            options[3] = "poison"
        power = self.decide("power", by.side, options)
        self.happened[f"power {power}"] += bool(power)
        on.webbed, on.poisoned = on.webbed or power == "web", on.poisoned or power == "poison"
        rest = lore - costs.get(power, 0)
        self._store(by, min(most, rest) if power else by.stored)
        self.gain(by.side, rest - by.stored)

    def _store(self, unit: Unit, tokens: int) -> None:
        """Have so many tokens beside a creature; those that are new come from the pool, as far as it goes."""
        tokens = min(tokens, unit.stored + self.pool)
        self.pool += unit.stored - tokens
        unit.stored = tokens

    # units

    def army(self, side: int) -> list[Unit]:
        """Return the units that a side has on the board."""
        return [unit for unit in self.units[side] if unit.alive]

    def beside(self, unit: Unit) -> list[Unit]:
        """Return all units next to a unit."""
        return [self.standing[cell] for cell in neighbours(unit.at) if cell in self.standing]

    def enemies_beside(self, unit: Unit) -> list[Unit]:
        return [other for other in self.beside(unit) if other.side != unit.side]

    def enemy_is_beside(self, side: int, cell: int) -> bool:
        """Whether an enemy of a side stands next to a hex."""
        return any(adjacent(cell, enemy.at) for enemy in self.army(1 - side))

    def free(self, cell: int) -> bool:
        """Whether a unit may enter a hex."""
        return cell not in self.standing and self.board.passable(cell)

    def put(self, unit: Unit, cell: int) -> None:
        del self.standing[unit.at]
        unit.cell = cell
        self.standing[cell] = unit

    # banners

    def remove(self, *dead: Unit) -> None:
        """Take units off the board in one event: a banner each for the enemy, and Lore for a creature (BL-WIN-02)."""
        for unit in dead:
            del self.standing[unit.at]
            unit.cell, unit.figures = None, 0
            self._store(unit, 0)
            if self.terms.lore and unit.creature:
                self.gain(1 - unit.side, self.terms.constants.lore.creature_kill)
            self.banners[1 - unit.side] += 1
            self.happened[f"{unit.kind} eliminated"] += 1
        self.settle()

    def settle(self) -> None:
        """See to all that follows from who stands where, now that an event is over (BL-WIN-03, BL-LMK-12).

        Hexes give their banners or take them back; the game ends if a side has those it needs, and of two that have
        the one whose turn it is wins (BL-WIN-04); then strongholds are lost and retaken.
        """
        for number, blazon in enumerate(self.terms.blazons):
            stands = self._holder(blazon.cell) == blazon.side
            if stands == self.earned[number] or not (stands or blazon.held):
                continue
            self.banners[blazon.side] += blazon.banners if stands else -blazon.banners
            self.earned[number] = stands
            self.happened["banner hex" if stands else "banner hex lost"] += 1
        for side in (self.side, 1 - self.side):
            if self.banners[side] >= self.terms.banners[side]:
                self.winner = 1 + side
                raise GameOverError
        for keep in self.keeps:
            holder = self._holder(keep.cell)
            if holder == 1 - keep.side and not keep.fallen:
                self._fall(keep)
            elif holder == keep.side and keep.fallen:
                self._retake(keep)

    def _holder(self, cell: int) -> int:
        """Return the side that stands on a hex, -1 for nobody."""
        return self.standing[cell].side if cell in self.standing else -1

    def _fall(self, keep: Keep) -> None:
        """Take a command card from a side that has lost its stronghold."""
        keep.fallen = True
        self.happened["stronghold lost"] += 1
        hand = self.hands[keep.side]
        if not any(hand):
            return
        count, self.moments = self.moments, self.moments + 1
        place = below(word(self.key, count, "stronghold"), sum(hand))
        card = next(card for card in range(len(hand)) if place < sum(hand[: card + 1]))
        hand[card] -= 1
        self.discard[card] += 1
        keep.lost_card = True

    def _retake(self, keep: Keep) -> None:
        keep.fallen = False
        self.happened["stronghold retaken"] += 1
        if keep.lost_card:
            keep.lost_card = False
            if (card := self.draw()) is not None:
                self.hands[keep.side][card] += 1
