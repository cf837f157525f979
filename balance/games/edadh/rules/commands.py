"""The cards behind a Unit, compiled (level D): combat master, standard, battle master with stratagems.

Columns they add to a side's state:

* `champion`: 0 none or gone, 1 face up, 2 face down (WE-CM); `standard`: 1 while it has not been used (WE-STD.1);
* `leader`: 0 none, 1 behind the Unit, 2 face down after a failed `tcts`, 3 in promotion (WE-STR.5);
* `second`: what was played beside the mastery card this turn, 0 nothing, MST or TCTS (WE-STR.6);
* `s_...` for each stratagem: IN_DECK, LOCKED, IN_PROMOTION, IN_PLAY or OUT_OF_GAME.

A stratagem raises a value of the own Selected Troop by its amount; assigned to terrain, it raises the protection of the
own half; `counter` and `recover` happen once, at EOP0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.games.edadh.cards.command_cards import CombatMaster, Standard, Stratagem
from balance.games.edadh.cards.records import LEVELS
from balance.games.edadh.rules.strike import Boost, Ints

UP, DOWN, PROMOTION = 1, 2, 3
"""Where a master is while he is behind the Unit: face up, face down, or a leader in promotion."""
MST, TCTS = 1, 2
"""The sides of the secondary mastery card."""
IN_DECK, LOCKED, IN_PROMOTION, IN_PLAY, OUT_OF_GAME = range(5)
"""Where a stratagem is."""
RAISES = {"att": "att", "def": "defence", "ml": "ml", "protection": "protection", "damage": "damage"}
"""What an effect that lasts raises, as a field of `Boost`."""


@dataclass(frozen=True, eq=False)
class Command:
    """What stands behind one Unit: a combat master and a standard, None for none, and a battle master's stratagems.

    `tactical_ml` is what stratagems may cost together (WE-STR.2), 0 without a battle master; `deck` has one of each
    stratagem (WE-BM.2), or none without a battle master.
    """

    champion: CombatMaster | None = None
    standard: Standard | None = None
    tactical_ml: int = 0
    deck: tuple[Stratagem, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether neither master nor standard stands behind the Unit."""
        return self.champion is None and self.standard is None and not self.deck

    def start(self) -> dict[str, int]:
        """Return its columns at the beginning (see the module), their names without the side."""
        cards = {"champion": int(self.champion is not None), "standard": int(self.standard is not None)}
        return {**cards, "leader": int(bool(self.deck)), "second": 0, **{f"s_{card.id}": IN_DECK for card in self.deck}}

    def cost(self, card: Stratagem) -> int:
        """Return what a stratagem costs; * is the whole tactical ML."""
        return self.tactical_ml if card.cost is None else card.cost

    @cached_property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """Every set of stratagems that the tactical ML pays for, as places in the deck; the empty one first."""
        combinations = product(*((False, True) for _ in self.deck))
        sets = [tuple(place for place, is_taken in enumerate(flags) if is_taken) for flags in combinations]
        return tuple(s for s in sets if self._is_payable([self.deck[place] for place in s]))

    def _is_payable(self, cards: list[Stratagem]) -> bool:
        """Return whether a set may be taken together; a card of cost * is taken alone (WE-STR.2)."""
        alone = len(cards) == 1 or all(card.cost is not None for card in cards)
        return alone and sum(map(self.cost, cards)) <= self.tactical_ml

    @cached_property
    def in_hand(self) -> BoolArray:
        """Whether each set of `hands` holds each stratagem, `bool[H, S]`."""
        table = np.zeros((len(self.hands), len(self.deck)), bool)
        for row, hand in zip(table, self.hands, strict=True):
            row[list(hand)] = True
        return table

    @cached_property
    def costs(self) -> npt.NDArray[np.int16]:
        """Cost of each stratagem, `int16[S]`."""
        return np.array([self.cost(card) for card in self.deck], np.int16)

    def places(self, state: State, side: str) -> IntArray:
        """Return where each stratagem is, IN_DECK to OUT_OF_GAME, `int16[n, S]`, on side "a" or "b"."""
        if not self.deck:
            return np.zeros((len(state["over"]), 0), np.int16)
        return np.stack([state[f"{side}_s_{card.id}"] for card in self.deck], axis=1)

    def put(self, side: str, places: IntArray) -> State:
        """Return the `s_...` columns of side "a" or "b" for `places`, `int[n, S]`: the inverse of `Command.places`."""
        return {f"{side}_s_{card.id}": places[:, i].astype(np.int16) for i, card in enumerate(self.deck)}

    def face_up(self, state: State, side: str) -> State:
        """Return the state as an opponent sees it: a locked stratagem may as well be in the deck (WE-STR.3)."""
        names = [f"{side}_s_{card.id}" for card in self.deck if card.secondary]
        return {**state, **{name: np.where(state[name] == LOCKED, IN_DECK, state[name]) for name in names}}

    def boost(self, state: State, side: str, level: Ints) -> Boost:
        """Return what stratagems in play add at combat level 0 to 2, a number or `int[n]` (WE-STR.4)."""
        boost, zero = Boost(), np.zeros(len(state["over"]), np.int16)
        for card, place in zip(self.deck, self.places(state, side).T, strict=True):
            works = np.array([name in card.levels for name in LEVELS])[level]
            field = "ground" if card.assignment == "terrain" else RAISES.get(card.effect, "")
            if field and not card.instant:
                amount = zero + card.amount * ((place == IN_PLAY) & works)
                boost = boost._replace(**{field: getattr(boost, field) + amount})
        return boost
